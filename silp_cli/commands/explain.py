"""``silp explain``: one payload, and which part of it means what, as a listing, as JSON or as a picture."""

from __future__ import annotations

import os
import sys

from silp_cli.commands import CommandError, color_wanted
from silp_cli.commands.stream import add_limit_options, add_output_option, write_whole
from silp_cli.ir.errors import ErrorCode, SilpError
from silp_cli.ir.jsontext import dumps, dumps_pretty, limit_depth
from silp_cli.text.diagnostics import Reporter
from silp_cli.text.records import Reader, Record, Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from silp_cli.frontends.slots import Explained

_COMMAND = "silp explain"
_WIDTH = 100

EPILOG = """\
examples:
  silp explain --payload 'if !rain(t+1): start(hike) else: start(cards@indoor)'
  silp explain payload.txt --format json | jq '.slots[] | select(.kind == "time")'
  silp explain --html picture.html < payload.txt
"""


def configure(parser: ArgumentParser) -> None:
    """Add the options of ``silp explain``."""
    parser.epilog = EPILOG
    file = parser.add_argument(
        "file", nargs="?", metavar="FILE", help="file with one payload; '-' or none: stdin"
    )
    file.complete = {"bash": "_shtab_compgen_files", "zsh": "_files"}  # type: ignore[attr-defined]
    parser.add_argument("--payload", metavar="TEXT", help="the payload itself")
    parser.add_argument("-f", "--frontend", metavar="NAME", help="its surface (default: found by reading)")
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", help="a listing, or JSON (default: text)"
    )
    parser.add_argument("--pretty", action="store_true", help="lay the JSON out over several lines")
    parser.add_argument(
        "--html", metavar="FILE",
        help="write a picture here instead: one HTML page, complete in itself; '-': stdout",
    )
    parser.add_argument(
        "--errors", choices=("text", "json"), default="text",
        help="how diagnostics are written (default: text)",
    )
    add_output_option(parser)
    add_limit_options(parser)


def run(options: Namespace) -> int:
    """Explain one payload; return the exit status."""
    if options.payload is not None and options.file is not None:
        raise CommandError(f"{_COMMAND}: give FILE or --payload, not both")
    if options.html is not None and options.output is not None:
        raise CommandError(f"{_COMMAND}: --html names its own FILE; leave --output out")
    limit_depth(options.max_depth)
    if options.payload is not None:
        record = _from_option(options.payload)
    else:
        record = _from_file(options.file or "-", options.max_record_size)
    try:
        written = _explain(record, options)
    except SilpError as error:
        reporter = Reporter(_COMMAND, sys.stderr, options.errors, color=color_wanted(sys.stderr))
        reporter.report(record.place(error))
        return 1
    write_whole(written, options.html if options.html is not None else options.output)
    return 0


def _explain(record: Record, options: Namespace) -> str:
    """What is to be written about a record."""
    from silp_cli.api import detect
    from silp_cli.frontends.explain import explain

    if record.error is not None:
        raise record.error
    try:
        return _render(explain(record.text, options.frontend or detect(record.text)), options)
    except RecursionError:
        raise SilpError(
            ErrorCode.INVALID_SYNTAX, "nested too deeply to be explained", rule="limit.depth", position=0,
            hint="flatten the record",
        ) from None


def _render(explained: Explained, options: Namespace) -> str:
    if options.html is not None:
        from silp_cli.commands.explain_page import page

        return page(explained)
    if options.format == "json":
        return (dumps_pretty if options.pretty else dumps)(_as_json(explained))
    from silp_cli.commands.explain_listing import listing

    on_terminal = options.output is None and sys.stdout.isatty()
    width = os.get_terminal_size(sys.stdout.fileno()).columns or _WIDTH if on_terminal else _WIDTH
    return listing(explained, max(width, 40), color=on_terminal and color_wanted(sys.stdout))


def _as_json(explained: Explained) -> dict[str, object]:
    slots = []
    for slot in explained.slots:
        fields: dict[str, object] = {
            "start": slot.start, "end": slot.end, "text": explained.text[slot.start : slot.end],
            "path": slot.path, "kind": slot.kind, "meaning": slot.meaning,
        }
        if slot.kind != "syntax":
            fields["value"] = slot.value
        slots.append(fields)
    return {"frontend": explained.frontend, "text": explained.text, "ir": explained.ir, "slots": slots}


def _from_option(payload: str) -> Record:
    try:
        payload.encode()
    except UnicodeEncodeError:
        raise CommandError(f"{_COMMAND}: --payload is not UTF-8") from None
    return Record("--payload", 1, 1, payload, error=_none_here(payload))


def _from_file(name: str, limit: int) -> Record:
    if name == "-":
        if sys.stdin is None:
            raise CommandError(f"{_COMMAND}: stdin is closed")
        return _read(Source("stdin", sys.stdin.fileno()), limit)
    try:
        descriptor = os.open(name, os.O_RDONLY)
    except OSError as error:
        raise CommandError(f"{_COMMAND}: {name}: {error.strerror}") from None
    try:
        return _read(Source(name, descriptor), limit)
    except IsADirectoryError as error:
        raise CommandError(f"{_COMMAND}: {name}: {error.strerror}") from None
    finally:
        os.close(descriptor)


def _read(source: Source, limit: int) -> Record:
    record = next(Reader(iter([source]), limit).texts())
    record.error = record.error or _none_here(record.text)
    return record


def _none_here(text: str) -> SilpError | None:
    if text.strip():
        return None
    return SilpError(
        ErrorCode.INVALID_SYNTAX, "no payload here, the input is empty", rule="explain.empty", position=0,
        hint="give one payload, such as cancel(flight)",
    )
