"""Finds places in JSON text: where the value of a JSON Pointer starts, where a key stands for the second time."""

from __future__ import annotations

import json
import re

from silp_cli.ir.pointer import pointer_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[{}\[\],:]|[^\s{}\[\],:"]++', re.S)


def locate(text: str, pointer: str) -> int:
    """The offset of the value that a JSON Pointer (RFC 6901) names, or of the nearest thing around it.

    Args:
        text: a JSON document.
        pointer: the pointer; ``""`` is the whole document.
    """
    best, depth = 0, -1
    for path, _, start in _values(text):
        found = pointer_of(path)
        if found == pointer:
            return start
        if pointer.startswith(found + "/") and len(path) > depth:
            best, depth = start, len(path)
    return best


def locate_all(text: str, pointers: set[str]) -> dict[str, int]:
    """The offsets of the values that several JSON Pointers name, found in one pass.

    Args:
        text: a JSON document.
        pointers: the pointers; those that name nothing are left out of the result.
    """
    return {found: start for path, _, start in _values(text) if (found := pointer_of(path)) in pointers}


def second_occurrence(text: str) -> tuple[int, str]:
    """Offset and JSON Pointer of the first key that its object already has."""
    seen: set[str] = set()
    for path, key, _ in _values(text):
        if key is not None:
            found = pointer_of(path)
            if found in seen:
                return key, found
            seen.add(found)
    return 0, ""


def _values(text: str) -> Iterator[tuple[list[Any], int | None, int]]:
    """Yield each value of a document: its path, the offset of its key if it has one, its own offset."""
    path: list[Any] = []
    containers: list[str] = []
    key_at: int | None = None
    want_key = False
    for match in _TOKEN.finditer(text):
        token = match.group()
        if token in ("}", "]"):
            if containers:
                containers.pop()
                path.pop()
            want_key = False
        elif token == ",":
            if containers and containers[-1] == "[":
                path[-1] += 1
            want_key = bool(containers) and containers[-1] == "{"
        elif token == ":":
            want_key = False
        elif want_key:
            path[-1] = json.loads(token, strict=False) if token[0] == '"' else token
            key_at = match.start()
        else:
            in_object = bool(containers) and containers[-1] == "{"
            yield list(path), key_at if in_object else None, match.start()
            if token in ("{", "["):
                containers.append(token)
                path.append("" if token == "{" else 0)
                want_key = token == "{"
