"""Writes calls in every dialect, from a table of its own: what the reader is tested with must not come from the reader."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from keyword import iskeyword
from typing import Any

Arguments = dict[str, Any]
Tool = tuple[str, Arguments]


def dumps(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def text(value: Any) -> str:
    """A value where the dialect has no types: a string as itself, else its compact JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def python(name: str, arguments: Arguments, index: int) -> str:
    written = (
        f"{key}={value!r}" if key.isascii() and key.isidentifier() and not iskeyword(key) else f"**{ {key: value}!r}"
        for key, value in arguments.items()
    )
    return f"{name}({', '.join(written)})"


def objects(first: str = "name", second: str = "arguments", indent: int | None = None, string: bool = False) -> Body:
    def body(name: str, arguments: Arguments, index: int) -> str:
        value = dumps(arguments) if string else arguments
        return json.dumps({first: name, second: value}, ensure_ascii=False, indent=indent)

    return body


def cohere(name: str, arguments: Arguments, index: int) -> str:
    return dumps({"tool_call_id": str(index), "tool_name": name, "parameters": arguments})


def keyed(name: str, arguments: Arguments, index: int) -> str:
    return dumps({name: arguments})


def request(name: str, arguments: Arguments, index: int) -> str:
    params = {"name": name, "arguments": arguments}
    return dumps({"jsonrpc": "2.0", "id": index, "method": "tools/call", "params": params})


def named(pattern: str) -> Body:
    """The name, then its arguments in JSON; NAME, JSON and INDEX stand for what is put there."""

    def body(name: str, arguments: Arguments, index: int) -> str:
        head, tail = pattern.replace("INDEX", str(index)).split("JSON")
        return head.replace("NAME", name) + dumps(arguments) + tail

    return body


def tagged(head: str, pair: str, tail: str) -> Body:
    """A pair of tags round each argument; NAME, KEY and VALUE stand for what is put there."""

    def body(name: str, arguments: Arguments, index: int) -> str:
        before, _, after = pair.replace("KEY", "\0").replace("VALUE", "\1").partition("\1")
        pairs = [before.replace("\0", key) + text(value) + after for key, value in arguments.items()]
        return head.replace("NAME", name) + "".join(pairs) + tail

    return body


def dsml(name: str, arguments: Arguments, index: int) -> str:
    pairs = [
        f'<｜DSML｜parameter name="{key}" string="{str(isinstance(value, str)).lower()}">{text(value)}</｜DSML｜parameter>\n'
        for key, value in arguments.items()
    ]
    return f'<｜DSML｜invoke name="{name}">\n{"".join(pairs)}</｜DSML｜invoke>'


def gemma(quote: str) -> Body:
    def value_of(value: Any) -> str:
        if isinstance(value, dict):
            return "{" + ",".join(f"{key}:{value_of(item)}" for key, item in value.items()) + "}"
        if isinstance(value, list):
            return "[" + ",".join(map(value_of, value)) + "]"
        return quote + value + quote if isinstance(value, str) else dumps(value)

    def body(name: str, arguments: Arguments, index: int) -> str:
        return f"call:{name}{value_of(arguments)}"

    return body


Body = Callable[[str, Arguments, int], str]
Message = Callable[[Sequence[Tool]], Any]


def openai(calls: Sequence[Tool]) -> dict[str, Any]:
    tools = [
        {"id": f"call_{at}", "type": "function", "function": {"name": name, "arguments": dumps(arguments)}}
        for at, (name, arguments) in enumerate(calls)
    ]
    return {"role": "assistant", "content": None, "tool_calls": tools}


def completion(calls: Sequence[Tool]) -> Any:
    choice = {"index": 0, "finish_reason": "tool_calls", "message": openai(calls)}
    return {"id": "chatcmpl-1", "object": "chat.completion", "choices": [choice]}


def responses(calls: Sequence[Tool]) -> Any:
    items = [
        {"type": "function_call", "call_id": f"call_{at}", "name": name, "arguments": dumps(arguments)}
        for at, (name, arguments) in enumerate(calls)
    ]
    return {"object": "response", "output": [{"type": "reasoning", "summary": []}, *items]}


