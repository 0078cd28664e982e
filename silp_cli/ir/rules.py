"""Semantic rules, checked after the schema; each has a stable name, a severity and a JSON Pointer."""

from __future__ import annotations

from functools import lru_cache

from silp_cli.ir.errors import ErrorCode, SilpError
from silp_cli.ir.verbs import ACTION_CODE, EXCLUDED, WHITELIST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from typing import Any

SUPPORTED_SILP = "v1"
SUPPORTED_IR = "ir-v0.1"
OPERATORS = ("==", "!=", "<=", ">=", "<", ">")
SEQ_WORDS = frozenset(("parallel", "sequential", "reason_first", "reason_last"))
_SEQ_HINT = "name an action code, or one of " + " ".join(sorted(SEQ_WORDS))
_OPERATOR_HINT = "use one of " + " ".join(OPERATORS)


def rule_errors(ir: dict[str, Any], verbs: Collection[str] | None = WHITELIST) -> list[SilpError]:
    """Everything the rules have against an IR that conforms to the schema.

    Args:
        ir: an IR.
        verbs: the action codes that are allowed; None allows any.

    Returns:
        Diagnostics with severity ``error`` or ``warning``.
    """
    return [
        *_versions(ir), *_verbs(ir, verbs), *_ids(ir), *_entities(ir), *_constraints(ir), *_alternatives(ir),
        *_seq(ir, verbs),
    ]


def spotless(ir: dict[str, Any]) -> bool:
    """The fast yes: whether the rules on versions, ids, operators, fallbacks and steps find nothing in an IR.

    Args:
        ir: an IR that ``accept.accepts``, so that its verbs are in order.
    """
    meta = ir["meta"]
    session = meta.get("session_id")
    if (len(meta["req_id"]) < 8 and session is None) or (session is not None and len(session) != 2):
        return False
    if ir.get("version") not in (SUPPORTED_IR, None):
        return False
    entities = ir.get("entities")
    if entities and len(entities) > 1:
        named = [(entity.get("action") or ir["intent"], entity["id"]) for entity in entities if entity["id"] != "act"]
        if len(named) > 1 and len(set(named)) < len(named):
            return False
    if constraints := ir.get("constraints"):
        for constraint in constraints:
            if "operator" in constraint and constraint["operator"] not in OPERATORS:
                return False
    if ir.get("alternatives") and any(_alternatives(ir)):
        return False
    steps = meta.get("seq")
    return not steps or SEQ_WORDS.union(action for _, action in actions_of(ir)).issuperset(steps)


def _versions(ir: dict[str, Any]) -> Iterator[SilpError]:
    silp = ir.get("silp")
    if silp not in (None, SUPPORTED_SILP):
        yield SilpError(
            ErrorCode.UNSUPPORTED_VERSION, f"silp version {silp!r} is not supported", rule="version.silp",
            path="/silp", hint=f"this tool speaks {SUPPORTED_SILP}",
        )
    version = ir.get("version")
    if version not in (None, SUPPORTED_IR):
        yield _warning(
            "version.ir", f"IR schema version {version!r} is not the one checked here", "/version",
            f"this tool checks against {SUPPORTED_IR}",
        )


def _verbs(ir: dict[str, Any], verbs: Collection[str] | None) -> Iterator[SilpError]:
    if verbs is None:
        return
    for pointer, action in actions_of(ir):
        if action in verbs:
            continue
        if action in EXCLUDED:
            yield _error("verb.excluded", f"{action} is excluded from the whitelist", pointer,
                         f"use {EXCLUDED[action]}")
        else:
            yield _error("verb.unknown", f"{action} is not on the whitelist", pointer,
                         _nearest(action, frozenset(verbs)))


