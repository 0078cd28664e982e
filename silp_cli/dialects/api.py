"""Calls in the messages of APIs: OpenAI (chat, legacy, Responses), Anthropic, Gemini, Bedrock, Ollama, MCP."""

from __future__ import annotations

from silp_cli.dialects.call import Call
from silp_cli.dialects.jsonic import build
from silp_cli.dialects.trouble import Broken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

# The keys by which a message is known, or a part of one.
_SIGNS = (
    "tool_calls", "function_call", "choices", "output", "candidates", "message", "functionCall", "toolUse", "content",
    "parts",
)
_BESIDE = {"name", "id", "_meta"}  # what stands beside arguments that may be left out
_ASSISTANT = (None, "assistant", "model")


class Text:
    """Text in a message, which may hold calls of its own."""

    __slots__ = ("path", "text")

    def __init__(self, text: str, path: tuple[str | int, ...]) -> None:
        self.text = text
        self.path = path


class Found:
    """A call in a message, or what is wrong with it; and where in the message it stands."""

    __slots__ = ("broken", "call", "path")

    def __init__(self, call: Call | None, broken: Broken | None, path: tuple[str | int, ...]) -> None:
        self.call = call
        self.broken = broken
        self.path = path


def is_message(value: Any) -> bool:
    """Whether a JSON value looks like a message of an API, or a part of one that holds a call."""
    if not isinstance(value, dict):
        return False
    kind = value.get("type")
    return (
        any(isinstance(value.get(sign), (dict, list)) for sign in _SIGNS)
        or (isinstance(value.get("content"), str) and isinstance(value.get("role"), str))
        or (value.get("method") == "tools/call" and "jsonrpc" in value)
        or kind in ("tool_use", "function_call")
        or (isinstance(value.get("function"), dict) and "arguments" in value["function"])
    )


def read(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[Found | Text]:
    """The calls and texts of a message, in order.

    Args:
        value: a JSON value.
        path: where in the whole it stands.
    """
    if isinstance(value, list):
        for index, each in enumerate(value):
            yield from read(each, (*path, index))
        return
    if not isinstance(value, dict) or value.get("role") not in _ASSISTANT:
        return
    if value.get("method") == "tools/call" and isinstance(value.get("params"), dict):
        id = value.get("id")
        yield _call(
            value["params"], ("arguments",), "mcp-request", (*path, "params"),
            id=None if id is None else str(id), optional=True,
        )
        return
    for name, key, _step in (
        ("choices", "message", "api-openai-response"), ("candidates", "content", ""),
    ):
        for index, each in enumerate(_list(value.get(name))):
            if isinstance(each, dict):
                yield from read(each.get(key), (*path, name, index, key))
    if isinstance(value.get("message"), dict) and "choices" not in value:
        yield from read(value["message"], (*path, "message"))
    output = value.get("output")
    if isinstance(output, dict):
        yield from read(output.get("message"), (*path, "output", "message"))
    for index, each in enumerate(_list(output)):
        yield from _item(each, (*path, "output", index))
    yield from _content(value, path)
    yield from _calls(value, path)
    if value.get("type") in ("tool_use", "function_call") or "functionCall" in value or "toolUse" in value:
        yield from _item(value, path)
    elif isinstance(value.get("function"), dict):
        yield from _openai(value, path)


def _content(value: Mapping[str, Any], path: tuple[str | int, ...]) -> Iterator[Found | Text]:
    content = value.get("content")
    if isinstance(content, str):
        yield Text(content, (*path, "content"))
    for index, each in enumerate(_list(content)):
        yield from _item(each, (*path, "content", index))
    for index, each in enumerate(_list(value.get("parts"))):
        yield from _item(each, (*path, "parts", index))


def _calls(value: Mapping[str, Any], path: tuple[str | int, ...]) -> Iterator[Found]:
    for index, each in enumerate(_list(value.get("tool_calls"))):
        yield from _openai(each, (*path, "tool_calls", index))
    legacy = value.get("function_call")
    if isinstance(legacy, dict):
        yield _call(legacy, ("arguments",), "api-openai-chat", (*path, "function_call"), empty=True)


def _openai(each: Any, path: tuple[str | int, ...]) -> Iterator[Found]:
    function = each.get("function") if isinstance(each, dict) else None
    if not isinstance(function, dict):
        if isinstance(each, dict) and isinstance(each.get("name"), str) and ("args" in each or "arguments" in each):
            yield _call(each, ("args", "arguments"), "api-openai-chat", path, id=_text(each.get("id")), empty=True)
            return
        yield Found(None, Broken(0, "a tool call without a function", "call.syntax"), path)
        return
    plain = "id" not in each and isinstance(function.get("arguments"), dict)
    dialect = "api-ollama" if plain else "api-openai-chat"
    yield _call(function, ("arguments",), dialect, (*path, "function"), id=_text(each.get("id")), empty=True)


def _item(each: Any, path: tuple[str | int, ...]) -> Iterator[Found | Text]:
    """One block of a message's content, or one item of an answer."""
    if not isinstance(each, dict):
        if isinstance(each, str):
            yield Text(each, path)
        return
    kind = each.get("type")
    if kind == "tool_use" and "name" in each:
        yield _call(each, ("input",), "api-anthropic", path, id=_text(each.get("id")))
    elif kind == "function_call" and "name" in each:
        id = _text(each.get("call_id")) or _text(each.get("id"))
        yield _call(each, ("arguments",), "api-openai-responses", path, id=id, empty=True)
    elif isinstance(each.get("functionCall"), dict):
        call = each["functionCall"]
        yield _call(call, ("args",), "api-gemini", (*path, "functionCall"), id=_text(call.get("id")), optional=True)
    elif isinstance(each.get("toolUse"), dict):
        use = each["toolUse"]
        yield _call(use, ("input",), "api-bedrock", (*path, "toolUse"), id=_text(use.get("toolUseId")))
    elif kind == "message" and each.get("role") in _ASSISTANT:
        yield from _content(each, path)
    elif isinstance(each.get("text"), str) and kind in (None, "text", "output_text") and not each.get("thought"):
        yield Text(each["text"], (*path, "text"))


def _call(
    fields: Mapping[str, Any], keys: tuple[str, ...], dialect: str, path: tuple[str | int, ...], *,
    id: str | None = None, empty: bool = False, optional: bool = False,
) -> Found:
    """A call out of an object; ``empty`` text and absent (``optional``) arguments are none where APIs say so."""
    name = fields.get("name")
    if not isinstance(name, str):
        return Found(None, Broken(0, "the call has no name", "call.syntax", "add a name"), path)
    given = next((fields[key] for key in keys if key in fields), None)
    if (empty and given == "") or (optional and given is None and fields.keys() <= _BESIDE):
        given = {}
    try:
        return Found(build(name, given, dialect, 0, 0, id=id), None, path)
    except Broken as broken:
        return Found(None, broken, path)


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