def anthropic(calls: Sequence[Tool]) -> Any:
    blocks = [
        {"type": "tool_use", "id": f"toolu_{at}", "name": name, "input": arguments}
        for at, (name, arguments) in enumerate(calls)
    ]
    content = [{"type": "text", "text": "I will look it up."}, *blocks]
    return {"type": "message", "role": "assistant", "stop_reason": "tool_use", "content": content}


def gemini(calls: Sequence[Tool]) -> Any:
    parts = [{"functionCall": {"name": name, "args": arguments}} for name, arguments in calls]
    return {"candidates": [{"content": {"role": "model", "parts": parts}}]}


def bedrock(calls: Sequence[Tool]) -> Any:
    content = [
        {"toolUse": {"toolUseId": f"t{at}", "name": name, "input": arguments}}
        for at, (name, arguments) in enumerate(calls)
    ]
    return {"output": {"message": {"role": "assistant", "content": content}}, "stopReason": "tool_use"}


def ollama(calls: Sequence[Tool]) -> Any:
    tools = [{"function": {"name": name, "arguments": arguments}} for name, arguments in calls]
    return {"model": "m", "message": {"role": "assistant", "content": "", "tool_calls": tools}, "done": True}


@dataclass(frozen=True)
class Dialect:
    """How a dialect is written: what stands round the calls, between two, and each call's own form.

    ``typed``: it tells 3 from "3". ``keys``: its keys are any string, not only identifiers. ``own``: what a string
    in it can never hold, since the dialect has no way to say it.
    """

    body: Body | None = None
    open: str = ""
    between: str = "\n"
    close: str = ""
    message: Message | None = None
    typed: bool = True
    keys: bool = True
    own: tuple[str, ...] = ()

    def write(self, calls: Sequence[Tool]) -> str:
        if self.message:
            return dumps(self.message(calls))
        assert self.body
        written = [self.body(name, arguments, at) for at, (name, arguments) in enumerate(calls)]
        return self.open + self.between.join(written) + self.close


def tags(head: str, pair: str, tail: str, *, open: str = "", close: str = "", between: str = "\n") -> Dialect:
    return Dialect(
        tagged(head, pair, tail), open, between, close, typed=False, keys=False,
        own=("<tool_call", "</tool_call", "<function", "</function", "parameter", "arg_", "invoke", "seed:", "minimax:",
             "tool_call", "</"),
    )


_QWEN = ("<function=NAME>\n", "<parameter=KEY>\nVALUE\n</parameter>\n", "</function>")
_INVOKE = ('<invoke name="NAME">\n', '<parameter name="KEY">VALUE</parameter>\n', "</invoke>")

