"""The run of ``silp census`` over strings."""

from __future__ import annotations

from silp_cli.census.gate_report import say_failures
from silp_cli.census.heatmap import Grid
from silp_cli.census.payload_run import begin_part
from silp_cli.census.words import Word, WordSummary, audit
from silp_cli.ir.errors import SilpError
from silp_cli.text.command import CommandError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from silp_cli.census.families import Tokenizer
    from silp_cli.census.gates import Gates
    from silp_cli.census.reports.base import ReportMaker
    from silp_cli.census.words import WordAudit
    from silp_cli.text.stream import Stream

# A picture of more rows than this is no picture any more.
_PLOT_ROWS = 500


def try_audit(
    words: Iterable[Word], tokenizers: Sequence[Tokenizer], form: str = "bare"
) -> Iterator[WordAudit | SilpError]:
    """Audit strings one by one; a string that a tokenizer cannot take gives an error with its place."""
    for word in words:
        try:
            yield from audit([word], tokenizers, form)
        except SilpError as error:
            error.source, error.line = word.source, word.line
            yield error


def run_words(
    named: Iterable[Word], stream: Stream, tokenizers: Sequence[Tokenizer], make_report: ReportMaker, *,
    form: str, gates: Gates | None, read: bool,
) -> tuple[int, Grid]:
    """Audit, judge and report strings.

    Args:
        named: the strings that options name.
        stream: the input and output; its other strings follow.
        tokenizers: the tokenizers to ask.
        make_report: makes the report of what writes a line.
        form: how the strings stand, a key of ``words.FORMS``.
        gates: what the strings have to pass, if anything.
        read: whether the input is read.

    Returns:
        The exit status, and the plot.
    """
    report = make_report(stream.output.line)
    if stream.part:
        if report.heads_words or not read:
            raise CommandError(f"{stream.command}: strings can be audited in parts as --format jsonl only")
        begin_part(stream.part, stream.command, report, gates)
    summary = WordSummary()
    grid = Grid(f"tokens of each string ({form})", [each.name for each in tokenizers], [], lowest=1)
    try:
        for verdict in try_audit(_words(named, stream, read=read), tokenizers, form):
            if isinstance(verdict, SilpError):
                stream.reporter.report(verdict)
                stream.status = stream.status or 1
                continue
            report.word(verdict)
            summary.add(verdict)
            if len(grid.rows) < _PLOT_ROWS:
                grid.rows.append((verdict.word.text, list(verdict.counts.values())))
            failures = gates.judge_word(verdict) if gates else []
            if failures:
                stream.status = stream.status or 1
                say_failures(failures, stream.reporter)
        report.end_words(summary)
    except BaseException:
        stream.output.discard()
        raise
    stream.close()
    return stream.status, grid


def _words(named: Iterable[Word], stream: Stream, *, read: bool) -> Iterator[Word]:
    """The strings to audit: those that options name, then those of the input."""
    yield from named
    if not read:
        return
    for record in stream.reader.payloads():
        if record.error is None:
            yield Word(record.text, record.source, record.line)
        elif stream.fail(record, record.error):
            return
