"""The run of ``silp census`` over payloads and IRs, in batches: memory does not grow with the stream."""

from __future__ import annotations

import hashlib
import select

from silp_cli.census.gate_report import say_failures
from silp_cli.census.heatmap import Grid
from silp_cli.census.payloads import IR_JSON, PAYLOAD, Batch, PayloadSummary
from silp_cli.ir.check import require_valid
from silp_cli.ir.errors import SilpError
from silp_cli.ir.jsontext import canonical_bytes, dumps
from silp_cli.text.command import CommandError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from silp_cli.census.families import Tokenizer
    from silp_cli.census.gates import Gates
    from silp_cli.census.reports.base import Report, ReportMaker
    from silp_cli.frontends.base import Frontend
    from silp_cli.text.part import Part
    from silp_cli.text.records import Record, Source
    from silp_cli.text.stream import Stream


# Reads, of 64 KiB each, after which a batch is counted: large enough to keep a tokenizer's tables in the cache.
_READS = 16


def run_payloads(
    stream: Stream, tokenizers: Sequence[Tokenizer], make_report: ReportMaker, *, frontends: Sequence[Frontend] = (),
    bare: bool = False, gates: Gates | None = None, top: int = 10,
) -> tuple[int, Grid]:
    """Audit, judge and report every record of a stream.

    Args:
        stream: the input and output: payloads, or with ``frontends`` IRs.
        tokenizers: the tokenizers to ask.
        make_report: makes the report of what writes a line.
        frontends: what to compile IRs with; none: the input is payloads.
        bare: compile without meta, ``silp`` and ``version``.
        gates: what the records have to pass, if anything.
        top: how many of the costliest records the report names.

    Returns:
        The exit status, and the plot.
    """
    encodings = [*(each.name for each in frontends), IR_JSON] if frontends else [PAYLOAD]
    judged = [each.name for each in frontends if each.lossless] or encodings[: len(frontends) or 1]
    summary = PayloadSummary(encodings, top)
    report = make_report(stream.output.line)
    if stream.part:
        begin_part(stream.part, stream.command, report, gates)
    run = _Run(stream, frontends, tokenizers, gates, judged, summary, report, bare=bare)
    stream.reader.before_read = run.live
    stream.reader.sources = run.watch(stream.reader.sources)
    take = run.pending.append
    try:
        for record in stream.reader.documents() if frontends else stream.reader.payloads():
            error = record.error
            if error is None and frontends:
                try:
                    require_valid(record.value)
                except SilpError as found:
                    error = found
            if error is None:
                take(record)
            else:
                run.drain()  # diagnostics come in the order of the input
                run.fail(record, error)
            if run.stopped:
                break
        run.drain()
        if stream.part and stream.part.merge is None:
            stream.part.state = summary.state()
        else:
            for state in stream.part.merge or () if stream.part else ():
                summary.merge(state)
            report.end_payloads(summary)
    except BaseException:
        stream.output.discard()
        raise
    stream.close()
    return stream.status, _grid(summary, tokenizers)


def begin_part(part: Part, command: str, report: Report, gates: Gates | None) -> None:
    """Say of a part of the input what its output will hold.

    Raises:
        CommandError: for what only a process that sees the whole can do.
    """
    part.numbered |= report.wants_rows or gates is not None
    part.silent = not report.wants_rows
    if report.heads_rows:
        raise CommandError(f"{command}: rows under a heading cannot be written in parts; --format jsonl can")
    if gates is not None and gates.baseline is not None:
        raise CommandError(f"{command}: --baseline compares the whole input; it cannot be read in parts")


