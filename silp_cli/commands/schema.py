"""``silp schema``: print the JSON Schema of the IR."""

from __future__ import annotations

from silp_cli.commands.stream import Output, add_output_option
from silp_cli.ir.schema import schema_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def configure(parser: ArgumentParser) -> None:
    """Add the options of ``silp schema``."""
    add_output_option(parser)
    parser.epilog = """\
examples:
  silp schema | jq '.properties | keys'
  silp schema -o ir.schema.json
"""


def run(options: Namespace) -> int:
    """Print the schema; return the exit status."""
    output = Output(options.output)
    output.line(schema_text().rstrip("\n"))
    output.close()
    return 0
