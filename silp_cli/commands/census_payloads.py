"""The run of ``silp census`` over payloads and IRs, in batches: memory does not grow with the stream."""

from __future__ import annotations

import select

from silp_cli.commands import CommandError
from silp_cli.commands.census_gates import say
from silp_cli.commands.stream import Stream
from silp_cli.ir.errors import SilpError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterator, Sequence

    from silp_cli.census.families import Tokenizer
    from silp_cli.census.gates import Gates
    from silp_cli.census.heatmap import Grid
    from silp_cli.census.payloads import Batch, PayloadSummary
    from silp_cli.census.reports.base import Report, ReportMaker
    from silp_cli.frontends.base import Frontend
    from silp_cli.text.records import Record, Source


# Reads, of 64 KiB each, after which a batch is counted: large enough to keep a tokenizer's tables in the cache.
_READS = 16


def audit_payloads(
    options: Namespace, command: str, tokenizers: Sequence[Tokenizer], gates: Gates | None, make_report: ReportMaker
) -> tuple[int, Callable[[], Grid]]:
    """Audit every record; return the exit status and what makes the plot."""
    from silp_cli.census.payloads import IR_JSON, PAYLOAD, PayloadSummary
    from silp_cli.ir.check import require_valid

    frontends = chosen_frontends(options.frontends, command) if options.ir else []
    encodings = [*(each.name for each in frontends), IR_JSON] if options.ir else [PAYLOAD]
    judged = [each.name for each in frontends if each.lossless] or encodings[: len(frontends) or 1]
    stream = Stream(options, command)
    summary = PayloadSummary(encodings, options.top)
    report = make_report(stream.output.line)
    run = _Run(options, stream, frontends, tokenizers, gates, judged, summary, report)
    stream.reader.before_read = run.live
    stream.reader.sources = run.watch(stream.reader.sources)
    take = run.pending.append
    try:
        for record in stream.reader.documents() if options.ir else stream.reader.payloads():
            error = record.error
            if error is None and options.ir:
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
        report.end_payloads(summary)
    except BaseException:
        stream.output.discard()
        raise
    stream.close()
    return stream.status, lambda: _grid(summary, tokenizers)


def chosen_frontends(names: str | None, command: str) -> list[Frontend]:
    """The frontends of a comma-separated list; None stands for all installed ones that are not slow.

    Raises:
        CommandError: for a frontend that is unknown or not installed.
    """
    from silp_cli.frontends.registry import frontend_names, get_frontend

    wanted = frontend_names() if names is None else list(filter(None, map(str.strip, names.split(","))))
    found = []
    for name in dict.fromkeys(wanted):
        try:
            frontend = get_frontend(name)
        except SilpError as error:
            if names is None:
                continue  # an extra's module, or a stranger's that is broken
            hint = f"; {error.hint}" if error.hint else ""
            raise CommandError(f"{command}: {error.message}{hint}") from None
        if names is None and frontend.slow:
            continue
        if frontend.installed():
            found.append(frontend)
        elif names is not None:
            raise CommandError(f"{command}: the {name} frontend is not installed; see 'silp frontends'")
    if not found:
        raise CommandError(f"{command}: --frontends names none")
    return found


class _Run:
    """The state of one run. Records wait in ``pending`` until there are enough of them, or input has to be awaited."""

    def __init__(
        self,
        options: Namespace,
        stream: Stream,
        frontends: Sequence[Frontend],
        tokenizers: Sequence[Tokenizer],
        gates: Gates | None,
        judged: Sequence[str],
        summary: PayloadSummary,
        report: Report,
    ) -> None:
        self.options = options
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
        self._refusals: set[str] = set()

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
        from silp_cli.census.payloads import Batch

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
                say(failures, self.stream.reporter)

    def _texts(self, records: Sequence[Record]) -> dict[str, list[str | None]]:
        """The text of every record under every encoding."""
        from silp_cli.census.payloads import IR_JSON, PAYLOAD

        if not self.options.ir:
            return {PAYLOAD: [record.text for record in records]}
        from silp_cli.ir.jsontext import dumps

        values = [record.value for record in records]
        columns: dict[str, list[str | None]] = {}
        for frontend in self.frontends:
            column = columns[frontend.name] = []
            for record, text in zip(records, frontend.compile_many(values, bare=self.options.bare), strict=True):
                if isinstance(text, SilpError):
                    self._refused(record, frontend.name, text)
                column.append(None if isinstance(text, SilpError) else text)
        columns[IR_JSON] = [dumps(value) for value in values]
        return columns

    def _key(self, record: Record) -> str:
        """What a baseline knows a record by: an IR by its content, a payload by its place in the stream."""
        if not self.options.ir:
            return str(record.number)
        import hashlib

        from silp_cli.ir.jsontext import canonical_bytes

        return hashlib.sha256(canonical_bytes(record.value)).hexdigest()[:16]

    def _refused(self, record: Record, name: str, error: SilpError) -> None:
        """Say once a frontend that it must not carry a record; the totals count what it did carry."""
        if name not in self._refusals:
            self._refusals.add(name)
            place = f"{record.source}:{record.line}"
            self.stream.reporter.note(f"{place}: not counted under {name}: {error.message} (said once)")


def _grid(summary: PayloadSummary, tokenizers: Sequence[Tokenizer]) -> Grid:
    """What a plot shows: mean cost of each encoding; where there is but one, the costliest payloads."""
    from silp_cli.census.heatmap import Grid
    from silp_cli.census.payloads import IR_JSON, PAYLOAD

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
