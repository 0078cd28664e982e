"""A text that is read while it is still being written: its pieces as they come, and places in what has come."""

from __future__ import annotations

import codecs
import os
import re
from bisect import bisect_right
from stat import S_ISREG

from silp_cli.ir.errors import ErrorCode, SilpError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from silp_cli.text.records import Source

_CHUNK = 1 << 16
_LINE = re.compile("\n")


class LiveText:
    """What has come of a text, in pieces that are never joined as a whole without need."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._starts: list[int] = []
        self.length = 0
        self._lines = [0]
        self._scanned = 0

    def add(self, piece: str) -> None:
        """Take the next piece."""
        self._starts.append(self.length)
        self._pieces.append(piece)
        self.length += len(piece)

    def between(self, start: int, end: int) -> str:
        """The text from one offset to another."""
        first = max(bisect_right(self._starts, start) - 1, 0)
        last = bisect_right(self._starts, end)
        joined = "".join(self._pieces[first:last])
        base = self._starts[first] if self._starts else 0
        return joined[start - base : end - base]

    def whole(self) -> str:
        """All that has come."""
        return "".join(self._pieces)

    def isascii(self) -> bool:
        """Whether nothing beyond ASCII has come."""
        return all(map(str.isascii, self._pieces))

    def place(self, error: SilpError) -> SilpError:
        """Turn the offsets of a diagnostic into line, column and excerpt; returns it."""
        for each in error.all():
            if each.position is not None and each.line is None:
                start, each.line = self._line_of(each.position)
                each.column = each.position - start + 1
                if each.excerpt is None:
                    end = self._lines[each.line] - 1 if each.line < len(self._lines) else self.length
                    each.excerpt = self.between(start, end)
            each.position = None
        return error

    def _line_of(self, position: int) -> tuple[int, int]:
        for index in range(self._scanned, len(self._pieces)):
            base = self._starts[index] + 1
            self._lines += [base + match.start() for match in _LINE.finditer(self._pieces[index])]
        self._scanned = len(self._pieces)
        line = bisect_right(self._lines, position)
        return self._lines[line - 1], line


class Unreadable:
    """Where a text goes on but cannot be read.

    Args:
        error: what is wrong; it belongs at the end of what has come.
        rest: what a reader of the diagnostic sees of the line from there on.
    """

    __slots__ = ("error", "rest")

    def __init__(self, error: SilpError, rest: str = "") -> None:
        self.error = error
        self.rest = rest


def read_pieces(source: Source, limit: int, before_read: Callable[[], None]) -> Iterator[str | Unreadable]:
    r"""Yield what a source holds as it comes, decoded, its line ends made ``\n``.

    Args:
        source: where to read.
        limit: most bytes that the text may have.
        before_read: called before every read that may block.

    Returns:
        Pieces of text (a regular file is one), and last of all why there are no more when the text goes on.
    """
    decoder = codecs.getincrementaldecoder("utf-8")()
    size, first = 0, True
    most = limit + 1 if S_ISREG(os.fstat(source.descriptor).st_mode) else _CHUNK
    held = ""  # a carriage return that may belong to a line's end
    while True:
        before_read()
        chunk = os.read(source.descriptor, most)
        ends, over = not chunk, size + len(chunk) > limit
        if over:
            chunk = chunk[: limit - size]
        broken: Unreadable | None = None
        try:
            text = decoder.decode(chunk, final=ends)
        except UnicodeDecodeError as error:
            broken = _not_utf8(error, size + len(chunk) - len(error.object))
            text = error.object[: error.start].decode()
        size += len(chunk)
        if first and text:
            text, first = text.removeprefix("\ufeff"), False
        text = held + text
        held = "\r" if text.endswith("\r") else ""
        text = text[: len(text) - len(held)].replace("\r\n", "\n")
        if text:
            yield text
        if over and broken is None:
            broken = Unreadable(SilpError(
                ErrorCode.INVALID_SYNTAX, f"record longer than {limit} bytes", rule="limit.record-size",
                hint="raise the limit with --max-record-size",
            ))
        if broken is not None:
            yield broken
        if broken is not None or ends:
            return


def _not_utf8(error: UnicodeDecodeError, offset: int) -> Unreadable:
    data = error.object[error.start :]
    hint = "convert the input to UTF-8, for instance with iconv"
    if offset + error.start < 2 and data.startswith((b"\xff\xfe", b"\xfe\xff")):
        hint = "this looks like UTF-16; convert it with: iconv -f UTF-16 -t UTF-8"
    found = SilpError(
        ErrorCode.INVALID_SYNTAX, f"not UTF-8 at byte offset {offset + error.start} (0x{data[0]:02x})",
        rule="encoding.utf-8", hint=hint,
    )
    return Unreadable(found, data.partition(b"\n")[0].decode(errors="replace").rstrip("\r"))
