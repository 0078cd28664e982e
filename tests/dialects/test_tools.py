"""``--tools``: definitions in each form, and calls held against them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from silp_cli import SilpError
from silp_cli.dialects.call import Call
from silp_cli.dialects.checking import Tools
from silp_cli.dialects.tools import parse_tools

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "city": {"type": "string"},
        "days": {"type": "integer"},
        "units": {"enum": ["C", "F"]},
        "tags": {"type": "array", "items": {"$ref": "#/$defs/tag"}},
        "exact": {"type": ["boolean", "null"]},
        "any": {},
    },
    "required": ["city"],
    "$defs": {"tag": {"type": "string"}},
}
FORMS = {
    "openai": {"type": "function", "function": {"name": "get_weather", "parameters": SCHEMA}},
    "openai-responses": {"type": "function", "name": "get_weather", "parameters": SCHEMA},
    "anthropic": {"name": "get_weather", "input_schema": SCHEMA},
    "mcp": {"name": "get_weather", "inputSchema": SCHEMA},
    "bedrock": {"toolSpec": {"name": "get_weather", "inputSchema": {"json": SCHEMA}}},
}
WITHIN: dict[str, Callable[[Any], Any]] = {
    "list": lambda tool: [tool],
    "alone": lambda tool: tool,
    "tools": lambda tool: {"model": "m", "tools": [tool]},
    "result": lambda tool: {"jsonrpc": "2.0", "id": 1, "result": {"tools": [tool]}},
}
TOOLS = Tools.parse(json.dumps([FORMS["mcp"], {"name": "now", "inputSchema": {"type": "object", "properties": {}}},
                                {"name": "free"}]))


def checked(arguments: dict[str, Any], *positional: Any, typed: bool = True, name: str = "get_weather") -> Any:
    return TOOLS.checked(Call(name, arguments, positional=positional, typed=typed, start=7)).arguments


@pytest.mark.parametrize("within", WITHIN)
@pytest.mark.parametrize("form", FORMS)
def test_each_form_is_found_by_reading(form: str, within: str) -> None:
    tools = parse_tools(json.dumps(WITHIN[within](FORMS[form])))
    assert [tool.name for tool in tools.values()] == ["get_weather"]
    assert tools["get_weather"].order[:2] == ["city", "days"]


def test_one_a_line() -> None:
    assert list(parse_tools('{"name":"a"}\n\n{"name":"b"}\n')) == ["a", "b"]


@pytest.mark.parametrize("text", [
    '{"name":"f","parameters":{"properties":{"a":{"pattern":"("}}}}', "", "[]", "3", "{}", '[{"description":"x"}]', '[{"name":"a"},{"name":"a"}]', '{"name":"a","parameters":[]}',
    '{"name":"a","parameters":{"type":"what"}}', "{", '{"name":"a"}\nrest',
])
def test_what_is_no_definition(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_tools(text)


def test_strings_get_the_type_of_the_schema() -> None:
    given = {"city": "7", "days": "3", "units": "C", "tags": '["a", "b"]', "exact": "True", "any": "4"}
    want = {"city": "7", "days": 3, "units": "C", "tags": ["a", "b"], "exact": True, "any": "4"}
    assert checked(given, typed=False) == want


def test_values_of_a_dialect_that_tells_types_stay() -> None:
    with pytest.raises(SilpError) as caught:
        checked({"city": "Oslo", "days": "3"})
    assert (caught.value.rule, caught.value.path, caught.value.position) == ("tool.argument", "/arguments/days", 7)


def test_positions_get_names_in_the_order_of_the_schema() -> None:
    assert checked({"units": "F"}, "Oslo", 3) == {"city": "Oslo", "days": 3, "units": "F"}


@pytest.mark.parametrize(("rule", "path", "name", "arguments", "positional"), [
    ("tool.unknown", "/name", "get_wether", {}, ()),
    ("tool.missing", "/arguments/city", "get_weather", {"days": 1}, ()),
    ("tool.extra", "/arguments/ciy", "get_weather", {"city": "a", "ciy": "b"}, ()),
    ("tool.extra", "/arguments/x~1y", "now", {"x/y": 1}, ()),
    ("tool.argument", "/arguments/tags/1", "get_weather", {"city": "a", "tags": ["a", 1]}, ()),
    ("tool.argument", "/arguments/days", "get_weather", {"city": "a", "days": "x"}, ()),
    ("tool.positional", "/arguments/city", "get_weather", {"city": "a"}, ("b",)),
    ("tool.positional", "/arguments", "now", {}, ("b",)),
])
def test_what_is_wrong_has_its_place(
    rule: str, path: str, name: str, arguments: dict[str, Any], positional: tuple[Any, ...]
) -> None:
    with pytest.raises(SilpError) as caught:
        checked(arguments, *positional, name=name)
    assert (caught.value.rule, caught.value.path) == (rule, path)


def test_all_that_is_wrong_is_said() -> None:
    with pytest.raises(SilpError) as caught:
        checked({"days": "x", "more": 1})
    assert [each.rule for each in caught.value.all()] == ["tool.missing", "tool.argument", "tool.extra"]


def test_a_tool_without_properties_takes_any_argument() -> None:
    assert checked({"x": [1]}, name="free") == {"x": [1]}


def test_a_schema_that_points_outside_is_an_error_and_nothing_is_fetched() -> None:
    for schema in ({"$ref": "http://localhost:1/x"}, {"$ref": "#"}):
        with pytest.raises(SilpError) as caught:
            Tools.parse(json.dumps({"name": "f", "parameters": schema})).checked(Call("f", {"a": "b"}))
        assert caught.value.rule == "tool.schema"
