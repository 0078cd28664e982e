"""The listing that ``silp explain`` prints: the payload underlined, and a line for each of its parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from silp_cli.ir.jsontext import dumps
from silp_cli.text.diagnostics import display_width, visible

if TYPE_CHECKING:
    from silp_cli.frontends.slots import Explained, Slot

_RESET = "\x1b[0m"
COLORS: dict[str, str] = {
    "action": "1;34", "id": "2;32", "value": "32", "type": "1;33", "subject": "36", "operator": "1;31",
    "operand": "33", "time": "35", "target": "32", "location": "36", "field": "96", "syntax": "2",
}
_WIDEST = {"text": 32, "value": 32}


def listing(explained: Explained, width: int, *, color: bool = False) -> str:
    """The payload with its parts underlined and numbered, then a table of the parts.

    Args:
        explained: the payload.
        width: terminal cells in a line.
        color: whether ANSI colours may be used.

    Returns:
        Several lines.
    """
    return "\n".join([*_underlined(explained, width, color), "", *_table(explained, color)])


@dataclass(slots=True)
class _Cell:
    """A character as it is shown, and the number of its part, 0 for none."""

    shown: str
    width: int
    part: int
    first: bool = False


def _cells(explained: Explained) -> list[_Cell]:
    parts = [0] * len(explained.text)
    firsts = set()
    for number, slot in enumerate(explained.slots, 1):
        firsts.add(slot.start)
        for place in range(slot.start, slot.end):
            parts[place] = number
    cells = []
    for place, char in enumerate(explained.text):
        shown = visible(char)
        cells.append(_Cell(shown, display_width(shown), parts[place], place in firsts))
    return cells


def _underlined(explained: Explained, width: int, color: bool) -> list[str]:
    lines: list[str] = []
    row: list[_Cell] = []
    used = 0
    for cell in [*_cells(explained), None]:
        if cell is None or used + cell.width > width:
            if lines:
                lines.append("")
            lines += _row(row, explained.slots, color)
            row, used = [], 0
        if cell is not None:
            row.append(cell)
            used += cell.width
    return lines


def _row(row: list[_Cell], slots: tuple[Slot, ...], color: bool) -> list[str]:
    """A piece of the text, the lines under its parts, and the numbers under the lines."""
    text = "".join(
        _paint(cell.shown, slots[cell.part - 1].kind if cell.part else "", color) for cell in row
    )
    under = "".join(("~" if cell.part else " ") * cell.width for cell in row)
    numbers = ""
    place = 0
    for cell in row:
        if cell.first and place >= len(numbers) + (1 if numbers else 0):
            numbers = numbers.ljust(place) + str(cell.part)
        place += cell.width
    return [text, under.rstrip(), numbers]


def _table(explained: Explained, color: bool) -> list[str]:
    rows = [
        (
            str(number), _short(visible(explained.text[slot.start : slot.end]), _WIDEST["text"]), slot.path,
            "" if slot.kind == "syntax" else _short(visible(dumps(slot.value)), _WIDEST["value"]),
            visible(slot.meaning),
        )
        for number, slot in enumerate(explained.slots, 1)
    ]
    rows = [(number, text, visible(path), value, meaning) for number, text, path, value, meaning in rows]
    head = ("", "text", "slot", "value", "meaning")
    widths = [max(display_width(row[column]) for row in [head, *rows]) for column in range(4)]
    lines = [_line(head, widths, "", color)]
    lines += [_line(row, widths, slot.kind, color) for row, slot in zip(rows, explained.slots, strict=True)]
    return lines


def _line(row: tuple[str, ...], widths: list[int], kind: str, color: bool) -> str:
    fields = []
    for column, (field, width) in enumerate(zip(row, widths, strict=False)):
        space = " " * (width - display_width(field))
        if column == 0:
            fields.append(space + field)
        else:
            fields.append((_paint(field, kind, color) if column == 1 else field) + space)
    return "  ".join([*fields, row[4]]).rstrip()


def _paint(text: str, kind: str, color: bool) -> str:
    return f"\x1b[{COLORS[kind]}m{text}{_RESET}" if color and kind else text


def _short(text: str, width: int) -> str:
    """Text cut down to a number of cells."""
    if display_width(text) <= width:
        return text
    kept, used = "", 0
    for char in text:
        used += display_width(char)
        if used > width - 1:
            break
        kept += char
    return kept + "…"
