"""Cleans a stream of bytes in constant memory, fast where there is nothing to clean.

A block of printable ASCII is passed on at once. Of any other the lines are examined, until so many were that a grammar
of honest text is worth making; from then on only those in which it stops.
"""

from __future__ import annotations

import os
import re

from silp_cli.text.sanitize.engine import Finding, Policy, apply, find
from silp_cli.text.sanitize.lines import not_utf8

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from silp_cli.ir.errors import SilpError

_BLOCK = 1 << 18  # fits a core's cache, where looking for one byte costs next to nothing
_LONGEST = 1 << 18  # of a line before it is taken in pieces; each of its characters may be a finding
_FEW = 1 << 17  # bytes beyond ASCII that are examined in the time that making the grammar takes

# No backslash, which may begin an escape; no # or *, which may begin an emoji; no control, which may stand in a word.
_last_sign = re.compile(rb".*[\t !\"$-)+-/:-@\[\]^`{-~]", re.DOTALL).match
_CONTROLS = [bytes([code]) for code in (*range(9), 11, 12, *range(14, 32), 127)]


class Line:
    """A line (or a piece of a very long one) that is not passed on as it came.

    Attributes:
        number: 1-based, counted in its source.
        column: 0-based offset of ``text`` in its line, in characters.
        text: as it came, with its end.
        findings: what is in it; may be empty where bytes that are not UTF-8 were replaced.
        error: set when bytes are not UTF-8 and are not to be replaced.
    """

    __slots__ = ("column", "error", "findings", "number", "text")

    def __init__(self, number: int, column: int, text: str, findings: list[Finding], error: SilpError | None) -> None:
        self.number = number
        self.column = column
        self.text = text
        self.findings = findings
        self.error = error

    def cleaned(self) -> str:
        """The text after cleaning."""
        return apply(self.text, self.findings)


