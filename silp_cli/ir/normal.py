"""Normal form and equivalence (draft, section "Lossless Round-Trip Guarantee"), and the derived req_id."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import hashlib
    from collections.abc import Callable, Mapping
    from typing import Any

META_DEFAULTS: dict[str, Any] = {"priority": 0, "confidence": 1.0, "seq": [], "out": "natural"}
ROOT_DEFAULTS: dict[str, Any] = {"silp": "v1", "version": "ir-v0.1"}


def req_id_of(text: str) -> str:
    """The req_id of a decoded payload: the first 8 hex digits of SHA-256 over its text in UTF-8."""
    return _sha256()(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]


def _sha256() -> Callable[[bytes], hashlib._Hash]:
    """SHA-256, looked up once: loading OpenSSL takes longer than a compile, which needs none."""
    global _digest
    if _digest is None:
        import hashlib

        _digest = hashlib.sha256
    return _digest


_digest: Callable[[bytes], hashlib._Hash] | None = None


def normal_form(ir: Mapping[str, Any], *, fill: bool = True) -> dict[str, Any]:
    """A copy with nulls of optional fields dropped, each entity's action given, and defaults filled in.

    Args:
        ir: a valid IR.
        fill: fill in the defaults of meta too.
    """
    intent = ir["intent"]
    meta = {key: value for key, value in ir["meta"].items() if value is not None or key not in META_OPTIONAL}
    return {
        "silp": _given(ir, "silp"),
        "version": _given(ir, "version"),
        "intent": intent,
        "entities": [{**entity, "action": entity.get("action") or intent} for entity in ir.get("entities") or ()],
        "constraints": [_present(item, ("time",)) for item in ir.get("constraints") or ()],
        "alternatives": [_present(item, ("target", "location")) for item in ir.get("alternatives") or ()],
        "meta": {**META_DEFAULTS, **meta} if fill else meta,
    }


META_OPTIONAL = frozenset(("session_id", "next_agent", *META_DEFAULTS))


def _given(ir: Mapping[str, Any], key: str) -> Any:
    value = ir.get(key)
    return ROOT_DEFAULTS[key] if value is None else value


def _present(fields: Mapping[str, Any], optional: tuple[str, ...]) -> dict[str, Any]:
    return {key: value for key, value in fields.items() if value is not None or key not in optional}


def equivalent(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two valid IRs mean the same: equal normal forms, ``meta.req_id`` aside."""
    first, second = normal_form(one), normal_form(other)
    first["meta"].pop("req_id", None)
    second["meta"].pop("req_id", None)
    return same_json(first, second)


def same_json(one: Any, other: Any) -> bool:
    """Equality of JSON values: numbers by value, and a boolean is no number."""
    if isinstance(one, dict):
        return (
            isinstance(other, dict)
            and one.keys() == other.keys()
            and all(same_json(value, other[key]) for key, value in one.items())
        )
    if isinstance(one, list):
        return (
            isinstance(other, list)
            and len(one) == len(other)
            and all(map(same_json, one, other))
        )
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    return bool(one == other)
