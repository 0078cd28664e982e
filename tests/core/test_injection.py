"""No string anywhere in an IR can change what decodes beside it."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from strategies import NAMES, NASTY, paired

from silp_cli import compile, decode
from silp_cli.ir.schema import schema_errors

from .oracle import meaning

HOSTILE = (*NASTY, *NAMES)
FRONTENDS = ("code", "json")

# Every slot in use, so that a string that spills over spills into something.
FULL: dict[str, Any] = {
    "version": "ir-v0.1",
    "intent": "!START",
    "entities": [
        {"id": "act", "value": "tea"},
        {"id": "size", "value": "L", "unit": "cm", "dim": [1, "two", {"three": "four"}]},
        {"id": "act", "value": "bob", "action": "!EMAIL", "cc": "eve"},
    ],
    "constraints": [
        {"type": "!rain", "value": "true", "time": "t+1"},
        {"type": "rating", "value": "4", "operator": ">="},
        {"type": "load", "value": "9", "operator": "<", "time": "t+2"},
        {"type": "loc", "value": "Beijing", "time": "t+1am", "subject": "me"},
        {"type": "shop", "value": "open", "subject": "corner", "operator": "near", "note": "x"},
    ],
    "alternatives": [{"action": "!START", "target": "cards", "location": "indoor", "why": "wet"}, {"action": "!EMAIL"}],
    "meta": {
        "req_id": "a1b2c3d4", "session_id": "s1", "priority": 2, "confidence": 0.5, "seq": ["parallel"], "out": "code",
        "next_agent": "search", "trace": {"hops": ["a", "b"]},
    },
}


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every string in an IR."""
    if isinstance(value, str):
        yield path
    elif isinstance(value, (dict, list)):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from _places(value[key], (*path, key))


_FIXED = ("intent", "action", "req_id", "silp")
SLOTS = [path for path in _places(FULL) if path[-1] not in _FIXED]


def put(path: tuple[Any, ...], text: str) -> dict[str, Any]:
    """The full IR with a string in one slot."""
    ir = copy.deepcopy(FULL)
    owner: Any = ir
    for step in path[:-1]:
        owner = owner[step]
    owner[path[-1]] = text
    return ir


def test_the_slots_are_all_those_of_the_draft() -> None:
    named = {path[-1] for path in SLOTS if isinstance(path[-1], str)}
    assert named >= {"id", "value", "type", "time", "subject", "operator", "target", "location", "out", "next_agent",
                     "session_id", "version", "unit", "cc", "note", "why"}


@pytest.mark.parametrize("path", SLOTS, ids=lambda path: "/".join(map(str, path)))
def test_a_hostile_string_comes_back_as_the_same_string_in_the_same_slot(path: tuple[Any, ...]) -> None:
    for text in HOSTILE:
        ir = put(path, text)
        for frontend in FRONTENDS:
            assert meaning(decode(compile(ir, frontend))) == meaning(ir), (frontend, text)


def _extra_in(owner: Callable[[dict[str, Any]], dict[str, Any]], name: str, value: Any) -> dict[str, Any]:
    ir = copy.deepcopy(FULL)
    owner(ir)[name] = value
    return ir


OWNERS: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "entity": lambda ir: ir["entities"][1],
    "secondary entity": lambda ir: ir["entities"][2],
    "negation": lambda ir: ir["constraints"][0],
    "operator constraint": lambda ir: ir["constraints"][1],
    "subject constraint": lambda ir: ir["constraints"][3],
    "alternative": lambda ir: ir["alternatives"][0],
    "empty alternative": lambda ir: ir["alternatives"][1],
    "meta": lambda ir: ir["meta"],
    "nested object": lambda ir: ir["meta"]["trace"],
}


@pytest.mark.parametrize("owner", OWNERS)
@pytest.mark.parametrize("value", ["x", "t+1", True, None, 5, {"intent": "!CANCEL"}], ids=repr)
def test_a_hostile_name_of_an_extra_field_stays_a_name(owner: str, value: Any) -> None:
    tried = 0
    for name in HOSTILE:
        if owner == "meta" and name == "req_id":
            continue
        ir = _extra_in(OWNERS[owner], name, value)
        if schema_errors(ir):
            continue
        tried += 1
        for frontend in FRONTENDS:
            assert meaning(decode(compile(ir, frontend))) == meaning(ir), (frontend, name)
    assert tried > len(HOSTILE) - 12


@pytest.mark.parametrize("action", ["!START", "!EMAIL"], ids=["primary", "secondary"])
def test_a_hostile_id_takes_no_slot_of_the_surface(action: str) -> None:
    for name in HOSTILE:
        for value in ("x", "t+1"):
            ir = {"intent": "!START", "entities": [{"id": name, "value": value, "action": action}],
                  "constraints": [{"type": "rain", "value": "true"}], "meta": {"req_id": "a1b2c3d4"}}
            for frontend in FRONTENDS:
                assert meaning(decode(compile(ir, frontend))) == meaning(ir), (frontend, name)


def test_two_hostile_strings_do_not_add_up() -> None:
    pairs = [(one, other) for one in HOSTILE[::3] for other in HOSTILE[1::4]]
    for one, other in pairs:
        ir = {
            "intent": "!START",
            "entities": [{"id": one, "value": other, one: other}],
            "constraints": [{"type": other, "value": one, "time": other, "subject": one, "operator": other}],
            "alternatives": [{"action": "!A", "target": one, "location": other}],
            "meta": {"req_id": "a1b2c3d4", "out": one, "next_agent": other, "x" + one: other},
        }
        if one in ("id", "value", "action"):
            continue
        for frontend in FRONTENDS:
            assert meaning(decode(compile(ir, frontend))) == meaning(ir), (frontend, one, other)


def test_strings_as_they_come_after_a_literal_escape() -> None:
    """A backslash at the end, escapes spelled out, halves of a pair: the ways out of a literal."""
    for tail in ("\\", "\\\\", '\\"', "\\u0022", '"', '",x="y', "\\ud83d", "\ud83d", "'", "\\'"):
        for head in ("", "a", "日本", "\ude00", " "):
            ir = put(("entities", 0, "value"), paired(head + tail))
            for frontend in FRONTENDS:
                assert meaning(decode(compile(ir, frontend))) == meaning(ir), (frontend, head + tail)
