"""Quick tests that clear most honest words without looking at them character by character.

A test may fail to clear a clean word (``engine.find`` then decides), but clears no other. Characters beyond U+FFFF are
left to ``engine.find``: they would cost every other character a walk through their ranges.
"""

from __future__ import annotations

import re

from silp_cli.text.sanitize.classes import CLASSES, char_class
from silp_cli.text.sanitize.homoglyphs import class_of_bmp, lookalikes, table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

# Scripts that are written with look-alikes of ASCII and that may share a word (with ASCII too, in the last group).
_GROUPS = (("CYRILLIC",), ("GREEK",), ("ARMENIAN",), ("ARABIC",), ("HEBREW",), ("HAN", "HIRAGANA", "KATAKANA"))
_EAST_ASIAN = _GROUPS[-1]
# Punctuation and signs that end a word.
_BETWEEN = (
    "\u00a0-\u00a9\u00ab\u00ac\u00ae-\u00b1\u00b6\u00b7\u00bb\u2010-\u2027\u2030-\u205e"
    "\u3000-\u3003\u3008-\u3011"
)


def clean_filter(mode: str) -> Callable[[str], bool]:
    """A test of a word (a run of ASCII letters, digits and anything beyond ASCII) in a mode of folding.

    Args:
        mode: ``"mixed"``, ``"all"`` or ``"off"``.

    Returns:
        A function that is true only for words in which nothing is found under any choice of classes.
    """
    alike = "" if mode == "off" else class_of_bmp(lookalikes())
    hidden = char_class(tuple(each for ranges in CLASSES.values() for each in ranges if each[0] <= 0xFFFF))
    plain = re.compile(f"[^{alike}{hidden}\U00010000-\U0010ffff]*+").fullmatch
    if mode != "mixed":
        return lambda word: plain(word) is not None
    honest: list[Callable[[str], object]] = []

    def is_clean(word: str) -> bool:
        if plain(word) is not None:
            return True
        if not honest:
            honest.append(re.compile("|".join(map(_words_of, _GROUPS))).fullmatch)
        return honest[0](word) is not None

    return is_clean


def _words_of(scripts: tuple[str, ...]) -> str:
    """A pattern of words in scripts, each with a letter that no ASCII letter looks like."""
    data = table()
    own = char_class(tuple(each for each in data.letters_of(scripts) if each[1] <= 0xFFFF))
    alike = class_of_bmp(char for char in data.fold if data.script(char) in scripts)
    between = f"[{_BETWEEN}]"
    ascii_too = "A-Za-z0-9" if scripts is _EAST_ASIAN else ""
    return f"(?:{between}*+(?:(?=[{alike}{ascii_too}]*+[{own}])[{own}{ascii_too}{alike}]++)?+)*+"
