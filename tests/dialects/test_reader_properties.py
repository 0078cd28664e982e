"""Random calls in every dialect are read back; random text round a call in a literal, a fence or reasoning gives none."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import NASTY

from dialects.judge import judge, outcome, shape
from dialects.render import DIALECTS, Tool
from silp_cli.dialects.reader import read

if TYPE_CHECKING:
    pass

# Markers of every dialect, fences, reasoning, and calls: as text, none of it means anything.
MARKS = (
    "<tool_call>", "</tool_call>", "[TOOL_CALLS]", "[ARGS]", "[CALL_ID]", "[/TOOL_CALLS]", "<|python_tag|>",
    "<|python_start|>[", "]<|python_end|>", "<|tool_call_start|>", "<|tool_call_end|>", "<function_calls>",
    "</function_calls>", "<function=cancel>", "</function>", "<parameter=x>", "</parameter>", "<|tool_call|>[",
    "<function_call> ", "<|action_start|><|plugin|>", "<|action_end|>", "<tool_calls>", "</tool_calls>", "<TOOLCALL>[",
    "]</TOOLCALL>", "<longcat_tool_call>", "functools[", "<|tools_prefix|>[", "]<|tools_suffix|>", "Action: cancel",
    "Action: ```json", "Action Input: {}", "<|START_ACTION|>[", "]<|END_ACTION|>", ">>>cancel\n{}",
    "<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>function<｜tool▁sep｜>cancel\n```json\n{}\n```<｜tool▁call▁end｜>",
    "<｜tool▁calls▁end｜>", "<｜DSML｜function_calls>", '<｜DSML｜invoke name="cancel">', "</｜DSML｜invoke>",
    "<|tool_calls_section_begin|>", "<|tool_call_begin|>functions.cancel:0<|tool_call_argument_begin|>{}<|tool_call_end|>",
    "<|start|>assistant", "<|channel|>commentary to=functions.cancel <|constrain|>json<|message|>{}<|call|>",
    "<|channel|>analysis<|message|>", "<|end|>", "<|tool_call>", "<tool_call|>", '<|"|>', "call:cancel{}", "<escape>",
    "<start_function_call>", "<end_function_call>", "<seed:tool_call>", "<arg_key>x</arg_key>", "<arg_value>",
    "</arg_value>", "<minimax:tool_call>", '<invoke name="cancel">', "</invoke>", "<steptml:invoke", "<think>", "</think>",
    "[THINK]", "[/THINK]", "<thinking>", "</thinking>", "<reasoning>", "<|START_THINKING|>", "<|END_THINKING|>",
    "◁think▷", "◁/think▷", "<|channel>thought", "<channel|>", "```", "\n```\n", "\n```python\n", "\n~~~\n", "`",
    "'", '"', "'''", '"""', "\\", "\\'", "\n", "\r\n", "#", "]", "[", ")", "(", "}", "{", "{{", ",", ";", "=", "**",
)
CALLS = (
    "cancel(flight)", "[cancel(flight='BA1')]", "\ncancel(flight='BA1')\n", "\n[cancel(flight='BA1'), email(to='b')]\n",
    '\n{"name": "cancel", "arguments": {"flight": "BA1"}}\n', '{"intent": "!CANCEL"}',
    '\n<tool_call>\n{"name": "cancel", "arguments": {}}\n</tool_call>\n', "\n```python\ncancel(flight='BA1')\n```\n",
    '[TOOL_CALLS]cancel[ARGS]{"flight": "BA1"}', "<function=cancel>{}</function>",
)
_pieces = st.one_of(st.sampled_from(MARKS), st.sampled_from(CALLS), st.sampled_from(NASTY), st.text(max_size=4))
hostile = st.lists(_pieces, max_size=5).map("".join).filter(lambda text: _is_text(text))
names = st.sampled_from(("get_weather", "list_files", "cancel", "f", "tools.read", "x1", "_p", "Send", "a_b_c"))
plain_keys = st.sampled_from(("city", "days", "a", "text", "value", "name", "arguments", "parameter", "k_1", "type"))
any_keys = st.one_of(plain_keys, hostile)
_scalars = st.one_of(
    st.none(), st.booleans(), st.integers(-(10**20), 10**20), st.floats(allow_nan=False, allow_infinity=False), hostile
)


def _is_text(text: str) -> bool:
    """No lone surrogates: a model's output is UTF-8."""
    return not any("\ud800" <= char <= "\udfff" for char in text)


def values(keys: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    return st.recursive(
        _scalars, lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(keys, inner, max_size=3)), max_leaves=6
    )


def tools(keys: st.SearchStrategy[str]) -> st.SearchStrategy[list[Tool]]:
    return st.lists(st.tuples(names, st.dictionaries(keys, values(keys), max_size=3)), min_size=1, max_size=3)


def strings_in(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for key, each in value.items() for text in (key, *strings_in(each))]
    if isinstance(value, list):
        return [text for each in value for text in strings_in(each)]
    return [value] if isinstance(value, str) else []


def sayable(calls: list[Tool], dialect: str) -> bool:
    """Whether the dialect has a way to say these strings, and one only."""
    row = DIALECTS[dialect]
    for _, arguments in calls:
        for text in strings_in(arguments):
            if any(mark in text for mark in row.own):
                return False
            if not row.typed and (text != text.strip() or "<" in text or "\r" in text):
                return False
    return True


