"""What Python programs may pass as an IR, and what they may not."""

from __future__ import annotations

import copy
import datetime
import decimal
import json
import pickle
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from support import silp

from silp_cli import SilpError, compile, decode, equivalent, validate


class Text(str):
    __slots__ = ()


def ir(**meta: Any) -> dict[str, Any]:
    return {"intent": "!CANCEL", "meta": {"req_id": "abcdabcd", **meta}}


def nested(depth: int) -> Any:
    value: Any = []
    for _ in range(depth - 1):
        value = [value]
    return value


CYCLE: list[Any] = []
CYCLE.append(CYCLE)


@pytest.mark.parametrize(
    "value",
    [
        float("nan"), float("inf"), -float("inf"), {1, 2}, b"x", decimal.Decimal(1), datetime.date(2026, 1, 1), CYCLE,
        nested(500), 10**5000, {1: 2}, {None: 2}, (1, 2), object(),
    ],
    ids=lambda value: type(value).__name__,
)
@pytest.mark.parametrize("frontend", ["code", "json", "natural"])
def test_what_json_cannot_say_is_refused_with_its_place(value: Any, frontend: str) -> None:
    for bad in (ir(x=value), ir(confidence=value)):
        with pytest.raises(SilpError) as caught:
            compile(bad, frontend)
        assert caught.value.path is not None
        assert caught.value.path.startswith("/meta/")
        assert [each.code for each in validate(bad)] == ["invalid_syntax"]


@pytest.mark.parametrize("frontend", ["code", "json"])
def test_depth_is_the_same_on_the_way_in_and_out(frontend: str) -> None:
    deepest = ir(x=nested(62))
    assert equivalent(decode(compile(deepest, frontend)), deepest)
    with pytest.raises(SilpError, match="nesting deeper than 64"):
        compile(ir(x=nested(63)), frontend)


@pytest.mark.parametrize("frontend", ["code", "json"])
def test_subclasses_and_mappings_are_what_they_hold(frontend: str) -> None:
    plain = ir(unit="kg", n=True)
    special = MappingProxyType({"intent": Text("!CANCEL"), "meta": {"req_id": "abcdabcd", Text("unit"): Text("kg"), "n": True}})
    assert compile(special, frontend) == compile(plain, frontend)
    assert validate(special) == []


@pytest.mark.parametrize("frontend", ["code", "json"])
def test_adjacent_surrogates_are_the_character_they_spell(frontend: str) -> None:
    text = compile(ir(x="\ud83d\ude00\ud800"), frontend)
    assert text == compile(ir(x="\U0001f600\ud800"), frontend)
    assert compile(decode(text), frontend) == text


@pytest.mark.parametrize("value", [None, b"cancel()", 3])
def test_decode_takes_text_only(value: Any) -> None:
    with pytest.raises(TypeError, match="takes a str"):
        decode(value)


def test_errors_cross_to_other_processes() -> None:
    with pytest.raises(SilpError) as caught:
        decode("cancel(")
    for twin in (pickle.loads(pickle.dumps(caught.value)), copy.deepcopy(caught.value)):
        assert twin.to_dict() == caught.value.to_dict()
    with ProcessPoolExecutor(1) as pool, pytest.raises(SilpError, match="expected"):
        pool.submit(decode, "cancel(").result()


def test_each_missing_field_is_named_once() -> None:
    assert [each.message for each in validate({})] == ["the IR lacks intent", "the IR lacks meta"]


@pytest.mark.parametrize("command", ["compile", "validate", "lock", "compare", "census --ir --tokenizers gpt-3.5"])
def test_the_deepest_nesting_that_can_be_allowed_works_in_every_command(command: str, tmp_path: Path) -> None:
    given = json.dumps(ir(x=nested(254)))
    found = silp(*command.split(), "--max-depth", "256", *(["--lock", str(tmp_path / "lock")] * (command == "lock")), given=given)
    assert found.status == 0, found
    found = silp(*command.split(), "--max-depth", "257", given=given)
    assert (found.status, "at most 256" in found.err) == (2, True)
