"""``silp compile --as``: what is written in a dialect's form is read back as that call."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import silp

from silp_cli import Call, SilpError, extract
from silp_cli.dialects.from_ir import from_ir
from silp_cli.dialects.to_ir import to_ir, value_text
from silp_cli.dialects.write import writable, write
from silp_cli.ir.normal import equivalent

# JSON and Python can spell any string; in the others a value may end the construct, and is refused then.
EXACT = ("openai", "openai-responses", "anthropic", "gemini", "bedrock", "ollama", "mcp", "hermes", "json-object",
         "pythonic", "jamba", "nemotron")

HOSTILE = st.sampled_from([
    "cancel(flight)", "<tool_call>", "</tool_call>", '{"name": "cancel", "arguments": {}}', "```", "\n", "\r\n", "'",
    '"', '"""', "\\", "[TOOL_CALLS]", "[ARGS]", "<|python_tag|>", "</parameter>", "<parameter=x>", "</function>",
    "<function=cancel>", "<arg_key>", "</arg_value>", '<|"|>', "<escape>", "<think>", "</think>", "<|channel|>analysis",
    "<｜tool▁calls▁begin｜>", "<｜tool▁sep｜>", ">>>cancel", "Action: cancel\nAction Input: {}", "functools[", ")", "]",
    "}", ";", " ", "\t", "\u200b", "\u202e", "é", "🙂", "\ud800", "\x00", "null", "3", "true", "t+1", "# x", "$name", "«",
])
STRINGS = st.text(max_size=8) | st.lists(HOSTILE | st.text(max_size=3), max_size=4).map("".join)
VALUES = st.recursive(
    STRINGS | st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(STRINGS, inner, max_size=3),
    max_leaves=5,
)
KEYS = st.from_regex(r"\A[a-z_]{1,6}\Z") | st.sampled_from(["from", "class", "name", "arguments", "id", "type"])
NAMES = st.from_regex(r"\A[a-z][a-z_]{0,10}\Z") | st.sampled_from(["tools.getWeather", "mcp__files__read", "print", "do"])
CALLS = st.builds(Call, NAMES, st.dictionaries(KEYS, VALUES, max_size=4))


def same(one: Call, other: Call) -> bool:
    show = repr if other.typed else lambda arguments: repr({key: value_text(each) for key, each in arguments.items()})
    return (one.name, show(one.arguments), one.id) == (other.name, show(other.arguments), other.id)


@pytest.mark.parametrize("dialect", sorted(writable()))
@given(call=CALLS)
def test_what_is_written_is_read_back_or_refused(dialect: str, call: Call) -> None:
    try:
        text = write(call, dialect)
    except SilpError as error:
        assert error.rule == "dialect.cannot"
        assert dialect not in EXACT
        return
    (back,) = extract(text)
    assert same(call, back)


PLAIN = Call("get_weather", {"city": "Oslo, Norway", "note": "say \"hi\", it's (new) [1] {2}"})


@pytest.mark.parametrize("dialect", sorted(writable()))
def test_every_dialect_carries_an_ordinary_call(dialect: str) -> None:
    (back,) = extract(write(PLAIN, dialect))
    assert same(PLAIN, back)
    several = f"{write(PLAIN, dialect)}\n{write(PLAIN, dialect)}"
    assert [each.arguments for each in extract(several)] == [PLAIN.arguments] * 2


@given(CALLS, st.none() | st.text(min_size=1))
def test_an_ir_comes_back(call: Call, id: str | None) -> None:
    call.id = id
    ir = to_ir(call, "", typed=True)
    text = write(from_ir(ir), "openai")
    (back,) = extract(text)
    assert equivalent(to_ir(back, text, typed=True), ir)


def test_an_id_has_its_place_or_is_an_error() -> None:
    call = Call("f", {"a": "b"}, id="call_9")
    for dialect in ("openai", "openai-responses", "anthropic", "bedrock", "gemini"):
        (back,) = extract(write(call, dialect))
        assert back.id == "call_9"
    with pytest.raises(SilpError, match="id"):
        write(call, "qwen3-coder")


def test_the_command() -> None:
    ir = '{"intent":"!CANCEL","entities":[{"id":"what","value":"a\\n\\"b\\""}],"meta":{"req_id":"a1b2c3d4"}}'
    for dialect in ("openai", "anthropic", "mcp", "hermes"):
        written = silp("compile", "--as", dialect, given=ir)
        assert (written.status, written.err) == (0, "")
        back = silp("decode", "--extract", given=written.out)
        assert equivalent(json.loads(back.out), json.loads(ir))


@pytest.mark.parametrize(("changed", "rule"), [
    ({"constraints": [{"type": "rain", "value": "true"}]}, "call.not-plain"),
    ({"meta": {"req_id": "a1b2c3d4", "priority": 2}}, "call.not-plain"),
    ({"version": "ir-v9"}, "call.not-plain"),
])
def test_what_is_no_call_is_refused(changed: dict[str, Any], rule: str) -> None:
    ir = {"intent": "!CANCEL", "entities": [], "meta": {"req_id": "a1b2c3d4"}, **changed}
    written = silp("compile", "--as", "openai", "--errors", "json", given=json.dumps(ir))
    assert (written.status, written.out) == (1, "")
    assert written.diagnostics[0]["rule"] == rule


def test_options_that_cannot_be() -> None:
    for options in (["--as", "openapi"], ["--as", "openai", "-f", "json"], ["--map", "x"], ["--as", "openai", "--degrade"]):
        found = silp("compile", *options, given="{}")
        assert (found.status, found.out, found.err.count("\n")) == (2, "", 1)


OWN = """
[[dialect]]
name = "mine"
notation = "json"
open = ["<<call"]
close = ["call>>"]
example = "<<call {} call>>"
form = '<<call {"name": $"name", "arguments": $arguments} call>>'
"""


def test_a_dialect_of_ones_own_is_a_row(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(OWN)
    ir = '{"intent":"!CANCEL","entities":[{"id":"what","value":"a\\nb"}],"meta":{"req_id":"a1b2c3d4"}}'
    written = silp("compile", "--as", "mine", "--dialects", str(file), given=ir)
    assert written.out == '<<call {"name": "cancel", "arguments": {"what": "a\\nb"}} call>>\n'
    read = silp("decode", "--extract", "--as", "calls", "--dialects", str(file), given=written.out)
    assert json.loads(read.out) == {"name": "cancel", "arguments": {"what": "a\nb"}, "dialect": "mine"}
    listed = [json.loads(line) for line in silp("dialects", "--dialects", str(file)).lines]
    assert "mine" in [each["compile_as"] for each in listed]
    assert len(listed) > len(writable())


@pytest.mark.parametrize("wrong", ['form = "$other"', 'form = "$parameters"', 'form = 3', 'notation = "prose"'])
def test_a_row_that_cannot_be(wrong: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("\n".join(line for line in OWN.split("\n") if line.split(" ")[0] != wrong.split(" ")[0]) + wrong)
    found = silp("dialects", "--dialects", str(file))
    assert (found.status, found.out, found.err.count("\n")) == (2, "", 1)
