"""What equivalence means, written a second time and straight from the schema, to judge the product by."""

from __future__ import annotations

import json
from typing import Any

from support import ROOT

_SCHEMA = json.loads(ROOT.joinpath("grammars", "ir.schema.json").read_text(encoding="utf-8"))
_PARTS = ("entities", "constraints", "alternatives")


def meaning(ir: Any) -> Any:
    """An IR as a value that is equal for equivalent IRs and only for those.

    Schema defaults are filled in, nulls of optional fields dropped, an absent entity action is the intent, and
    ``meta.req_id`` does not count. Numbers are equal by value; a boolean is no number.
    """
    return _tagged(_complete(ir))


def meaning_without_meta(ir: Any) -> Any:
    """The meaning of what ``--bare`` keeps: intent, entities, constraints, alternatives."""
    complete = _complete(ir)
    return _tagged({name: complete[name] for name in ("intent", *_PARTS)})


def _complete(ir: Any) -> dict[str, Any]:
    properties = _SCHEMA["properties"]
    root = _filled(ir, _SCHEMA)
    for part in _PARTS:
        root[part] = [_filled(item, properties[part]["items"]) for item in root.get(part, [])]
    for entity in root["entities"]:
        entity.setdefault("action", root["intent"])
    root["meta"] = _filled(ir["meta"], properties["meta"])
    root["meta"].setdefault("seq", [])  # the default of the draft's tables; its schema gives none
    del root["meta"]["req_id"]
    return root


def _filled(fields: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    optional = set(schema["properties"]) - set(schema["required"])
    kept = {name: value for name, value in fields.items() if value is not None or name not in optional}
    for name, rule in schema["properties"].items():
        if "default" in rule:
            kept.setdefault(name, rule["default"])
    return kept


def _tagged(value: Any) -> Any:
    if isinstance(value, dict):
        return ("object", {name: _tagged(member) for name, member in value.items()})
    if isinstance(value, list):
        return ("array", [_tagged(item) for item in value])
    if isinstance(value, bool) or value is None:
        return ("word", str(value))
    return ("text" if isinstance(value, str) else "number", value)
