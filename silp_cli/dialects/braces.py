"""Calls as Gemma writes them: ``call:f{a:<|"|>text<|"|>,b:3}``, with a mark of its own around text."""

from __future__ import annotations

import re

from silp_cli.dialects.call import Call
from silp_cli.dialects.trouble import Broken, NeedMore, Scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

head_at = re.compile(r"call:([A-Za-z_][\w./-]*+)(?=\{)").match
_space = re.compile(r"[ \t\r\n]*+").match
_bare_key = re.compile(r"[\w.-]++").match
_scalar = re.compile(r"(true|false|null)\b|(-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][-+]?[0-9]++)?)").match
_WORDS: dict[str, Any] = {"true": True, "false": False, "null": None}
_MAX_DEPTH = 64


def call(scan: Scan, position: int, dialect: str, quotes: tuple[str, ...]) -> tuple[Call, int]:
    """The call at a position and its end.

    Args:
        scan: the text.
        position: of ``call:``.
        dialect: the row that reads it.
        quotes: the marks that may stand around text.
    """
    head = head_at(scan.text, position)
    if head is None:
        if not scan.final and len(scan.text) - position < 300 and "{" not in scan.text[position:]:
            raise NeedMore
        raise Broken(position, "expected call:NAME{", "call.syntax")
    arguments, end = _Values(scan, quotes).object(head.end(), 1)
    return Call(head.group(1), arguments, dialect=dialect, start=position, end=end), end


class _Values:
    def __init__(self, scan: Scan, quotes: tuple[str, ...]) -> None:
        self.scan = scan
        self.text = scan.text
        self.quotes = quotes

    def skip(self, position: int) -> int:
        match = _space(self.text, position)
        at = match.end() if match else position
        if at >= len(self.text):
            raise self.scan.cut_off(at)
        return at

    def object(self, position: int, depth: int) -> tuple[dict[str, Any], int]:
        found: dict[str, Any] = {}
        at = self.skip(position + 1)
        while self.text[at] != "}":
            start = at
            quoted = self.quoted(at)
            if quoted is not None:
                key, at = quoted
            else:
                match = _bare_key(self.text, at)
                if match is None:
                    raise Broken(at, f"expected a key, found {self.text[at]!r}", "call.syntax")
                key, at = match.group(), match.end()
            if key in found:
                raise Broken(start, f"{key[:40]!r} is given twice", "call.duplicate", "give each key once")
            at = self.skip(at)
            if self.text[at] != ":":
                raise Broken(at, "expected ':' behind a key", "call.syntax")
            found[key], at = self.value(self.skip(at + 1), depth)
            at = self.separator(at, "}")
        return found, at + 1

    def value(self, position: int, depth: int) -> tuple[Any, int]:
        if depth > _MAX_DEPTH:
            raise Broken(position, f"nesting deeper than {_MAX_DEPTH}", "limit.depth", "flatten the value")
        quoted = self.quoted(position)
        if quoted is not None:
            return quoted
        char = self.text[position]
        if char == "{":
            return self.object(position, depth + 1)
        if char == "[":
            items = []
            at = self.skip(position + 1)
            while self.text[at] != "]":
                item, at = self.value(at, depth + 1)
                items.append(item)
                at = self.separator(at, "]")
            return items, at + 1
        match = _scalar(self.text, position)
        if match is None:
            raise Broken(
                position, "this is no value", "call.value", f"put text between {self.quotes[0]}"
            )
        if match.end() == len(self.text):
            raise self.scan.cut_off(match.end())
        if match.group(1):
            return _WORDS[match.group(1)], match.end()
        spelled = match.group(2)
        if spelled.lstrip("-").isdigit():
            return int(spelled), match.end()
        number = float(spelled)
        if number - number != 0:
            raise Broken(position, "a number beyond all doubles", "call.number", "give it as text")
        return number, match.end()

    def quoted(self, position: int) -> tuple[str, int] | None:
        for mark in self.quotes:
            if self.text.startswith(mark, position):
                start = position + len(mark)
                end = self.text.find(mark, start)
                if end < 0:
                    raise self.scan.cut_off(position, "the text that starts here does not end", f"close it with {mark}")
                return self.text[start:end], end + len(mark)
        if not self.scan.final and any(mark.startswith(self.text[position:]) for mark in self.quotes):
            raise NeedMore
        return None

    def separator(self, position: int, close: str) -> int:
        at = self.skip(position)
        if self.text[at] == ",":
            return self.skip(at + 1)
        if self.text[at] == close:
            return at
        raise Broken(at, f"expected ',' or '{close}', found {self.text[at]!r}", "call.syntax")
