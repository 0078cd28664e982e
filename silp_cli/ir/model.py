"""The IR as types (draft, section "Layer 1: Application Layer").

An IR is plain JSON data: a dict with these keys. Fields that the draft does not name are kept as they are in
entities, constraints, alternatives and meta ("extra fields"); the root has none. The types cost nothing at run time.
"""

from __future__ import annotations

from typing import Any, NotRequired, TypeAlias, TypedDict

JSON: TypeAlias = "dict[str, Any] | list[Any] | str | int | float | bool | None"


class Entity(TypedDict):
    """An argument slot; of the secondary action ``action``, or of the intent when absent."""

    id: str
    value: str
    action: NotRequired[str | None]


class Constraint(TypedDict):
    """A condition on the task; ``!`` in front of the type negates. ``subject`` and ``operator`` are common extras."""

    type: str
    value: str
    time: NotRequired[str | None]


class Alternative(TypedDict):
    """A fallback action, for when the constraints are not met."""

    action: str
    target: NotRequired[str | None]
    location: NotRequired[str | None]


class Meta(TypedDict):
    """Protocol-level metadata."""

    req_id: str
    session_id: NotRequired[str | None]
    priority: NotRequired[int | None]
    confidence: NotRequired[float | None]
    seq: NotRequired[list[str] | None]
    out: NotRequired[str | None]
    next_agent: NotRequired[str | None]


class IR(TypedDict):
    """The root object; it takes no other fields."""

    intent: str
    meta: Meta
    silp: NotRequired[str | None]
    version: NotRequired[str | None]
    entities: NotRequired[list[Entity] | None]
    constraints: NotRequired[list[Constraint] | None]
    alternatives: NotRequired[list[Alternative] | None]