class _Run:
    """The state of one run. Records wait in ``pending`` until there are enough of them, or input has to be awaited."""

    def __init__(
        self,
        stream: Stream,
        frontends: Sequence[Frontend],
        tokenizers: Sequence[Tokenizer],
        gates: Gates | None,
        judged: Sequence[str],
        summary: PayloadSummary,
        report: Report,
        *,
        bare: bool,
    ) -> None:
        self.bare = bare
        self.stream = stream
        self.frontends = frontends
        self.tokenizers = tokenizers
        self.gates = gates
        self.judged = judged
        self.summary = summary
        self.report = report
        self.stopped = False
        self.pending: list[Record] = []
        self._reads = 0
        self._descriptor = 0

    def watch(self, sources: Iterator[Source]) -> Iterator[Source]:
        """Pass sources on, remembering which one is being read."""
        for source in sources:
            self._descriptor = source.descriptor
            yield source

    def live(self) -> None:
        """Finish what is there before a read that would wait; else let records gather, which counts faster."""
        self._reads += 1
        if self._reads >= _READS or not select.select([self._descriptor], [], [], 0)[0]:
            self._reads = 0
            self.drain()
            self.stream.output.flush()

    def fail(self, record: Record, error: SilpError) -> None:
        """Diagnose a record."""
        if not self.stopped:
            self.stopped = self.stream.fail(record, error)

    def drain(self) -> None:
        """Count, judge and report the pending records."""
        records = self.pending.copy()
        self.pending.clear()
        if not records or self.stopped:
            return
        keys = None if self.gates is None or self.gates.baseline is None else [self._key(record) for record in records]
        batch = Batch(records, self._texts(records), self.tokenizers, keys)
        self.summary.add_batch(batch)
        if batch.errors or self.report.wants_rows or self.gates:
            self._each(batch)

    def _each(self, batch: Batch) -> None:
        """Report and judge the records of a batch one by one."""
        for index, record in enumerate(batch.records):
            if self.stopped:
                return
            if index in batch.errors:
                self.fail(record, batch.errors[index])
                continue
            row = batch.row(index)
            self.report.row(row)
            failures = self.gates.judge_row(row, self.judged) if self.gates else []
            if failures:
                self.stream.status = self.stream.status or 1
                say_failures(failures, self.stream.reporter)

    def _texts(self, records: Sequence[Record]) -> dict[str, list[str | None]]:
        """The text of every record under every encoding."""
        if not self.frontends:
            return {PAYLOAD: [record.text for record in records]}
        values = [record.value for record in records]
        columns: dict[str, list[str | None]] = {}
        for frontend in self.frontends:
            column = columns[frontend.name] = []
            for record, text in zip(records, frontend.compile_many(values, bare=self.bare), strict=True):
                if isinstance(text, SilpError):
                    self._refused(record, frontend.name, text)
                column.append(None if isinstance(text, SilpError) else text)
        columns[IR_JSON] = [dumps(value) for value in values]
        return columns

    def _key(self, record: Record) -> str:
        """What a baseline knows a record by: an IR by its content, a payload by its place in the stream."""
        if not self.frontends:
            return str(record.number)
        return hashlib.sha256(canonical_bytes(record.value)).hexdigest()[:16]

    def _refused(self, record: Record, name: str, error: SilpError) -> None:
        """Say once a frontend that it must not carry a record; the totals count what it did carry."""
        place = f"{record.source}:{record.line}"
        self.stream.reporter.note_once(name, f"{place}: not counted under {name}: {error.message} (said once)")


def _grid(summary: PayloadSummary, tokenizers: Sequence[Tokenizer]) -> Grid:
    """What a plot shows: mean cost of each encoding; where there is but one, the costliest payloads."""
    names = [each.name for each in tokenizers]
    if summary.encodings == [PAYLOAD]:
        grid = Grid(f"tokens of the costliest of {summary.records} payloads", names)
        for row in summary.costliest():
            counts = row.counts[PAYLOAD]
            grid.rows.append((row.item.texts[PAYLOAD] or "", [counts[name] for name in names]))
        return grid
    grid = Grid(f"mean tokens a record, {summary.records} records", names)
    for encoding, total in summary.totals.items():
        label = "IR JSON" if encoding == IR_JSON else encoding
        means = [
            round(total.tokens[name] / total.records, 1) if total.records else None for name in names
        ]
        grid.rows.append((label, list(means)))
    return grid
