"""Reads what a model wrote: finds the constructs in which calls stand, and gives the calls (DESIGN.md, section 10).

A payload stands in a fence, in a marker of a dialect, or alone on a line at the margin. What stands in a literal, in a
fence of another language, in reasoning, in running prose or in a construct that failed never comes out. After a failure
the reading goes on behind the construct's own end; where that end cannot be known, it stops and says so.
"""

from __future__ import annotations

import re

from silp_cli.dialects import margin
from silp_cli.dialects.call import Passed
from silp_cli.dialects.fences import Fence
from silp_cli.dialects.literals import string
from silp_cli.dialects.notations import skip
from silp_cli.dialects.prose import in_prose
from silp_cli.dialects.statements import Statements
from silp_cli.dialects.trouble import Broken, NeedMore, Scan
from silp_cli.ir.verbs import WHITELIST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from silp_cli.dialects.call import Event
    from silp_cli.dialects.table import Table

_inline = re.compile(r"`+").match


def read(
    text: str, *, table: Table | None = None, dialect: str | None = None, reasoning: bool = False,
    prose: bool = False, verbs: Collection[str] = WHITELIST,
) -> Iterator[Event]:
    """What a text holds, in order: calls, payloads, problems, and what was passed over.

    Args:
        text: what a model wrote.
        table: the dialects (default: those that are shipped).
        dialect: read this one alone.
        reasoning: read what the model thought too.
        prose: look for payloads in running text too.
        verbs: the action codes whose calls count in running text.

    Raises:
        ValueError: for a dialect that is not in the table.
    """
    reader = Reader(table=table, dialect=dialect, reasoning=reasoning, prose=prose, verbs=verbs)
    reader.scan = Scan(text)
    yield from reader.close()


class Reader(Statements):
    """Reads a text that comes in pieces; see ``read`` for the arguments.

    A call is given as soon as its construct has ended. Reasoning whose opening marker stood in the prompt can only be
    known by its closing one: what was given before that is then a problem of its own.
    """

    # ------------------------------------------------------------ steps

    def _step(self) -> None:
        text = self.scan.text
        if self._fresh:
            self._line = self._at
            if self._line_start():
                return
            self._fresh = False
        match = self.marks.interesting(text, self._at)
        if match is None:
            self._at = len(text)
            return
        at = match.start()
        char = text[at]
        if char == "\n":
            self._line_end(at)
        elif char == "`":
            self._at = at
            self._inline_code(at)
        else:
            self._at = at
            if not self._marker(at):
                self._at = at + 1

    def _line_end(self, at: int) -> None:
        line = self.scan.text[self._line : at].rstrip()
        if line and margin.code_line(line):
            self._code = True
        if self.prose and not self._code:
            self._prose(at)
        self._at = at + 1
        self._fresh = True

    def _prose(self, end: int) -> None:
        """Look for payloads in a line of running text that holds nothing else."""
        if not any(event.end > self._line and not isinstance(event, Passed) for event in self._pending):
            self._pending += in_prose(self.scan.text, self._line, end, self.verbs, self.table.shapes)

    def _inline_code(self, at: int) -> None:
        """Pass over code that is quoted within a line."""
        text = self.scan.text
        run = _inline(text, at)
        assert run is not None
        if self._stop < at:
            self._stop = text.find("\n", at)
            if self._stop < 0:
                if not self.scan.final:
                    raise NeedMore
                self._stop = len(text)
        end = self._stop
        close = run.end()
        while (close := text.find(run.group(), close, end)) >= 0:
            after = _inline(text, close)
            assert after is not None
            if len(after.group()) == len(run.group()):
                self._pass("prose", at, after.end(), "quoted code")
                self._at = after.end()
                return
            close = after.end()
        self._at = run.end()

    # ------------------------------------------------------------ the margin

    def _line_start(self) -> bool:
        """Read what stands at the start of a line; False if it is to be read on as running text."""
        scan, text = self.scan, self.scan.text
        line = self._at
        at = line
        while text.startswith(" ", at) and at - line < 3:
            at += 1
        if not self._begun:  # white space before the whole text is no indentation
            at = skip(scan, line)
            self._line = line = max(line, text.rfind("\n", 0, at) + 1)
        if at >= len(text):
            if not scan.final:
                raise NeedMore
            self._at = len(text)
            return True
        first = not self._begun
        self._begun = True
        fence = margin.fence_at(text, line)
        if fence is not None:
            if not scan.final and not fence.group().endswith("\n"):
                raise NeedMore
            self._fence(fence)
            return True
        char = text[at]
        if not scan.final and len(text) - at < 3 and not text[at:].strip("`~"):
            raise NeedMore  # a fence, perhaps
        if not scan.final and self.marks.may_begin(text, at) and self.marks.at(text, at, True) is None:
            raise NeedMore
        if self.marks.at(text, at, True) is not None:
            return self._marker(at)
        if char in "{[":
            return self._bracket(at)
        if char in "\"'":
            return self._quoted(at)
        if text.startswith(("<!--", "/*"), at):
            return self._marker(at)
        if char.isalpha() or char in "_!":
            return (first or at == line) and self._word(at, line)
        return False

    def _quoted(self, at: int) -> bool:
        """A literal at the margin is data."""
        text = self.scan.text
        if text.startswith(('"""', "'''"), at):
            try:
                _, end = string(self.scan, at)
            except Broken:
                self._pass("rest", at, len(text), "a literal that does not end")
                self._at = len(text)
                return True
            self._pass("data", at, end)
            self._at = end
            self._fresh = False
            return True
        return False

    # ------------------------------------------------------------ fences

    def _fence(self, fence: re.Match[str]) -> None:
        """A fence: its calls if it holds nothing else, in a language that may hold some."""
        outcome = Fence(self, fence).read()
        self._pending += outcome.events
        if outcome.problem is not None:
            self._stop_or_go(outcome.problem, outcome.end)
        elif outcome.end is None:
            self._at = len(self.scan.text)
        else:
            self._at = outcome.end
        self._fresh = False
        self._code = False


