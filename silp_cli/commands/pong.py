"""``silp pong``: answer a probe."""

from __future__ import annotations

from silp_cli.commands.offers import add_offer_options, offered
from silp_cli.commands.stream import Stream, add_input_options, add_output_option
from silp_cli.ir.errors import ErrorCode, SilpError
from silp_cli.protocol.messages import error_message, parse_message
from silp_cli.protocol.negotiation import answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from silp_cli.text.records import Record

COMMAND = "silp pong"


def configure(parser: ArgumentParser) -> None:
    """Add the options of ``silp pong``."""
    add_offer_options(parser)
    parser.add_argument("--echo", action="store_true", help="write each probe in front of its answer")
    add_output_option(parser)
    add_input_options(parser)
    parser.epilog = """\
A line that is no probe is diagnosed and answered with an //error message, so the other side hears of it.

examples:
  silp ping --frontends code,json | silp pong --frontends json,natural
  echo '//ping v1 frontends=code,json id=7' | silp pong --prefer json
"""


def run(options: Namespace) -> int:
    """Answer every probe; return the exit status."""
    names = offered(options, COMMAND)
    stream = Stream(options, COMMAND)
    write = stream.output.line

    def transform(record: Record) -> str:
        if options.echo:
            write(record.text)
        try:
            message = parse_message(record.text)
            if message.kind != "ping":
                raise SilpError(
                    ErrorCode.INVALID_SYNTAX,
                    f"a {message.kind} is not to be answered",
                    rule="negotiation.order",
                    position=0,
                )
        except SilpError as error:
            write(str(error_message(error)))
            raise
        return str(answer(message, names, options.prefer))

    return stream.filter(stream.reader.payloads(), transform)
