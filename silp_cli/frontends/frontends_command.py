"""``silp frontends``: list the frontends."""

from __future__ import annotations

import sys

from silp_cli.frontends.registry import frontend_names, get_frontend
from silp_cli.ir.errors import SilpError
from silp_cli.text.output import Output, json_writer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def run(*, format: str | None, output: str | None) -> int:
    """List the frontends; return the exit status."""
    rows = [_row(name) for name in frontend_names()]
    form = format or ("table" if sys.stdout.isatty() and output is None else "json")
    written = Output(output)
    if form == "json":
        dumps = json_writer(pretty=False)
        for row in rows:
            written.line(dumps(row))
    else:
        width = max(len(row["name"]) for row in rows)
        written.line(f"{'NAME':<{width}}  LOSSLESS  INSTALLED  ENCODING")
        for row in rows:
            lossless = "yes" if row["lossless"] else "no"
            installed = "yes" if row["installed"] else "no"
            written.line(f"{row['name']:<{width}}  {lossless:<8}  {installed:<9}  {row['summary']}")
    written.close()
    return 0


def _row(name: str) -> dict[str, Any]:
    try:
        frontend = get_frontend(name)
    except SilpError as error:
        return {"name": name, "lossless": False, "installed": False, "summary": error.hint or error.message}
    return {"name": name, "lossless": frontend.lossless, "installed": frontend.installed(), "summary": frontend.summary}
