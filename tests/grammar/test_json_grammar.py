"""grammars/json.abnf and the json frontend are one language."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from silp_cli.frontends.registry import get_frontend
from silp_cli.ir.check import problems
from silp_cli.ir.errors import SilpError

from .sentences import Walk, accepts, edited, load, names

ABNF = load("json")
_REQUIRED = {"entity": ("id", "value"), "constraint": ("type", "value"), "alternative": ("action",)}


def _member_of(rule: str, source: Walk) -> str:
    """An object whose required fields are there, mostly."""
    members = {}
    for _ in range(source.random.randrange(4)):
        text = source.sentence(f"{rule}-member", 12)
        members[text.split(":")[0].strip()] = text
    for name in _REQUIRED[rule]:
        if not members or source.random.random() < 0.95:
            value = "!BOOK" if rule == "alternative" else source.random.choice(("a", "t+1", "", "!rain"))
            members[f'"{name}"'] = f'"{name}":{json.dumps(value)}'
    return "{" + ",".join(source.random.sample(list(members.values()), len(members))) + "}"


def _payload(source: Walk) -> str:
    """Members with the intent among them and no name twice, mostly."""
    members = {}
    for _ in range(source.random.randrange(5)):
        text = source.sentence("member", 20)
        members[text.split(":")[0].strip()] = text
    if source.random.random() < 0.95:
        members['"intent"'] = source.sentence("intent")
    if source.random.random() < 0.8 and '"entities"' in members:
        members = {name: text for name, text in members.items() if name in _NAMED}
    texts = source.random.sample(list(members.values()), len(members)) or ['"intent":"!A"']
    return "{" + ",".join(texts) + "}"


_NAMED = {f'"{name}"' for name in
          ("intent", "entities", "constraints", "alternatives", "meta", "silp", "version")}


def _string(source: Walk) -> str | None:
    words = ("v1", "act", "time", "id", "value", "action", "a b", "é", r"\u0069d", "intent", "action_a")
    return f'"{source.random.choice(words)}"' if source.random.random() < 0.6 else None


def _space(source: Walk) -> str | None:
    return "" if source.random.random() < 0.8 else None


def walk(seed: int) -> Walk:
    special: dict[str, Any] = {"payload": _payload, "string": _string, "ows": _space}
    for rule in _REQUIRED:
        special[rule] = lambda source, rule=rule: _member_of(rule, source)
    return Walk(ABNF, Random(seed), special)


def decoded(text: str) -> dict[str, Any] | None:
    try:
        return get_frontend("json").decode(text)
    except SilpError:
        return None


def test_sentences_of_the_abnf_are_decoded_or_answered() -> None:
    source = walk(3)
    taken = 0
    for _ in range(1500):
        text = source.sentence()
        assert accepts(ABNF, text), text
        ir = decoded(text)
        if ir is not None:
            taken += 1
            assert not [each for each in problems(ir, verbs=None) if each.severity == "error"], text
            assert ir["intent"] == json.loads(text)["intent"]
    assert 500 < taken < 1500
    plain = Walk(ABNF, Random(5), {})
    for _ in range(300):
        text = plain.sentence()
        assert accepts(ABNF, text), text
        decoded(text)
    used = set(source.used) | set(plain.used)
    assert not names(ABNF) - used, "every rule is tried"


def test_what_is_decoded_is_in_the_abnf() -> None:
    source = walk(4)
    taken = 0
    for _ in range(3000):
        text = edited(source.sentence(), source.random)
        if decoded(text) is not None:
            taken += 1
            assert accepts(ABNF, text), text
    assert taken > 200


def test_what_is_compiled_is_in_the_abnf() -> None:
    source = walk(5)
    count = 0
    while count < 500:
        ir = decoded(source.sentence())
        if ir is None:
            continue
        count += 1
        compiled = get_frontend("json").compile(ir)
        assert accepts(ABNF, compiled), compiled
        again = decoded(compiled)
        assert again is not None
        assert {**again, "meta": None} == {**ir, "meta": None}
