"""Time in proportion to the text, whatever is left open in it."""

from __future__ import annotations

import time

import pytest

from silp_cli.dialects.reader import Reader

SMALL = 1 << 13
FACTOR = 16
# Twice what is linear is still far from the 256 of a square.
BOUND = 2.5 * FACTOR

OPENINGS = (
    "<tool_call>", "<tool_call>\n", '<tool_call>{"name": "f", "arguments": {', "</tool_call>", "[TOOL_CALLS]", "[TOOL_CALLS]f[ARGS]{",
    "[", "[f(", "f(", "f(x=[", "{", '{"a":', '{"name": "f", "arguments": ', "(", "'", '"', "'''", '"""', "[f(x='", 'f(x="',
    "[f(x='a\n", "`", "``` ", "```\n", "```python\n", "~~~\n", "````a\n```b\n", "<think>", "</think>", "<think>\n</think>", "[THINK]",
    "<function=f>", "<function=f>\n<parameter=a>\n", "<parameter=a>", "</parameter>", '<invoke name="f">', "<", "</", "<a:invoke",
    '<function_calls>\n<invoke name="f"><parameter name="a">', "<arg_key>", "<tool_call>f\n<arg_key>a</arg_key>\n<arg_value>",
    "<|tool_call>call:f{a:", '<|tool_call>call:f{a:<|"|>', "<start_function_call>call:f{a:[", "Action: f\n", "Action: f\nAction Input: {",
    ">>>f\n{", "functools[", "<|channel|>analysis<|message|>", "<|channel|>commentary to=functions.f <|message|>{",
    "<｜tool▁call▁begin｜>function<｜tool▁sep｜>f\n```json\n{", "<|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{",
    "<｜DSML｜invoke name=\"f\">", "\\", "\n", " ", "a ", "f(x)\n", "if a: f(x) else: ", '{"role": "assistant", "content": "', "[{",
    "<|tools_prefix|>[{", "a\n\n- f(x='1')\n", "f(x='1')\n", '[f(x=1), ', "=", "f.", "x" * 60, "1", "-", "(x,",
)


def seconds(text: str, piece: int) -> float:
    start = time.process_time()
    reader = Reader()
    for at in range(0, len(text), piece):
        for _event in reader.feed(text[at : at + piece]):
            pass
    for _event in reader.close():
        pass
    return time.process_time() - start


@pytest.mark.parametrize("opening", OPENINGS, ids=[repr(each)[:50] for each in OPENINGS])
def test_time_grows_with_the_text(opening: str) -> None:
    hold(opening, SMALL, SMALL * FACTOR * 2)


@pytest.mark.parametrize("opening", OPENINGS[::4], ids=[repr(each)[:50] for each in OPENINGS[::4]])
def test_time_grows_with_a_text_in_pieces(opening: str) -> None:
    """From 64 KiB on, up to which a construct is tried with every piece."""
    hold(opening, 1 << 16, 1 << 13)


def hold(opening: str, size: int, piece: int) -> None:
    small = opening * (size // len(opening) + 1)
    many = seconds(small * FACTOR, piece)
    if many < 0.1:  # a square takes minutes
        return
    few = min(seconds(small, piece) for _ in range(3))
    assert many / few < BOUND, f"{few:.4f} s, then {many:.4f} s"
