"""``silp explain``: one payload, and which part of it means what, as a listing, as JSON or as a picture."""

from __future__ import annotations

import os
import sys

from silp_cli.frontends.detect import detect
from silp_cli.ir.errors import ErrorCode, SilpError
from silp_cli.ir.jsontext import dumps, dumps_pretty, limit_depth
from silp_cli.text.command import CommandError, color_wanted
from silp_cli.text.diagnostics import Reporter
from silp_cli.text.output import write_whole
from silp_cli.text.records import Reader, Record, Source
from silp_cli.text.stdin import stdin_descriptor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from silp_cli.frontends.slots import Explained

_COMMAND = "silp explain"
_WIDTH = 100


def run(
    *, file: str | None, payload: str | None, frontend: str | None, format: str, pretty: bool, html: str | None,
    errors: str, output: str | None, max_record_size: int, max_depth: int, extract: bool, tools: str | None,
    dialect: str | None, dialects: str | None, reasoning: bool, prose: bool,
) -> int:
    """Explain one payload, or with ``extract`` one text; return the exit status."""
    if payload is not None and file is not None:
        raise CommandError(f"{_COMMAND}: give FILE or --payload, not both")
    if html is not None and output is not None:
        raise CommandError(f"{_COMMAND}: --html names its own FILE; leave --output out")
    if not extract and (tools or dialect or dialects or reasoning or prose):
        raise CommandError(
            f"{_COMMAND}: --tools, --dialect, --dialects, --reasoning and --prose are for --extract "
            f"(see '{_COMMAND} --help')"
        )
    limit_depth(max_depth)
    record = _from_option(payload) if payload is not None else _from_file(file or "-", max_record_size)
    form = "html" if html is not None else format
    if extract and record.error is None:
        from silp_cli.explain.extract_command import run as run_extract

        return run_extract(
            record.text, _COMMAND, form=form, pretty=pretty, output=html if html is not None else output, tools=tools,
            dialect=dialect, dialects=dialects, reasoning=reasoning, prose=prose,
        )
    try:
        explained = _explain(record, frontend)
        written = _render(explained, form, pretty=pretty, on_terminal=output is None and sys.stdout.isatty())
    except SilpError as error:
        reporter = Reporter(_COMMAND, sys.stderr, errors, color=color_wanted(sys.stderr))
        reporter.report(record.place(error))
        return 1
    write_whole(written, html if html is not None else output)
    return 0


def _explain(record: Record, frontend: str | None) -> Explained:
    """The parts of a record."""
    from silp_cli.explain.explain import explain

    if record.error is not None:
        raise record.error
    try:
        return explain(record.text, frontend or detect(record.text))
    except RecursionError:
        raise _too_deep() from None


def _render(explained: Explained, form: str, *, pretty: bool, on_terminal: bool) -> str:
    """A payload as a listing, as JSON or as a page."""
    try:
        if form == "html":
            from silp_cli.explain.page import page

            return page(explained)
        if form == "json":
            return (dumps_pretty if pretty else dumps)(_as_json(explained))
    except RecursionError:
        raise _too_deep() from None
    from silp_cli.explain.listing import listing

    width = os.get_terminal_size(sys.stdout.fileno()).columns or _WIDTH if on_terminal else _WIDTH
    return listing(explained, max(width, 40), color=on_terminal and color_wanted(sys.stdout))


def _too_deep() -> SilpError:
    return SilpError(
        ErrorCode.INVALID_SYNTAX, "nested too deeply to be explained", rule="limit.depth", position=0,
        hint="flatten the record",
    )


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
        return _read(Source("stdin", stdin_descriptor(_COMMAND)), limit)
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