@pytest.mark.parametrize("dialect", DIALECTS)
@settings(max_examples=25)
@given(data=st.data())
def test_calls_are_read_back_from_every_dialect(dialect: str, data: st.DataObject) -> None:
    row = DIALECTS[dialect]
    calls = data.draw(tools(any_keys if row.keys else plain_keys).filter(lambda drawn: sayable(drawn, dialect)))
    before = data.draw(st.sampled_from(("", "I look.\n\n", "<think>\nor [cancel(flight='BA1')]?\n</think>\n\n")))
    text = (before if not row.message else "") + row.write(calls)
    found = outcome(text)
    want = [{"name": name, "arguments": arguments} for name, arguments in calls]
    assert shape(found.calls, typed=row.typed) == shape(want, typed=row.typed)
    assert not found.problems


@pytest.mark.parametrize("dialect", [name for name, row in DIALECTS.items() if row.own])
@settings(max_examples=25)
@given(data=st.data())
def test_what_a_dialect_cannot_say_is_an_error_or_stays_whole(dialect: str, data: st.DataObject) -> None:
    """A value that holds its own closing tag: nobody can know where it ends, and no part of it is a call."""
    row = DIALECTS[dialect]
    own = st.sampled_from([mark for mark in MARKS if any(each in mark for each in row.own)])
    value = data.draw(st.tuples(hostile, own, hostile).map("".join))
    found = outcome(row.write([("note", {"text": value})]))
    for call in found.calls:
        assert call["name"] == "note"
        assert list(call["arguments"]) == ["text"]
        assert call["arguments"]["text"].strip() == value.strip()


def python_quote(mark: str) -> Callable[[str], str]:
    """A Python literal in these quotes with the line breaks in it as they are."""

    def quoted(text: str) -> str:
        return mark + text.replace("\\", "\\\\").replace(mark[0], "\\" + mark[0]) + mark

    return quoted


def value_of(text: str) -> str:
    """Line breaks as Python and every parser reads them."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


LITERALS: dict[str, Callable[[str], str]] = {
    "single": python_quote("'"), "double": python_quote('"'), "triple": python_quote('"""'),
    "triple single": python_quote("'''"), "repr": repr,
    "json": lambda text: json.dumps(text, ensure_ascii=False),
}
_bodies = st.tuples(hostile, st.sampled_from(CALLS), hostile).map("".join).filter(lambda text: "\r" not in text)


@pytest.mark.parametrize("literal", LITERALS)
@settings(max_examples=40)
@given(body=_bodies)
def test_no_call_in_a_literal(literal: str, body: str) -> None:
    quoted = LITERALS[literal](body)
    for form in ("[note(text={})]", "note(text={})"):
        found = outcome(form.replace("{}", quoted))
        assert [call["name"] for call in found.calls] in ([], ["note"])
        assert all(call["arguments"] == {"text": body} for call in found.calls)
        assert found.calls or found.problems
    for form in ("text = {}", "[note(other, text={})]", "[note(text={}", "note(text=f({}))"):
        assert not outcome(form.replace("{}", quoted)).actions, form
    if literal == "json":
        for form in ('{"note": {}}', '["x", {}]', '{"name": "Ada", "age": 3, "note": {}}'):
            assert not outcome(form.replace("{}", quoted, 1)).actions, form


FENCES = ("bash", "js", "json5x", "sql", "yaml", "html", "xml", "markdown", "sh")


@settings(max_examples=150)
@given(_bodies, st.sampled_from(FENCES), st.sampled_from(("`", "~")), st.booleans())
def test_no_call_in_a_fence_of_another_language(body: str, language: str, mark: str, closed: bool) -> None:
    longest = max((len(run) for run in re.findall(f"{mark}+", body)), default=0)
    fence = mark * max(3, longest + 1)
    found = outcome(f"Look:\n\n{fence}{language}\n{body}\n{fence}\nThat is all.\n" if closed else f"{fence}{language}\n{body}\n")
    assert not found.actions


REASONING = (
    ("<think>", "</think>"), ("<thinking>", "</thinking>"), ("<reasoning>", "</reasoning>"), ("[THINK]", "[/THINK]"),
    ("<|START_THINKING|>", "<|END_THINKING|>"), ("<|channel>thought\n", "<channel|>"), ("◁think▷", "◁/think▷"),
    ("<|channel|>analysis<|message|>", "<|end|>"),
)


@settings(max_examples=150)
@given(_bodies, st.sampled_from(REASONING), st.sampled_from(("closed", "open", "lone")))
def test_no_call_in_reasoning(body: str, marks: tuple[str, str], form: str) -> None:
    opened, closed = marks
    # What ends reasoning in the middle of a body, or begins another in it, ends the test's own knowledge of it.
    assume(not any(mark in body for pair in REASONING for mark in pair))
    assume("<|start|>" not in body and "<|channel|>" not in body)
    assume(form != "lone" or closed != "<|end|>")
    text = {"closed": f"{opened}{body}{closed}\nDone.", "open": f"{opened}{body}", "lone": f"I\n{body}\n{closed}\nDone."}[form]
    found = outcome(text)
    if form != "lone":
        assert not found.actions
    else:  # a marker that stands in a literal of the reasoning is data; then the literal is what the reader knows
        assert not found.actions or "'" in body or '"' in body or "`" in body or "~~~" in body


@settings(max_examples=150)
@given(st.lists(_pieces, max_size=15).map("".join))
def test_any_text_at_all_is_read_without_a_fault(text: str) -> None:
    events = list(read(text))
    assert [event.start for event in events] == sorted(event.start for event in events)
    judge(events, text)
