"""``silp compare``: one IR under all frontends, side by side."""

from __future__ import annotations

import sys

from silp_cli.commands import CommandError, color_wanted, lossy
from silp_cli.commands.stream import Stream, add_input_options, add_output_option, json_writer
from silp_cli.commands.verbs import add_verb_options, chosen_verbs
from silp_cli.frontends.registry import frontend_names, get_frontend
from silp_cli.ir.check import require_valid
from silp_cli.ir.errors import SilpError
from silp_cli.text.diagnostics import render, visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable

    from silp_cli.census.compare import Row
    from silp_cli.census.families import Tokenizer
    from silp_cli.frontends.base import Frontend
    from silp_cli.text.records import Record

COMMAND = "silp compare"


def configure(parser: ArgumentParser) -> None:
    """Add the options of ``silp compare``."""
    parser.add_argument(
        "--format", choices=("table", "json", "markdown"),
        help="default: a table on a terminal, JSON Lines (one object a record) otherwise",
    )
    parser.add_argument(
        "-f", "--frontends", metavar="NAMES", help="comma-separated (default: all that 'silp frontends' lists)"
    )
    parser.add_argument(
        "--tokenizers", metavar="NAMES", help="comma-separated (default: those whose vocabulary is there)"
    )
    parser.add_argument("--bare", action="store_true", help="leave out meta, silp and version")
    add_verb_options(parser)
    add_output_option(parser)
    add_input_options(parser)
    group = parser.add_argument_group("how llmlingua2 shortens")
    lossy.add_compression_options(group)
    parser.epilog = """\
Lossless is tried, not believed: a text is lossless when it decodes to an equivalent IR.

examples:
  silp compare ir.json
  silp compare --format markdown --tokenizers gpt-4o,claude ir.json
  silp compare --format json ir.jsonl | jq '.rows[] | [.frontend, .tokens["gpt-4o"]]'
"""


def run(options: Namespace) -> int:
    """Compare every record; return the exit status."""
    from silp_cli.census.compare import compare

    verbs = chosen_verbs(options, COMMAND)
    form = options.format or ("table" if sys.stdout.isatty() and options.output is None else "json")
    stream = Stream(options, COMMAND)
    frontends = _frontends(options, stream.reporter.note)
    tokenizers = _tokenizers(options.tokenizers)
    if not tokenizers:
        stream.reporter.note("no vocabulary is there to count tokens with; run: silp vocab pull")
    names = [tokenizer.name for tokenizer in tokenizers]
    spell = {"json": _json_line, "markdown": _markdown, "table": _table}[form]

    def transform(record: Record) -> str:
        require_valid(record.value, verbs)
        return spell(record, compare(record.value, frontends, tokenizers, bare=options.bare), names)

    return stream.filter(stream.reader.documents(), transform)


def _frontends(options: Namespace, note: Callable[[str], None]) -> list[Frontend]:
    names = frontend_names() if options.frontends is None else _listed(options.frontends)
    if not names:
        raise CommandError(f"{COMMAND}: --frontends names none")
    try:
        return [
            lossy.frontend_from(options, note) if name == lossy.FRONTEND else get_frontend(name) for name in names
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
