"""Words of the code surface: what may stand bare, what must be quoted, and what a position means."""

from __future__ import annotations

import re
from json.encoder import encode_basestring

from silp_cli.text.safe import escape, is_bare

KEYWORDS = frozenset(("if", "then", "else", "and", "with"))

# A position decodes to the id "time" when its value looks like this, and to "act" otherwise.
is_temporal = re.compile(r"t[+-][0-9]+[A-Za-z]*").fullmatch

_is_ascii_bare = re.compile(r"[A-Za-z0-9_.+\-%/#$*]+").fullmatch

# Most streams say the same few words over and over; remembering them halves the time of a compile.
_MAX_WORDS = 8192
_MAX_LENGTH = 64
_words: dict[str, str] = {}


def word(text: str) -> str:
    """A string as it stands inside parentheses: bare if it can be, else as a literal."""
    known = _words.get(text)
    if known is not None:
        return known
    written = text if _is_ascii_bare(text) or (not text.isascii() and is_bare(text)) else literal(text)
    if len(text) <= _MAX_LENGTH:
        if len(_words) >= _MAX_WORDS:
            _words.clear()
        _words[text] = written
    return written


def plain_word(text: str) -> str:
    """A string as it stands where a keyword could: those are quoted too."""
    return f'"{text}"' if text in KEYWORDS else word(text)


def literal(text: str) -> str:
    """A JSON string literal without anything a sanitizer or a terminal would touch."""
    return escape(encode_basestring(text))
