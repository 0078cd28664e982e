"""Output that waits until something else is settled: a lock written, turns counted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from silp_cli.ir.errors import SilpError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from silp_cli.text.records import Record
    from silp_cli.text.stream import Stream

T = TypeVar("T")

# How many records are settled together when the input comes faster than the disk takes it.
_BATCH = 1000


class Held(Generic[T]):
    """A stream whose output waits to be settled: before the input may block, when many wait, and at the end.

    Args:
        stream: the filter.
        settle: takes what records became, all at once; returns for each the line to write, or an error.
    """

    def __init__(self, stream: Stream, settle: Callable[[list[T]], list[str | SilpError]]) -> None:
        self.stream = stream
        self.settle = settle
        # `--on-error stop` must not settle what comes after the record that stops it.
        self._limit = 1 if stream.on_error == "stop" else _BATCH
        self._waiting: list[tuple[Record, T | SilpError]] = []
        self._stopped = False
        stream.reader.before_read = self._commit_and_flush

    def filter(self, records: Iterable[Record], transform: Callable[[Record], T]) -> int:
        """Transform and settle every record; write and diagnose as ``Stream.filter`` does.

        Returns:
            The exit status.
        """
        try:
            for record in records:
                self._waiting.append((record, self._transformed(record, transform)))
                if len(self._waiting) >= self._limit:
                    self._commit()
                if self._stopped:
                    break
            self._commit()
            self.stream.close()
        except BaseException:
            self.stream.output.discard()
            raise
        return self.stream.status

    def _transformed(self, record: Record, transform: Callable[[Record], T]) -> T | SilpError:
        if record.error is not None:
            return record.error
        try:
            return transform(record)
        except SilpError as error:
            return error

    def _commit(self) -> None:
        waiting, self._waiting = self._waiting, []
        good = [item for _, item in waiting if not isinstance(item, SilpError)]
        results = iter(self.settle(good) if good else [])
        for record, item in waiting:
            result = item if isinstance(item, SilpError) else next(results)
            if isinstance(result, SilpError):
                self._stopped = self.stream.fail(record, result) or self._stopped
            else:
                self.stream.output.line(result)

    def _commit_and_flush(self) -> None:
        self._commit()
        self.stream.output.flush()
