"""``silp compile -f llmlingua2``: the loop over the records, in batches, with a report on each."""

from __future__ import annotations

import select

import silp_cli.census.finder  # noqa: F401 - tells the frontend where vocabularies are
from silp_cli.frontends.lossy_options import cannot_run, frontend_from, require_installed
from silp_cli.ir.check import require_valid
from silp_cli.ir.errors import ErrorCode, SilpError
from silp_cli.ir.jsontext import dumps
from silp_cli.text.diagnostics import say
from silp_cli.text.stream import Stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from typing import Unpack

    from silp_cli.frontends.llmlingua2.engine import Result
    from silp_cli.frontends.lossy_options import LossyOptions
    from silp_cli.text.records import Record, Source
    from silp_cli.text.stream import StreamOptions

_NAMED = 12  # slots that a line for people names


class _Stop(Exception):  # noqa: N818 - no error, a way out of the reader
    """A record failed and the policy is to stop."""


def run(
    command: str, verbs: Collection[str] | None, lossy: LossyOptions, **options: Unpack[StreamOptions]
) -> int:
    """Compile every record; return the exit status.

    Raises:
        CommandError: when the extra, the model or an encoding is missing.
    """
    require_installed(command)
    if lossy.get("report"):
        options["errors"] = "json"  # stderr is for a machine then
    stream = Stream(command, **options)
    batches = _Batches(stream, lossy, command)
    stream.reader.before_read = batches.before_read
    stream.reader.sources = batches.watch(stream.reader.sources)
    try:
        for record in stream.reader.documents():
            error = record.error
            if error is None:
                try:
                    require_valid(record.value, verbs)
                except SilpError as found:
                    error = found
            batches.add(record, error)
        batches.finish()
    except _Stop:
        pass
    except BaseException:
        stream.output.discard()
        raise
    stream.close()
    batches.summary()
    return stream.status


class _Batches:
    """Collects records, sends them through the model together, and writes in the order of the input."""

    def __init__(self, stream: Stream, lossy: LossyOptions, command: str) -> None:
        self.stream = stream
        self.command = command
        self.report = lossy.get("report", False)
        self.frontend = frontend_from(lossy, stream.reporter.note, command)
        self.size = self.frontend.options.batch_size
        self.pending: list[tuple[Record, SilpError | None]] = []
        self.good = 0
        self.descriptor = 0
        self.records = self.before = self.after = 0

    def add(self, record: Record, error: SilpError | None) -> None:
        """Take a record in, valid or not."""
        self.pending.append((record, error))
        self.good += error is None
        if self.good == self.size:
            self._flush()

    def watch(self, sources: Iterator[Source]) -> Iterator[Source]:
        """Pass sources on, remembering which one is being read."""
        for source in sources:
            self.descriptor = source.descriptor
            yield source

    def before_read(self) -> None:
        """A sender who waits for the answer to one record must not have to fill a batch first."""
        if not select.select([self.descriptor], [], [], 0)[0]:
            self.finish()

    def finish(self) -> None:
        """Send off what there is and hand it over."""
        self._flush()
        self.stream.output.flush()

    def _flush(self) -> None:
        pending, self.pending, self.good = self.pending, [], 0
        if not pending:
            return
        irs = [record.value for record, refusal in pending if refusal is None]
        try:
            results = iter(self.frontend.results(irs))
        except SilpError as error:
            raise cannot_run(error, self.command) from None
        for record, refusal in pending:
            answer = next(results) if refusal is None else refusal
            if isinstance(answer, SilpError):
                if self.stream.fail(record, answer):
                    raise _Stop
            else:
                self.stream.output.line(answer.text)
                self._tell(record, answer)

    def _tell(self, record: Record, result: Result) -> None:
        self.records += 1
        self.before += result.tokens_before
        self.after += result.tokens_after
        if self.report:
            place = {"source": record.source, "record": record.number, "line": record.line}
            say(dumps({**place, **result.to_dict()}) + "\n")
        elif result.lost:
            more = len(result.lost) - _NAMED
            named = ", ".join(result.lost[:_NAMED]) + (f" and {more} more" if more > 0 else "")
            self.stream.warn(record, [SilpError(
                ErrorCode.UNSUPPORTED_FRONTEND, f"lost: {named}", rule="llmlingua2.lost", severity="warning"
            )])

    def summary(self) -> None:
        """Say what was achieved over the whole input."""
        if self.records and not self.report:
            records = "1 record" if self.records == 1 else f"{self.records} records"
            rate = self.after / self.before
            self.stream.reporter.note(
                f"{records}, {self.before} tokens of prose, {self.after} kept: rate {rate:.2f}"
            )
