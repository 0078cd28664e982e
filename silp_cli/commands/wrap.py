"""``silp wrap``: payloads into the messages of MCP, A2A and AIDIP."""

from __future__ import annotations

import uuid

from silp_cli.commands import CommandError
from silp_cli.commands.stream import Stream, add_input_options, add_output_option, read_whole
from silp_cli.frontends.registry import get_frontend
from silp_cli.ir.errors import SilpError
from silp_cli.ir.jsontext import loads
from silp_cli.protocol.envelopes import wrap
from silp_cli.protocol.payloads import NEGOTIATION, Payload, read_payload, written_payload
from silp_cli.text.diagnostics import render

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable

    from silp_cli.text.records import Record

COMMAND = "silp wrap"
PROTOCOLS = ("mcp", "a2a", "aidip")


def configure(parser: ArgumentParser) -> None:
    """Add the options of ``silp wrap``."""
    parser.add_argument("protocol", choices=PROTOCOLS, help="the protocol of the message")
    parser.add_argument(
        "-f",
        "--frontend",
        metavar="NAME",
        help="what the payloads are written in (default: found by reading)",
    )
    parser.add_argument(
        "--into",
        metavar="FILE",
        help="put each payload into a copy of this message, the rest of it unchanged",
    )
    parser.add_argument(
        "--answer", action="store_true", help="an answer (mcp: result, a2a: the agent's role, aidip: outputs)"
    )
    parser.add_argument(
        "--replace", metavar="NAME", help="mcp, aidip: put the bare string in place of this argument"
    )
    parser.add_argument(
        "--id",
        metavar="ID",
        help="mcp: number of the first request (default: 1); a2a: id of the message or artifact",
    )
    mcp = parser.add_argument_group("mcp")
    mcp.add_argument("--tool", metavar="NAME", help="the tool to call")
    mcp.add_argument("--arguments", metavar="JSON", help="the tool's other arguments, one JSON object")
    a2a = parser.add_argument_group("a2a")
    a2a.add_argument("--artifact", action="store_true", help="an artifact instead of a message")
    a2a.add_argument("--rpc", action="store_true", help="the JSON-RPC request that sends the message")
    aidip = parser.add_argument_group("aidip")
    aidip.add_argument(
        "--plain", action="store_true", help="the bare string becomes 'inputs' (or 'outputs') itself"
    )
    add_output_option(parser)
    add_input_options(parser)
    parser.epilog = """\
Payloads come in one a line: what compile wrote, error objects, negotiation messages. With --frontend, each
must be written in it, or be an error object or a negotiation message, which say so themselves.

examples:
  silp compile < ir.jsonl | silp wrap mcp --tool plan --arguments '{"city":"Oslo"}'
  silp compile < ir.jsonl | silp wrap mcp --tool plan --replace instruction
  silp compile < ir.jsonl | silp wrap a2a --into message.json
  silp compile < ir.jsonl | silp wrap aidip | silp unwrap | silp decode
"""


def run(options: Namespace) -> int:
    """Wrap every payload; return the exit status."""
    _check(options)
    make = {"mcp": _mcp, "a2a": _a2a, "aidip": _aidip}[options.protocol](options)
    stream = Stream(options, COMMAND)
    first = stream.reader

    def transform(record: Record) -> str:
        return make(_payload(record.text, options.frontend), first.count)

    return stream.filter(stream.reader.payloads(), transform)


def _payload(text: str, frontend: str | None) -> Payload:
    return read_payload(text) if frontend is None else written_payload(text, frontend)


def _check(options: Namespace) -> None:
    """Refuse options that have no meaning together."""
    belongs = {
        "tool": ("mcp",),
        "arguments": ("mcp",),
        "artifact": ("a2a",),
        "rpc": ("a2a",),
        "plain": ("aidip",),
        "replace": ("mcp", "aidip"),
        "id": ("mcp", "a2a"),
    }
    for name, protocols in belongs.items():
        if getattr(options, name) and options.protocol not in protocols:
            raise CommandError(f"{COMMAND}: --{name} has no meaning for {options.protocol}")
    fresh = ("tool", "arguments", "id", "rpc")
    if options.into is not None:
        for name in fresh:
            if getattr(options, name):
                raise CommandError(
                    f"{COMMAND}: --{name} and --into exclude each other: the message says it already"
                )
    if options.plain and options.replace:
        raise CommandError(f"{COMMAND}: --plain and --replace exclude each other")
    if options.rpc and (options.artifact or options.answer):
        raise CommandError(f"{COMMAND}: --rpc sends a message, neither an artifact nor an answer")
    if options.frontend is not None and options.frontend != NEGOTIATION:
        try:
            get_frontend(options.frontend)
        except SilpError as error:
            raise CommandError(render(error, COMMAND)) from None


def _template(options: Namespace) -> str | None:
    """The text of ``--into``, known to be a JSON object."""
    if options.into is None:
        return None
    text = read_whole(options.into, COMMAND).rstrip("\n")
    _require_object(text, options.into)
    return text


def _require_object(text: str, name: str) -> None:
    try:
        value = loads(text)
    except SilpError as error:
        error.source = name
        raise CommandError(render(error, COMMAND)) from None
    if not isinstance(value, dict):
        raise CommandError(f"{COMMAND}: {name}: not a JSON object")


def _mcp(options: Namespace) -> Callable[[Payload, int], str]:
    template = _template(options)
    if template is None and not options.answer and options.tool is None:
        raise CommandError(
            f"{COMMAND}: say which tool to call with --tool NAME, or give a message with --into FILE"
        )
    arguments = "{}" if options.arguments is None else options.arguments.strip()
    _require_object(arguments, "--arguments")
    try:
        start = int(options.id or "1")
    except ValueError:
        raise CommandError(f"{COMMAND}: --id is a number for mcp") from None

    def make(payload: Payload, number: int) -> str:
        if template is not None:
            return wrap.into_mcp(template, payload, options.replace)
        id = start + number - 1
        if options.answer:
            return wrap.into_mcp(
                wrap.mcp_result(id, is_error=wrap.is_error(payload)), payload, options.replace
            )
        return wrap.into_mcp(wrap.mcp_request(options.tool, arguments, id), payload, options.replace)

    return make


def _a2a(options: Namespace) -> Callable[[Payload, int], str]:
    template = _template(options)

    def make(payload: Payload, number: int) -> str:
        id = (
            str(uuid.uuid4())
            if options.id is None
            else options.id
            if number == 1
            else f"{options.id}-{number}"
        )
        artifact = id if options.artifact else None
        if template is not None:
            return wrap.into_a2a(template, payload, artifact=artifact)
        if options.artifact:
            return wrap.into_a2a(wrap.a2a_artifact(id), payload, artifact=artifact)
        message = wrap.into_a2a(wrap.a2a_message(id, answer=options.answer), payload)
        return wrap.a2a_request(message, number) if options.rpc else message

    return make


def _aidip(options: Namespace) -> Callable[[Payload, int], str]:
    template = _template(options) or "{}"

    def make(payload: Payload, number: int) -> str:  # noqa: ARG001 - one signature for the three
        return wrap.into_aidip(template, payload, options.replace, answer=options.answer, plain=options.plain)

    return make
