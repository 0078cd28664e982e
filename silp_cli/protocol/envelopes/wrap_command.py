"""``silp wrap``: payloads into the messages of MCP, A2A and AIDIP."""

from __future__ import annotations

import uuid

from silp_cli.frontends.chosen import chosen_frontend
from silp_cli.ir.errors import SilpError
from silp_cli.ir.jsontext import loads
from silp_cli.protocol.envelopes import wrap
from silp_cli.protocol.payloads import NEGOTIATION, read_payload, written_payload
from silp_cli.text.command import CommandError
from silp_cli.text.diagnostics import render
from silp_cli.text.output import read_whole
from silp_cli.text.stream import Stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias, Unpack

    from silp_cli.protocol.payloads import Payload
    from silp_cli.text.records import Record
    from silp_cli.text.stream import StreamOptions

    # Makes the message of a payload and its number in the stream, from 1 up.
    Maker: TypeAlias = Callable[[Payload, int], str]

COMMAND = "silp wrap"

# Which protocols an option has a meaning for, where that is not all of them.
_BELONGS = {
    "tool": ("mcp",), "arguments": ("mcp",), "artifact": ("a2a",), "rpc": ("a2a",), "plain": ("aidip",),
    "replace": ("mcp", "aidip"), "id": ("mcp", "a2a"),
}


def run(
    *, protocol: str, frontend: str | None, into: str | None, answer: bool, replace: str | None, id: str | None,
    tool: str | None, arguments: str | None, artifact: bool, rpc: bool, plain: bool, **stream: Unpack[StreamOptions],
) -> int:
    """Wrap every payload; return the exit status."""
    _check_protocol(
        protocol,
        {
            "tool": tool, "arguments": arguments, "artifact": artifact, "rpc": rpc, "plain": plain,
            "replace": replace, "id": id,
        },
    )
    if into is not None:
        for name, given in (("tool", tool), ("arguments", arguments), ("id", id), ("rpc", rpc)):
            if given:
                raise CommandError(
                    f"{COMMAND}: --{name} and --into exclude each other: the message says it already"
                )
    if plain and replace:
        raise CommandError(f"{COMMAND}: --plain and --replace exclude each other")
    if rpc and (artifact or answer):
        raise CommandError(f"{COMMAND}: --rpc sends a message, neither an artifact nor an answer")
    if frontend is not None and frontend != NEGOTIATION:
        chosen_frontend(frontend, COMMAND)
    template = None if into is None else _template(into)
    if protocol == "mcp":
        make = _mcp(template, answer=answer, replace=replace, id=id, tool=tool, arguments=arguments)
    elif protocol == "a2a":
        make = _a2a(template, answer=answer, id=id, artifact=artifact, rpc=rpc)
    else:
        make = _aidip(template, answer=answer, replace=replace, plain=plain)
    filter = Stream(COMMAND, **stream)

    def transform(record: Record) -> str:
        payload = read_payload(record.text) if frontend is None else written_payload(record.text, frontend)
        return make(payload, filter.reader.count)

    return filter.filter(filter.reader.payloads(), transform)


def _check_protocol(protocol: str, given: dict[str, object]) -> None:
    """Refuse options that have no meaning for a protocol."""
    for name, value in given.items():
        if value and protocol not in _BELONGS[name]:
            raise CommandError(f"{COMMAND}: --{name} has no meaning for {protocol}")


def _template(into: str) -> str:
    """The text of ``--into``, known to be a JSON object."""
    text = read_whole(into, COMMAND).rstrip("\n")
    _require_object(text, into)
    return text


def _require_object(text: str, name: str) -> None:
    try:
        value = loads(text)
    except SilpError as error:
        error.source = name
        raise CommandError(render(error, COMMAND)) from None
    if not isinstance(value, dict):
        raise CommandError(f"{COMMAND}: {name}: not a JSON object")


def _mcp(
    template: str | None, *, answer: bool, replace: str | None, id: str | None, tool: str | None,
    arguments: str | None,
) -> Maker:
    if template is None and not answer and tool is None:
        raise CommandError(
            f"{COMMAND}: say which tool to call with --tool NAME, or give a message with --into FILE"
        )
    others = "{}" if arguments is None else arguments.strip()
    _require_object(others, "--arguments")
    try:
        start = int(id or "1")
    except ValueError:
        raise CommandError(f"{COMMAND}: --id is a number for mcp") from None

    def make(payload: Payload, number: int) -> str:
        if template is not None:
            return wrap.into_mcp(template, payload, replace)
        own = start + number - 1
        if answer:
            return wrap.into_mcp(wrap.mcp_result(own, is_error=wrap.is_error(payload)), payload, replace)
        return wrap.into_mcp(wrap.mcp_request(str(tool), others, own), payload, replace)

    return make


def _a2a(template: str | None, *, answer: bool, id: str | None, artifact: bool, rpc: bool) -> Maker:
    def make(payload: Payload, number: int) -> str:
        own = str(uuid.uuid4()) if id is None else id if number == 1 else f"{id}-{number}"
        if template is not None:
            return wrap.into_a2a(template, payload, artifact=own if artifact else None)
        if artifact:
            return wrap.into_a2a(wrap.a2a_artifact(own), payload, artifact=own)
        message = wrap.into_a2a(wrap.a2a_message(own, answer=answer), payload)
        return wrap.a2a_request(message, number) if rpc else message

    return make


def _aidip(template: str | None, *, answer: bool, replace: str | None, plain: bool) -> Maker:
    def make(payload: Payload, number: int) -> str:  # noqa: ARG001 - one signature for the three
        return wrap.into_aidip(template or "{}", payload, replace, answer=answer, plain=plain)

    return make
