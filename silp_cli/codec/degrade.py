"""``silp compile --degrade``: the next frontend of the chain where one fails."""

from __future__ import annotations

from silp_cli.frontends.registry import frontend_names, get_frontend
from silp_cli.ir.errors import ErrorCode, SilpError
from silp_cli.protocol.negotiation.exchange import degradation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from silp_cli.text.records import Record
    from silp_cli.text.stream import Stream


class Chain:
    """The frontends to try one after the other, and a count of those that did the work.

    Args:
        start: the frontend that is wanted.
        stream: where to say which one was used.
    """

    def __init__(self, start: str, stream: Stream) -> None:
        self.names = degradation(start, frontend_names())
        self.stream = stream
        self.used: dict[str, int] = {}

    def compile(self, record: Record, ir: dict[str, Any], *, bare: bool) -> str:
        """Compile with the first frontend that can; say so when it is not the one that was wanted.

        Raises:
            SilpError: the wanted frontend's error, when all of them fail.
        """
        first: SilpError | None = None
        for name in self.names:
            try:
                text = get_frontend(name).compile(ir, bare=bare)
            except SilpError as error:
                first = first or error
                continue
            self.used[name] = self.used.get(name, 0) + 1
            if first is not None:
                self.stream.warn(record, [_degraded(self.names[0], name, first)])
            return text
        assert first is not None
        raise first

    def summary(self) -> str:
        """Which frontends were used, and how often."""
        return "compiled with " + (
            ", ".join(f"{name} ({count})" for name, count in self.used.items()) or "none"
        )


def _degraded(wanted: str, used: str, why: SilpError) -> SilpError:
    return SilpError(
        ErrorCode.UNSUPPORTED_FRONTEND,
        f"compiled with '{used}', since '{wanted}' failed: {why.message}",
        rule="frontend.degraded",
        severity="warning",
        hint=why.hint,
    )
