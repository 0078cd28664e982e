"""Features of an IR, by which a policy sorts IRs into classes."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from typing import Any

    IR = Mapping[str, Any]

# From this many slots (arguments, conditions, fallbacks) an IR counts as long.
LONG = 6
NONE = "plain"  # the class of an IR that has none of the features

_is_plain = re.compile(r"[A-Za-z0-9_.+\-%/#$*]+").fullmatch


def _list(ir: IR, key: str) -> list[Any]:
    return ir.get(key) or []


def _conditions(ir: IR) -> bool:
    return bool(_list(ir, "constraints"))


def _fallbacks(ir: IR) -> bool:
    return bool(_list(ir, "alternatives"))


def _sequence(ir: IR) -> bool:
    actions = {entity.get("action") or ir["intent"] for entity in _list(ir, "entities")} | {ir["intent"]}
    return len(actions) > 1 or any(step in actions for step in _list(ir["meta"], "seq"))


def _nesting(ir: IR) -> bool:
    slots = [slot for key in ("entities", "constraints", "alternatives") for slot in _list(ir, key)]
    return len(_list(ir, "constraints")) > 1 or any(
        isinstance(value, (dict, list)) for slot in slots for value in slot.values()
    )


def _length(ir: IR) -> bool:
    return sum(len(_list(ir, key)) for key in ("entities", "constraints", "alternatives")) >= LONG


def _hard(ir: IR) -> bool:
    slots = [slot for key in ("entities", "constraints", "alternatives") for slot in _list(ir, key)]
    words = [value for slot in slots for key, value in slot.items() if isinstance(value, str) and key != "operator"]
    return not all(_is_plain(word.removeprefix("!")) for word in words)


FEATURES: dict[str, tuple[Callable[[IR], bool], str]] = {
    "conditions": (_conditions, "it has a condition"),
    "fallbacks": (_fallbacks, "it has a fallback"),
    "sequence": (_sequence, "it has several actions, or an order of actions"),
    "nesting": (_nesting, "it has two conditions or more, or a field that is an object or an array"),
    "length": (_length, f"it has {LONG} slots or more (arguments, conditions, fallbacks)"),
    "hard": (_hard, "some string in it is not one plain word: spaces, quotes, punctuation, letters beyond ASCII"),
}


def class_of(ir: IR, features: Collection[str] = tuple(FEATURES)) -> str:
    """The class of an IR: the names of the features that it has, in the order of ``FEATURES``.

    Args:
        ir: a valid IR.
        features: the features that count.
    """
    return "+".join(name for name, (has, _) in FEATURES.items() if name in features and has(ir)) or NONE
