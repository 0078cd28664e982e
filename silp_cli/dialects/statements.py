"""Calls and payloads that stand alone on a line at the margin."""

from __future__ import annotations

import re

from silp_cli.dialects import margin, pythonic
from silp_cli.dialects.call import Call, Payload
from silp_cli.dialects.literals import balanced_end, value
from silp_cli.dialects.notations import NOTATIONS, Body
from silp_cli.dialects.trouble import Broken, NeedMore
from silp_cli.dialects.values import Values
from silp_cli.frontends.registry import get_frontend
from silp_cli.ir.errors import SilpError

TYPE_CHECKING = False
if TYPE_CHECKING:

    pass

_stop = re.compile(r"[ \t]*+(?:;[ \t]*+)?(?=\r?\n|\Z)").match


class Statements(Values):
    """Reads what begins with a word."""

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
        if text[start : start + 1] not in ("'", '"', "[", "{", "(") and text[start + 1 : start + 2] not in ('"', "'"):
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
            if self._is_talk(at, stop):
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

    def _is_talk(self, at: int, stop: int) -> bool:
        """Whether a line with a bracket that is never closed is a sentence: its bracket is closed within the line."""
        text = self.scan.text
        in_pairs = text.count("(", at, stop) == text.count(")", at, stop) > 0
        return in_pairs and not text[at:stop].rstrip().endswith((")", ";"))

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
        if not self.scan.final and margin.next_line_is_open(self.scan.text, end):
            raise NeedMore  # it says whether this one is a piece of a sentence
        return margin.is_refused(self.scan.text, line) or margin.is_running(self.scan.text, line, end)

