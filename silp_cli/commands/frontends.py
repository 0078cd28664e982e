"""``silp frontends``: list the frontends."""

from __future__ import annotations

import sys

from silp_cli.commands.stream import Output, add_output_option, json_writer
from silp_cli.frontends.registry import frontend_names, get_frontend
from silp_cli.ir.errors import SilpError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from typing import Any


def configure(parser: ArgumentParser) -> None:
    """Add the options of ``silp frontends``."""
    parser.add_argument(
        "--format", choices=("table", "json"), help="default: a table on a terminal, JSON Lines otherwise"
    )
    add_output_option(parser)
    parser.epilog = """\
Other distributions add frontends through the entry-point group 'silp.frontends'.

examples:
  silp frontends
  silp frontends --format json | jq -r 'select(.lossless).name'
"""


def run(options: Namespace) -> int:
    """List the frontends; return the exit status."""
    rows = [_row(name) for name in frontend_names()]
    form = options.format or ("table" if sys.stdout.isatty() and options.output is None else "json")
    output = Output(options.output)
    if form == "json":
        dumps = json_writer(pretty=False)
        for row in rows:
            output.line(dumps(row))
    else:
        width = max(len(row["name"]) for row in rows)
        output.line(f"{'NAME':<{width}}  LOSSLESS  INSTALLED  ENCODING")
        for row in rows:
            lossless = "yes" if row["lossless"] else "no"
            installed = "yes" if row["installed"] else "no"
            output.line(f"{row['name']:<{width}}  {lossless:<8}  {installed:<9}  {row['summary']}")
    output.close()
    return 0


def _row(name: str) -> dict[str, Any]:
    try:
        frontend = get_frontend(name)
    except SilpError as error:
        return {"name": name, "lossless": False, "installed": False, "summary": error.hint or error.message}
    return {"name": name, "lossless": frontend.lossless, "installed": frontend.installed(), "summary": frontend.summary}
