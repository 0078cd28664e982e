"""``silp explain --extract``: where in a text the calls are, and why the rest is none."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from silp_cli.dialects.chosen import chosen_reader, chosen_tools
from silp_cli.explain.sightings import sighted
from silp_cli.ir.jsontext import dumps, dumps_pretty
from silp_cli.text.command import color_wanted
from silp_cli.text.output import write_whole

if TYPE_CHECKING:
    from silp_cli.explain.sightings import Sighted

_WIDTH = 100


def run(
    text: str, command: str, *, form: str, pretty: bool, output: str | None, tools: str | None, dialect: str | None,
    dialects: str | None, reasoning: bool, prose: bool,
) -> int:
    """Explain one text; return the exit status: 1 when it holds no call, or a broken one.

    Args:
        text: what a model wrote.
        command: the name for diagnostics.
        form: ``text``, ``json`` or ``html``.
        pretty: lay JSON out over several lines.
        output: the file to write; None for stdout.
        tools: a file with definitions of tools.
        dialect: the only dialect to read.
        dialects: a file with further dialects.
        reasoning: read what stands in reasoning, too.
        prose: read running text, too.

    Raises:
        CommandError: when a file cannot be used, or there is no such dialect.
    """
    reader = chosen_reader(
        command, verbs=None, dialect=dialect, dialects=dialects, reasoning=reasoning, prose=prose
    )()
    seen = sighted(text, [*reader.feed(text), *reader.close()], chosen_tools(tools, command))
    write_whole(_written(seen, form, pretty=pretty, on_terminal=output is None and sys.stdout.isatty()), output)
    return 0 if seen.well else 1


def _written(seen: Sighted, form: str, *, pretty: bool, on_terminal: bool) -> str:
    if form == "html":
        from silp_cli.explain.sightings_page import page

        return page(seen)
    if form == "json":
        found = {"text": seen.text, "found": [each.to_dict(seen.text) for each in seen.sightings]}
        return (dumps_pretty if pretty else dumps)(found)
    from silp_cli.explain.sightings_listing import listing

    width = os.get_terminal_size(sys.stdout.fileno()).columns or _WIDTH if on_terminal else _WIDTH
    return listing(seen, max(width, 40), color=on_terminal and color_wanted(sys.stdout))
