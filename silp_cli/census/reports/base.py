"""What every report is: a writer that takes in audited strings or records one by one."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from silp_cli.census.families import Tokenizer
    from silp_cli.census.payloads import PayloadSummary, Row
    from silp_cli.census.reports.tables import Table
    from silp_cli.census.words import WordAudit, WordSummary

    Write: TypeAlias = Callable[[str], None]
    ReportMaker: TypeAlias = Callable[[Write], "Report"]


class Report:
    """Writes a report line by line as the audit goes on.

    Args:
        write: takes one line of output.
        tokenizers: the tokenizers of the audit, in order.
        title: what was audited, such as ``words, in context``.
        color: whether ANSI colours may be used.
        width: columns of the terminal; 0 where there is none.
    """

    wants_rows: bool = False  # whether every record is written, not only the totals
    heads_rows: bool = False  # whether something stands before the first record
    heads_words: bool = True  # whether something stands before or after the strings

    def __init__(
        self,
        write: Write,
        tokenizers: Sequence[Tokenizer],
        title: str,
        *,
        color: bool = False,
        width: int = 0,
    ) -> None:
        self.write = write
        self.tokenizers = tokenizers
        self.names = [tokenizer.name for tokenizer in tokenizers]
        self.title = title
        self.color = color
        self.width = width

    def word(self, audit: WordAudit) -> None:
        """Take in an audited string."""

    def row(self, row: Row) -> None:
        """Take in an audited record."""

    def table(self, table: Table) -> None:
        """Write a report of one table."""

    def end_words(self, summary: WordSummary) -> None:
        """Write what stands after the strings."""

    def end_payloads(self, summary: PayloadSummary) -> None:
        """Write what stands after the records."""
