"""IR to calls: what is one plain call, and nothing besides."""

from __future__ import annotations

from silp_cli.dialects.call import Call
from silp_cli.dialects.names import Names
from silp_cli.dialects.to_ir import json_type
from silp_cli.ir.errors import ErrorCode, SilpError
from silp_cli.ir.jsontext import loads
from silp_cli.ir.normal import META_DEFAULTS, META_OPTIONAL, ROOT_DEFAULTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_NAMES = Names()
_ENTITY = frozenset(("id", "value", "action", "type"))
_CARRIED = frozenset(("req_id", "tool", "call_id"))
_STEPS = frozenset(("parallel", "sequential", "reason_first", "reason_last"))


def from_ir(ir: Mapping[str, Any], *, names: Names = _NAMES) -> Call:
    """The one plain call that an IR is. ``meta`` is no part of it, but for the tool's name and the call's id.

    Args:
        ir: a valid IR. An entity's field ``type`` gives the JSON type of its value; without it that is a string.
        names: how tools are called in the IR.

    Returns:
        The call.

    Raises:
        SilpError: ``call.not-plain``, when there is a condition, a fallback, another action, an id twice or a field
            that a call has no place for; ``call.type``, for a value that is not of the type it is said to have.
    """
    intent: str = ir["intent"]
    if ir.get("constraints"):
        raise _not_plain("a payload with a condition", "/constraints")
    if ir.get("alternatives"):
        raise _not_plain("a payload with a fallback", "/alternatives")
    for index, step in enumerate(ir["meta"].get("seq") or ()):
        if step != intent and step not in _STEPS:
            raise _not_plain("a payload with several actions", f"/meta/seq/{index}")
    arguments: dict[str, Any] = {}
    for index, entity in enumerate(ir.get("entities") or ()):
        path = f"/entities/{index}"
        if (entity.get("action") or intent) != intent:
            raise _not_plain("a payload with several actions", f"{path}/action")
        for field in entity:
            if field not in _ENTITY:
                raise _not_plain(f"a payload whose entity has a field {field[:80]!r}", path)
        if entity["id"] in arguments:
            raise _not_plain(f"a payload with two values for {entity['id'][:80]!r}", path)
        arguments[entity["id"]] = _value(entity, path)
    id = ir["meta"].get("call_id")
    if id is not None and not isinstance(id, str):
        raise SilpError(ErrorCode.DECODE_FAILED, "meta.call_id is not a string", rule="call.id", path="/meta/call_id")
    typed = any("type" in entity for entity in ir.get("entities") or ())
    return Call(names.tool(ir), arguments, id=id, typed=typed)


def require_no_other_meta(ir: Mapping[str, Any]) -> None:
    """Refuse an IR that says more than a call can: other fields of ``meta``, another version.

    Raises:
        SilpError: ``call.not-plain``, with the field's JSON Pointer.
    """
    for field, value in ir["meta"].items():
        unset = (value is None and field in META_OPTIONAL) or (field in META_DEFAULTS and value == META_DEFAULTS[field])
        if field not in _CARRIED and not unset:
            raise _no_place(f"a call has no place for meta.{field[:80]}", f"/meta/{field}")
    for field, usual in ROOT_DEFAULTS.items():
        if ir.get(field) not in (None, usual):
            raise _no_place(f"a call has no place for {field} {ir[field]!r}", f"/{field}")


def _value(entity: Mapping[str, Any], path: str) -> Any:
    kind, text = entity.get("type"), entity["value"]
    if kind is None or kind == "string":
        return text
    try:
        value = loads(text)
    except SilpError:
        value = text
    if kind != json_type(value) or value is text:
        raise SilpError(
            ErrorCode.DECODE_FAILED, f"{text[:80]!r} is not JSON text of the type {kind!r}", rule="call.type",
            path=f"{path}/value", hint="the types are string, number, boolean, null, array and object",
        )
    return value


def _not_plain(what: str, path: str) -> SilpError:
    return SilpError(
        ErrorCode.DECODE_FAILED, f"{what} is no plain call", rule="call.not-plain", path=path,
        hint="--as ir gives the whole of it",
    )


def _no_place(what: str, path: str) -> SilpError:
    return SilpError(
        ErrorCode.UNSUPPORTED_FRONTEND, what, rule="call.not-plain", path=path,
        hint="--bare leaves meta out; or compile with the code or json frontend",
    )
