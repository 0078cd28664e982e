"""``silp compare``: one IR under all frontends, side by side."""

from __future__ import annotations

import sys

import silp_cli.census.finder  # noqa: F401 - tells the frontends where vocabularies are
from silp_cli.census.compare import compare
from silp_cli.frontends import lossy_options
from silp_cli.frontends.registry import frontend_names, get_frontend
from silp_cli.ir.check import require_valid
from silp_cli.ir.errors import SilpError
from silp_cli.text.command import CommandError, color_wanted
from silp_cli.text.diagnostics import render, visible
from silp_cli.text.output import json_writer
from silp_cli.text.stream import Stream
from silp_cli.text.verb_list import chosen_verbs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Unpack

    from silp_cli.census.compare import Row
    from silp_cli.census.families import Tokenizer
    from silp_cli.frontends.base import Frontend
    from silp_cli.frontends.lossy_options import LossyOptions
    from silp_cli.text.records import Record
    from silp_cli.text.stream import StreamOptions

COMMAND = "silp compare"


def run(
    *, format: str | None, frontends: str | None, tokenizers: str | None, bare: bool, verbs: str | None, any_verb: bool,
    rate: float | None, target_tokens: int | None, model: str | None, device: str | None,
    force_tokens: Sequence[str] | None, keep: bool, allow_lossy: bool, **stream: Unpack[StreamOptions],
) -> int:
    """Compare every record; return the exit status."""
    allowed = chosen_verbs(verbs, any_verb, COMMAND)
    on_terminal = sys.stdout.isatty() and stream.get("output") is None
    form = format or ("table" if on_terminal else "json")
    filter = Stream(COMMAND, **stream)
    lossy: LossyOptions = {
        "rate": rate, "target_tokens": target_tokens, "model": model, "device": device, "force_tokens": force_tokens,
        "keep": keep, "allow_lossy": allow_lossy,
    }
    compared = _frontends(frontends, lossy, filter.reporter.note)
    counting = _tokenizers(tokenizers)
    if not counting:
        filter.reporter.note("no vocabulary is there to count tokens with; run: silp vocab pull")
    names = [tokenizer.name for tokenizer in counting]
    spell = {"json": _json_line, "markdown": _markdown, "table": _table}[form]

    def transform(record: Record) -> str:
        require_valid(record.value, allowed)
        return spell(record, compare(record.value, compared, counting, bare=bare), names)

    return filter.filter(filter.reader.documents(), transform)


def _frontends(names: str | None, lossy: LossyOptions, note: Callable[[str], None]) -> list[Frontend]:
    wanted = frontend_names() if names is None else _listed(names)
    if not wanted:
        raise CommandError(f"{COMMAND}: --frontends names none")
    try:
        return [
            lossy_options.frontend_from(lossy, note, COMMAND)
            if name == lossy_options.FRONTEND else get_frontend(name)
            for name in wanted
        ]
    except SilpError as error:
        raise CommandError(render(error, COMMAND)) from None


def _listed(names: str) -> list[str]:
    return list(dict.fromkeys(filter(None, map(str.strip, names.split(",")))))


def _tokenizers(names: str | None) -> list[Tokenizer]:
    from silp_cli.census.tokenizers import installed, load
    from silp_cli.census.vocabularies import VocabularyError

    try:
        return [load(name) for name in (installed() if names is None else _listed(names))]
    except VocabularyError as error:
        raise CommandError(f"{COMMAND}: {error}") from None


def _json_line(record: Record, rows: list[Row], names: list[str]) -> str:  # noqa: ARG001 - the others need them
    place = {"source": record.source, "record": record.number}
    return json_writer(pretty=False)({**place, "rows": [row.to_dict() for row in rows]})


def _cells(row: Row, names: list[str]) -> list[str]:
    """Frontend, text, characters, tokens by tokenizer, lossless, lost; as people read them."""
    if row.text is None:
        return [row.frontend, f"({visible(row.error)})", "", *("" for _ in names), "", ""]
    counts = [str(row.tokens[name]) for name in names]
    lossless = "yes" if row.lossless else "no"
    lost = [*row.lost, *(() if row.decodes else ("the way back to an IR",))]
    return [row.frontend, visible(row.text), str(row.characters), *counts, lossless, ", ".join(lost)]


def _header(names: list[str]) -> list[str]:
    return ["frontend", "text", "chars", *names, "lossless", "lost"]


def _markdown(record: Record, rows: list[Row], names: list[str]) -> str:
    def line(cells: list[str]) -> str:
        return "| " + " | ".join(cells) + " |"

    rules = ["---", "---", "---:", *("---:" for _ in names), "---", "---"]
    lines = [f"### {record.source}, record {record.number}", "", line(_header(names)), line(rules)]
    for row in rows:
        first, text, *others = _cells(row, names)
        shown = text if row.text is None else _code_span(text)
        lines.append(line([_escape(first), _escape(shown) if row.text is None else shown, *map(_escape, others)]))
    return "\n".join([*lines, ""])


def _escape(text: str) -> str:
    """Text that is itself in a Markdown table."""
    for mark in "\\`*_[]<>|":
        text = text.replace(mark, "\\" + mark)
    return text


def _code_span(text: str) -> str:
    """A code span in a table: a fence longer than any run of backticks within, and no bare ``|``."""
    fence = "`"
    while fence in text:
        fence += "`"
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return fence + pad + text.replace("|", "\\|") + pad + fence


def _table(record: Record, rows: list[Row], names: list[str]) -> str:
    from io import StringIO

    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(f"{record.source}, record {record.number}"), box=box.SIMPLE, title_justify="left")
    for name in _header(names):
        table.add_column(
            Text(name), justify="right" if name in ("chars", *names) else "left", overflow="fold",
            ratio={"text": 3, "lost": 2}.get(name), no_wrap=name in ("frontend", "chars", "lossless", *names),
        )
    for row in rows:
        table.add_row(*map(Text, _cells(row, names)))
    colored = color_wanted(sys.stdout)
    console = Console(file=StringIO(), force_terminal=colored, no_color=not colored)
    if not sys.stdout.isatty():
        console.width = 120
    with console.capture() as captured:
        console.print(table)
    return captured.get().rstrip("\n")
