"""Marked constructs: reasoning, blocks that are data, and calls between the markers of a dialect."""

from __future__ import annotations

import re

from silp_cli.dialects.call import Call, Passed, Problem
from silp_cli.dialects.literals import balanced_end
from silp_cli.dialects.marks import ANY_INVOKE
from silp_cli.dialects.notations import NOTATIONS, Body, head_of, is_piece_of_head, may_become, name_only, skip
from silp_cli.dialects.pieces import Pieces
from silp_cli.dialects.trouble import Broken, NeedMore
from silp_cli.ir.errors import ErrorCode, SilpError

TYPE_CHECKING = False
if TYPE_CHECKING:

    from silp_cli.dialects.table import Dialect

_INDENT = 80  # characters of white space that a line may begin with
_MOST_JUDGED = 64
_GOES_ON = tuple("}],:\"'")  # what follows a body that was closed too early
# What stands only in calls, whose raw text would be read as lines of its own if their opening marker was not known.
_stray = re.compile(
    r"<arg_key>|<arg_value>|<[\w｜|:.-]{0,24}?parameter(?:=|[ \t\r\n]+name=)|<[^<>\s]{0,32}>\s*call:[\w./-]+\{"
).match
_literal_block = re.compile(r"(?:<!--|/\*|<(pre|code)\b[^>\n]*>)", re.I).match


class Constructs(Pieces):
    """Reads what stands behind a marker."""

    # ------------------------------------------------------------ markers

    def _marker(self, at: int) -> bool:
        """Read the construct whose marker stands at a position; False if there is none."""
        text = self.scan.text
        starts_line = at == self._line or (at - self._line < _INDENT and text[self._line : at].isspace())
        mark = self.marks.at(text, at, starts_line)
        if mark is None:
            block = _literal_block(text, at)
            if block is not None:
                self._skip_block(at, block)
                return True
            if not self.scan.final and self.marks.may_begin(text, at):
                raise NeedMore
            if _stray(text, at) is not None:
                self._fresh = False
                self._fail(
                    Broken(at, "a part of a call whose beginning is damaged", "call.tag", "mend the opening marker"),
                    at, None,
                )
                return True
            return False
        if not self.scan.final and self.marks.may_grow(text, at, mark):
            raise NeedMore
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
        quoted = text[at - 1:at] in ("`", '"', "'", "“", "«")
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
        if not scan.final and not rest.strip(" \t\r\n;,"):
            raise NeedMore  # another call may follow in the same construct
        if any(close.startswith(rest) for close in closes):  # a piece of it, or nothing, at the very end
            if not scan.final:
                raise NeedMore
            return len(text) if rest else end
        if rest[:1] in _GOES_ON and row.notation != "pythonic":
            raise Broken(at, f"the call ends before this {rest[0]!r}", "call.syntax", "close each bracket once")
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
        self._judged += 1
        if self._judged > _MOST_JUDGED:
            return None
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

