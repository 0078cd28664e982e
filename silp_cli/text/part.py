"""What a process has to know that does a part of a filter's input and not the whole, and what it has to tell.

The part is one block of one source, on stdin. Places in diagnostics are those in the whole source; what can only be
said of the whole (totals, a report's end) is handed over instead of written.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from silp_cli.ir.errors import SilpError

    Told: TypeAlias = SilpError | str | tuple[str, str] | tuple[str, str, str] | dict[tuple[str, str], int]


class Part:
    """One block of a source.

    Args:
        source: the source's name in diagnostics.
        line: 1-based line of the source at which the block begins.
        offset: the byte of the source at which it begins.
        record: how many records of the source lie before it.
        skip: whether lines are passed over up to one that starts a record, as after one that broke off.
        merge: states of earlier parts, in order; the filter reads nothing more and ends the whole with them.

    Attributes:
        records: how many records there were, as far as read.
        reads: how the filter takes records from its input: ``lines``, ``documents``, or ``whole`` where a source is
            one record.
        numbered: whether places in the source stand in the output, too.
        silent: whether nothing is written before the end of the whole.
        open: whether the block ends inside a record.
        skipping: whether the lines after it are to be passed over up to one that starts a record.
        stopped: whether an error has ended the stream.
        state: what is to be merged at the end of the whole, as JSON data.
        tell: takes, instead of stderr, what ``Reporter.take`` writes.
    """

    def __init__(
        self, source: str = "stdin", line: int = 1, offset: int = 0, record: int = 0, *, skip: bool = False,
        merge: list[Any] | None = None, tell: Callable[[Told], None] | None = None,
    ) -> None:
        self.source = source
        self.line = line
        self.offset = offset
        self.record = record
        self.skip = skip
        self.merge = merge
        self.tell = tell
        self.records = record
        self.reads = "lines"
        self.numbered = False
        self.silent = False
        self.open = False
        self.skipping = False
        self.stopped = False
        self.state: Any = None

    def report(self) -> dict[str, Any]:
        """What the part has to tell, as JSON data."""
        return {
            "records": self.records - self.record, "reads": self.reads, "numbered": self.numbered,
            "silent": self.silent, "open": self.open, "skipping": self.skipping, "stopped": self.stopped,
            "state": self.state,
        }


class _Current:
    part: Part | None = None


_current = _Current()


def current() -> Part | None:
    """The part that this process does; None where it does the whole input."""
    return _current.part


def take(part: Part | None) -> None:
    """Have this process do a part from here on."""
    _current.part = part