DIALECTS: dict[str, Dialect] = {
    "pythonic": Dialect(python, "[", ", ", "]"),
    "pythonic-llama4": Dialect(python, "<|python_start|>[", ", ", "]<|python_end|>"),
    "pythonic-lfm2": Dialect(python, "<|tool_call_start|>[", ", ", "]<|tool_call_end|>"),
    "pythonic-olmo3": Dialect(python, "<function_calls>\n", "\n", "\n</function_calls>"),
    "python-fence": Dialect(python, "```python\n", "\n", "\n```"),
    "hermes": Dialect(objects(), "<tool_call>\n", "\n</tool_call>\n<tool_call>\n", "\n</tool_call>"),
    "mistral-list": Dialect(objects(), "[TOOL_CALLS] [", ", ", "]"),
    "mistral-args": Dialect(named("[TOOL_CALLS]NAME[ARGS]JSON"), between=""),
    "mistral-callid": Dialect(named("[TOOL_CALLS]NAME[CALL_ID]00000000INDEX[ARGS]JSON"), between=""),
    "llama3-json": Dialect(objects("name", "parameters"), "<|python_tag|>", "; "),
    "llama3-function": Dialect(named("<function=NAME>JSON</function>")),
    "json-object": Dialect(objects()),
    "json-list-fence": Dialect(objects(indent=2), "```json\n[", ",\n", "]\n```"),
    "granite3": Dialect(objects(), "<|tool_call|>[", ", ", "]"),
    "granite20b": Dialect(objects(), "<function_call> ", "\n<function_call> "),
    "internlm2": Dialect(
        objects("name", "parameters"), "<|action_start|><|plugin|>\n",
        "\n<|action_end|>\n<|action_start|><|plugin|>\n", "\n<|action_end|>",
    ),
    "jamba": Dialect(objects(indent=4), "<tool_calls>[\n", ",\n", "\n]</tool_calls>"),
    "minimax-m1": Dialect(objects(), "<tool_calls>\n", "\n", "\n</tool_calls>"),
    "nemotron": Dialect(objects(), "<TOOLCALL>[", ", ", "]</TOOLCALL>"),
    "longcat": Dialect(
        objects(), "<longcat_tool_call>", "</longcat_tool_call>\n<longcat_tool_call>", "</longcat_tool_call>"
    ),
    "phi4mini": Dialect(objects(), "functools[", ", ", "]"),
    "apertus": Dialect(keyed, "<|tools_prefix|>[", ", ", "]<|tools_suffix|>"),
    "command-r": Dialect(objects("tool_name", "parameters", indent=4), "Action: ```json\n[\n", ",\n", "\n]\n```"),
    "command-r7b": Dialect(cohere, "<|START_ACTION|>[", ", ", "]<|END_ACTION|>"),
    "functionary3": Dialect(named(">>>NAME\nJSON"), between=""),
    "react": Dialect(named("Thought: this needs a tool.\nAction: NAME\nAction Input: JSON")),
    "deepseek-v3": Dialect(
        named("<｜tool▁call▁begin｜>function<｜tool▁sep｜>NAME\n```json\nJSON\n```<｜tool▁call▁end｜>"),
        "<｜tool▁calls▁begin｜>", "\n", "<｜tool▁calls▁end｜>",
    ),
    "deepseek-v31": Dialect(
        named("<｜tool▁call▁begin｜>NAME<｜tool▁sep｜>JSON<｜tool▁call▁end｜>"),
        "<｜tool▁calls▁begin｜>", "", "<｜tool▁calls▁end｜>",
    ),
    "deepseek-dsml": Dialect(
        dsml, "<｜DSML｜function_calls>\n", "\n", "\n</｜DSML｜function_calls>", keys=False, own=("DSML", "</")
    ),
    "kimi-k2": Dialect(
        named("<|tool_call_begin|>functions.NAME:INDEX<|tool_call_argument_begin|>JSON<|tool_call_end|>"),
        "<|tool_calls_section_begin|>", "", "<|tool_calls_section_end|>",
    ),
    "harmony": Dialect(
        named("<|start|>assistant<|channel|>commentary to=functions.NAME <|constrain|>json<|message|>JSON<|call|>"),
        between="",
    ),
    "gemma4": Dialect(
        gemma('<|"|>'), "<|tool_call>", "<tool_call|><|tool_call>", "<tool_call|>", keys=False, own=('<|"|>',)
    ),
    "functiongemma": Dialect(
        gemma("<escape>"), "<start_function_call>", "<end_function_call><start_function_call>",
        "<end_function_call>", keys=False, own=("<escape>",),
    ),
    "qwen3-coder": tags(*_QWEN, open="<tool_call>\n", close="\n</tool_call>", between="\n</tool_call>\n<tool_call>\n"),
    "seed-oss": tags(
        *_QWEN, open="<seed:tool_call>\n", close="\n</seed:tool_call>",
        between="\n</seed:tool_call>\n<seed:tool_call>\n",
    ),
    "glm45": tags(
        "<tool_call>NAME\n", "<arg_key>KEY</arg_key>\n<arg_value>VALUE</arg_value>\n", "</tool_call>"
    ),
    "minimax-m2": tags(*_INVOKE, open="<minimax:tool_call>\n", close="\n</minimax:tool_call>"),
    "step3": tags(
        '<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="NAME">\n',
        '<steptml:parameter name="KEY">VALUE</steptml:parameter>\n', "</steptml:invoke><｜tool_call_end｜>",
        open="<｜tool_calls_begin｜>", between="", close="<｜tool_calls_end｜>",
    ),
    "invoke": tags(*_INVOKE, open="<function_calls>\n", close="\n</function_calls>"),
    "api-openai-chat": Dialect(message=openai),
    "api-openai-response": Dialect(message=completion),
    "api-openai-responses": Dialect(message=responses),
    "api-anthropic": Dialect(message=anthropic),
    "api-gemini": Dialect(message=gemini),
    "api-bedrock": Dialect(message=bedrock),
    "api-ollama": Dialect(message=ollama),
    "mcp-request": Dialect(request),
}
