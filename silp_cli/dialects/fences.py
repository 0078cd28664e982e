"""Fenced code: its calls where it holds calls and nothing else, in a language in which calls are written."""

from __future__ import annotations

import re

from silp_cli.dialects import jsonic, margin, pythonic
from silp_cli.dialects.call import Passed, Payload, Problem
from silp_cli.dialects.literals import balanced_end
from silp_cli.dialects.notations import skip
from silp_cli.dialects.trouble import Broken, NeedMore
from silp_cli.frontends.registry import get_frontend
from silp_cli.ir.errors import SilpError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from silp_cli.dialects.call import Call, Event
    from silp_cli.dialects.values import Values

# Languages in which SILP's own payloads stand, besides those that the table's rows name for tool calls.
_OWN = frozenset(("", "silp"))
# Languages in which the markers of dialects may stand.
_MARKED = frozenset(("", "tool_call", "tool_calls", "tool_code"))
_stop = re.compile(r"[ \t]*+(?:[;,][ \t]*+)?(?:\#[^\n]*+)?(?=\r?\n|\Z)").match
_comment = re.compile(r"[ \t]*+\#[^\n]*+").match


class Outcome:
    """What a fence holds, where it ends (None: unknown), and the problem after which nothing more is read."""

    __slots__ = ("end", "events", "problem")

    def __init__(self, events: list[Event], end: int | None, problem: Problem | None = None) -> None:
        self.events = events
        self.end = end
        self.problem = problem


class _OtherContent(Exception):  # noqa: N818 - no error
    """The fence holds something that is no call."""