def actions_of(ir: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Each action code of an IR with its JSON Pointer: the intent, the entities' and the alternatives'."""
    yield "/intent", ir["intent"]
    for index, entity in enumerate(ir.get("entities") or ()):
        action = entity.get("action")
        if action is not None and action != ir["intent"]:
            yield f"/entities/{index}/action", action
    for index, alternative in enumerate(ir.get("alternatives") or ()):
        yield f"/alternatives/{index}/action", alternative["action"]


@lru_cache(256)  # the same few verbs come again and again
def _nearest(action: str, verbs: frozenset[str]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(action, verbs, n=1)
    return f"did you mean {close[0]}?" if close else "allowed: " + " ".join(sorted(verbs)[:20])


def _ids(ir: dict[str, Any]) -> Iterator[SilpError]:
    meta = ir["meta"]
    session = meta.get("session_id")
    if session is None and len(meta["req_id"]) < 8:
        yield _warning(
            "req-id.short", f"req_id {meta['req_id']!r} is shorter than 8 digits", "/meta/req_id",
            "short ids are for sessions: give a session_id, or use 8 hexadecimal digits",
        )
    if session is not None and len(session) != 2:
        yield _warning(
            "session-id.length", f"session_id {session[:40]!r} is not two characters", "/meta/session_id",
            "session ids are two characters",
        )


def _entities(ir: dict[str, Any]) -> Iterator[SilpError]:
    seen: set[tuple[str, str]] = set()
    for index, entity in enumerate(ir.get("entities") or ()):
        if entity["id"] == "act":  # positional; repeats are the rule
            continue
        slot = (entity.get("action") or ir["intent"], entity["id"])
        if slot in seen:
            yield _warning(
                "entity.duplicate-id", f"{slot[0]} has {entity['id'][:40]!r} twice",
                f"/entities/{index}/id", "receivers may keep only one of them; rename or join them",
            )
        seen.add(slot)


def _constraints(ir: dict[str, Any]) -> Iterator[SilpError]:
    for index, constraint in enumerate(ir.get("constraints") or ()):
        if "operator" in constraint and constraint["operator"] not in OPERATORS:
            yield _warning(
                "operator.unknown", f"operator {str(constraint['operator'])[:40]!r} is none of the six",
                f"/constraints/{index}/operator", _OPERATOR_HINT,
            )


def _alternatives(ir: dict[str, Any]) -> Iterator[SilpError]:
    alternatives = ir.get("alternatives") or ()
    if alternatives and not ir.get("constraints"):
        yield _warning(
            "alternatives.unconditional", "alternatives without constraints are never reached", "/alternatives",
            "add the constraint whose failure they answer",
        )
    for index, alternative in enumerate(alternatives):
        if alternative.get("location") is not None and alternative.get("target") is None:
            yield _warning(
                "alternative.location-only", "an alternative with a location and no target",
                f"/alternatives/{index}", "say what is to be done there: give a target",
            )


def _seq(ir: dict[str, Any], verbs: Collection[str] | None) -> Iterator[SilpError]:
    """A step is an action of the IR, a verb without entities (example 5's ``-> process``), or one of four words."""
    steps = ir["meta"].get("seq") or ()
    if not steps:
        return
    known = {action for _, action in actions_of(ir)}
    for index, step in enumerate(steps):
        if step in SEQ_WORDS or step in known:
            continue
        is_code = ACTION_CODE.fullmatch(step) is not None
        if is_code and (verbs is None or step in verbs):
            continue
        hint = "it is neither a verb of the whitelist nor an action of an entity here" if is_code else _SEQ_HINT
        yield _warning("seq.unknown", f"seq names {step[:40]!r}, which is no action known here",
                       f"/meta/seq/{index}", hint)


def _error(rule: str, message: str, path: str, hint: str) -> SilpError:
    return SilpError(ErrorCode.DECODE_FAILED, message, rule=rule, path=path, hint=hint)


def _warning(rule: str, message: str, path: str, hint: str) -> SilpError:
    return SilpError(ErrorCode.DECODE_FAILED, message, rule=rule, severity="warning", path=path, hint=hint)
