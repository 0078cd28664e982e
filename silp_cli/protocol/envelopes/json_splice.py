"""Changes to JSON text that leave every other byte of it alone: nothing is written again, only cut in."""

from __future__ import annotations

import json
import re
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import NamedTuple

_SPACE = re.compile(r"[ \t\n\r]*")
_decoder = json.JSONDecoder()


class Span(NamedTuple):
    """A stretch of text: from ``start`` up to, but not including, ``end``."""

    start: int
    end: int


def _skip(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match is not None else position


def _children(text: str, at: Span) -> list[tuple[str | int, Span]]:
    """Keys or indices of an object or array, and where their values stand, in JSON already checked."""
    found: list[tuple[str | int, Span]] = []
    closing = "}" if text[at.start] == "{" else "]"
    position = _skip(text, at.start + 1)
    while text[position] != closing:
        key: str | int = len(found)
        if closing == "}":
            key, position = scanstring(text, position + 1, False)
            position = _skip(text, _skip(text, position) + 1)
        _, end = _decoder.raw_decode(text, position)
        found.append((key, Span(position, end)))
        position = _skip(text, end)
        if text[position] == ",":
            position = _skip(text, position + 1)
    return found


def locate(text: str, path: tuple[str | int, ...]) -> Span | None:
    """Where a value stands in JSON text.

    Args:
        text: one valid JSON document.
        path: keys and indices from the root; a negative index counts from the end.

    Returns:
        The value's place, or None when the path leads nowhere.
    """
    start = _skip(text, 0)
    _, end = _decoder.raw_decode(text, start)
    at = Span(start, end)
    for step in path:
        if text[at.start] != ("{" if isinstance(step, str) else "["):
            return None
        children = _children(text, at)
        if isinstance(step, int) and step < 0:
            step += len(children)
        for key, span in children:
            if key == step:
                at = span
                break
        else:
            return None
    return at


def replace(text: str, at: Span, value: str) -> str:
    """The text with other JSON text in the place of one value."""
    return text[: at.start] + value + text[at.end :]


def add(text: str, at: Span, value: str) -> str:
    """The text with ``value`` (an item, or ``"key":value``) added behind what an array or object holds."""
    children = _children(text, at)
    if not children:
        return text[: at.start + 1] + value + text[at.start + 1 :]
    end = children[-1][1].end
    return text[:end] + "," + value + text[end:]


def put(text: str, path: tuple[str | int, ...], key: str, value: str) -> str:
    """The text with a member of an object set: its value replaced where there is one, else added.

    Args:
        text: one valid JSON document.
        path: leads to the object.
        key: the member.
        value: JSON text.

    Raises:
        LookupError: when the path does not lead to an object.
    """
    at = locate(text, (*path, key))
    if at is not None:
        return replace(text, at, value)
    at = locate(text, path)
    if at is None or text[at.start] != "{":
        raise LookupError("/".join(map(str, path)))
    return add(text, at, f"{json.dumps(key, ensure_ascii=False)}:{value}")


def append(text: str, path: tuple[str | int, ...], value: str) -> str:
    """The text with an item appended to an array.

    Args:
        text: one valid JSON document.
        path: leads to the array.
        value: JSON text.

    Raises:
        LookupError: when the path does not lead to an array.
    """
    at = locate(text, path)
    if at is None or text[at.start] != "[":
        raise LookupError("/".join(map(str, path)))
    return add(text, at, value)
