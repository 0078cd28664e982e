"""Words of the code surface: what may stand bare, what must be quoted, and what a position means."""

from __future__ import annotations

import re
from json.encoder import encode_basestring

from silp_cli.text.memo import Memo
from silp_cli.text.safe import escape, is_bare

KEYWORDS = frozenset(("if", "then", "else", "and", "with"))

# A position decodes to the id "time" when its value looks like this, and to "act" otherwise.
is_temporal = re.compile(r"t[+-][0-9]+[A-Za-z]*").fullmatch

_is_ascii_bare = re.compile(r"[A-Za-z0-9_.+\-%/#$*]+").fullmatch


def literal(text: str) -> str:
    """A JSON string literal without anything a sanitizer or a terminal would touch."""
    return escape(encode_basestring(text))


def _word(text: str) -> str:
    if _is_ascii_bare(text) or (not (text.isascii() or " " in text) and is_bare(text)):
        return text
    return literal(text)


def _plain_word(text: str) -> str:
    return f'"{text}"' if text in KEYWORDS else _word(text)


def _constraint_type(text: str) -> str:
    if text[:1] == "!":
        rest = text[1:]
        return text if _plain_word(rest) == rest else literal(text)
    return _plain_word(text)


def _function(action: str) -> str:
    name = action[1:].lower()
    return action if name in KEYWORDS else name


# A string inside parentheses: bare if it can be, else a literal.
WORD = Memo(_word)
# A string where a keyword could stand: keywords are quoted too.
PLAIN_WORD = Memo(_plain_word)
# A constraint's type: its exclamation mark stands outside a literal only where the rest is bare.
CONSTRAINT_TYPE = Memo(_constraint_type)
# The function name of an action code, or the code itself where the name would be a keyword.
FUNCTION = Memo(_function)
