"""Finds where one JSON document ends and the next begins."""

from __future__ import annotations

import re


class Piece:
    """A document as it stands in its source.

    Attributes:
        line: 1-based line on which it starts.
        column: 1-based column at which ``text`` starts on that line.
        start_line: the whole of that line.
        text: the document, perhaps with space before it.
    """

    __slots__ = ("column", "line", "start_line", "text")

    def __init__(self, line: int, column: int, start_line: str, text: str) -> None:
        self.line = line
        self.column = column
        self.start_line = start_line
        self.text = text


class Splitter:
    """Finds where JSON documents end in text that arrives line by line, in time linear in the text.

    It knows just enough of the grammar to notice at once where a document breaks off, so that one bad record
    does not swallow the ones after it.
    """

    _TOKEN = re.compile(r'\s*+(?:("(?:[^"\\]|\\.)*+")|([{}\[\],:])|([^\s{}\[\],:"]++)|("))').match

    def __init__(self, first: int) -> None:
        self.first = first
        self.column = 1
        self.start_line = ""
        self.text: list[str] = []
        self.size = 0
        self.broken = False
        self._stack: list[str] = []
        self._want = "value"

    def feed(self, line: str, number: int) -> list[Piece]:
        """Take the next line; return the documents that ended on it."""
        found: list[Piece] = []
        start = 0
        match = self._TOKEN(line)
        while match is not None:
            if not self._step(match):
                self.broken = True
                break
            position = match.end()
            if not self._stack and self._want == "end":
                if not self.text:
                    self._begin(number, start, line)
                found.append(self.piece([*self.text, line[start:position]]))
                self.text, self.size, self.first, self._want = [], 0, number, "value"
                start = position
            match = self._TOKEN(line, position)
        rest = line[start:]
        if rest.strip() or self.text:
            if not self.text:
                self._begin(number, start, line)
            self.text.append(rest)
            self.size += len(rest) + 1
        return found

    def piece(self, lines: list[str]) -> Piece:
        """The document in hand, made of these lines."""
        return Piece(self.first, self.column, self.start_line, "\n".join(lines))

    def _begin(self, number: int, start: int, line: str) -> None:
        self.first, self.column, self.start_line = number, start + 1, line

    def next_start(self) -> int:
        """The index in ``text`` of the line that starts the next record, when this document is known to be cut off.

        A record that was cut off where a value may follow takes the next record for that value.
        """
        last = len(self.text) - 1
        for index, line in enumerate(self.text[1:], 1):
            if line.startswith("{") and ((self.broken and index == last) or _is_whole(line)):
                return index
        return last + 1

    def _step(self, match: re.Match[str]) -> bool:
        """Take one token; False when it cannot stand here."""
        kind = match.lastindex
        mark = match.group(2) or ""
        want = self._want
        if kind == 4:  # a quote that does not close on its line
            return False
        if kind == 1 and want in ("key", "key or end"):
            self._want = "colon"
            return True
        if want in ("value", "value or end") and (kind in (1, 3) or mark in ("{", "[")):
            if mark:
                self._stack.append(mark)
                self._want = "key or end" if mark == "{" else "value or end"
            else:
                self._after_value()
            return True
        if mark in ("}", "]") and want in ("comma", "key or end", "value or end"):
            if not self._stack or self._stack.pop() != ("{" if mark == "}" else "["):
                return False
            self._after_value()
            return True
        if mark == ":" and want == "colon":
            self._want = "value"
            return True
        if mark == "," and want == "comma":
            self._want = "key" if self._stack[-1] == "{" else "value"
            return True
        return False

    def _after_value(self) -> None:
        self._want = "comma" if self._stack else "end"


def _is_whole(line: str) -> bool:
    """Whether a line is one document."""
    splitter = Splitter(1)
    return len(splitter.feed(line, 1)) == 1 and not splitter.text
