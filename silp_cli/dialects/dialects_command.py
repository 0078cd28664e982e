"""``silp dialects``: list what is known of how models and APIs write calls."""

from __future__ import annotations

from silp_cli.dialects.chosen import chosen_table
from silp_cli.text.rows import write_rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from silp_cli.dialects.table import Dialect

_COLUMNS = ("name", "notation", "typed", "compile_as", "example")
_LONGEST = 120


def run(*, dialects: str | None, format: str | None) -> int:
    """List the dialects; return the exit status."""
    from sys import stdout

    table = chosen_table(dialects, "silp dialects")
    rows = [_row(each) for each in table.dialects]
    if (format or ("table" if stdout.isatty() else "json")) == "table":
        rows = [{**row, "example": _one_line(row["example"])} for row in rows]
    write_rows(rows, format, _COLUMNS)
    return 0


def _row(dialect: Dialect) -> dict[str, Any]:
    written = (dialect.short or dialect.name) if dialect.form else None
    return {
        "name": dialect.name, "notation": dialect.notation, "typed": dialect.typed, "open": list(dialect.open),
        "close": list(dialect.close), "fence": list(dialect.fence), "compile_as": written, "example": dialect.example,
    }


def _one_line(text: str) -> str:
    line = text.replace("\n", "⏎")
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"
