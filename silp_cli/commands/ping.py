"""``silp ping``: ask which frontends the other side has."""

from __future__ import annotations

from silp_cli.commands.offers import add_offer_options, offered
from silp_cli.commands.stream import Output, add_output_option
from silp_cli.protocol.messages import Message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

COMMAND = "silp ping"


def configure(parser: ArgumentParser) -> None:
    """Add the options of ``silp ping``."""
    add_offer_options(parser)
    parser.add_argument("--id", metavar="TEXT", help="what the answer has to repeat")
    add_output_option(parser)
    parser.epilog = """\
The form of the line: silp grammar negotiation, or grammars/negotiation.abnf.

examples:
  silp ping --frontends code,json
  silp ping --frontends code,json | silp pong --frontends json,natural --echo | silp negotiate
"""


def run(options: Namespace) -> int:
    """Write the probe; return the exit status."""
    parameters = {} if options.id is None else {"id": options.id}
    output = Output(options.output)
    output.line(str(Message("ping", tuple(offered(options, COMMAND)), options.prefer, parameters=parameters)))
    output.close()
    return 0
