r"""What may stand in compiled text so that no sanitizer touches it (DESIGN.md, invariant 3).

``compile`` writes words of honest text as they are and escapes the rest. The rule is conservative: every
invisible character is escaped, whether or not the sanitizer would let it pass where it stands (an emoji's ZWJ
survives by default, but not under ``--strict``). Look-alikes of ASCII are escaped only in words where the sanitizer
folds them inside a quoted literal; there its mode ``all`` behaves like ``mixed``, so ``"Москва"`` stays readable.
Outside quotes ``all`` folds every look-alike, so a word that holds one is not bare. JSON escapes end a word for the
sanitizer as they do here.

Nothing here depends on the Unicode version of the interpreter: see ``sanitize.homoglyphs``.
"""

from __future__ import annotations

from silp_cli.text.memo import Memo
from silp_cli.text.sanitize.clearance import Clearance

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

    from silp_cli.text.sanitize.policy import Policy

_MARKS = frozenset("_.+-%/#$*")

_hidden: re.Pattern[str] | None = None
# Most streams use the same characters and words beyond ASCII over and over.
_honest: set[bytes] = set()
_MOST = 4096
_LONGEST = 64
_PLAIN = bytes(range(0x7F))
_LAST_PLAIN = "\x7e"


def escape(text: str) -> str:
    r"""Escape what a sanitizer could touch.

    Args:
        text: JSON text or a double-quoted literal, as a JSON encoder writes it: whatever is dangerous in it stands
            within quotes, and no tab or line break does.

    Returns:
        The text with those characters, lone surrogates and line separators as ``\uXXXX`` (pairs of surrogates beyond
        U+FFFF).
    """
    if text.isascii() and "\x7f" not in text:  # JSON has escaped the other controls
        return text
    global _hidden
    if _hidden is None:
        _hidden = _compile_hidden()
    from silp_cli.text.sanitize.homoglyphs import may_hold_lookalike

    # Most text beyond ASCII is honest, and most of a record is ASCII: look at the few characters first.
    few = text.encode("utf-8", "surrogatepass").translate(None, _PLAIN)
    if few in _honest:
        return text
    if _hidden.search(rest := few.decode("utf-8", "surrogatepass")) is None and not may_hold_lookalike(rest):
        if len(few) <= _LONGEST:
            if len(_honest) >= _MOST:
                _honest.clear()
            _honest.add(few)
        return text
    if _hidden.search(rest) is None and _cleared(text):
        return text
    # A quotation mark ends a word, be it escaped or not, so the pieces between them can be looked at one by one.
    parts: list[str] = []
    done = seen = 0
    while seen < len(rest):
        at = text.find(rest[seen], done)
        start = max(done, text.rfind('"', done, at) + 1)
        done, before = text.find('"', at), done
        if done < 0:
            done = len(text)
        piece = text[start:done]
        parts += (text[before:start], _escaped[piece])
        seen += sum(map(_LAST_PLAIN.__lt__, piece))
    return "".join((*parts, text[done:]))


def _escape(text: str) -> str:
    """``escape`` for a text without quotation marks."""
    from silp_cli.text.sanitize.homoglyphs import folds

    assert _hidden is not None
    text = _hidden.sub(_spell, text)
    # An escape ends a word, and in the shorter word that is left a letter may count that did not before: twice at most.
    while not text.isascii() and (found := folds(text)):
        parts: list[str] = []
        done = 0
        for position, _ in found:
            parts += (text[done:position], escaped(text[position]))
            done = position + 1
        text = "".join((*parts, text[done:]))
    return text


_escaped = Memo(_escape)


def _folding() -> Policy:
    from silp_cli.text.sanitize.policy import DEFAULT

    return DEFAULT


# Its policy folds what `folds` does; the hidden have been looked for before.
_cleared = Clearance(_folding)


def _compile_hidden() -> re.Pattern[str]:
    import re

    from silp_cli.text.sanitize.classes import CLASSES, char_class

    ranges = tuple(each for ranges in CLASSES.values() for each in ranges)
    # The line separators end lines for some reader; surrogates have no UTF-8.
    return re.compile(f"[{char_class(ranges)}\u2028\u2029\ud800-\udfff]")


def _spell(match: re.Match[str]) -> str:
    return escaped(match.group())


def escaped(char: str) -> str:
    r"""The JSON escape of one character: ``\u200b``, ``\ud83d\ude00``."""
    code = ord(char)
    if code < 0x10000:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 | code >> 10:04x}\\u{0xDC00 | code & 0x3FF:04x}"


def is_bare(word: str) -> bool:
    """Whether a word may stand outside quotes, untouched by a sanitizer in every mode.

    Args:
        word: any text; meant for words that are not ASCII.

    Returns:
        True for one or more letters, decimal digits (any script, Unicode 3.2) and the marks ``_ . + - % / # $ *``,
        none of them a look-alike of an ASCII letter or digit.
    """
    from unicodedata import ucd_3_2_0

    category = ucd_3_2_0.category
    for char in word:
        kind = category(char)
        if char not in _MARKS and not ((kind[0] == "L" or kind == "Nd") and char.isalnum()):
            return False  # a few letters of Unicode 3.2 have become marks since
    if word.isascii():
        return bool(word)
    from silp_cli.text.sanitize.classes import class_of
    from silp_cli.text.sanitize.homoglyphs import lookalikes

    folds = lookalikes()
    return not any(char in folds or class_of(char) for char in word if char > "\x7f")
