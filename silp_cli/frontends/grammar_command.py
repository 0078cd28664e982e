"""``silp grammar``: the ABNF of a surface, or its railroad diagrams."""

from __future__ import annotations

from silp_cli.ir.resources import read_resource
from silp_cli.text.command import CommandError
from silp_cli.text.output import write_whole


def run(*, name: str, diagram: str | None, output: str | None) -> int:
    """Print or draw a grammar; return the exit status."""
    if diagram is None:
        write_whole(read_resource(f"{name}.abnf").rstrip("\n"), output)
        return 0
    if name != "code":
        raise CommandError("silp grammar: --diagram draws the code grammar only; leave NAME out")
    if output is not None:
        raise CommandError("silp grammar: --diagram names its own FILE; leave --output out")
    from silp_cli.frontends.code.diagram import draw

    write_whole(draw(), diagram)
    return 0
