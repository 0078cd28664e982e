"""Payloads out of envelopes. Which protocol it is, and where the payload stands, is found by reading."""

from __future__ import annotations

from typing import TYPE_CHECKING

from silp_cli.ir.errors import ErrorCode, SilpError
from silp_cli.ir.jsontext import loads
from silp_cli.protocol.envelopes.wrap import ENCODING_FIELD, MEDIA_TYPE, PAYLOAD_FIELD
from silp_cli.protocol.error_object import ENCODING as ERROR
from silp_cli.protocol.error_object import is_error_object, read_error_object
from silp_cli.protocol.payloads import declared_payload, read_payload

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from silp_cli.protocol.payloads import Payload

# Members that lead from an envelope to what it carries, in the order in which they are followed. An A2A
# task's `history` is not among them: it repeats messages that were read when they came.
_INWARD = (
    "params",
    "result",
    "message",
    "task",
    "statusUpdate",
    "artifactUpdate",
    "status",
    "artifact",
    "artifacts",
)
_FIELDS = ("arguments", "structuredContent", "inputs", "outputs")


def unwrap(envelope: Any, field: str | None = None) -> list[Payload]:
    """Take the payloads out of an envelope.

    Args:
        envelope: JSON data: an MCP request or result, an A2A message, artifact, task, request or response,
            the body of an AIDIP invocation or answer.
        field: take the string argument (input, output) of this name, and nothing else.

    Returns:
        The payloads in order. Marked ones (``silp_payload``, or parts with SILP's media type or metadata); if
        there are none, the one string that can be decoded.

    Raises:
        SilpError: the payload-level error, if that is what the envelope carries; ``decode_failed`` for a
            JSON-RPC error, an envelope without a payload, or one with several strings that could be it;
            ``unsupported_frontend`` for an encoding that is not there.
    """
    if not isinstance(envelope, dict):
        raise SilpError(ErrorCode.INVALID_SYNTAX, "an envelope is a JSON object", rule="envelope.form")
    if is_error_object(envelope):
        raise read_error_object(envelope)
    _refuse_rpc_error(envelope)
    if field is not None:
        return [_named(envelope, field)]
    marked = [declared_payload(text, encoding) for text, encoding in _marked(envelope)]
    for payload in marked:
        if payload.encoding == ERROR:
            raise read_error_object(loads(payload.text))
    return marked or [_only_candidate(envelope)]


def _refuse_rpc_error(envelope: dict[str, Any]) -> None:
    error = envelope.get("error")
    if isinstance(error, dict) and type(error.get("code")) is int:
        message = str(error.get("message", ""))[:200]
        raise SilpError(
            ErrorCode.DECODE_FAILED,
            f"a JSON-RPC error, not a payload: {error['code']} {message}".rstrip(),
            rule="envelope.json-rpc-error",
            path="/error",
            hint="the outer protocol failed; SILP has no say in it",
        )


def _inside(envelope: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The envelope and the objects it leads to."""
    yield envelope
    for key in _INWARD:
        inner = envelope.get(key)
        for each in inner if isinstance(inner, list) else [inner]:
            if isinstance(each, dict):
                yield from _inside(each)


def _marked(envelope: dict[str, Any]) -> Iterator[tuple[str, str | None]]:
    for level in _inside(envelope):
        for name in _FIELDS:
            fields = level.get(name)
            if isinstance(fields, dict) and PAYLOAD_FIELD in fields:
                yield _text(fields[PAYLOAD_FIELD], f"{name}/{PAYLOAD_FIELD}"), _encoding(fields)
        for part in _parts(level):
            media_type = part.get("mediaType")
            metadata = part.get("metadata")
            encoding = _encoding(metadata) if isinstance(metadata, dict) else None
            if encoding is not None or (isinstance(media_type, str) and _is_silp(media_type)):
                yield _text(part.get("text"), "parts/text"), encoding


def _is_silp(media_type: str) -> bool:
    return media_type.partition(";")[0].strip().lower() == MEDIA_TYPE


def _parts(level: dict[str, Any]) -> list[dict[str, Any]]:
    parts = level.get("parts")
    return [part for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []


def _encoding(fields: dict[str, Any]) -> str | None:
    encoding = fields.get(ENCODING_FIELD)
    return None if encoding is None else _text(encoding, ENCODING_FIELD)


def _text(value: Any, where: str) -> str:
    if isinstance(value, str):
        return value
    raise SilpError(ErrorCode.INVALID_SYNTAX, f"'{where}' is no string", rule="envelope.form")


def _named(envelope: dict[str, Any], field: str) -> Payload:
    for level in _inside(envelope):
        for name in _FIELDS:
            fields = level.get(name)
            if isinstance(fields, dict) and field in fields:
                return read_payload(_text(fields[field], f"{name}/{field}"))
    raise SilpError(
        ErrorCode.DECODE_FAILED, f"no argument '{field[:40]}' in the envelope", rule="envelope.field"
    )


def _strings(envelope: dict[str, Any]) -> Iterator[str]:
    """Unmarked strings that may be a payload: arguments, text blocks, text parts."""
    for level in _inside(envelope):
        for name in _FIELDS:
            fields = level.get(name)
            values = fields.values() if isinstance(fields, dict) else [fields]
            yield from (value for value in values if isinstance(value, str))
        content = level.get("content")
        blocks = content if isinstance(content, list) else []
        for block in [*blocks, *_parts(level)]:
            if isinstance(block, dict) and isinstance(block.get("text"), str):
                yield block["text"]


def _only_candidate(envelope: dict[str, Any]) -> Payload:
    found: dict[str, Payload] = {}
    for text in _strings(envelope):
        try:
            payload = declared_payload(text, None)
        except SilpError:
            continue  # a string that is something else
        if payload.encoding == ERROR:
            raise read_error_object(loads(payload.text))
        found[payload.text] = payload
    if len(found) == 1:
        return next(iter(found.values()))
    if found:
        raise SilpError(
            ErrorCode.DECODE_FAILED,
            f"{len(found)} strings in the envelope can be decoded, none is marked",
            rule="envelope.ambiguous",
            hint="name the argument with --field",
        )
    raise SilpError(
        ErrorCode.DECODE_FAILED,
        "no payload in the envelope",
        rule="envelope.empty",
        hint=f"it stands in '{PAYLOAD_FIELD}', a part of type {MEDIA_TYPE}, or a string that decodes",
    )
