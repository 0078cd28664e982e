"""Compares what a model answered with what was sent, slot by slot: the judge is the codec, not an opinion."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from silp_cli.ir.normal import equivalent, normal_form

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    Slot = tuple[str, ...]


class Score(NamedTuple):
    """How much of an IR arrived.

    Attributes:
        exact: everything is equal, ``meta`` aside.
        f1: over single slots; 1.0 is all of them and nothing else.
        intent: the intent is the right one.
        negation: F1 over the negated types; None where neither side negates.
        constraints: F1 over whole constraints; None where neither side has any.
        alternatives: F1 over whole alternatives; None where neither side has any.
    """

    exact: bool
    f1: float
    intent: bool
    negation: float | None
    constraints: float | None
    alternatives: float | None


def score(expected: Mapping[str, Any], answer: Mapping[str, Any] | None) -> Score:
    """Compare an answer with the IR that was sent.

    Args:
        expected: a valid IR.
        answer: a valid IR, or None when there was no readable answer.
    """
    wanted = _form(expected)
    found = _NOTHING if answer is None else _form(answer)
    return Score(
        exact=answer is not None and equivalent(_without_meta(expected), _without_meta(answer)),
        f1=f1(slots(wanted), slots(found)) or 0.0,
        intent=wanted["intent"] == found["intent"],
        negation=f1(_negated(wanted), _negated(found)),
        constraints=f1(_whole(wanted["constraints"]), _whole(found["constraints"])),
        alternatives=f1(_whole(wanted["alternatives"]), _whole(found["alternatives"])),
    )


def f1(wanted: Iterable[Slot], found: Iterable[Slot]) -> float | None:
    """The harmonic mean of precision and recall over two multisets; None when both are empty."""
    one, other = Counter(wanted), Counter(found)
    total = one.total() + other.total()
    return round(2 * (one & other).total() / total, 6) if total else None


def slots(ir: Mapping[str, Any]) -> list[Slot]:
    """The slots of an IR in normal form: what is said, where, and the value.

    An entity's value stands under its action and id; the fields of a constraint under its type, those of an
    alternative under its action, so that one wrong field costs one slot and not the whole item.
    """
    found: list[Slot] = [("intent", ir["intent"])]
    for entity in ir["entities"]:
        place: Slot = ("entity", entity["action"], entity["id"])
        found.append((*place, entity["value"]))
        found += [(*place, *field) for field in _fields(entity, "action", "id", "value")]
    for constraint in ir["constraints"]:
        kind = constraint["type"]
        place = ("constraint", kind.removeprefix("!"))
        found.append((*place, "negated" if kind.startswith("!") else "plain"))
        found += [(*place, *field) for field in _fields(constraint, "type")]
    for alternative in ir["alternatives"]:
        place = ("alternative", alternative["action"])
        found.append(place)
        found += [(*place, *field) for field in _fields(alternative, "action")]
    return found


def _fields(item: Mapping[str, Any], *but: str) -> list[tuple[str, str]]:
    return [(key, _text(value)) for key, value in sorted(item.items()) if key not in but]


def _text(value: Any) -> str:
    from silp_cli.ir.jsontext import dumps, sort_keys

    return value if isinstance(value, str) else dumps(sort_keys(value))


def _whole(items: Iterable[Mapping[str, Any]]) -> list[Slot]:
    return [tuple(part for field in _fields(item) for part in field) for item in items]


def _negated(ir: Mapping[str, Any]) -> list[Slot]:
    return [(each["type"],) for each in ir["constraints"] if each["type"].startswith("!")]


_NOTHING: dict[str, Any] = {"intent": "", "entities": [], "constraints": [], "alternatives": []}


def _form(ir: Mapping[str, Any]) -> dict[str, Any]:
    return normal_form({"meta": {}, **ir})


def _without_meta(ir: Mapping[str, Any]) -> dict[str, Any]:
    return {**ir, "meta": {}}
