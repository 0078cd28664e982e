"""The listing of ``silp explain --extract``: the text with its spans numbered at the margin, and a line for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from silp_cli.explain.sightings import WHATS
from silp_cli.ir.errors import line_and_column
from silp_cli.text.diagnostics import display_width, visible

if TYPE_CHECKING:
    from silp_cli.explain.sightings import Sighted, Sighting

_RESET = "\x1b[0m"
_COLORS = {"call": "1;32", "payload": "1;34", "problem": "1;31", "passed": "2"}


def listing(seen: Sighted, width: int, *, color: bool = False) -> str:
    """The text, each line with the number of the span that it begins or goes on with, then the spans.

    Args:
        seen: what was seen.
        width: terminal cells in a line.
        color: whether ANSI colours may be used.
    """
    return "\n".join([*_lines(seen, width, color), "", *_table(seen, color)])


def _lines(seen: Sighted, width: int, color: bool) -> list[str]:
    digits = len(str(len(seen.sightings)))
    shown = []
    place = 0
    for line in seen.text.removesuffix("\n").split("\n"):
        end = place + len(line)
        inside = [
            (number, each)
            for number, each in enumerate(seen.sightings, 1)
            if each.start <= end and each.end > place and (each.start < end or not line)
        ]
        margin = str(inside[0][0]) if inside else ""
        pieces, at, room = [], place, width - digits - 3
        for _, each in inside:
            pieces.append((seen.text[at : max(at, each.start)], ""))
            pieces.append((seen.text[max(at, each.start) : min(end, each.end)], each.what))
            at = min(end, each.end)
        pieces.append((seen.text[at:end], ""))
        shown.append(f"{margin:>{digits}} | {_fitted(pieces, room, color)}".rstrip())
        place = end + 1
    return shown


def _fitted(pieces: list[tuple[str, str]], room: int, color: bool) -> str:
    out = ""
    for text, what in pieces:
        kept = ""
        for char in visible(text):
            room -= display_width(char)
            if room < 1:
                return out + _paint(kept, what, color) + "…"
            kept += char
        out += _paint(kept, what, color)
    return out


def _table(seen: Sighted, color: bool) -> list[str]:
    rows = [("", "place", "what", "kind", "meaning")]
    rows += [
        (str(number), _place(seen, each), WHATS[each.what], visible(each.kind), visible(each.meaning))
        for number, each in enumerate(seen.sightings, 1)
    ]
    widths = [max(display_width(row[column]) for row in rows) for column in range(4)]
    lines = []
    for row, what in zip(rows, ["", *(each.what for each in seen.sightings)], strict=True):
        fields = [field + " " * (wide - display_width(field)) for field, wide in zip(row, widths, strict=False)]
        fields[0] = row[0].rjust(widths[0])
        fields[2] = _paint(fields[2], what, color)
        lines.append("  ".join([*fields, row[4]]).rstrip())
    return lines


def _place(seen: Sighted, each: Sighting) -> str:
    line, column = line_and_column(seen.text, each.start)
    last, behind = line_and_column(seen.text, max(each.start, each.end - 1))
    return f"{line}:{column}-{behind}" if last == line else f"{line}:{column}-{last}:{behind}"


def _paint(text: str, what: str, color: bool) -> str:
    return f"\x1b[{_COLORS[what]}m{text}{_RESET}" if color and what and text else text
