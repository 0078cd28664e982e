"""Errors as payloads (draft, section "Error Codes").

    {"silp_error":{"silp":"v1","code":"invalid_syntax","message":"…"}}

The object travels where a payload would, so the outer protocol sees an ordinary answer. Nobody can take it
for a JSON-RPC error: it has no ``error`` and no ``jsonrpc`` member, and its code is a word, never a number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from silp_cli.ir.errors import ErrorCode, SilpError
from silp_cli.ir.jsontext import dumps

if TYPE_CHECKING:
    from typing import Any

MEMBER = "silp_error"
# What an envelope says in place of a frontend's name when it carries an error.
ENCODING = "error"

DESCRIPTIONS: dict[ErrorCode, str] = {
    ErrorCode.INVALID_SYNTAX: "The payload does not conform to the expected frontend syntax.",
    ErrorCode.UNSUPPORTED_VERSION: (
        "The silp version field indicates a version not supported by the receiver."
    ),
    ErrorCode.UNSUPPORTED_FRONTEND: "The requested frontend is not implemented by the receiver.",
    ErrorCode.DECODE_FAILED: "The receiver attempted to decode the payload but the decoding process failed.",
    ErrorCode.TIMEOUT: "The session or request exceeded its time limit.",
    ErrorCode.SESSION_EXPIRED: "The session ID is no longer valid.",
}
_TEXTS = ("rule", "hint", "path")
_NUMBERS = ("line", "column")


def error_object(error: SilpError, req_id: str | None = None) -> dict[str, Any]:
    """The error object of a diagnostic.

    Args:
        error: what went wrong.
        req_id: the request it answers.

    Returns:
        JSON data with the one member ``silp_error``.
    """
    fields: dict[str, Any] = {"silp": "v1", "code": str(error.code), "message": error.message}
    fields |= {name: getattr(error, name) for name in (*_TEXTS, *_NUMBERS) if getattr(error, name)}
    if fields.get("rule") == fields["code"]:
        del fields["rule"]  # there is nothing more to say than the code does
    if req_id is not None:
        fields["req_id"] = req_id
    return {MEMBER: fields}


def error_payload(error: SilpError, req_id: str | None = None) -> str:
    """The error object as a payload: one line of JSON."""
    return dumps(error_object(error, req_id))


def is_error_object(value: Any) -> bool:
    """Whether JSON data is a payload-level error, as opposed to a JSON-RPC error or anything else."""
    return (
        isinstance(value, dict)
        and isinstance(value.get(MEMBER), dict)
        and value[MEMBER].get("code") in list(ErrorCode)
    )


def read_error_object(value: Any) -> SilpError:
    """The diagnostic that an error object carries; unknown members are ignored.

    Args:
        value: JSON data for which ``is_error_object`` holds.

    Raises:
        SilpError: ``invalid_syntax`` when it is no error object.
    """
    if not is_error_object(value):
        raise SilpError(
            ErrorCode.INVALID_SYNTAX,
            "not a silp_error object",
            rule="error.form",
            hint="its code is one of: " + ", ".join(ErrorCode),
        )
    return read_diagnostic(value[MEMBER])


def read_diagnostic(fields: dict[str, Any]) -> SilpError:
    """The error that a diagnostic of ``--errors json``, or the inside of an error object, describes.

    Raises:
        SilpError: ``invalid_syntax`` when ``code`` is none of the six.
    """
    code = fields.get("code")
    if code not in list(ErrorCode):
        raise SilpError(
            ErrorCode.INVALID_SYNTAX,
            "no code, or none of the six",
            rule="error.code",
            path="/code",
            hint="there are: " + ", ".join(ErrorCode),
        )
    code = ErrorCode(code)
    message = fields.get("message")
    texts = {name: fields[name] for name in _TEXTS if isinstance(fields.get(name), str)}
    numbers = {name: fields[name] for name in _NUMBERS if type(fields.get(name)) is int}
    return SilpError(
        code, message if isinstance(message, str) and message else DESCRIPTIONS[code], **texts, **numbers
    )
