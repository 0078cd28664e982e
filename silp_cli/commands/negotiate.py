"""``silp negotiate``: which frontend a probe and its answer settle on."""

from __future__ import annotations

from silp_cli.commands.stream import Stream, add_input_options, add_output_option
from silp_cli.ir.errors import SilpError
from silp_cli.protocol.messages import parse_message
from silp_cli.protocol.negotiation import Exchange

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterator

    from silp_cli.text.records import Record

COMMAND = "silp negotiate"


def configure(parser: ArgumentParser) -> None:
    """Add the options of ``silp negotiate``."""
    add_output_option(parser)
    add_input_options(parser)
    parser.epilog = """\
Reads messages one a line, in the order in which they were sent, and writes one frontend for each probe that
was answered: the highest priority that both sides have, or the preference that both can meet. Nothing in
common is an 'unsupported_frontend' error, a message out of order 'invalid_syntax', a probe without an answer
'timeout'.

examples:
  silp negotiate ping.txt pong.txt
  silp ping --frontends code,json | silp pong --frontends json,natural --echo | silp negotiate
"""


def run(options: Namespace) -> int:
    """Write the frontend of every exchange; return the exit status."""
    stream = Stream(options, COMMAND)
    exchange = Exchange()

    def records() -> Iterator[Record]:
        last: Record | None = None
        for record in stream.reader.payloads():
            last = record
            yield record
        if last is not None:
            try:
                exchange.end()
            except SilpError as error:
                yield last.derived(None, error)

    return stream.filter(records(), lambda record: exchange.take(parse_message(record.text)))
