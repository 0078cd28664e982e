"""Cleans a stream of bytes in constant memory, fast where there is nothing to clean.

Four questions are asked of a block, the cheapest first: is it printable ASCII; are its characters such that no word
in it can be wrong; has each of its lines been seen before; has each of its runs of other characters been seen
before. Only lines that none of them clears are read.
"""

from __future__ import annotations

import os
import re

from silp_cli.text.sanitize.blocks import BlockTest
from silp_cli.text.sanitize.engine import Finding, Policy, apply, find
from silp_cli.text.sanitize.lines import not_utf8

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from silp_cli.ir.errors import SilpError

_BLOCK = 1 << 18  # fits a core's cache, where looking for one byte costs next to nothing
_LONGEST = 1 << 20  # of a line before it is taken in pieces
_REMEMBERED = 1 << 17  # lines and words; some 30 MB of each at most
_RAREST = 4  # doublings of the blocks that are not put to the quick test
_PAUSE = 32  # blocks for which lines are not looked up when they did not repeat

_CONTROLS = [bytes([code]) for code in (*range(9), 11, 12, *range(14, 32), 127)]
_words = bytes(0x80 if code > 0x7F else 0x61 if chr(code).isalnum() or code == 0x5F else 0x20 for code in range(256))
_runs = bytes(code if code > 0x7F else 0x20 for code in range(256))
_meeting = re.compile(b"a\x80").search
_parting = re.compile(b"\x80a").search
_word_runs = re.compile(rb"(?<![A-Za-z0-9_\x80-\xff])[A-Za-z0-9_]*+[\x80-\xff][A-Za-z0-9_\x80-\xff]*").findall


class Line:
    """A line (or a piece of a very long one) that is not passed on as it came.

    Attributes:
        number: 1-based, counted in its source.
        column: 0-based offset of ``text`` in its line, in characters.
        text: as it came, with its end.
        findings: what is in it; none when bytes that are not UTF-8 were replaced in it.
        error: set when the bytes are not UTF-8.
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
        self._clean_lines: set[bytes] = set()
        self._clean_words: set[bytes] = set()
        self._is_clean: Callable[[str], bool] | None = None
        self._pause = 0
        self._block_test = BlockTest()
        self._untested = self._failures = 0

    def read(
        self, descriptor: int, before_read: Callable[[], None] = lambda: None
    ) -> Iterator[memoryview | bytes | Line]:
        """Yield a stream in pieces: bytes that stay as they are, and lines that do not.

        A piece is to be used before the next one is asked for: its memory is read into again.

        Args:
            descriptor: an open file.
            before_read: called before every read that may block.
        """
        place = _Place(descriptor)
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
        return self._has_lone_return(data)

    def _has_lone_return(self, data: bytes | bytearray) -> bool:
        if self._controls and b"\r" in data:
            return data.count(b"\r") != data.count(b"\r\n") + data.endswith(b"\r")
        return False

    def _lines(self, block: bytes, place: _Place) -> Iterator[bytes | Line]:
        """Whole lines, of which some may have to be changed."""
        if self._is_clean_block(block):
            yield block
            return
        if self._pause:
            self._pause -= 1
            if not self._is_suspect(block):
                yield block
                return
        lines = block.split(b"\n")
        lines.pop()
        fresh = set(lines) - self._clean_lines
        if not fresh or not self._is_suspect(b"\n".join(fresh)):
            self._remember(fresh, len(lines))
            yield block
            return
        suspects = {line for line in fresh if self._is_suspect(line)}
        number = place.line()
        offset = place.offset
        start = position = 0
        for index, line in enumerate(lines):
            end = position + len(line) + 1
            if line in suspects:
                changed = self._examine(block[position:end], number + index, 0, offset + position)
                if changed is not None:
                    yield block[start:position]
                    yield changed
                    start = end
            position = end
        yield block[start:]

    def _is_clean_block(self, block: bytes) -> bool:
        """Whether the quick test clears a block; where it keeps failing it is asked more and more rarely."""
        if self._policy.homoglyphs == "all":
            return False
        if self._untested:
            self._untested -= 1
            return False
        if not self._has_lone_return(block) and self._block_test.is_clean(block):
            self._failures = 0
            return True
        self._failures = min(self._failures + 1, _RAREST)
        self._untested = (1 << self._failures) - 2
        return False

    def _remember(self, fresh: set[bytes], total: int) -> None:
        """Note lines that are clean; and give up for a while when most are new and the memory is full."""
        if len(self._clean_lines) > _REMEMBERED:
            self._clean_lines.clear()
            if len(fresh) > total // 2:
                self._pause = _PAUSE
        self._clean_lines |= fresh

    def _is_suspect(self, data: bytes) -> bool:
        """Whether anything in whole lines needs a look at its neighbours; False only if all is clean."""
        if self._has_control(data):
            return True
        if data.isascii():
            return False
        if self._policy.homoglyphs != "off":
            words = data.translate(_words)
            if _meeting(words) or _parting(words):
                return self._has_suspect_word(set(_word_runs(data)))
        return self._has_suspect_word(set(data.translate(_runs).split()))

    def _has_suspect_word(self, words: set[bytes]) -> bool:
        """Whether one of the words, each with ASCII punctuation around it, is not known to be clean."""
        words = words - self._clean_words  # not in place, which walks the larger set
        if len(self._clean_words) > _REMEMBERED:
            self._clean_words.clear()
        if self._is_clean is None:
            from silp_cli.text.sanitize.filters import clean_filter

            self._is_clean = clean_filter(self._policy.homoglyphs)
        suspect = False
        for word in words:
            try:
                text = word.decode()
            except UnicodeDecodeError:
                suspect = True
                continue
            if self._is_clean(text) or not find(text, self._policy):
                self._clean_words.add(word)
            else:
                suspect = True
        return suspect

    def _examine(self, data: bytes, number: int, column: int, offset: int) -> Line | None:
        """Read a line; None if it stays as it is."""
        try:
            text = data.decode()
        except UnicodeDecodeError as error:
            if not self._replace:
                text = data.decode(errors="replace")
                return Line(number, column, text, [], not_utf8(data, error, offset))
            text = data.decode(errors="replace")
            return Line(number, column, text, find(text, self._policy), None)
        findings = find(text, self._policy)
        return Line(number, column, text, findings, None) if findings else None

    def _unfinished(self, data: bytes, place: _Place) -> Iterator[bytes | Line]:
        """The last line without its end, or a piece of a very long one."""
        changed = None
        if data.endswith(b"\r") or self._is_suspect(data):
            changed = self._examine(data, place.line(), place.column, place.offset)
        yield data if changed is None else changed
        place.inside(data)


class _Place:
    """Where in a source a block begins. Lines are counted only when somebody asks, if the source can be read again."""

    def __init__(self, descriptor: int) -> None:
        self.offset = 0
        self.column = 0
        self._descriptor = descriptor
        self._line = 1
        self._counted = 0
        try:
            self._base = os.lseek(descriptor, 0, os.SEEK_CUR)
            os.pread(descriptor, 0, self._base)
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
    """Where to cut a line that is too long to be held: behind a space, or at least behind a whole character."""
    cut = max(data.rfind(b" "), data.rfind(b"\t"), data.rfind(b"\x00")) + 1
    if cut:
        return cut
    cut = len(data) - 1
    while cut > 1 and data[cut] & 0xC0 == 0x80 and len(data) - cut < 5:
        cut -= 1
    return cut
