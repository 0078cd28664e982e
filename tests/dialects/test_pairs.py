"""Model output and the calls in it: the given pairs and our own, each with exactly its calls and its exit status."""

from __future__ import annotations

import pytest

from dialects.judge import Pair, outcome, pairs, shape
from dialects.render import DIALECTS, text

GIVEN = pairs("model-output.jsonl")
OWN = pairs("own-pairs.jsonl")


def test_there_are_as_many_pairs_as_we_say() -> None:
    assert len(GIVEN) == 331
    assert len(OWN) >= 250
    assert sum(not pair["calls"] for pair in OWN) > len(OWN) / 3
    assert {pair["dialect"] for pair in OWN} >= set(DIALECTS)


@pytest.mark.parametrize("pair", GIVEN, ids=lambda pair: f"{pair['dialect']}-{pair['kind'][:40]}")
def test_given_pair(pair: Pair) -> None:
    check(pair)


def test_own_pairs_by_dialect(subtests_of: dict[str, list[Pair]]) -> None:
    wrong = []
    for dialect, group in subtests_of.items():
        for pair in group:
            try:
                check(pair)
            except AssertionError as fault:
                wrong.append(f"{dialect} / {pair['kind']}: {pair['text']!r}\n{fault}")
    assert not wrong, "\n".join(wrong)


@pytest.fixture
def subtests_of() -> dict[str, list[Pair]]:
    groups: dict[str, list[Pair]] = {}
    for pair in OWN:
        groups.setdefault(pair["dialect"], []).append(pair)
    return groups


def check(pair: Pair) -> None:
    found = outcome(pair["text"])
    typed = pair["typed"]
    assert shape(found.calls, typed=typed) == shape(pair["calls"], typed=typed)
    assert found.status == pair["status"], found.problems
    if not pair["calls"]:
        assert not found.actions


@pytest.mark.parametrize(
    ("written", "id"),
    [
        ('[TOOL_CALLS]f[CALL_ID]a1B2c3d4e[ARGS]{"a": 1}', "a1B2c3d4e"),
        ("<|tool_calls_section_begin|><|tool_call_begin|>functions.f:7<|tool_call_argument_begin|>{}<|tool_call_end|>",
         "functions.f:7"),
        ('<|START_ACTION|>[{"tool_call_id": "3", "tool_name": "f", "parameters": {}}]<|END_ACTION|>', "3"),
        ('[TOOL_CALLS][{"name": "f", "arguments": {}, "id": "abcdefghi"}]', "abcdefghi"),
        ('{"role":"assistant","tool_calls":[{"id":"call_9","type":"function","function":{"name":"f","arguments":"{}"}}]}',
         "call_9"),
        ('{"object":"response","output":[{"type":"function_call","id":"fc","call_id":"call_9","name":"f","arguments":"{}"}]}',
         "call_9"),
        ('{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]}', "toolu_1"),
        ('{"role":"assistant","content":[{"toolUse":{"toolUseId":"t1","name":"f","input":{}}}]}', "t1"),
    ],
)
def test_the_id_of_a_call_is_kept(written: str, id: str) -> None:
    assert [call.get("id") for call in outcome(written).calls] == [id]


def test_values_of_an_untyped_dialect_are_the_text_that_stands_there() -> None:
    written = DIALECTS["qwen3-coder"].write([("f", {"n": 3, "s": "3", "o": {"a": [1]}})])
    [call] = outcome(written).calls
    assert call["arguments"] == {"n": "3", "s": "3", "o": text({"a": [1]})}
