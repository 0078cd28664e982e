"""The json frontend: flat slots, lossless (draft, section "JSON Frontend"; syntax in ``grammars/json.abnf``).

Primary entities are top-level slots, secondary ones are lists under ``action_<function>``. Where that cannot say
everything (an id that is a reserved key or repeated, entities of several actions interleaved, extra fields of an
entity, a secondary id other than ``act``), the reserved key ``entities`` holds them all as they are.
"""

from __future__ import annotations

import json

from silp_cli.frontends.base import Frontend
from silp_cli.ir.accept import conforms
from silp_cli.ir.check import raise_all
from silp_cli.ir.errors import ErrorCode, SilpError
from silp_cli.ir.jsontext import dumps, json_error, loads, sort_keys
from silp_cli.ir.normal import META_DEFAULTS, ROOT_DEFAULTS, normal_form, req_id_of
from silp_cli.ir.pointer import pointer_of
from silp_cli.ir.verbs import function_name
from silp_cli.text.safe import escape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

RESERVED = frozenset(("silp", "version", "intent", "entities", "constraints", "alternatives", "meta"))
_PREFIX = "action_"


class JsonFrontend(Frontend):
    """``{"intent":"!CANCEL","act":"flight","action_email":["zhangsan"]}``"""

    name = "json"
    lossless = True
    summary = "flat JSON slots"

    def compile(self, ir: dict[str, Any], *, bare: bool = False) -> str:
        """Write a valid IR as one JSON object; see ``Frontend.compile``."""
        return escape(dumps(_surface(ir, bare)))

    def decode(self, text: str) -> dict[str, Any]:
        """Read such an object; see ``Frontend.decode``."""
        return _ir(loads(text), text)


# ---------------------------------------------------------------- compile


def _surface(ir: dict[str, Any], bare: bool) -> dict[str, Any]:
    surface: dict[str, Any] = {"intent": ir["intent"]}
    entities = ir.get("entities")
    if entities and not _flatten(entities, ir["intent"], surface):
        surface = {"intent": ir["intent"], "entities": [_entity(entity, ir["intent"]) for entity in entities]}
    if constraints := ir.get("constraints"):
        surface["constraints"] = [_constraint(item) for item in constraints]
    if alternatives := ir.get("alternatives"):
        surface["alternatives"] = [_fields(item, ("action",), "target", "location") for item in alternatives]
    if not bare:
        for key, default in ROOT_DEFAULTS.items():
            value = ir.get(key)
            if value is not None and value != default:
                surface[key] = value
        if len(ir["meta"]) > 1 and (meta := _meta(ir["meta"])):
            surface["meta"] = meta
    return surface


def _constraint(item: dict[str, Any]) -> dict[str, Any]:
    """What ``_fields`` gives, quicker where there is no extra field or one of the two common ones."""
    fields = {"type": item["type"], "value": item["value"]}
    count = len(item)
    if "time" in item:
        count -= 1
        if item["time"] is not None:
            fields["time"] = item["time"]
    if count == 2:
        return fields
    if count == 3:
        for name in ("operator", "subject"):
            if name in item and type(item[name]) is str:
                fields[name] = item[name]
                return fields
    return _fields(item, ("type", "value"), "time")


def _fields(item: dict[str, Any], required: tuple[str, ...], *optional: str) -> dict[str, Any]:
    """A sub-object in the order all are written in: the draft's fields, then the extra ones by name."""
    fields = {name: item[name] for name in required}
    known = len(required)
    for name in optional:
        if name in item:
            known += 1
            if item[name] is not None:
                fields[name] = item[name]
    extras = len(item) - known
    if extras:
        for name in item if extras == 1 else sorted(item):
            if name not in fields and name not in optional:
                value = item[name]
                fields[name] = value if type(value) is str else sort_keys(value)
    return fields


def _flatten(entities: list[dict[str, Any]], intent: str, surface: dict[str, Any]) -> bool:
    """Put the entities into flat slots; False where that would lose something."""
    secondary = None
    values: list[str] = []
    for entity in entities:
        action = entity.get("action")
        name = entity["id"]
        if len(entity) > 2 + ("action" in entity):
            return False
        if action is None or action == intent:
            if secondary is not None or name in surface or name in RESERVED or name.startswith(_PREFIX):
                return False
            surface[name] = entity["value"]
            continue
        if name != "act":
            return False
        if action != secondary:
            key = _PREFIX + function_name(action)
            if key in surface:
                return False
            values = surface[key] = []
            secondary = action
        values.append(entity["value"])
    return True


