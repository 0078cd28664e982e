"""A payload as it travels: its text, and the word that says what it is written in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from silp_cli.frontends.registry import get_frontend
from silp_cli.ir.check import require_valid
from silp_cli.ir.errors import ErrorCode, SilpError
from silp_cli.ir.jsontext import dumps, loads
from silp_cli.ir.verbs import ACTION_CODE, WHITELIST
from silp_cli.protocol.error_object import ENCODING as ERROR
from silp_cli.protocol.error_object import MEMBER, is_error_object, read_error_object
from silp_cli.protocol.negotiation.messages import parse_message

if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any

NEGOTIATION = "negotiation"


@dataclass(frozen=True)
class Payload:
    """What an envelope carries.

    Attributes:
        text: one line.
        encoding: a frontend's name, ``"error"`` for an error object, ``"negotiation"`` for a ping or its
            answer to it.
    """

    text: str
    encoding: str


def read_payload(text: str) -> Payload:
    """Find out by reading what a payload is written in.

    Args:
        text: a line that some frontend wrote, an error object, or a negotiation message.

    Returns:
        The payload.

    Raises:
        SilpError: with the position, for text that is none of them.
    """
    start = text.lstrip(" \t\r\n")
    if start.startswith("//"):
        parse_message(text)
        return Payload(text, NEGOTIATION)
    if not start.startswith("{"):
        get_frontend("code").decode(text)
        return Payload(text, "code")
    value = loads(text)
    if MEMBER in value:
        read_error_object(value)
        return Payload(text, ERROR)
    if "task_description" in value:
        return Payload(text, "nl_json")
    get_frontend("json").decode(text)
    return Payload(text, "json")


def written_payload(text: str, frontend: str) -> Payload:
    """A payload of which its sender says what it is written in.

    Error objects and negotiation messages may stand among the payloads of any frontend, and go by their own
    names.

    Args:
        text: one line.
        frontend: a frontend's name, or ``"negotiation"``.

    Returns:
        The payload.

    Raises:
        SilpError: for a text that is not written in what was said, as far as it can be known: prose has no
            grammar.
    """
    own = _no_frontend(text)
    if own is not None:
        return Payload(text, own)
    if frontend == NEGOTIATION:
        parse_message(text)
    elif frontend == "nl_json":
        _require_description(text)
    elif get_frontend(frontend).lossless:
        get_frontend(frontend).decode(text)
    return Payload(text, frontend)


def _no_frontend(text: str) -> str | None:
    """The encoding of an error object or a negotiation message; None for what may be a frontend's."""
    start = text.lstrip(" \t\r\n")
    try:
        if start.startswith("//"):
            parse_message(text)
            return NEGOTIATION
        return ERROR if start.startswith("{") and is_error_object(loads(text)) else None
    except SilpError:
        return None


def _require_description(text: str) -> None:
    value = loads(text)
    if not isinstance(value, dict) or not isinstance(value.get("task_description"), str):
        raise SilpError(
            ErrorCode.INVALID_SYNTAX,
            "a payload of nl_json is an object with a task_description",
            rule="nl_json.form",
            position=0,
        )


def declared_payload(text: str, encoding: str | None) -> Payload:
    """A payload from an envelope that may say what it is written in.

    Args:
        text: the payload as it came.
        encoding: what the envelope says; None when it says nothing.

    Returns:
        The payload, one line long.

    Raises:
        SilpError: ``unsupported_frontend`` for an encoding this receiver does not have; ``invalid_syntax``
            for a text that cannot be in the encoding it claims, or that has line breaks where none may be.
    """
    if encoding is None:
        return read_payload(_one_line(text))
    if encoding not in (ERROR, NEGOTIATION):
        get_frontend(encoding)
    text = _one_line(text)
    if (encoding in ("json", "nl_json", ERROR)) != text.lstrip(" \t").startswith("{") and encoding in (
        "code",
        "json",
        "nl_json",
        ERROR,
        NEGOTIATION,
    ):
        raise SilpError(
            ErrorCode.INVALID_SYNTAX,
            f"the envelope says '{encoding}' and carries something else",
            rule="envelope.encoding",
        )
    return Payload(text, encoding)


def _one_line(text: str) -> str:
    """Payloads stream one a line; JSON that was laid out over several lines is the same JSON on one."""
    if "\n" not in text and "\r" not in text:
        return text
    if text.lstrip(" \t\r\n").startswith("{"):
        return dumps(loads(text))
    if "\n" not in text.strip("\r\n"):
        return text.strip("\r\n")
    raise SilpError(
        ErrorCode.INVALID_SYNTAX,
        "the payload has a line break",
        rule="envelope.line-break",
        hint="a payload is one line; write the break inside a string as \\n",
    )


def receive(
    text: str, encoding: str | None = None, verbs: Collection[str] | None = WHITELIST
) -> dict[str, Any]:
    """Decode a payload for a handler, which sees it only if every action in it is allowed.

    Args:
        text: the payload.
        encoding: what the envelope says it is written in; None finds out by reading.
        verbs: the action codes this receiver allows (draft, section "Payload Injection"); None allows any.

    Returns:
        The IR, valid.

    Raises:
        SilpError: for a payload that cannot be decoded, an action that is not allowed, or the error that
            the sender sent in place of a payload.
    """
    payload = declared_payload(text, encoding)
    if payload.encoding == ERROR:
        raise read_error_object(loads(payload.text))
    if payload.encoding == NEGOTIATION:
        raise SilpError(
            ErrorCode.DECODE_FAILED,
            "a negotiation message is no payload",
            rule="negotiation.payload",
            hint="answer it with: silp pong",
        )
    ir = get_frontend(payload.encoding).decode(payload.text)
    require_valid(ir, verbs)
    _require_allowed_steps(ir, verbs)
    return ir


def _require_allowed_steps(ir: dict[str, Any], verbs: Collection[str] | None) -> None:
    """Hold ``meta.seq`` to the allowed verbs too: the schema takes any words there, a handler may act on them."""
    for place, step in enumerate(ir["meta"].get("seq") or []):
        if verbs is not None and ACTION_CODE.fullmatch(step) and step not in verbs:
            raise SilpError(
                ErrorCode.DECODE_FAILED,
                f"{step[:40]} is not allowed here",
                rule="verb.step",
                path=f"/meta/seq/{place}",
            )
