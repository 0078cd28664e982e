"""``silp negotiate``: which frontend a probe and its answer settle on."""

from __future__ import annotations

from silp_cli.ir.errors import SilpError
from silp_cli.protocol.negotiation.exchange import Exchange
from silp_cli.protocol.negotiation.messages import parse_message
from silp_cli.text.stream import Stream, results

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Unpack

    from silp_cli.text.records import Record
    from silp_cli.text.stream import Result, StreamOptions

COMMAND = "silp negotiate"


def run(**stream: Unpack[StreamOptions]) -> int:
    """Write the frontend of every exchange; return the exit status."""
    filter = Stream(COMMAND, **stream)
    return filter.write(settle(filter.reader.payloads()))


def settle(records: Iterable[Record]) -> Iterator[Result]:
    """Follow exchanges of messages, in the order in which they were sent.

    Yields:
        For each record the frontend that it settles, nothing, or an error; the last may have a second error, of a
        probe that nobody answered.
    """
    exchange = Exchange()
    last: Record | None = None
    for last, outcome, warnings in results(records, lambda record: exchange.take(parse_message(record.text))):
        yield last, outcome, warnings
    if last is not None:
        try:
            exchange.end()
        except SilpError as error:
            yield last.derived(None, error), error, ()
