"""The run of ``silp census`` over strings."""

from __future__ import annotations

from silp_cli.commands import CommandError
from silp_cli.commands.census_gates import say
from silp_cli.commands.stream import Stream, read_whole
from silp_cli.ir.verbs import EXCLUDED, WHITELIST, function_name, parse_verbs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterator, Sequence

    from silp_cli.census.families import Tokenizer
    from silp_cli.census.gates import Gates
    from silp_cli.census.heatmap import Grid
    from silp_cli.census.reports.base import ReportMaker
    from silp_cli.census.words import Word

# A picture of more rows than this is no picture any more.
_PLOT_ROWS = 500


def audit_words(
    options: Namespace, command: str, tokenizers: Sequence[Tokenizer], gates: Gates | None, make_report: ReportMaker
) -> tuple[int, Callable[[], Grid]]:
    """Audit every string; return the exit status and what makes the plot."""
    from silp_cli.census.words import WordSummary, audit
    from silp_cli.ir.errors import SilpError

    words = [*_listed(options, command)]
    stream = Stream(options, command)
    report = make_report(stream.output.line)
    summary = WordSummary()
    rows: list[tuple[str, list[float | None]]] = []
    try:
        for word in _words(options, words, stream):
            try:
                (verdict,) = audit([word], tokenizers, options.form)
            except SilpError as error:
                error.source, error.line = word.source, word.line
                stream.reporter.report(error)
                stream.status = stream.status or 1
                continue
            report.word(verdict)
            summary.add(verdict)
            if options.plot and len(rows) < _PLOT_ROWS:
                rows.append((word.text, list(verdict.counts.values())))
            failures = gates.judge_word(verdict) if gates else []
            if failures:
                stream.status = stream.status or 1
                say(failures, stream.reporter)
        report.end_words(summary)
    except BaseException:
        stream.output.discard()
        raise
    stream.close()
    return stream.status, lambda: _grid(options.form, tokenizers, rows)


def _grid(form: str, tokenizers: Sequence[Tokenizer], rows: list[tuple[str, list[float | None]]]) -> Grid:
    from silp_cli.census.heatmap import Grid

    return Grid(f"tokens of each string ({form})", [each.name for each in tokenizers], rows, lowest=1)


def _words(options: Namespace, listed: list[Word], stream: Stream) -> Iterator[Word]:
    """The strings to audit: those that options name, then those of the input."""
    from silp_cli.census.words import Word

    yield from listed
    named = options.verbs or options.structural or options.whitelist
    if named and not options.files:
        return
    for record in stream.reader.payloads():
        if record.error is None:
            yield Word(record.text, record.source, record.line)
        elif stream.fail(record, record.error):
            return


def _listed(options: Namespace, command: str) -> Iterator[Word]:
    """The strings that options name."""
    from silp_cli.census.words import STRUCTURAL, Word

    if options.structural:
        for number, text in enumerate(STRUCTURAL, 1):
            yield Word(text, "structural", number)
    if options.whitelist:
        for number, code in enumerate([*WHITELIST, *EXCLUDED], 1):
            yield Word(function_name(code), "whitelist", number, excluded=code in EXCLUDED)
    if options.verbs:
        for number, line in enumerate(read_whole(options.verbs, command).splitlines(), 1):
            try:
                codes = parse_verbs(line)
            except ValueError as error:
                reason = str(error).partition(": ")[2]
                raise CommandError(f"{command}: {options.verbs}:{number}: {reason}") from None
            for code in codes:
                yield Word(function_name(code), options.verbs, number)
