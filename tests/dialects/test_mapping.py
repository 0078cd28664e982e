"""Calls to IR and back: names, entities, types, ids."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from silp_cli import SilpError, decode
from silp_cli.dialects.call import Call
from silp_cli.dialects.from_ir import from_ir, require_no_other_meta
from silp_cli.dialects.names import Names, parse_map
from silp_cli.dialects.to_ir import to_ir
from silp_cli.ir.check import require_valid

NAMES = Names({"search2": "!SEARCH_TWO"})


@pytest.mark.parametrize(("tool", "action", "kept"), [
    ("get_weather", "!GET_WEATHER", False),
    ("mcp__files__read", "!MCP__FILES__READ", False),
    ("getWeather", "!GET_WEATHER", True),
    ("tools.get-weather/now", "!TOOLS_GET_WEATHER_NOW", True),
    ("getHTTPPage", "!GET_HTTP_PAGE", True),
    ("SEARCH", "!SEARCH", True),
    ("_private", "!PRIVATE", True),
    ("search2", "!SEARCH_TWO", True),
])
def test_names(tool: str, action: str, kept: bool) -> None:
    ir = to_ir(Call(tool, {}), tool, names=NAMES)
    assert ir["intent"] == action
    assert ir["meta"].get("tool") == (tool if kept else None)
    assert from_ir(ir, names=NAMES).name == tool


@pytest.mark.parametrize("tool", ["search3", "", "_", "größe", "a b", "ſ", "a:b"])
def test_names_that_no_action_code_can_spell(tool: str) -> None:
    with pytest.raises(SilpError, match="no action code") as caught:
        to_ir(Call(tool, {}), tool)
    assert "--map" in caught.value.hint


def test_a_tool_that_is_another_action_than_the_intent_is_refused() -> None:
    ir = decode('search(x) with tool=delete_all')
    with pytest.raises(SilpError, match="the intent is !SEARCH"):
        from_ir(ir)


def test_values() -> None:
    arguments = {"s": "3", "n": 3, "f": 1.5, "t": True, "z": None, "l": [1, {"a": "ü"}], "o": {"k": []}}
    ir = to_ir(Call("f", arguments, id="c1"), "f", typed=True)
    require_valid(ir, None)
    assert [(each["value"], each["type"]) for each in ir["entities"]] == [
        ("3", "string"), ("3", "number"), ("1.5", "number"), ("true", "boolean"), ("null", "null"),
        ('[1,{"a":"ü"}]', "array"), ('{"k":[]}', "object"),
    ]
    assert ir["meta"]["call_id"] == "c1"
    assert [set(each) for each in to_ir(Call("f", {"n": 3}), "f")["entities"]] == [{"id", "value", "action"}]


def test_values_without_a_name_have_the_ids_of_the_draft() -> None:
    ir = to_ir(Call("cancel", {"why": "x"}, positional=("flight", "t+1pm", 3)), "")
    assert [(each["id"], each["value"]) for each in ir["entities"]] == [
        ("act", "flight"), ("time", "t+1pm"), ("act", "3"), ("why", "x"),
    ]


@pytest.mark.parametrize(("payload", "path"), [
    ("cancel(x) if !rain(t+1)", None),
    ("if rain(t+1): cancel(x)", "/constraints"),
    ("if rain(t+1): cancel(x) else: book(y)", "/constraints"),
    ("cancel(x); email(y)", "/entities/1/action"),
    ("fetch(x) -> process", "/meta/seq/1"),
    ("cancel(x,y)", "/entities/1"),
    ("cancel(x=5[unit=kg])", "/entities/0"),
    ('cancel(x=5[type=boolean])', "/entities/0/value"),
    ('cancel(x="05"[type=number])', "/entities/0/value"),
    ("cancel(x) with call_id:=3", "/meta/call_id"),
])
def test_what_is_no_plain_call(payload: str, path: str | None) -> None:
    with pytest.raises(SilpError) as caught:
        from_ir(decode(payload))
    assert path is None or caught.value.path == path


def test_a_plain_payload_is_a_call() -> None:
    assert from_ir(decode("cancel(flight,t+1pm) with priority=2")) == Call(
        "cancel", {"act": "flight", "time": "t+1pm"}, typed=False
    )
    with pytest.raises(SilpError, match="priority"):
        require_no_other_meta(decode("cancel(flight) with priority=2"))
    require_no_other_meta(decode('cancel(flight) with tool="x.y",call_id=c'))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
TOOL = st.from_regex(r"\A[A-Za-z_][A-Za-z_./-]{0,12}\Z").filter(lambda name: any(map(str.isalpha, name)))


@given(TOOL, st.dictionaries(st.text(), JSON, max_size=4), st.none() | st.text())
def test_typed_is_exact(name: str, arguments: dict[str, Any], id: str | None) -> None:
    call = Call(name, arguments, id=id)
    ir = to_ir(call, name, typed=True)
    require_valid(ir, None)
    back = from_ir(ir)
    assert (back.name, back.arguments, back.id) == (name, arguments, id)
    assert repr(back.arguments) == repr(arguments)  # 1 is not 1.0, nor True


def test_a_map_is_read() -> None:
    assert parse_map("# tools\nsearch2 = SEARCH_TWO\n a#b=!X # c\n\n") == {"search2": "!SEARCH_TWO", "a#b": "!X"}
    for text in ("search2", "search2 = ", "= X", "a = b2", "a = B\na = C"):
        with pytest.raises(ValueError, match="line"):
            parse_map(text)
