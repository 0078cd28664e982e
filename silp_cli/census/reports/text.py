"""Reports for people in text: tables on a terminal, and Markdown."""

from __future__ import annotations

import io

from silp_cli.census.reports.base import Report
from silp_cli.census.reports.tables import Table, payload_tables, word_headings, word_row, word_verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from silp_cli.census.payloads import PayloadSummary
    from silp_cli.census.words import WordAudit, WordSummary

_CHUNK = 1000
_UNBOUNDED = 400
_COLORS = {"good": "green", "fair": "yellow", "bad": "red", "": ""}


class TableReport(Report):
    """Tables drawn with rich. Strings come in tables of a thousand, so that memory does not grow."""

    def __init__(self, *args: object, **options: object) -> None:
        super().__init__(*args, **options)  # type: ignore[arg-type]
        self._table = Table("", word_headings(self.names), numbers=3 + len(self.names))

    def word(self, audit: WordAudit) -> None:
        """Take in a string."""
        self._table.rows.append(word_row(audit))
        if len(self._table.rows) >= _CHUNK:
            self._write_words()

    def _write_words(self) -> None:
        self.table(self._table)
        self._table.rows = []

    def end_words(self, summary: WordSummary) -> None:
        """Write the rest of the strings, and the verdict."""
        if self._table.rows:
            self._write_words()
        self.write(word_verdict(summary))

    def end_payloads(self, summary: PayloadSummary) -> None:
        """Write the totals, savings and costliest records."""
        for table in payload_tables(summary, self.names):
            self.table(table)

    def table(self, table: Table) -> None:
        """Write one table."""
        from rich import box
        from rich.console import Console
        from rich.table import Table as Drawing
        from rich.text import Text

        drawing = Drawing(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, title_justify="left")
        for index, heading in enumerate(table.headings):
            drawing.add_column(
                heading, justify="right" if index >= table.numbers else "left", overflow="fold",
                no_wrap=not self.width,
            )
        for row in table.rows:
            drawing.add_row(*(Text(cell.text, style=_COLORS[cell.verdict]) for cell in row))
        buffer = io.StringIO()
        console = Console(
            file=buffer, width=self.width or _UNBOUNDED, force_terminal=self.color, no_color=not self.color,
            highlight=False,
        )
        console.print(drawing)
        if table.title:
            self.write(table.title)
        for line in buffer.getvalue().splitlines():
            self.write(line.rstrip())
        self.write("")


class MarkdownReport(Report):
    """Tables as GitHub reads them."""

    def __init__(self, *args: object, **options: object) -> None:
        super().__init__(*args, **options)  # type: ignore[arg-type]
        self._begun = False

    def _begin_words(self) -> None:
        if not self._begun:
            self._begun = True
            self._heading(word_headings(self.names), 3 + len(self.names))

    def word(self, audit: WordAudit) -> None:
        """Write a string's row."""
        self._begin_words()
        self._row([cell.text for cell in word_row(audit)])

    def end_words(self, summary: WordSummary) -> None:
        """Write the verdict."""
        self._begin_words()
        self.write("")
        self.write(word_verdict(summary))

    def end_payloads(self, summary: PayloadSummary) -> None:
        """Write the totals, savings and costliest records."""
        for number, table in enumerate(payload_tables(summary, self.names)):
            if number:
                self.write("")
            self.table(table)

    def table(self, table: Table) -> None:
        """Write one table."""
        self.write(f"### {table.title}")
        self.write("")
        self._heading(table.headings, table.numbers)
        for row in table.rows:
            self._row([cell.text for cell in row])

    def _heading(self, headings: list[str], numbers: int) -> None:
        self._row(headings)
        rules = ("---:" if index >= numbers else "---" for index in range(len(headings)))
        self.write("|" + "|".join(rules) + "|")

    def _row(self, cells: list[str]) -> None:
        self.write("| " + " | ".join(_escaped(cell) for cell in cells) + " |")


# What Markdown or a browser would act on inside a table's cell.
_MARKDOWN = str.maketrans({mark: "\\" + mark for mark in "\\`*_[]|~"} | {"<": "&lt;", "&": "&amp;"})


def _escaped(text: str) -> str:
    return text.translate(_MARKDOWN)
