"""Payloads into envelopes.

* mcp: ``params.arguments`` of a ``tools/call`` request; of an answer ``result.structuredContent``, and
  its text again as a block of ``result.content``
* a2a: a part of a ``Message`` or of an ``Artifact``; an answer has the agent's role
* aidip: ``inputs`` of ``POST /agents/{id}/invoke``; of an answer ``outputs``

MCP and AIDIP carry it as two members, ``silp_encoding`` and ``silp_payload``, or, as draft-00 has it, as a
plain string in the place of one argument. A part of A2A has the media type ``text/vnd.silp`` and says
``silp_encoding`` in its metadata.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from silp_cli.ir.errors import ErrorCode, SilpError
from silp_cli.ir.jsontext import dumps, loads
from silp_cli.protocol.envelopes.json_splice import append, locate, put
from silp_cli.protocol.error_object import ENCODING as ERROR

if TYPE_CHECKING:
    from typing import Any

    from silp_cli.protocol.payloads import Payload

    Path = tuple[str | int, ...]

ENCODING_FIELD = "silp_encoding"
PAYLOAD_FIELD = "silp_payload"
MEDIA_TYPE = "text/vnd.silp"

_MESSAGE_PARTS: tuple[Path, ...] = (
    ("params", "message", "parts"),
    ("result", "message", "parts"),
    ("message", "parts"),
    ("parts",),
)
_ARTIFACTS: tuple[Path, ...] = (
    ("result", "task", "artifacts"),
    ("result", "artifacts"),
    ("task", "artifacts"),
    ("artifacts",),
)
_ARTIFACT_PARTS: tuple[Path, ...] = (
    ("result", "artifactUpdate", "artifact", "parts"),
    ("artifactUpdate", "artifact", "parts"),
    ("artifact", "parts"),
    ("parts",),
)


def mcp_request(tool: str, arguments: str = "{}", id: int | str = 1) -> str:
    """A ``tools/call`` request without a payload, as JSON text; ``arguments`` goes in as it is."""
    params = f'{{"name":{dumps(tool)},"arguments":{arguments}}}'
    return f'{{"jsonrpc":"2.0","id":{dumps(id)},"method":"tools/call","params":{params}}}'


def mcp_result(id: int | str = 1, *, is_error: bool = False) -> str:
    """The result of a ``tools/call`` without a payload."""
    flag = ',"isError":true' if is_error else ""
    return f'{{"jsonrpc":"2.0","id":{dumps(id)},"result":{{"content":[],"structuredContent":{{}}{flag}}}}}'


def a2a_message(id: str, *, answer: bool = False) -> str:
    """An A2A message without parts."""
    role = "ROLE_AGENT" if answer else "ROLE_USER"
    return f'{{"messageId":{dumps(id)},"role":"{role}","parts":[]}}'


def a2a_artifact(id: str) -> str:
    """An A2A artifact without parts."""
    return f'{{"artifactId":{dumps(id)},"parts":[]}}'


def a2a_request(message: str, id: int | str = 1) -> str:
    """The JSON-RPC request that sends a message."""
    return f'{{"jsonrpc":"2.0","id":{dumps(id)},"method":"SendMessage","params":{{"message":{message}}}}}'


def a2a_part(payload: Payload) -> str:
    """The part that carries a payload."""
    return dumps(
        {"text": payload.text, "mediaType": MEDIA_TYPE, "metadata": {ENCODING_FIELD: payload.encoding}}
    )


def into_mcp(envelope: str, payload: Payload, replace: str | None = None) -> str:
    """Put a payload into an MCP request or result.

    Args:
        envelope: JSON text of a ``tools/call`` request, or of a response with a ``result``.
        payload: the payload.
        replace: put the bare string in place of this argument instead.

    Returns:
        The envelope's text with the payload cut in.

    Raises:
        SilpError: ``invalid_syntax`` for an envelope that is neither.
    """
    value = _object(envelope)
    if "method" in value:
        if value["method"] != "tools/call" or not isinstance(value.get("params"), dict):
            raise _misfit("an MCP request that carries a payload is a tools/call with params", "/method")
        if "arguments" not in value["params"]:
            envelope = put(envelope, ("params",), "arguments", "{}")
        return _fields(envelope, ("params", "arguments"), payload, replace)
    if not isinstance(value.get("result"), dict):
        raise _misfit("no MCP request and no result", "")
    result: Path = ("result",)
    for key, empty in (("content", "[]"), ("structuredContent", "{}")):
        if locate(envelope, (*result, key)) is None:
            envelope = put(envelope, result, key, empty)
    block = dumps({"type": "text", "text": payload.text})
    try:
        envelope = append(envelope, (*result, "content"), block)
    except LookupError:
        raise _misfit("the content of an MCP result is an array", "/result/content") from None
    return _fields(envelope, (*result, "structuredContent"), payload, replace)


def into_a2a(envelope: str, payload: Payload, *, artifact: str | None = None) -> str:
    """Put a payload into an A2A message or artifact, or into what contains one.

    Args:
        envelope: JSON text of a message, an artifact, a request, a response, a task, or an update.
        payload: the payload; it becomes the last part.
        artifact: id of the artifact to make of it when the envelope holds a list of them; None for a message.

    Returns:
        The envelope's text with the part cut in.

    Raises:
        SilpError: ``invalid_syntax`` for an envelope without a place for a part.
    """
    value = _object(envelope)
    part = a2a_part(payload)
    if artifact is not None:
        for path in _ARTIFACTS:
            if _at(value, path) is not None:
                item = f'{{"artifactId":{dumps(artifact)},"parts":[{part}]}}'
                return _appended(envelope, path, item)
    for path in _MESSAGE_PARTS if artifact is None else _ARTIFACT_PARTS:
        if _at(value, path) is not None:
            return _appended(envelope, path, part)
    raise _misfit("no A2A message or artifact with parts", "")


def into_aidip(
    envelope: str, payload: Payload, replace: str | None = None, *, answer: bool = False, plain: bool = False
) -> str:
    """Put a payload into the body of an AIDIP invocation.

    Args:
        envelope: JSON text of the request's or the answer's body.
        payload: the payload.
        replace: put the bare string in place of this input (or output) instead.
        answer: into ``outputs``, not ``inputs``.
        plain: the bare string becomes ``inputs`` (or ``outputs``) itself, which the draft of AIDIP calls a
            task description.

    Returns:
        The envelope's text with the payload cut in.

    Raises:
        SilpError: ``invalid_syntax`` for a body that is no object.
    """
    value = _object(envelope)
    member = "outputs" if answer else "inputs"
    if plain:
        return put(envelope, (), member, dumps(payload.text))
    if member not in value:
        envelope = put(envelope, (), member, "{}")
    elif not isinstance(value[member], dict):
        raise _misfit(f"'{member}' is no object; replace it whole with --plain", f"/{member}")
    return _fields(envelope, (member,), payload, replace)


def is_error(payload: Payload) -> bool:
    """Whether a payload is an error object."""
    return payload.encoding == ERROR


def _fields(envelope: str, path: Path, payload: Payload, replace: str | None) -> str:
    try:
        if replace is not None:
            return put(envelope, path, replace, dumps(payload.text))
        envelope = put(envelope, path, ENCODING_FIELD, dumps(payload.encoding))
        return put(envelope, path, PAYLOAD_FIELD, dumps(payload.text))
    except LookupError:
        raise _misfit("no object to put the payload in", "/" + "/".join(map(str, path))) from None


def _appended(envelope: str, path: Path, item: str) -> str:
    try:
        return append(envelope, path, item)
    except LookupError:
        raise _misfit("no array to put the payload in", "/" + "/".join(map(str, path))) from None


def _object(envelope: str) -> dict[str, Any]:
    value = loads(envelope)
    if not isinstance(value, dict):
        raise _misfit("an envelope is a JSON object", "")
    return value


def _at(value: object, path: Path) -> object:
    for step in path:
        if not isinstance(value, dict) or step not in value:
            return None
        value = value[step]
    return value


def _misfit(message: str, pointer: str) -> SilpError:
    return SilpError(ErrorCode.INVALID_SYNTAX, message, rule="envelope.form", path=pointer or None)
