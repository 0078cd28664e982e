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
    if type(value) is not str:
        return False
    if value in _known_actions:
        return True
    if ACTION_CODE.fullmatch(value) is None:
        return False
    if len(_known_actions) < _MAX_KNOWN and len(value) < 64:
        _known_actions.add(value)
    return True


def conforms(ir: Any) -> bool:
    """Whether the IR is valid under the schema, a ``null`` counting as absent where a field is optional.

    Args:
        ir: any JSON value, as ``loads`` returns it.
    """
    try:
        return _conforms(ir)
    except (AttributeError, KeyError, TypeError):  # not the containers and required fields it should have
        return False


def _conforms(ir: dict[str, Any]) -> bool:
    if not (ir.keys() <= _ROOT and _is_action(ir["intent"])):
        return False
    get = ir.get
    silp = get("silp")
    if silp is not None and silp != "v1" and SILP_VERSION.fullmatch(silp) is None:
        return False
    version = get("version")
    if version is not None and type(version) is not str:
        return False

    entities = get("entities")
    if entities is not None:
        if type(entities) is not list:
            return False
        for entity in entities:
            if type(entity["id"]) is not str or type(entity["value"]) is not str:
                return False
            action = entity.get("action")
            if action is not None and not _is_action(action):
                return False

    constraints = get("constraints")
    if constraints is not None:
        if type(constraints) is not list:
            return False
        for constraint in constraints:
            if type(constraint["type"]) is not str or type(constraint["value"]) is not str:
                return False
            time = constraint.get("time")
            if time is not None and type(time) is not str:
                return False

    alternatives = get("alternatives")
    if alternatives is not None:
        if type(alternatives) is not list:
            return False
        for alternative in alternatives:
            if not _is_action(alternative["action"]):
                return False
            target = alternative.get("target")
            location = alternative.get("location")
            if (target is not None and type(target) is not str) or (
                location is not None and type(location) is not str
            ):
                return False
    return meta_conforms(ir["meta"])


def meta_conforms(meta: dict[str, Any]) -> bool:
    """Whether a meta object conforms; raises ``AttributeError`` or ``TypeError`` for other things than objects."""
    get = meta.get
    if REQ_ID.fullmatch(meta["req_id"]) is None:
        return False
    priority = get("priority")
    if type(priority) is not int and priority is not None and not (type(priority) is float and priority.is_integer()):
        return False
    confidence = get("confidence")
    if confidence is not None and not (type(confidence) in (float, int) and 0 <= confidence <= 1):
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


def breaks_no_rule(ir: dict[str, Any], verbs: Collection[str] | None) -> bool:
    """Whether a conforming IR has a supported version and only actions out of ``verbs`` (None: any verb).

    The fast yes to the errors, not the warnings, of ``rules.py``.
    """
    if ir.get("silp") not in ("v1", None):
        return False
    if verbs is None:
        return True
    if ir["intent"] not in verbs:
        return False
    for entity in ir.get("entities") or ():
        action = entity.get("action")
        if action is not None and action not in verbs:
            return False
    for alternative in ir.get("alternatives") or ():  # noqa: SIM110 - the loop is faster than all()
        if alternative["action"] not in verbs:
            return False
    return True