class Fence:
    """One fence of a text that a reader reads.

    Args:
        reader: gives the text and reads markers.
        opening: the match of its first line.
    """

    def __init__(self, reader: Values, opening: re.Match[str]) -> None:
        self.reader = reader
        self.scan = reader.scan
        self.text = reader.scan.text
        self.start = opening.start()
        self.inside = opening.end()
        run = opening.group(1)
        words = re.split(r"[\s{,]", opening.group(2).strip().lower().lstrip("{."), maxsplit=1)
        self.tag = words[0]
        self._close = re.compile(rf"[ ]{{0,3}}{re.escape(run[0])}{{{len(run)},}}[ \t]*\r?(?=\n|\Z)", re.M)
        rows = reader.table.dialects
        self._python = any(self.tag in row.fence for row in rows if row.notation == "pythonic")
        self._json = any(self.tag in row.fence for row in rows if row.notation == "json")
        self._own = self.tag in _OWN
        self._marked = self.tag in _MARKED
        self.events: list[Event] = []
        self._takers: set[str] = set()

    def read(self) -> Outcome:
        """Read it.

        Raises:
            NeedMore: when it has not ended and the text goes on.
        """
        if not (self._python or self._json or self._own or self._marked):
            return self._passed("fence")
        try:
            return self._calls()
        except _OtherContent:
            return self._passed("code" if self._python and self.tag else "fence")

    def _passed(self, reason: str) -> Outcome:
        match = self._line_close(self.inside)
        if match is None:
            if not self.scan.final:
                raise NeedMore
            return Outcome([Passed(reason, self.start, len(self.text), self.tag)], len(self.text))
        return Outcome([Passed(reason, self.start, match.end(), self.tag)], match.end())

    def _line_close(self, position: int) -> re.Match[str] | None:
        """The first closing line from a line's start on."""
        while True:
            match = self._close.search(self.text, position)
            if match is None or match.start() == self.inside or self.text[match.start() - 1] == "\n":
                return match
            position = match.end()

    def _calls(self) -> Outcome:
        at = self.inside
        while True:
            body = skip(self.scan, at)
            line = self.text.rfind("\n", 0, body) + 1
            if body >= len(self.text):
                if not self.scan.final:
                    raise NeedMore
                return self._done(body)
            close = self._close.match(self.text, line) if line >= self.inside else self._close.match(self.text, body)
            if close is not None:
                if close.end() >= len(self.text) and not self.scan.final:
                    raise NeedMore
                return self._done(close.end())
            comment = _comment(self.text, body)
            if comment is not None and self._python:
                at = comment.end()
                continue
            end = self._one(body)
            if end is None:
                problem = self.events.pop()
                assert isinstance(problem, Problem)
                return Outcome(self.events, None, problem)
            at = end

    def _done(self, end: int) -> Outcome:
        named = {each.name.partition(".")[0] for each in self.events if hasattr(each, "name")}
        if self._takers & named or any(
            isinstance(each, Problem) and self._takers & set(re.findall(r"\w+", each.error.message))
            for each in self.events
        ):
            raise _OtherContent  # a program: what one line gives, another takes
        return Outcome(self.events, end)

    def _one(self, at: int) -> int | None:
        """Read one construct; its end, or None behind a problem whose end cannot be known."""
        text, reader = self.text, self.reader
        if self._marked and reader.marks.at(text, at, True) is not None:
            return self._marker(at)
        char = text[at]
        if char == "[" and pythonic.list_at(text, at) and (self._python or self._own):
            found, end = pythonic.call_list(self.scan, at, "python-fence")
            self.events += found
            return self._settled(end)
        if char in "{[" and self._json:
            return self._object(at)
        if (self._own and margin.payload_at(text, at)) or (self._python and pythonic.statement_at(text, at)):
            return self._statement(at)
        if not self.scan.final and "\n" not in text[at:]:
            raise NeedMore
        raise _OtherContent

    def _settled(self, end: int | None) -> int | None:
        if end is None:
            return None
        if _stop(self.text, end) is None:
            if not self.scan.final and "\n" not in self.text[end:]:
                raise NeedMore
            raise _OtherContent
        return end

    def _marker(self, at: int) -> int | None:
        reader = self.reader
        before, place, line, code = reader._pending, reader._at, reader._line, reader._code
        reader._pending, reader._at, reader._line = [], at, at
        try:
            if not reader._marker(at):
                raise _OtherContent
            self.events += [each for each in reader._pending if not isinstance(each, Passed)]
            stopped = any(isinstance(each, Passed) and each.reason == "rest" for each in reader._pending)
            end = reader._at
        finally:
            reader._pending, reader._at, reader._line, reader._code = before, place, line, code
        if stopped and self.events and isinstance(self.events[-1], Problem):
            return None
        return end

    def _object(self, at: int) -> int | None:
        reader = self.reader
        try:
            values, end = jsonic.items(self.scan, at)
        except Broken as broken:
            known = balanced_end(self.scan, at)
            if known is None or reader._looks_like_call(at, known):
                self.events.append(Problem(broken.error(), at, len(self.text) if known is None else known))
            return known if known is None else self._settled(known)
        for each in values:
            if isinstance(each, Problem):
                if end is None or reader._looks_like_call(each.start, each.end):
                    self.events.append(each)
            else:
                self.events += reader._classified(*each)
        if end is None and not (self.events and isinstance(self.events[-1], Problem)):
            raise _OtherContent
        if end is not None and self.text[end : end + 1] in (";", ","):
            return end + 1
        return self._settled(end)

    def _statement(self, at: int) -> int | None:
        text = self.text
        line_end = text.find("\n", at)
        if line_end < 0:
            if not self.scan.final:
                raise NeedMore
            line_end = len(text)
        head = pythonic.statement_at(text, at) if self._python or self._own else None
        call: Call | None = None
        broken: Broken | None = None
        end = at
        if head is not None:
            if head.group(3) == "print":
                raise _OtherContent
            try:
                call, end, taker = pythonic.statement(self.scan, at, "python-fence")
                if taker is not None:
                    self._takers.add(taker)
                if _stop(text, end) is None:
                    call = None
            except Broken as error:
                broken = error
        if call is not None and (not call.positional or not self._own):
            call.start, call.end = at, end
            self.events.append(call)
            return self._past(end)
        if self._own:
            payload = self._payload(at, line_end)
            if payload is not None:
                self.events.append(payload)
                return line_end
        if call is not None:
            self.events.append(call)
            return self._past(end)
        if head is None or broken is None:
            raise _OtherContent
        known = balanced_end(self.scan, head.end() - 1)
        if known is not None and head.group(2) is not None:
            known = balanced_end(self.scan, text.index("(", at))
        self.events.append(Problem(broken.error(), at, len(text) if known is None else known))
        return None if known is None else self._settled(known)

    def _past(self, end: int) -> int:
        match = _stop(self.text, end)
        return match.end() if match else end

    def _payload(self, at: int, stop: int) -> Payload | None:
        line = self.text[at:stop].rstrip(" \t\r")
        try:
            return Payload(get_frontend("code").decode(line), "code", at, at + len(line))
        except SilpError:
            return None