def _entity(entity: dict[str, Any], intent: str) -> dict[str, Any]:
    if entity.get("action") == intent:
        entity = {**entity, "action": None}
    return _fields(entity, ("id", "value"), "action")


def _meta(meta: dict[str, Any]) -> dict[str, Any]:
    fields = {}
    for name in _META_ORDER:
        value = meta.get(name)
        if value is not None and value != META_DEFAULTS.get(name):
            fields[name] = value
    if not _META_FIELDS.issuperset(meta):
        for name in sorted(meta.keys() - _META_FIELDS):
            fields[name] = sort_keys(meta[name])
    return fields


_META_ORDER = ("session_id", "priority", "confidence", "seq", "out", "next_agent")
_META_FIELDS = frozenset(("req_id", *_META_ORDER))


# ---------------------------------------------------------------- decode


def _ir(surface: Any, text: str) -> dict[str, Any]:
    if type(surface) is not dict:
        raise json_error("a payload of the json frontend is an object", 0, text, "json.type", "wrap it in {}")
    if "intent" not in surface:
        hint = 'add "intent", an action code such as !CANCEL'
        if "task_description" in surface:
            hint = "this is nl_json, which does not support decode"
        _refuse("the payload lacks intent", "", "json.intent", hint)
    intent = surface["intent"]
    entities: Any = []
    flat: str | None = None
    for key, value in surface.items():
        if key in RESERVED:
            continue
        flat = key
        if key.startswith(_PREFIX):
            entities += _secondary(key, value)
        elif type(value) is str:
            entities.append({"id": key, "value": value, "action": intent})
        else:
            _refuse(f"slot {json.dumps(key)[:60]} is not a string", pointer_of([key]), "json.slot",
                    "put it in double quotes")
    given = surface.get("entities")
    if given is not None and flat is not None:
        _refuse(f"slot {json.dumps(flat)[:60]} beside entities", pointer_of([flat]), "json.slots",
                "give flat slots or entities, not both")
    ir: dict[str, Any] = {
        "silp": surface.get("silp", ROOT_DEFAULTS["silp"]),
        "version": surface.get("version", ROOT_DEFAULTS["version"]),
        "intent": intent,
        "entities": given,
        "constraints": surface.get("constraints", []),
        "alternatives": surface.get("alternatives", []),
        "meta": _meta_of(surface.get("meta"), text),
    }
    if not conforms(ir):
        from silp_cli.ir.schema import schema_errors

        raise_all(schema_errors(ir))
    if given is None:
        ir["entities"] = entities  # out of slots that were checked one by one
    if given is not None or "null" in text:
        ir = normal_form(ir, fill=False)
    if ir["silp"] != "v1":
        raise SilpError(ErrorCode.UNSUPPORTED_VERSION, f"silp version {ir['silp']!r} is not supported",
                        rule="version.silp", path="/silp", hint="this tool speaks v1")
    return ir


def _secondary(key: str, values: Any) -> list[dict[str, Any]]:
    name = key[len(_PREFIX) :]
    if not (name.isascii() and name.replace("_", "a").isalpha() and name.islower() and name[0] != "_"):
        _refuse(f"slot {json.dumps(key)[:60]} names no action", pointer_of([key]), "json.action",
                "write action_ and a lower-case function name, such as action_email")
    if type(values) is not list:
        _refuse(f"slot {key} is not an array", pointer_of([key]), "json.action", "write its values in brackets")
    if not values:
        _refuse(f"slot {key} has no values", pointer_of([key]), "json.action",
                "an IR cannot hold a secondary action without an argument; leave it out")
    action = "!" + name.upper()
    for index, value in enumerate(values):
        if type(value) is not str:
            _refuse(f"{key}[{index}] is not a string", pointer_of([key, index]), "json.slot", "put it in double quotes")
    return [{"id": "act", "value": value, "action": action} for value in values]


def _meta_of(meta: Any, text: str) -> dict[str, Any]:
    req_id = {"req_id": req_id_of(text)}
    if meta is None:
        return req_id
    if type(meta) is not dict:
        _refuse("meta is not an object", "/meta", "schema.type", "write its fields in braces")
    if "req_id" in meta:
        _refuse("req_id cannot be given", "/meta/req_id", "json.req-id",
                "it is derived from the payload's text; if this is an IR, it is what 'silp compile' takes")
    return {**req_id, **meta}


def _refuse(message: str, path: str, rule: str, hint: str) -> NoReturn:
    raise SilpError(ErrorCode.INVALID_SYNTAX, message, rule=rule, path=path, hint=hint)
