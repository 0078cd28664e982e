"""``silp grammar``: the ABNF of a surface, or its railroad diagrams."""

from __future__ import annotations

from silp_cli.commands import CommandError
from silp_cli.commands.stream import add_output_option, write_whole
from silp_cli.ir.resources import read_resource, resource_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

_SUFFIX = ".abnf"

EPILOG = """\
examples:
  silp grammar                          the ABNF of the code surface
  silp grammar json                     that of the json surface
  silp grammar --diagram grammar.html   railroad diagrams of every rule, for a browser
"""


def configure(parser: ArgumentParser) -> None:
    """Add the options of ``silp grammar``."""
    parser.epilog = EPILOG
    names = [name.removesuffix(_SUFFIX) for name in resource_names(_SUFFIX)]
    parser.add_argument(
        "name", nargs="?", choices=names, default="code", metavar="NAME",
        help=f"which surface: {' or '.join(names)} (default: code)",
    )
    parser.add_argument(
        "--diagram", metavar="FILE.html", help="write railroad diagrams of the code grammar here instead"
    )
    add_output_option(parser)


def run(options: Namespace) -> int:
    """Print or draw a grammar; return the exit status."""
    if options.diagram is not None:
        if options.name != "code":
            raise CommandError("silp grammar: --diagram draws the code grammar only; leave NAME out")
        if options.output is not None:
            raise CommandError("silp grammar: --diagram names its own FILE; leave --output out")
        from silp_cli.frontends.code.diagram import draw

        write_whole(draw(), options.diagram)
    else:
        write_whole(read_resource(options.name + _SUFFIX).rstrip("\n"), options.output)
    return 0
