"""Constructs whose beginning or middle is damaged: an error, and nothing that stands inside them."""

from __future__ import annotations

import pytest

from silp_cli.dialects.call import Call, Problem
from silp_cli.dialects.reader import read

DSML = "｜DSML｜"


def invocation(name: str, value: str) -> str:
    inner = f'<{DSML}parameter name="n" string="false">{value}</{DSML}parameter>'
    return f'<{DSML}invoke name="{name}">\n{inner}\n</{DSML}invoke>\n'


@pytest.mark.parametrize(
    "text",
    [
        "<|ool_call>call:note{text:<|\"|>a\n[cancel(flight='BA1')]\nb<|\"|>}<tool_call|>",
        "<sstart_function_call>call:note{text:<escape>a\n[cancel(flight='BA1')]\n<escape>}<end_function_call>",
        "<toool_call>put\n<arg_key>t</arg_key>\n<arg_value>a\n[cancel(flight='BA1')]\nd</arg_value>\n</tool_call>",
        "[f(x=(1, 2)), y=('a',))]",
    ],
)
def test_nothing_comes_out(text: str) -> None:
    found = list(read(text))
    assert not [each for each in found if isinstance(each, Call)]
    assert [each for each in found if isinstance(each, Problem)]


@pytest.mark.parametrize("value", ["", ">2", "x"])
def test_a_value_that_is_no_json_behind_a_whole_call(value: str) -> None:
    text = f"<{DSML}function_calls>\n{invocation('a', '1')}{invocation('f', value)}</{DSML}function_calls>"
    found = list(read(text))
    assert [each.name for each in found if isinstance(each, Call)] == ["a"]
    assert [each for each in found if isinstance(each, Problem)]
