"""Reads what a model wrote: finds the constructs in which calls stand, and gives the calls in them (DESIGN.md, section 10).

A payload stands in a fence, in a marker of a dialect, or alone on a line at the margin. What stands in a literal, in a
fence of another language, in reasoning, in running prose or in a construct that failed never comes out. After a failure
the reading goes on behind the construct's own end; where that end cannot be known, it stops and says so.
"""

from __future__ import annotations

import re

from silp_cli.dialects import api, jsonic, margin, pythonic
from silp_cli.dialects.call import Call, Passed, Payload, Problem
from silp_cli.dialects.literals import balanced_end, string, value
from silp_cli.dialects.marks import ANY_INVOKE, Marks
from silp_cli.dialects.notations import NOTATIONS, Body, head_of, is_piece_of_head, may_become, name_only, skip
from silp_cli.dialects.prose import in_prose
from silp_cli.dialects.table import built_in
from silp_cli.dialects.trouble import Broken, NeedMore, Scan
from silp_cli.frontends.registry import get_frontend
from silp_cli.ir.errors import ErrorCode, SilpError
from silp_cli.ir.verbs import WHITELIST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from typing import Any

    from silp_cli.dialects.call import Event
    from silp_cli.dialects.table import Dialect, Table

_RETRIED = 1 << 16  # characters of a construct up to which every piece is tried at once
_KEPT = 1 << 13  # characters before the place of reading that are kept to look back on
_stop = re.compile(r"[ \t]*+(?:;[ \t]*+)?(?=\r?\n|\Z)").match
_inline = re.compile(r"`+").match
_literal_block = re.compile(r"(?:<!--|/\*|<(pre|code)\b[^>\n]*>)", re.I).match
_NOTHING_MORE = "nothing further is read, since where this ends cannot be known"


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


