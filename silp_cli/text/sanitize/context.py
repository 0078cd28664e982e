"""Where an invisible character is part of honest text.

Each rule asks for the neighbours that the character has in correct spelling, so a hidden message made of the same
characters does not pass: a second joiner or selector in a row is never kept.
"""

from __future__ import annotations

from functools import cache
from unicodedata import category, combining

import regex

from silp_cli.text.sanitize.classes import class_of
from silp_cli.text.sanitize.homoglyphs import table

ZWNJ, ZWJ, TEXT_STYLE, EMOJI_STYLE, KEYCAP = "\u200c", "\u200d", "\ufe0e", "\ufe0f", "\u20e3"

# Scripts whose letters join, and whose spelling joiners change (Unicode, chapters 9, 12, 13).
JOINING = frozenset([
    "ADLAM", "ARABIC", "BALINESE", "BENGALI", "BRAHMI", "CHAKMA", "DEVANAGARI", "GRANTHA", "GUJARATI",
    "GURMUKHI", "HANIFI_ROHINGYA", "JAVANESE", "KAITHI", "KANNADA", "KHAROSHTHI", "KHMER", "LIMBU",
    "MALAYALAM", "MANDAIC", "MEETEI_MAYEK", "MONGOLIAN", "MYANMAR", "NEWA", "NKO", "ORIYA", "PHAGS_PA",
    "SHARADA", "SINHALA", "SOGDIAN", "SYLOTI_NAGRI", "SYRIAC", "TAMIL", "TELUGU", "TIBETAN", "TIRHUTA",
])
_VIRAMA = 9  # canonical combining class
FLAG = "\U0001f3f4"
# The subdivision flags that Unicode recommends for interchange: England, Scotland, Wales.
SUBDIVISIONS = tuple(
    "".join(chr(0xE0000 + ord(char)) for char in name) + "\U000e007f" for name in ("gbeng", "gbsct", "gbwls")
)
# The blocks that hold all pictographs.
_PICTURES = "".join(map(chr, (*range(0xA0, 0x100), *range(0x2000, 0x3300), *range(0x1F000, 0x1FB00))))
_pictograph = regex.compile(r"\p{Extended_Pictographic}")
_emoji = regex.compile(r"\p{Emoji}")
_modifier = regex.compile(r"\p{Emoji_Modifier}")


def styled_emoji() -> list[str]:
    """The pictographs that may be followed by a selector of style and joined to others."""
    return [char for char in _pictograph.findall(_PICTURES) if _emoji.match(char)]


def flag_end(text: str, position: int) -> int:
    """Where the tag characters of a subdivision's flag end that begin at a position; the position itself if none do."""
    if position and text[position - 1] == FLAG:
        for tags in SUBDIVISIONS:
            if text.startswith(tags, position):
                return position + len(tags)
    return position


def is_honest(before: list[str], char: str, after: str) -> bool:
    """Whether an invisible character belongs where it stands.

    Args:
        before: the characters kept so far.
        char: the invisible character.
        after: the rest that matters: the next two characters as they came, or fewer at the end.
    """
    if not before:
        return False
    last = before[-1]
    if char in (ZWJ, ZWNJ):
        return (char == ZWJ and _joins_emoji(before, after)) or _joins_letters(before, char, after)
    kind = class_of(char)
    if kind == "variation":
        return _selects(last, char, after)
    if char == "\u034f":  # keeps marks apart that would otherwise be reordered
        return _is_mark(after[:1]) and (_is_mark(last) or (not last.isascii() and last.isalpha()))
    if char == "\u180e":
        return _script(last) == _script(after[:1]) == "MONGOLIAN"
    return False


def _joins_emoji(before: list[str], after: str) -> bool:
    if not _pictograph.match(after):
        return False
    last = len(before) - 1
    while last > 0 and (before[last] == EMOJI_STYLE or _modifier.match(before[last])):
        last -= 1
        if len(before) - last > 3:
            return False
    return _pictograph.match(before[last]) is not None


def _joins_letters(before: list[str], char: str, after: str) -> bool:
    last = before[-1]
    if combining(last) == _VIRAMA:
        return True
    script = _base_script(before)
    if script not in JOINING:
        return False
    if after and (_script(after[0]) == script or _is_mark(after[0])):
        return True
    # A joiner at the end of a word shows a letter's joined form, as in abbreviations.
    return char == ZWJ and not (after > "\x7f" and class_of(after[0]))


def _base_script(before: list[str]) -> str:
    """The script of the last letter or of the last mark that has one."""
    for back in range(1, min(len(before), 5) + 1):
        char = before[-back]
        if category(char)[0] not in "LM":
            return ""
        script = _script(char)
        if script not in ("INHERITED", ""):
            return script
    return ""


def _selects(base: str, selector: str, after: str) -> bool:
    """Whether a variation selector stands behind a base that has variants."""
    script = _script(base)
    if selector in "\u180b\u180c\u180d\u180f":
        return script == "MONGOLIAN"
    if selector in (TEXT_STYLE, EMOJI_STYLE):
        return bool(_emoji.match(base)) and (not base.isascii() or after[:1] == KEYCAP)
    if selector >= "\U000e0100":
        return script == "HAN"
    if selector <= "\ufe02" and (script in ("HAN", "MYANMAR", "PHAGS_PA") or base in "、。，．：；！？"):
        return True
    return selector == "\ufe00" and category(base) == "Sm" and not base.isascii()


def _is_mark(char: str) -> bool:
    return bool(char) and category(char)[0] == "M" and class_of(char) is None


@cache
def _script(char: str) -> str:
    """The script of a visible character; the invisible ones may be gone in the end, so they have none."""
    return table().script(char) if char and class_of(char) is None else ""
