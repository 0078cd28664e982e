"""The fast yes: whether an IR conforms to the JSON Schema, without the schema.

``schema.py`` holds the normative answer; a property test compares the two. This one is thirty times as fast.
"""

from __future__ import annotations

from silp_cli.ir.verbs import ACTION_CODE, REQ_ID, SILP_VERSION, WHITELIST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any

_ROOT = frozenset(("silp", "version", "intent", "entities", "constraints", "alternatives", "meta"))
_MAX_KNOWN = 4096

# Action codes that were found well-formed; most streams use a handful.
_known_actions: set[str] = set(WHITELIST)


def _is_action(value: Any) -> bool:
    if type(value) is not str or ACTION_CODE.fullmatch(value) is None:
        return False
    if len(_known_actions) < _MAX_KNOWN and len(value) < 64:
        _known_actions.add(value)
    return True


def conforms(ir: Any) -> bool:
    """Whether the IR is valid under the schema, a ``null`` counting as absent where a field is optional.

    Args:
        ir: any JSON value, as ``loads`` returns it.
    """
    return _holds(ir, _known_actions, True)


def accepts(ir: Any, verbs: Collection[str] | None) -> bool:
    """Whether the IR conforms, has a supported version, and has no actions but those in ``verbs`` (None: any).

    The fast yes to the schema and to the errors, not the warnings, of ``rules.py``.
    """
    if verbs is None:
        return _holds(ir, _known_actions, True) and ir.get("silp") in ("v1", None)
    return _holds(ir, verbs, False) and ir.get("silp") in ("v1", None)


def _holds(ir: Any, actions: Collection[str], any_verb: bool) -> bool:
    """Whether the IR conforms, its actions being in ``actions`` or, with ``any_verb``, well-formed."""
    try:
        if not _ROOT.issuperset(ir):
            return False
        intent = ir["intent"]
        if intent not in actions and not (any_verb and _is_action(intent)):
            return False
        if "silp" in ir:
            silp = ir["silp"]
            if silp != "v1" and silp is not None and SILP_VERSION.fullmatch(silp) is None:
                return False
        if "version" in ir and type(ir["version"]) is not str and ir["version"] is not None:
            return False

        if entities := ir.get("entities"):
            if type(entities) is not list:
                return False
            for entity in entities:
                if type(entity["id"]) is not str or type(entity["value"]) is not str:
                    return False
                if "action" in entity:
                    action = entity["action"]
                    if action not in actions and action is not None and not (any_verb and _is_action(action)):
                        return False
        elif entities is not None and type(entities) is not list:
            return False

        if constraints := ir.get("constraints"):
            if type(constraints) is not list:
                return False
            for item in constraints:
                if type(item["type"]) is not str or type(item["value"]) is not str:
                    return False
                if "time" in item and type(item["time"]) is not str and item["time"] is not None:
                    return False
        elif constraints is not None and type(constraints) is not list:
            return False

        if alternatives := ir.get("alternatives"):
            if type(alternatives) is not list:
                return False
            for item in alternatives:
                action = item["action"]
                if action not in actions and not (any_verb and _is_action(action)):
                    return False
                if "target" in item and type(item["target"]) is not str and item["target"] is not None:
                    return False
                if "location" in item and type(item["location"]) is not str and item["location"] is not None:
                    return False
        elif alternatives is not None and type(alternatives) is not list:
            return False
        return _meta_holds(ir["meta"])
    except (AttributeError, KeyError, TypeError):  # not the containers and required fields it should have
        return False


def _meta_holds(meta: dict[str, Any]) -> bool:
    get = meta.get
    if REQ_ID.fullmatch(meta["req_id"]) is None:
        return False
    priority = get("priority")
    if type(priority) is not int and priority is not None and not (type(priority) is float and priority.is_integer()):
        return False
    confidence = get("confidence")
    if confidence is not None and not (type(confidence) in _NUMBER and 0 <= confidence <= 1):
        return False
    seq = get("seq")
    if seq:
        if type(seq) is not list:
            return False
        for step in seq:
            if type(step) is not str:
                return False
    elif seq is not None and type(seq) is not list:
        return False
    out, session, agent = get("out"), get("session_id"), get("next_agent")
    return (
        (out is None or type(out) is str)
        and (session is None or type(session) is str)
        and (agent is None or type(agent) is str)
    )


_NUMBER = (float, int)
