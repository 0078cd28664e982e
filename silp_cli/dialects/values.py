"""JSON values and lists of calls, alone on their lines or in a fence."""

from __future__ import annotations

import re

from silp_cli.dialects import api, jsonic, margin, pythonic
from silp_cli.dialects.call import Payload, Problem
from silp_cli.dialects.constructs import Constructs
from silp_cli.dialects.literals import balanced_end
from silp_cli.dialects.marks import Marks
from silp_cli.dialects.notations import skip
from silp_cli.dialects.trouble import Broken, NeedMore, Scan
from silp_cli.frontends.registry import get_frontend
from silp_cli.ir.errors import SilpError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from silp_cli.dialects.call import Event


# What may still become a list of calls when more of the text comes.
_list_head = re.compile(r"\[[ \t\r\n]*+(?:await[ \t]++)?+(?:[A-Za-z_][\w./:-]{0,200}+)?+\Z").match


class Values(Constructs):
    """Reads what begins with a bracket."""

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
        if not scan.final and (body >= len(text) or _list_head(text, at)):
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
            if text[after : after + 1] not in ("{", "["):
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
            reader = type(self)(table=self.table, reasoning=self.reasoning, prose=self.prose, verbs=self.verbs)
            reader.scan = Scan(content)
            return reader.close()

        return events_of(item, text[start:end], start, inner)


def _alone(scan: Scan, end: int, marks: Marks) -> int | None:
    """Where to go on behind a value that stands alone: behind ``;`` or ``,`` and white space; None if it does not."""
    text = scan.text
    at = end
    while text[at : at + 1] in (" ", "\t", "\r"):
        at += 1
    if text[at : at + 1] in (";", ","):
        at += 1
        following = skip(scan, at)
        if following >= len(text) and not scan.final:
            raise NeedMore
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