class Reader:
    """Reads a text that comes in pieces; see ``read`` for the arguments.

    A call is given as soon as its construct has ended. Reasoning whose opening marker stood in the prompt can only be
    known by its closing one: what was given before that is then a problem of its own.
    """

    def __init__(
        self, *, table: Table | None = None, dialect: str | None = None, reasoning: bool = False,
        prose: bool = False, verbs: Collection[str] = WHITELIST,
    ) -> None:
        self.table = table or built_in()
        self._only = None if dialect is None else self.table.only(dialect).dialects[0].name
        self.marks = Marks.of(self.table)
        self.reasoning = reasoning
        self.prose = prose
        self.verbs = verbs
        self.scan = Scan("", final=False)
        self._base = 0  # characters that were dropped from the front of the text
        self._at = 0
        self._fresh = True  # whether a line starts here
        self._line = 0
        self._code = False
        self._triples = [0, 0]
        self._counted = 0
        self._pending: list[Event] = []
        self._given = False
        self._tried = 0
        self._failed_at = -1

    # ------------------------------------------------------------ pieces

    def feed(self, piece: str) -> Iterator[Event]:
        """Take the next piece of the text; give what is complete now."""
        self.scan = Scan(self.scan.text + piece, final=False)
        size = len(self.scan.text) - self._at
        if self._failed_at == self._at and size > _RETRIED and size < self._tried + (self._tried >> 3):
            return
        self._run()
        self._failed_at, self._tried = self._at, len(self.scan.text) - self._at
        yield from self._release()
        self._forget()

    def close(self) -> Iterator[Event]:
        """Give what is left when the text has ended."""
        self.scan = Scan(self.scan.text)
        self._run()
        if self.prose and not self._fresh and not self._code:
            self._prose(len(self.scan.text))
        yield from self._release()

    def _run(self) -> None:
        try:
            while self._at < len(self.scan.text):
                self._step()
        except NeedMore:
            pass

    def _release(self) -> Iterator[Event]:
        pending, self._pending = self._pending, []
        for event in pending:
            if self._only is not None and isinstance(event, Call) and event.dialect != self._only:
                event = Passed("data", event.start, event.end, event.dialect)
            elif self._only is not None and isinstance(event, Payload):
                event = Passed("data", event.start, event.end, "silp")
            self._given = self._given or isinstance(event, (Call, Payload))
            event.start += self._base
            event.end += self._base
            if isinstance(event, Problem):
                for each in event.error.all():
                    each.position = (each.position or 0) + self._base
            yield event

    def _forget(self) -> None:
        """Drop text that nobody will look back on."""
        drop = self.scan.text.rfind("\n", 0, max(0, min(self._at, self._line) - _KEPT)) + 1
        if drop > _KEPT:
            self._count_triples(drop)
            self.scan = Scan(self.scan.text[drop:], final=False)
            self._base += drop
            self._at -= drop
            self._line -= drop
            self._counted -= drop
            self._failed_at -= drop

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
        end = text.find("\n", at)
        if end < 0:
            if not self.scan.final:
                raise NeedMore
            end = len(text)
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

    def _pass(self, reason: str, start: int, end: int, note: str = "") -> None:
        self._pending.append(Passed(reason, start, end, note))

    def _fail(self, broken: Broken, start: int, end: int | None) -> None:
        """Note a problem; without a known end, nothing further is read."""
        error = broken.error()
        self._stop_or_go(Problem(error, start, len(self.scan.text) if end is None else end), end)

    def _stop_or_go(self, problem: Problem, end: int | None) -> None:
        self._pending.append(problem)
        if end is not None:
            self._at = end
            self._fresh = False
            return
        hint = problem.error.hint
        problem.error.hint = f"{hint}; {_NOTHING_MORE}" if hint else _NOTHING_MORE
        self._pass("rest", problem.start, len(self.scan.text))
        self._at = len(self.scan.text)
        self._fresh = False

    # ------------------------------------------------------------ markers

    def _marker(self, at: int) -> bool:
        """Read the construct whose marker stands at a position; False if there is none."""
        text = self.scan.text
        mark = self.marks.at(text, at, at == self._line or text[self._line : at].isspace())
        if mark is None:
            block = _literal_block(text, at)
            if block is not None:
                self._skip_block(at, block)
                return True
            if not self.scan.final and self.marks.may_begin(text, at):
                raise NeedMore
            return False
        if not self.scan.final and self.marks.may_grow(text, at, mark):
            raise NeedMore
        starts_line = text[self._line : at].isspace() or at == self._line
        self._fresh = False
        if mark in self.marks.noise:
            self._at = at + len(mark)
            self._fresh = starts_line
            return True
        low = mark.lower()
        if low in self.marks.thoughts:
            self._reasoning(at, mark)
            self._fresh = starts_line
            return True
        if low in self.marks.thought_ends:
            self._lone_end(at, mark)
            self._fresh = True
            return True
        self._construct(at, mark)
        return True

    def _skip_block(self, at: int, block: re.Match[str]) -> None:
        tag = block.group(1)
        close = {"<!--": "-->", "/*": "*/"}.get(block.group(), f"</{(tag or '').lower()}>")
        text = self.scan.text
        end = text.lower().find(close, block.end()) if tag else text.find(close, block.end())
        if block.group() == "/*" and at != self._line:
            self._at = block.end()  # a star behind a slash in the middle of a line is no comment
            return
        if end < 0:
            if not self.scan.final:
                raise NeedMore
            self._pass("rest", at, len(text), "unclosed")
            self._at = len(text)
            return
        self._pass("data", at, end + len(close))
        self._at = end + len(close)

    def _reasoning(self, at: int, mark: str) -> None:
        text = self.scan.text
        if self.reasoning:
            self._at = at + len(mark)
            return
        row = self.marks.thoughts[mark.lower()]
        end, length = self.marks.thought_end(text, at + len(mark), row)
        if end < 0:
            if not self.scan.final:
                raise NeedMore
            self._pass("reasoning", at, len(text), "unclosed")
            self._at = len(text)
            return
        self._pass("reasoning", at, end + length)
        self._at = end + length

    def _lone_end(self, at: int, mark: str) -> None:
        """The end of reasoning that began in the prompt: what came before it was not meant."""
        end = at + len(mark)
        self._at = end
        if self.reasoning:
            return
        self._pending = [Passed("reasoning", 0, end)] if not self._given else self._pending
        if self._given:
            self._pending = [Problem(
                SilpError(
                    ErrorCode.DECODE_FAILED, f"{mark} ends reasoning: what was given before it was not meant",
                    rule="extract.late-reasoning", position=at,
                    hint="give the whole text at once, so that reasoning is known before anything is printed",
                ), at, end,
            )]
        self._code = False

    def _construct(self, at: int, mark: str) -> None:
        """Read a marked construct: a marker, a body, and the marker that ends it."""
        scan, text = self.scan, self.scan.text
        rows = self.marks.rows[mark]
        inner = mark in self.marks.inner or mark == ANY_INVOKE
        position = at if inner else at + len(mark)
        body = skip(scan, position)
        row = next(
            (
                each for each in rows
                if NOTATIONS[each.notation][0](scan, position if each.notation == "headed" else body, each)
            ), None,
        )
        if row is None:
            self._no_body(at, mark, position, body, rows)
            return
        if text[at - 1 : at] in ("`", '"', "'", "“", "«"):
            quoted = True
        else:
            quoted = False
        start = position if row.notation == "headed" else body
        try:
            found, end = NOTATIONS[row.notation][1](scan, start, Body(row, self.table.shapes, at))
            if end is not None and found:
                end = self._closed(end, row, rows, found, inner=inner)
        except Broken as broken:
            self._fail(broken, at, self._end_of_failed(at, mark, start, rows, row))
            return
        if quoted:
            self._pass("prose", at, len(text) if end is None else end, "quoted")
            self._at = len(text) if end is None else end
            return
        self._code = False
        self._keep(found, end, at, mark, start, rows, row)

    def _keep(
        self, found: list[Call | Problem], end: int | None, at: int, mark: str, start: int, rows: tuple[Dialect, ...],
        row: Dialect,
    ) -> None:
        """Note what a construct holds."""
        if end is None or any(isinstance(each, Problem) for each in found):
            last = found.pop()
            self._pending += found
            if not isinstance(last, Problem):
                self._pending.append(last)
                self._at = end if end is not None else len(self.scan.text)
                return
            if end is None:
                end = self._end_of_failed(at, mark, start, rows, row)
            self._stop_or_go(last, end)
            return
        self._pending += found
        self._at = end

    def _closed(
        self, end: int, row: Dialect, rows: tuple[Dialect, ...], found: list[Call | Problem], *, inner: bool
    ) -> int | None:
        """The position behind the closing marker, or behind the body where it is missing.

        Raises:
            Broken: for the marker of another construct.
        """
        scan, text = self.scan, self.scan.text
        at = skip(scan, end)
        closes = [close for each in rows if each.notation == row.notation for close in each.close] or list(row.close)
        for close in sorted(closes, key=len, reverse=True):
            if text.startswith(close, at):
                return at + len(close)
        rest = text[at : at + 64]
        if any(close.startswith(rest) for close in closes):  # a piece of it, or nothing, at the very end
            if not scan.final:
                raise NeedMore
            return len(text) if rest else end
        wrong = self.marks.wrong_close(text, at)
        if wrong is not None and row.close and not inner:
            raise Broken(
                at, f"{wrong} does not close what was opened", "call.tag", f"close it with {closes[0]}"
            )
        if not scan.final and len(rest) < 24 and rest.startswith("<"):
            raise NeedMore
        if row.notation == "pythonic" and not isinstance(found[-1], Problem) and name_only(text[at : at + 300]):
            broken = scan.cut_off(len(text))  # the name of a call that did not come
            found.append(Problem(broken.error(), at, len(text)))
            return None
        return end

    def _no_body(self, at: int, mark: str, position: int, body: int, rows: tuple[Dialect, ...]) -> None:
        """What to do about a marker behind which no notation begins."""
        scan, text = self.scan, self.scan.text
        if body >= len(text) and not scan.final:
            raise NeedMore
        if not scan.final and (may_become(scan, position, rows) or may_become(scan, body, rows)):
            raise NeedMore
        cut = next((row for row in rows if row.notation == "headed" and is_piece_of_head(scan, position, row)), None)
        if cut is not None:
            self._fail(Broken(len(text), "the text ends inside a call", "call.cut-off", "ask for the rest"), at, None)
            return
        if mark in self.marks.words:
            self._at = at + len(mark)  # a word that means a call only where its body follows
            self._fresh = False
            return
        if body >= len(text):
            self._fail(Broken(body, f"the text ends behind {mark}", "call.cut-off"), at, None)
            return
        broken = Broken(body, f"no call behind {mark}", "call.syntax", f"one looks like {rows[0].example[:120]!r}")
        self._fail(broken, at, self._end_of_failed(at, mark, body, rows, None))

    def _end_of_failed(
        self, at: int, mark: str, start: int, rows: tuple[Dialect, ...], row: Dialect | None
    ) -> int | None:
        """Where a failed construct ends, or None.

        Raises:
            NeedMore: when the text goes on: the end can only be judged by all of it.
        """
        scan, text = self.scan, self.scan.text
        if not scan.final:
            raise NeedMore
        closes = tuple(close for row in rows for close in row.close)
        body = skip(scan, start)
        if row is not None and row.notation == "headed":
            head = head_of(row).match(text, start)
            body = head.end() if head else body
        end = balanced_end(scan, body) if text[body : body + 1] in ("{", "[") else None
        if end is None:
            end = self.marks.tag_end(text, at, mark, closes)
            # Where the quotes are not in pairs, what looks like the end may stand in a literal.
            return None if end is None or text.count('"', at, end) % 2 else end
        after = skip(scan, end)
        for close in closes:
            if text.startswith(close, after):
                return after + len(close)
        return end if not closes or self.marks.at(text, after, True) or after >= len(text) else None

    # ------------------------------------------------------------ the margin

    def _line_start(self) -> bool:
        """Read what stands at the start of a line; False if it is to be read on as running text."""
        scan, text = self.scan, self.scan.text
        line = self._at
        at = line
        while text.startswith(" ", at) and at - line < 3:
            at += 1
        if not text[:line].strip() and self._base == 0:  # leading white space of the whole text is none of its own
            at = skip(scan, line)
            self._line = line = text.rfind("\n", 0, at) + 1
        if at >= len(text):
            if not scan.final:
                raise NeedMore
            return False
        fence = margin.fence_at(text, line)
        if fence is not None:
            if not scan.final and not fence.group().endswith("\n"):
                raise NeedMore
            self._fence(fence)
            return True
        char = text[at]
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
            return self._word(at, line)
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

    def _word(self, at: int, line: int) -> bool:
        """Read a line that begins with a word, if it is a call, a payload, or a value that a program keeps."""
        text = self.scan.text
        end = text.find("\n", at)
        if end < 0 and not self.scan.final and not self._is_settled(at):
            raise NeedMore
        stop = len(text) if end < 0 else end
        if pythonic.statement_at(text, at) or margin.payload_at(text, at):
            return self._statement(at, line, stop)
        if text.startswith("call:", at):
            return self._lone_braces(at)
        if text.startswith("[ARGS]", self._after_name(at)) or text.startswith("[CALL_ID]", self._after_name(at)):
            return self._lone_head(at)
        assigned = margin.assigned_at(text, at)
        if assigned is not None:
            return self._assigned(at, assigned.end())
        return False

    def _is_settled(self, at: int) -> bool:
        """Whether a line that has not ended can no longer begin a call."""
        line = self.scan.text[at : at + 200]
        return len(line) == 200 and not pythonic.statement_at(self.scan.text, at) and not line.startswith("if ")

    def _after_name(self, at: int) -> int:
        match = pythonic.name_at(self.scan.text, at)
        return match.end() if match else at

    def _assigned(self, at: int, start: int) -> bool:
        """A name that is given a value: a program; what its value holds is data."""
        text = self.scan.text
        if text[start : start + 1] not in ("'", '"', "[", "{", "(") and not text[start : start + 4].endswith(('"', "'")):
            return False
        try:
            _, end = value(self.scan, start)
        except Broken:
            bracket = text[start : start + 1] in ("[", "{", "(")
            known = balanced_end(self.scan, start) if bracket else None
            if known is None:
                if not bracket and '"""' not in text[start : start + 6] and "'''" not in text[start : start + 6]:
                    return False
                self._pass("rest", at, len(text), "a value that does not end")
                self._at = len(text)
                return True
            end = known
        self._code = True
        self._pass("code", at, end)
        self._at = end
        self._fresh = False
        return True

    def _lone_braces(self, at: int) -> bool:
        rows = tuple(row for row in self.table.dialects if row.notation == "braces")
        from silp_cli.dialects import braces

        if not rows or braces.head_at(self.scan.text, at) is None:
            return False
        quotes = tuple(quote for row in rows for quote in row.quotes)
        try:
            call, end = braces.call(self.scan, at, rows[0].name, quotes)
        except Broken as broken:
            self._fail(broken, at, None)
            return True
        self._pending.append(call)
        self._at = end
        self._fresh = False
        return True

    def _lone_head(self, at: int) -> bool:
        """A name and its arguments whose opening marker is missing."""
        rows = tuple(row for row in self.table.dialects if row.notation == "headed" and "ARGS" in row.head)
        row = next((each for each in rows if NOTATIONS["headed"][0](self.scan, at, each)), None)
        if row is None:
            return False
        try:
            found, end = NOTATIONS["headed"][1](self.scan, at, Body(row, self.table.shapes, at))
        except Broken as broken:
            self._fail(broken, at, None)
            return True
        self._keep(found, end, at, "[TOOL_CALLS]", at, rows, row)
        self._fresh = False
        return True

    # ------------------------------------------------------------ statements

    def _statement(self, at: int, line: int, stop: int) -> bool:
        """A call or a payload alone on a line."""
        scan, text = self.scan, self.scan.text
        if at > line and text[:line].strip():
            return False  # not at the margin
        head = pythonic.statement_at(text, at)
        broken: Broken | None = None
        if head is not None:
            try:
                call, end, taker = pythonic.statement(scan, at, "pythonic")
                alone = _stop(text, end)
                if alone is not None and head.group(3) in ("print", "return"):
                    self._code = True
                    self._pass("code", at, end)
                    self._at = end
                    self._fresh = False
                    return True
                if alone is not None and (not call.positional or taker is not None or "\n" in text[at:end]):
                    call.start, call.end = at, end
                    self._take(call, at, line, alone.end())
                    return True
                if not call.positional and alone is None and "\n" in text[at:end]:
                    return self._talk(at, end)
            except Broken as error:
                broken = error
        payload = self._payload(at, stop)
        if payload is not None:
            self._take(payload, at, line, stop)
            return True
        if head is None:
            return False
        known = balanced_end(scan, head.end() - 1)
        if head.group(2) is not None and known is not None:
            known = balanced_end(scan, text.index("(", at))
        if broken is None:  # a whole call that is not alone
            return self._talk(at, call.end)
        if known is None:
            if self._is_talk(at, line, stop):
                return False
            self._fail(broken, at, None)
            return True
        if _stop(text, known) is None:
            return self._talk(at, known)
        if self._code or self._not_meant(at, line, known):
            self._pass("code" if self._code else "prose", at, known)
            self._at = known
            self._fresh = False
            return True
        self._fail(broken, at, known)
        return True

    def _is_talk(self, at: int, line: int, stop: int) -> bool:
        """Whether a line with a bracket that is never closed is a sentence: its bracket is closed within the line."""
        text = self.scan.text
        return text.count("(", at, stop) == text.count(")", at, stop) > 0 and not text[at:stop].rstrip().endswith((")", ";"))

    def _talk(self, at: int, end: int) -> bool:
        """A call in a sentence: passed over, whatever its literals hold."""
        self._pass("prose", at, end)
        self._at = end
        self._fresh = False
        return True

    def _payload(self, at: int, stop: int) -> Payload | None:
        """The payload of SILP's own surface that a line is."""
        text = self.scan.text
        if "\n" in text[at:stop]:
            return None
        line = text[at:stop].rstrip(" \t\r")
        for end in (len(line), len(line.rstrip(".;!").rstrip())):
            try:
                ir = get_frontend("code").decode(line[:end])
            except SilpError:
                continue
            return Payload(ir, "code", at, at + end)
        return None

    def _take(self, event: Call | Payload, at: int, line: int, stop: int) -> None:
        """Note a call or payload at the margin, unless the words around it make it talk."""
        if self._code:
            self._pass("code", at, event.end)
        elif self._not_meant(at, line, event.end):
            self._pass("prose", at, event.end)
        else:
            self._pending.append(event)
        self._at = max(stop, event.end)
        self._fresh = False

    def _not_meant(self, at: int, line: int, end: int) -> bool:
        self._count_triples(at)
        if self._triples[0] % 2 or self._triples[1] % 2:
            return True
        return margin.is_refused(self.scan.text, line) or margin.is_running(self.scan.text, line, end)

    def _count_triples(self, at: int) -> None:
        if at > self._counted:
            for index, mark in enumerate(('"""', "'''")):
                self._triples[index] += self.scan.text.count(mark, self._counted, at)
            self._counted = at

    # ------------------------------------------------------------ brackets

    def _bracket(self, at: int) -> bool:
        """A list of calls, a JSON value or a list of them, alone on its lines."""
        scan, text = self.scan, self.scan.text
        if pythonic.list_at(text, at):
            found, end = pythonic.call_list(scan, at, "pythonic")
            if end is not None and _alone(scan, end, self.marks) is None:
                return self._talk(at, end)
            return self._take_list(list(found), end, at)
        body = skip(scan, at + 1)
        if body >= len(text) and not scan.final:
            raise NeedMore
        if text[at] == "{" and text[body : body + 1] not in ('"', "'", "}"):
            return False
        if text[at] == "[" and text[body : body + 1] not in ("{", "[", '"', "'", "]"):
            return False
        return self._json(at)

    def _take_list(self, found: list[Event], end: int | None, at: int) -> bool:
        line = self._line
        if self._code or margin.is_refused(self.scan.text, line) or self._in_triples(at):
            if end is None:
                self._pass("rest", at, len(self.scan.text))
                self._at = len(self.scan.text)
                return True
            self._pass("code" if self._code else "prose", at, end)
            self._at = end
            self._fresh = False
            return True
        if end is None and found and isinstance(found[-1], Problem):
            last = found.pop()
            assert isinstance(last, Problem)
            self._pending += found
            self._stop_or_go(last, None)
            return True
        self._pending += found
        self._at = len(self.scan.text) if end is None else end
        self._fresh = False
        return True

    def _in_triples(self, at: int) -> bool:
        self._count_triples(at)
        return bool(self._triples[0] % 2 or self._triples[1] % 2)

    def _json(self, at: int) -> bool:
        """JSON values in a row, at the margin."""
        scan, text = self.scan, self.scan.text
        found: list[Event] = []
        position = at
        whole: list[tuple[int, int]] = []
        while True:
            try:
                values, end = jsonic.items(scan, position)
            except Broken as broken:
                known = balanced_end(scan, position)
                if known is None or self._looks_like_call(position, known):
                    found.append(Problem(broken.error(), position, len(text) if known is None else known))
                if known is None:
                    return self._take_list(found, None, at)
                end = known
                values = []
            for each in values:
                if isinstance(each, Problem):
                    if end is None or self._looks_like_call(each.start, each.end):
                        found.append(each)
                else:
                    found += self._classified(*each)
            if end is None:
                return self._take_list(found, None, at)
            whole.append((position, end))
            after = _alone(scan, end, self.marks)
            if after is None:
                self._pass("prose", at, end)
                self._at = end
                self._fresh = False
                return True
            if text[after : after + 1] not in ("{", "[") or after == end:
                break
            position = after
        if not found:
            self._pass("data", at, end)
            self._at = end
            self._fresh = False
            return True
        return self._take_list(found, end, at)

    def _looks_like_call(self, start: int, end: int) -> bool:
        """Whether a broken JSON value was meant as a call: it has the keys of one."""
        return self.marks.call_keys(self.scan.text[start : min(end, start + 4000)])

    def _classified(self, item: Any, start: int, end: int) -> list[Event]:
        """What a JSON value is: a call, a payload, a message with calls, or data."""
        if not isinstance(item, dict):
            return []
        text = self.scan.text
        if isinstance(item.get("intent"), str) and item["intent"].startswith("!"):
            return [self._json_payload(start, end)]
        try:
            if item.get("type") not in ("tool_use", "function_call") and "role" not in item:
                call = jsonic.call_of(item, self.table.shapes, "json-object", start, end, sure=False)
                if call is not None:
                    return [call]
        except Broken as broken:
            return [Problem(broken.error(), start, end)]
        return self._message(item, text, start, end) if api.is_message(item) else []

    def _json_payload(self, start: int, end: int) -> Event:
        source = self.scan.text[start:end]
        try:
            return Payload(get_frontend("json").decode(source), "json", start, end)
        except SilpError as error:
            from silp_cli.ir.locate import locate

            for each in error.all():
                if each.position is None and each.path is not None:
                    each.position = locate(source, each.path)
                each.position = start + (each.position or 0)
                each.line = each.column = None
            return Problem(error, start, end)

    def _message(self, item: Any, text: str, start: int, end: int) -> list[Event]:
        from silp_cli.dialects.message import events_of

        def inner(content: str) -> Iterator[Event]:
            return read(
                content, table=self.table, reasoning=self.reasoning, prose=self.prose, verbs=self.verbs
            )

        return events_of(item, text[start:end], start, inner)

    # ------------------------------------------------------------ fences

    def _fence(self, fence: re.Match[str]) -> None:
        """A fence: its calls if it holds nothing else, in a language that may hold some."""
        from silp_cli.dialects.fences import Fence

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


def _alone(scan: Scan, end: int, marks: Marks) -> int | None:
    """Where to go on behind a value that stands alone: behind ``;`` or ``,`` and white space; None if it does not."""
    text = scan.text
    at = end
    while text[at : at + 1] in (" ", "\t", "\r"):
        at += 1
    if text[at : at + 1] in (";", ","):
        at += 1
        following = skip(scan, at)
        if text[following : following + 1] in ("{", "["):
            return following
    if at >= len(text):
        if not scan.final:
            raise NeedMore
        return end
    if text[at] == "\n":
        following = skip(scan, at)
        if text[following : following + 1] in ("{",):
            return following
        return end
    if text[at] in ("{", "["):
        return at
    if marks.at(text, at, False) is not None or marks.wrong_close(text, at) is not None or text.startswith("```", at):
        return end
    if not scan.final and marks.may_begin(text, at):
        raise NeedMore
    return None
