"""Rows of facts: a table on a terminal, JSON Lines for programs."""

from __future__ import annotations

import sys

from silp_cli.text.command import color_wanted
from silp_cli.text.output import Output, json_writer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def write_rows(
    rows: Sequence[Mapping[str, object]], form: str | None, columns: Sequence[str] | None = None
) -> None:
    """Write rows to stdout.

    Args:
        rows: the facts by name.
        form: ``"table"``, ``"json"`` or None to choose by where stdout goes.
        columns: what the table shows; by default everything.
    """
    output = Output()
    if (form or ("table" if sys.stdout.isatty() else "json")) == "json":
        dumps = json_writer(pretty=False)
        for row in rows:
            output.line(dumps(row))
    elif rows:
        output.line(_table(rows, columns or list(rows[0])))
    output.close()


def _table(rows: Sequence[Mapping[str, object]], columns: Sequence[str]) -> str:
    from rich.box import SIMPLE
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE, pad_edge=False, show_edge=False)
    for name in columns:
        number = all(type(row.get(name)) in (int, float) for row in rows)
        table.add_column(name.replace("_", " "), justify="right" if number else "left")
    for row in rows:
        table.add_row(*(Text(_cell(row.get(name))) for name in columns))
    width = None if sys.stdout.isatty() else 1000
    console = Console(width=width, color_system="standard" if color_wanted(sys.stdout) else None)
    with console.capture() as capture:
        console.print(table)
    return "\n".join(line.rstrip() for line in capture.get().rstrip("\n").split("\n"))


def _cell(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)
