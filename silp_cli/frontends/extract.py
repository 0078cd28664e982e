"""Finds payloads in what a model wrote: code fences, tool-call markers, lists of calls, lines of their own, prose.

What stands in a fence, in a marker or on a line of its own is read as a payload whatever its verb. In the middle of
prose, where ``section(s)`` is no call, only known verbs and objects with an ``intent`` count. A payload that begins
and then breaks off is reported, not passed over.
"""

from __future__ import annotations

import re

from silp_cli.frontends.code.scanner import Scanner
from silp_cli.frontends.code.words import KEYWORDS
from silp_cli.frontends.registry import get_frontend
from silp_cli.ir.errors import SilpError
from silp_cli.ir.verbs import action_code

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from typing import Any

_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})[^\n`]*\n(.*?)(?:^[ \t]*\1[ \t]*$|\Z)", re.M | re.S)
_MARKER = re.compile(r"<\|?(tool_calls?(?:_start)?)\|?>(.*?)(?:<\|?/?\1?(?:tool_calls?_end)?\|?>|\Z)", re.S)
_LINE = re.compile(r"[^\n]+")
_LEAD = re.compile(r"[ \t]*(?:(?:[-*+>]|[0-9]{1,3}[.)])[ \t]+)*`*")
_CANDIDATE = re.compile(r"(?<![\w.!])(?:if[ \t]+(?=[!\w\"'])|([a-z][a-z_]*+|![A-Z][A-Z_]*+)\()|\{(?=\s*[\"'“}])")
_JSON_MARK = re.compile(r'"(?:[^"\\\n]|\\.)*+"|[{}]')
_FIRST = frozenset("![abcdefghijklmnopqrstuvwxyz")
_MAX_DEPTH = 64


class Found:
    """A payload that was found: where it starts, and its IR or what is wrong with it."""

    __slots__ = ("error", "ir", "position")

    def __init__(self, position: int, ir: dict[str, Any] | None, error: SilpError | None) -> None:
        self.position = position
        self.ir = ir
        self.error = error


def extract(text: str, verbs: Collection[str]) -> list[Found]:
    """The payloads of a text, in order.

    Args:
        text: a model's answer.
        verbs: the action codes whose calls count in the middle of prose.
    """
    finder = _Finder(text, verbs)
    position = 0
    for start, end, inner_start, inner_end in _blocks(text):
        finder.prose(position, start)
        finder.block(inner_start, inner_end)
        position = end
    finder.prose(position, len(text))
    return finder.found


def _blocks(text: str) -> Iterator[tuple[int, int, int, int]]:
    """Fences and tool-call markers: where each starts and ends, and where its content does."""
    position = 0
    ahead = [pattern.search(text) for pattern in (_FENCE, _MARKER)]
    while any(ahead):
        match = min((each for each in ahead if each), key=lambda each: each.start())
        yield match.start(), match.end(), match.start(2), match.end(2)
        position = match.end()
        ahead = [each and (each if each.start() >= position else each.re.search(text, position)) for each in ahead]


class _Finder:
    def __init__(self, text: str, verbs: Collection[str]) -> None:
        self.text = text
        self.verbs = verbs
        self.scanner = Scanner(text)
        self.found: list[Found] = []

    def add(self, position: int, ir: dict[str, Any] | None, error: SilpError | None = None) -> None:
        """Note a payload."""
        if error is not None:
            error.__traceback__ = None  # it would keep every frame of the attempt
        self.found.append(Found(position, ir, error))

    # ------------------------------------------------------------ blocks

    def block(self, start: int, end: int) -> None:
        """Look for payloads in the content of a fence or marker."""
        content = self.text[start:end]
        lead = len(content) - len(content.lstrip())
        start, content = start + lead, content.strip()
        if not content:
            return
        if self._whole(start, content):
            return
        before = len(self.found)
        lines = [match for match in _LINE.finditer(self.text, start, start + len(content)) if match.group().strip()]
        if all(self._whole(match.start(), match.group().strip()) for match in lines):
            return
        del self.found[before:]  # other content, such as a program; payloads in it are those of prose
        self.prose(start, start + len(content))
        if len(self.found) == before:
            error = self._why_not(content, start)
            if error is not None:
                self.add(start, None, error)

    def _whole(self, start: int, content: str) -> bool:
        """Read a text that should be a payload from end to end; True if it is one."""
        if content.startswith("["):
            return self._call_list(start, content)
        try:
            frontend = "json" if content.startswith("{") else "code"
            self.add(start, get_frontend(frontend).decode(content))
        except SilpError:
            return False
        return True

    def _call_list(self, start: int, content: str) -> bool:
        """A list of calls, ``[f(a=1), g(b="x, y")]``: one payload, its calls joined."""
        if not content.endswith("]"):
            return False
        calls = _split_calls(content[1:-1])
        if calls is None:
            return False
        try:
            self.add(start, get_frontend("code").decode("; ".join(calls)))
        except SilpError as error:
            self.add(start, None, _moved(error, start + 1))
        return True

    def _why_not(self, content: str, start: int) -> SilpError | None:
        """The error of a block that begins like a payload, or None for other content."""
        match = _CANDIDATE.match(content)
        if match is None:
            return None
        try:
            get_frontend("json" if content.startswith("{") else "code").decode(content)
        except SilpError as error:
            return _moved(error, start)
        return None

    # ------------------------------------------------------------ prose

    def prose(self, start: int, end: int) -> None:
        """Look for payloads between two positions: lines of their own, then calls and objects in the prose."""
        position = start
        for match in _LINE.finditer(self.text, start, end):
            if match.start() < position:
                continue
            stop = self._line(match.start(), match.end(), end)
            position = max(position, stop)

    def _line(self, start: int, line_end: int, end: int) -> int:
        """Look for payloads in one line; the position behind what was read, which may lie on a later line."""
        text = self.text
        lead = _LEAD.match(text, start, line_end)
        first = lead.end() if lead else start
        content = text[first:line_end].rstrip(" \t\r`")
        content = content.removesuffix(content[-1] if content[-1:] in (".", "!") else "").rstrip(" \t`")
        if content and "(" in content and content[0] in _FIRST and self._whole(first, content):
            return line_end
        position = first
        while match := _CANDIDATE.search(text, position, line_end):
            position = max(self._candidate(match, end), match.start() + 1)
            if position >= line_end:
                return position
        return line_end

    def _candidate(self, match: re.Match[str], end: int) -> int:
        """Read what may be a payload in prose; the position to go on from."""
        start = match.start()
        if match.group() == "{":
            return self._object(start, end)
        name = match.group(1)
        if name is not None:
            action = name if name[0] == "!" else action_code(name)
            if name in KEYWORDS or action not in self.verbs:
                return match.end()
        try:
            ir, stop = self.scanner.payload(start)
        except SilpError as error:
            if name is None:
                return match.end()  # an English "if"
            self.add(start, None, error)
            return max(match.end(), min(error.position or 0, end))
        if name is None and not {ir["intent"], *(each.get("action") for each in ir["alternatives"])} & set(self.verbs):
            return match.end()
        self.add(start, ir)
        return stop

    def _object(self, start: int, end: int) -> int:
        """Read a JSON object if it is a payload; the position behind it."""
        depth = 0
        for match in _JSON_MARK.finditer(self.text, start, end):
            mark = match.group()
            depth += (mark == "{") - (mark == "}")
            if depth > _MAX_DEPTH:
                return match.start()
            if not depth:
                content = self.text[start : match.end()]
                if '"intent"' in content:
                    try:
                        self.add(start, get_frontend("json").decode(content))
                    except SilpError as error:
                        self.add(start, None, _moved(error, start, content))
                return match.end()
        return start + 1


def _moved(error: SilpError, start: int, content: str | None = None) -> SilpError:
    """An error of a part of the text, placed in the whole text."""
    for each in error.all():
        if each.position is None and each.path is not None and content is not None:
            from silp_cli.ir.locate import locate

            each.position = locate(content, each.path)
        each.position = (each.position or 0) + start
        each.line = each.column = None
    return error


_CALL_MARK = re.compile(
    r"""\s*+,\s*+|"(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+'|[()\[\]{}]|[^\s,"'()\[\]{}]++|\s++|["']""", re.S
)


def _split_calls(text: str) -> list[str] | None:
    """The calls of a comma-separated list; None if it is no such list."""
    calls: list[str] = []
    depth, start = 0, 0
    for match in _CALL_MARK.finditer(text):
        mark = match.group()
        if mark in "([{":
            depth += 1
        elif mark in ")]}":
            depth -= 1
        elif not depth and mark.strip() == ",":
            calls.append(text[start : match.start()].strip())
            start = match.end()
    calls.append(text[start:].strip())
    if not all(re.match(r"(?:[a-z][a-z_]*|![A-Z][A-Z_]*)\(.*\)\Z", call, re.S) for call in calls):
        return None
    return calls
