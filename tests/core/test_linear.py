"""Invariant 6: hostile text of 100 kB is answered at once, and large records take time in proportion."""

from __future__ import annotations

import contextlib
import time
from typing import Any

import pytest

from silp_cli import SilpError, compile, decode, validate
from silp_cli.api import decode_all
from silp_cli.ir.jsontext import loads

from .oracle import meaning

SIZE = 100_000
LIMIT = 1.0  # seconds of processor time


def seconds(function: Any, *arguments: Any) -> float:
    """Processor time of a call, whether or not it raises ``SilpError``."""
    start = time.process_time()
    with contextlib.suppress(SilpError):
        function(*arguments)
    return time.process_time() - start


UNITS = (
    "(", '"', " and ", "\\", "if ", "'", "[", "{", "`", " ", "\n", "a", "a,", "f(x,", "if a and ", ";", "->", " -> ",
    " else: ", "x=", ":=[", "!",
    '{"a":', "a(", "cancel(", 'cancel("', "cancel('\\", "```\n", "<tool_call>", "<|tool_call_start|>[", '{"intent":"',
    "- ", "1. ", ". ", "\\u", "\ud800",
    "é", "\u200b", "t+1", "if x: a() with a:=[", ",", "]", ")", "}", '"a":1,', "[1,", '{"intent":"!CANCEL"} ',
    "[cancel(x), ", "--", "=", ":",
)
HEADS = ("", "cancel(", "cancel(x) with a:=", 'if x("', '{"intent":"!A","a":', '{"intent":"')


@pytest.mark.parametrize("head", HEADS, ids=repr)
def test_hostile_text_is_answered_within_a_second(head: str) -> None:
    slow: list[tuple[str, str, float]] = []
    for unit in UNITS:
        text = (head + unit * (SIZE // len(unit)))[:SIZE]
        for function in (decode, decode_all, loads):
            taken = seconds(function, text)
            if taken > LIMIT:
                slow.append((function.__name__, unit, taken))
    assert slow == []


def wide(count: int, text: str = "value") -> dict[str, Any]:
    """An IR with that many of everything."""
    return {
        "intent": "!CANCEL",
        "entities": [{"id": f"id{n}", "value": text, "action": "!EMAIL" if n % 3 else "!CANCEL"} for n in range(count)],
        "constraints": [{"type": f"c{n}", "value": text, "operator": "<="} for n in range(count)],
        "alternatives": [{"action": "!START", "target": text} for n in range(count)],
        "meta": {"req_id": "a1b2c3d4", **{f"field{n}": text for n in range(count)}, "seq": ["!CANCEL"] * count},
    }


@pytest.mark.parametrize("text", ["x", "a, b", "日本\u200b", "сору", '"\\'], ids=ascii)
@pytest.mark.parametrize("frontend", ["code", "json", "natural", "nl_json"])
def test_a_record_of_three_thousand_of_everything(text: str, frontend: str) -> None:
    ir = wide(3_000, text)
    assert seconds(validate, ir) < LIMIT
    assert seconds(compile, ir, frontend) < LIMIT
    if frontend in ("code", "json"):
        surface = compile(ir, frontend)
        assert seconds(decode, surface) < LIMIT
        assert meaning(decode(surface)) == meaning(ir)


@pytest.mark.parametrize("char", ["x", '"', "\\", "\n", "'", " ", "é", "\u200b", "а", "日", "👩\u200d", "\ud800"],
    ids=ascii)
def test_one_very_long_string(char: str) -> None:
    ir = {"intent": "!A", "entities": [{"id": "act", "value": char * 50_000}], "meta": {"req_id": "a1b2c3d4"}}
    for frontend in ("code", "json"):
        assert seconds(compile, ir, frontend) < LIMIT
        surface = compile(ir, frontend)
        assert seconds(decode, surface) < LIMIT
        assert meaning(decode(surface)) == meaning(ir)


@pytest.mark.parametrize("depth", [1, 30, 59])
def test_extra_values_nest_as_deep_as_the_limit_allows(depth: int) -> None:
    value: Any = "x"
    for n in range(depth):
        value = [value] if n % 2 else {"k": value}
    ir = {
        "intent": "!A", "entities": [{"id": "act", "value": "x", "deep": value}],
        "constraints": [{"type": "x", "value": "y", "deep": value}], "alternatives": [{"action": "!A", "deep": value}],
        "meta": {"req_id": "a1b2c3d4", "deep": value},
    }
    for frontend in ("code", "json"):
        assert meaning(decode(compile(ir, frontend))) == meaning(ir)


@pytest.mark.parametrize("depth", [70, 1_000, 100_000])
@pytest.mark.parametrize("where", ["entity", "constraint", "meta"])
def test_nesting_beyond_the_limit_is_an_error_and_no_crash(depth: int, where: str) -> None:
    nested = "[" * depth + "]" * depth
    texts = {
        "entity": f"cancel(x[a:={nested}])", "constraint": f"if x(y,a:={nested}): cancel(x)",
        "meta": f"cancel(x) with a:={nested}",
    }
    for text in (texts[where], f'{{"intent":"!CANCEL","meta":{{"a":{nested}}}}}'):
        with pytest.raises(SilpError) as caught:
            decode(text)
        assert caught.value.rule == "limit.depth"
        assert caught.value.position is not None
