"""Calls to IR: the intent from the name, an entity a top-level argument (DESIGN.md, section 10)."""

from __future__ import annotations

from silp_cli.dialects.names import Names
from silp_cli.frontends.code.words import is_temporal
from silp_cli.ir.jsontext import dumps
from silp_cli.ir.normal import req_id_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from silp_cli.dialects.call import Call

_NAMES = Names()
_TYPES = {str: "string", bool: "boolean", int: "number", float: "number", type(None): "null", list: "array"}


def json_type(value: Any) -> str:
    """The JSON type of a value: ``string``, ``number``, ``boolean``, ``null``, ``array`` or ``object``."""
    return _TYPES.get(type(value), "object")


def value_text(value: Any) -> str:
    """A value as an IR holds it: a string as itself, anything else as its compact JSON text."""
    return value if isinstance(value, str) else dumps(value)


def to_ir(call: Call, text: str, *, names: Names = _NAMES, typed: bool = False) -> dict[str, Any]:
    """The IR of a tool call.

    Args:
        call: the call. A value without a name gets the draft's id: ``time`` if it is temporal, else ``act``.
        text: the call as it was written; ``meta.req_id`` is derived from it.
        names: how tools are called in the IR.
        typed: give each entity its JSON type in the field ``type``.

    Returns:
        A valid IR.

    Raises:
        SilpError: for a name that no action code can spell.
    """
    action = names.action(call.name)
    entities = []
    named = [(_positional_id(value), value) for value in call.positional]
    for id, value in (*named, *call.arguments.items()):
        entity = {"id": id, "value": value_text(value), "action": action}
        if typed:
            entity["type"] = json_type(value)
        entities.append(entity)
    meta: dict[str, Any] = {"req_id": req_id_of(text), **names.meta(call.name, action)}
    if call.id is not None:
        meta["call_id"] = call.id
    return {
        "silp": "v1", "version": "ir-v0.1", "intent": action, "entities": entities,
        "constraints": [], "alternatives": [], "meta": meta,
    }


def _positional_id(value: Any) -> str:
    return "time" if isinstance(value, str) and is_temporal(value) else "act"