class Cleaner:
    """Tells apart what a policy would change in byte streams and what it would not.

    Args:
        policy: what to look for.
        replace: read bytes that are not UTF-8 as U+FFFD instead of refusing their line.
    """

    def __init__(self, policy: Policy, *, replace: bool = False) -> None:
        self._policy = policy
        self._replace = replace
        self._controls = _CONTROLS if "control" in policy.classes else []
        self._honest_end: Callable[[bytes, int], int] | None = None
        self._examined = 0  # bytes of lines, of plain ones too: the grammar passes them faster

    def read(
        self, descriptor: int, before_read: Callable[[], None] = lambda: None, line: int = 1, offset: int = 0
    ) -> Iterator[memoryview | bytes | Line]:
        """Yield a stream in pieces: bytes that stay as they are, and lines that do not.

        A piece is to be used before the next one is asked for: its memory is read into again.

        Args:
            descriptor: an open file.
            before_read: called before every read that may block.
            line: 1-based number of the first line.
            offset: number of bytes before it.
        """
        place = _Place(descriptor, line, offset)
        buffer = bytearray(_BLOCK)
        window = memoryview(buffer)
        rest = b""
        while True:
            before_read()
            size = os.readv(descriptor, [window])
            if not size:
                break
            data: bytes | bytearray = buffer if size == _BLOCK else bytes(window[:size])
            cut = data.rfind(b"\n") + 1
            if not cut:
                rest += data
            elif self._is_plain(data) and (not rest or self._is_plain(rest)) and not rest.endswith(b"\r"):
                if rest:
                    yield rest
                    place.advance(rest)
                yield window[:cut]
                place.advance(window[:cut])
                rest = bytes(window[cut:size])
            else:
                block = rest + bytes(window[:cut])
                yield from self._lines(block, place)
                place.advance(block)
                rest = bytes(window[cut:size])
            if len(rest) > _LONGEST:
                cut = _piece(rest)
                yield from self._unfinished(rest[:cut], place)
                rest = rest[cut:]
        if rest:
            yield from self._unfinished(rest, place)

    def _is_plain(self, data: bytes | bytearray) -> bool:
        return data.isascii() and not self._has_control(data)

    def _has_control(self, data: bytes | bytearray) -> bool:
        """Whether there is a control character that is no line's end; a CR that ends the data may yet be one."""
        for control in self._controls:
            if control in data:
                return True
        if self._controls and b"\r" in data:
            return data.count(b"\r") != data.count(b"\r\n") + data.endswith(b"\r")
        return False

    def _lines(self, block: bytes, place: _Place) -> Iterator[bytes | Line]:
        """Whole lines, of which some may have to be changed."""
        passed = counted = number = 0
        start = self._honest_until(block, 0)
        while start < len(block):
            end = block.index(b"\n", start) + 1
            found = self._examine(block[start:end], place.offset + start)
            if found is not None:
                number = (number or place.line()) + block.count(b"\n", counted, start)
                counted = start
                yield block[passed:start]
                yield Line(number, 0 if start else place.column, *found)
                passed = end
            start = self._honest_until(block, end)
        yield block[passed:]

    def _honest_until(self, block: bytes, start: int) -> int:
        """Where the first line begins that has to be examined, from some line on."""
        honest_end = self._honest_end_if_worth_it()
        if honest_end is None:
            return start
        return block.rfind(b"\n", start, honest_end(block, max(0, start - 1))) + 1 or start

    def _honest_end_if_worth_it(self) -> Callable[[bytes, int], int] | None:
        if self._honest_end is None and self._examined > _FEW:
            from silp_cli.text.sanitize.honest_grammar import compile_grammar

            self._honest_end = compile_grammar(self._policy)
        return self._honest_end

    def _examine(self, data: bytes, offset: int) -> tuple[str, list[Finding], SilpError | None] | None:
        """The text, findings and error of a line; None if it stays as it is."""
        self._examined += len(data)
        if self._is_plain(data) and not data.endswith(b"\r"):
            return None
        try:
            text = data.decode()
        except UnicodeDecodeError as error:
            text = data.decode(errors="replace")
            if not self._replace:
                return text, [], not_utf8(data, error, offset)
            return text, find(text, self._policy), None
        findings = find(text, self._policy)
        return (text, findings, None) if findings else None

    def _unfinished(self, data: bytes, place: _Place) -> Iterator[bytes | Line]:
        """The last line without its end, or a piece of a very long one."""
        honest_end = self._honest_end_if_worth_it()
        ended = b"\n" + data + b"\n"
        found = None
        if data.endswith(b"\r") or honest_end is None or honest_end(ended, 0) < len(ended):
            found = self._examine(data, place.offset)
        yield data if found is None else Line(place.line(), place.column, *found)
        place.inside(data)


class _Place:
    """Where in a source a block begins. Lines are counted only when somebody asks, if the source can be read again."""

    def __init__(self, descriptor: int, line: int, offset: int) -> None:
        self.offset = offset
        self.column = 0
        self._descriptor = descriptor
        self._line = line
        self._counted = offset
        try:
            self._base = os.lseek(descriptor, 0, os.SEEK_CUR) - offset
            os.pread(descriptor, 0, self._base + offset)
            self._rereadable = True
        except OSError:
            self._base, self._rereadable = 0, False

    def advance(self, block: memoryview | bytes) -> None:
        if not self._rereadable:
            self._line += bytes(block).count(b"\n")
            self._counted += len(block)
        self.offset += len(block)
        self.column = 0

    def inside(self, data: bytes) -> None:
        self.offset += len(data)
        if not self._rereadable:
            self._counted = self.offset
        self.column += len(data.decode(errors="replace"))

    def line(self) -> int:
        while self._counted < self.offset:
            again = os.pread(
                self._descriptor, min(_BLOCK, self.offset - self._counted), self._base + self._counted
            )
            if not again:
                break
            self._line += again.count(b"\n")
            self._counted += len(again)
        return self._line


def _piece(data: bytes) -> int:
    """Where to cut a line that is too long to be held: behind a sign that ends a word, or else a whole character."""
    if found := _last_sign(data):
        return found.end()
    cut = len(data) - 1
    while data[cut] & 0xC0 == 0x80:
        cut -= 1
        if len(data) - cut > 4:  # longer than a character's rest
            return len(data)
    return cut
