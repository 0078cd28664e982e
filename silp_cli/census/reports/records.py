"""Reports for programs: one JSON document, JSON Lines, CSV. All are written as the audit goes on."""

from __future__ import annotations

from silp_cli.census.reports.base import Report
from silp_cli.ir.jsontext import dumps
from silp_cli.text.safe import escape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from silp_cli.census.payloads import PayloadSummary, Row
    from silp_cli.census.words import WordAudit, WordSummary


def json_line(value: object) -> str:
    """One line of JSON without anything that a terminal would hide or obey."""
    return escape(dumps(value))


class LinesReport(Report):
    """One JSON object a string or record; a stream of payloads ends with one object of totals."""

    wants_rows = True
    heads_words = False

    def word(self, audit: WordAudit) -> None:
        """Write a string."""
        self.write(json_line(audit.to_dict()))

    def row(self, row: Row) -> None:
        """Write a record."""
        self.write(json_line(row.to_dict()))

    def end_payloads(self, summary: PayloadSummary) -> None:
        """Write the totals."""
        self.write(json_line({"summary": summary.to_dict()}))


class JsonReport(Report):
    """One JSON document: every string, or the totals and the costliest records."""

    def __init__(self, *args: object, **options: object) -> None:
        super().__init__(*args, **options)  # type: ignore[arg-type]
        self._strings = 0

    def word(self, audit: WordAudit) -> None:
        """Write a string into the document's array."""
        if self._strings == 0:
            self._open()
        self._strings += 1
        self.write(("," if self._strings > 1 else " ") + json_line(audit.to_dict()))

    def _open(self) -> None:
        self.write(f'{{"audit":{json_line(self.title)},"tokenizers":{json_line(self.names)},"strings":[')

    def end_words(self, summary: WordSummary) -> None:
        """Close the array and add the totals."""
        if self._strings == 0:
            self._open()
        self.write(f'],"summary":{json_line(summary.to_dict())}}}')

    def end_payloads(self, summary: PayloadSummary) -> None:
        """Write the document."""
        self.write(json_line({"audit": self.title, "tokenizers": self.names, **summary.to_dict()}))


class CsvReport(Report):
    """One line a string, or one a record and encoding."""

    wants_rows = heads_rows = True

    def __init__(self, *args: object, **options: object) -> None:
        super().__init__(*args, **options)  # type: ignore[arg-type]
        self._begun = False

    def _line(self, cells: Iterable[object]) -> None:
        import csv
        import io

        buffer = io.StringIO()
        csv.writer(buffer, lineterminator="").writerow(cells)
        self.write(buffer.getvalue())

    def _begin(self, before: list[str], after: list[str]) -> None:
        if not self._begun:
            self._begun = True
            self._line([*before, *self.names, *after])

    def _begin_words(self) -> None:
        self._begin(
            ["string", "source", "line"], ["single_token", "unk_free", "byte_fallback", "range", "stdev"]
        )

    def _begin_rows(self) -> None:
        self._begin(["record", "source", "line", "encoding"], ["range"])

    def word(self, audit: WordAudit) -> None:
        """Write a string."""
        self._begin_words()
        word = audit.word
        verdicts = (audit.single_token, audit.unk_free, audit.byte_fallback)
        self._line([
            word.text, word.source, word.line, *audit.counts.values(),
            *("true" if verdict else "false" for verdict in verdicts), audit.range, round(audit.stdev, 4),
        ])

    def row(self, row: Row) -> None:
        """Write a record."""
        self._begin_rows()
        for encoding, counts in row.counts.items():
            item = row.item
            self._line([item.number, item.source, item.line, encoding, *counts.values(), row.range(encoding)])

    def end_words(self, summary: WordSummary) -> None:  # noqa: ARG002
        """Write the heading if nothing has."""
        self._begin_words()

    def end_payloads(self, summary: PayloadSummary) -> None:
        """Write the totals of each encoding, as record ``total``."""
        self._begin_rows()
        for encoding, total in summary.totals.items():
            sums = [total.tokens.get(name, 0) for name in self.names]
            self._line(["total", "", "", encoding, *sums, max(sums) - min(sums)])
