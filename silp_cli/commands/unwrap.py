"""``silp unwrap``: payloads out of the messages of MCP, A2A and AIDIP."""

from __future__ import annotations

from silp_cli.commands.stream import Stream, add_input_options, add_output_option, json_writer
from silp_cli.protocol.envelopes.unwrap import unwrap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from silp_cli.text.records import Record

COMMAND = "silp unwrap"


def configure(parser: ArgumentParser) -> None:
    """Add the options of ``silp unwrap``."""
    parser.add_argument("--field", metavar="NAME", help="take the argument of this name, and nothing else")
    parser.add_argument("--json", action="store_true", help="write payload and encoding as JSON Lines")
    add_output_option(parser)
    add_input_options(parser)
    parser.epilog = """\
The protocol, and where the payload stands, are found by reading. A payload-level error object in a message,
and an error of the outer protocol, are diagnosed, each as what it is.

examples:
  silp compile < ir.jsonl | silp wrap mcp --tool plan | silp unwrap | silp decode
  silp unwrap --field instruction request.json | silp decode
"""


def run(options: Namespace) -> int:
    """Unwrap every message; return the exit status."""
    dumps = json_writer(pretty=False)
    stream = Stream(options, COMMAND)

    def transform(record: Record) -> str:
        payloads = unwrap(record.value, options.field)
        if options.json:
            return "\n".join(dumps({"encoding": each.encoding, "payload": each.text}) for each in payloads)
        return "\n".join(each.text for each in payloads)

    return stream.filter(stream.reader.documents(), transform)
