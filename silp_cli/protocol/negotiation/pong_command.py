"""``silp pong``: answer probes."""

from __future__ import annotations

from silp_cli.ir.errors import ErrorCode, SilpError
from silp_cli.protocol.negotiation.exchange import answer
from silp_cli.protocol.negotiation.messages import error_message, parse_message
from silp_cli.protocol.negotiation.offers import offered
from silp_cli.text.stream import Stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Unpack

    from silp_cli.text.records import Record
    from silp_cli.text.stream import Result, StreamOptions

COMMAND = "silp pong"


def run(
    *, frontends: str | None, prefer: str | None, any_frontend: bool, echo: bool, **stream: Unpack[StreamOptions]
) -> int:
    """Answer every probe; return the exit status."""
    names = offered(frontends, prefer, any_frontend, COMMAND)
    filter = Stream(COMMAND, **stream)
    return filter.write(answers(filter.reader.payloads(), names, prefer, echo=echo))


def answers(
    records: Iterable[Record], frontends: Sequence[str], prefer: str | None = None, *, echo: bool = False
) -> Iterator[Result]:
    """Answer probes (draft, section "Frontend Negotiation").

    Args:
        records: the probes, one a record.
        frontends: what this side supports, from the highest priority to the lowest.
        prefer: the one it would rather use.
        echo: whether each probe is to stand in front of its answer.

    Yields:
        For each record the probe if it is echoed, and the answer; behind the answer to what is no probe, its error.
    """
    for record in records:
        if record.error is not None:
            yield record, record.error, ()
            continue
        if echo:
            yield record, record.text, ()
        try:
            message = parse_message(record.text)
            if message.kind != "ping":
                raise SilpError(
                    ErrorCode.INVALID_SYNTAX, f"a {message.kind} is not to be answered", rule="negotiation.order",
                    position=0,
                )
        except SilpError as error:
            yield record, str(error_message(error)), ()
            yield record, error, ()
        else:
            yield record, str(answer(message, frontends, prefer)), ()
