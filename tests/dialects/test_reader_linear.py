"""Time in proportion to the text, whatever is left open in it."""

from __future__ import annotations

import time

import pytest

from silp_cli.dialects.reader import Reader, read

SMALL = 1 << 15
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
    best = float("inf")
    for _ in range(2):
        start = time.process_time()
        if piece:
            reader = Reader()
            for at in range(0, len(text), piece):
                for _event in reader.feed(text[at : at + piece]):
                    pass
            for _event in reader.close():
                pass
        else:
            for _event in read(text):
                pass
        best = min(best, time.process_time() - start)
    return best


@pytest.mark.parametrize("piece", [0, 4096], ids=["whole", "pieces"])
@pytest.mark.parametrize("opening", OPENINGS, ids=[repr(each)[:50] for each in OPENINGS])
def test_time_grows_with_the_text(opening: str, piece: int) -> None:
    small = opening * (SMALL // len(opening) + 1)
    few, many = seconds(small, piece), seconds(small * FACTOR, piece)
    # What takes no time at all has no ratio; half a megabyte in a quarter of a second is no square.
    assert many < 0.25 or many / few < BOUND, f"{few:.4f} s, then {many:.4f} s"
