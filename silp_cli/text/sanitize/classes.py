"""The invisible code points, in named classes that can be switched on and off.

The ranges follow Unicode properties that no longer change for assigned characters (Default_Ignorable_Code_Point,
Bidi_Control, Variation_Selector, Noncharacter_Code_Point, general categories Cc and Co), so they are the same on
every Python version; a test compares each with the properties of a Unicode library.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

# Class -> ranges (first, last), both included. The classes do not overlap.
CLASSES: dict[str, tuple[tuple[int, int], ...]] = {
    "zero-width": ((0x200B, 0x200D), (0xFEFF, 0xFEFF)),
    "bidi": ((0x061C, 0x061C), (0x200E, 0x200F), (0x202A, 0x202E), (0x2066, 0x2069)),
    "tags": ((0xE0000, 0xE007F),),
    "variation": ((0x180B, 0x180D), (0x180F, 0x180F), (0xFE00, 0xFE0F), (0xE0100, 0xE01EF)),
    "ignorable": (
        (0x034F, 0x034F), (0x17B4, 0x17B5), (0x180E, 0x180E), (0x2060, 0x2065), (0x206A, 0x206F),
        (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0080, 0xE00FF), (0xE01F0, 0xE0FFF),
    ),
    "control": ((0x00, 0x08), (0x0B, 0x1F), (0x7F, 0x9F)),
    "soft-hyphen": ((0x00AD, 0x00AD),),
    "hangul-filler": ((0x115F, 0x1160), (0x3164, 0x3164), (0xFFA0, 0xFFA0)),
    "annotation": ((0xFFF9, 0xFFFB),),
    "private-use": ((0xE000, 0xF8FF), (0xF0000, 0xFFFFD), (0x100000, 0x10FFFD)),
    "noncharacter": (
        (0xFDD0, 0xFDEF),
        *((plane << 16 | 0xFFFE, plane << 16 | 0xFFFF) for plane in range(0x11)),
    ),
}

DRAFT_FOUR = "\u200b\u200c\u200d\ufeff"

_STARTS: list[tuple[int, int, str]] = sorted(
    (first, last, name) for name, ranges in CLASSES.items() for first, last in ranges
)


def class_list(text: str) -> tuple[str, ...]:
    """The classes of a list separated by commas; ``none`` is no class.

    Raises:
        ValueError: for a name that is no class's.
    """
    names = tuple(name for name in text.replace(" ", "").split(",") if name not in ("", "none"))
    for name in names:
        if name not in CLASSES:
            raise ValueError(f"no class '{name}'; there are: {', '.join(CLASSES)}")
    return names


def class_of(char: str) -> str | None:
    """The class of an invisible character, or None for any other."""
    code = ord(char)
    low, high = 0, len(_STARTS)
    while low < high:
        middle = (low + high) // 2
        first, last, name = _STARTS[middle]
        if code < first:
            high = middle
        elif code > last:
            low = middle + 1
        else:
            return name
    return None


def char_class(ranges: Iterable[tuple[int, int]]) -> str:
    """The inside of a regular expression's ``[...]`` that matches ranges; no sign such as ``]`` begins or ends one."""
    return "".join(f"{chr(first)}-{chr(last)}" if first < last else chr(first) for first, last in ranges)


def pattern(names: frozenset[str]) -> re.Pattern[str] | None:
    """A pattern that matches one character of the named classes; None when no class is named.

    Args:
        names: keys of ``CLASSES``.
    """
    names_apart = [name for name in CLASSES if name in names and name != "control"]
    inside = "".join(char_class(CLASSES[name]) for name in names_apart)
    parts = [f"[{inside}]"] if inside else []
    if "control" in names:
        # CR LF is a line's end, a CR elsewhere overwrites what a terminal has shown.
        parts.append(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|\r(?!\n)")
    return re.compile("|".join(parts)) if parts else None
