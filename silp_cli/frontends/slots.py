"""What ``explain`` shows: which part of a payload's text became which slot of the IR."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

# What kinds of slot there are, in the order of the legend, and what each is called.
KINDS: dict[str, str] = {
    "action": "action",
    "id": "argument name",
    "value": "argument value",
    "type": "condition",
    "subject": "subject",
    "operator": "operator",
    "operand": "condition value",
    "time": "time",
    "target": "fallback target",
    "location": "fallback location",
    "field": "further field",
    "syntax": "structure",
}


@dataclass(frozen=True, slots=True)
class Slot:
    """A part of the text and what it stands for.

    Attributes:
        start: offset of its first character.
        end: offset behind its last character.
        path: JSON Pointer (RFC 6901) of the slot in the IR.
        kind: one of ``KINDS``.
        meaning: what the slot is, in words.
        value: what stands in the slot; None for structure.
    """

    start: int
    end: int
    path: str
    kind: str
    meaning: str
    value: Any = None


@dataclass(frozen=True, slots=True)
class Explained:
    """A payload, the IR it became, and how.

    Attributes:
        text: the payload.
        frontend: the frontend that read it.
        ir: the IR.
        slots: its parts, in the order of the text, none overlapping another.
    """

    text: str
    frontend: str
    ir: dict[str, Any]
    slots: tuple[Slot, ...]
