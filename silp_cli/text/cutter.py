"""Cuts what comes from a descriptor into blocks of whole lines, without waiting for what has not come."""

from __future__ import annotations

import os
import re
import select

TYPE_CHECKING = False
if TYPE_CHECKING:
    from silp_cli.text.records import Source

BLOCK = 1 << 20
_READ = 1 << 18
_LONGEST = 64 << 20  # of a line that has to be kept whole

# Lines that are no records: white space as `str.strip` knows it, in UTF-8.
_BLANK = re.compile(
    rb"^(?:[\t\v\f\r \x1c-\x1f]|\xc2[\x85\xa0]|\xe1\x9a\x80|\xe2\x80[\x80-\x8a\xa8\xa9\xaf]"
    rb"|\xe2\x81\x9f|\xe3\x80\x80)*$",
    re.M,
)


class LineTooLongError(ValueError):
    """A line is longer than any that can be kept whole."""


class Block:
    """Some whole lines of a source.

    Attributes:
        source: the source's name.
        line: 1-based number of the first line.
        offset: of the first byte in the source.
        record: how many records there should be before it.
        data: the bytes.
        last: whether the source ends with it.
        skip: whether to pass over lines up to one that starts a record.
    """

    def __init__(self, source: str, line: int, offset: int, record: int, data: bytes, *, last: bool) -> None:
        self.source = source
        self.line = line
        self.offset = offset
        self.record = record
        self.data = data
        self.last = last
        self.skip = False

    def joined(self, other: Block) -> Block:
        """This block and the next as one."""
        block = Block(self.source, self.line, self.offset, self.record, self.data + other.data, last=other.last)
        block.skip = self.skip
        return block

    def lines(self) -> int:
        """How many lines there are."""
        return self.data.count(b"\n") + (not self.data.endswith(b"\n") and bool(self.data))

    def records(self) -> int:
        """How many there are, if each is a line."""
        text = self.data.removesuffix(b"\n")
        if self.offset == 0:
            text = text.removeprefix(b"\xef\xbb\xbf")
        return self.lines() - len(_BLANK.findall(text)) if self.data else 0


class Cutter:
    """Cuts one source.

    Args:
        source: the source.
        record: how many records there were in the sources before; None where nobody asks for their numbers.
        reads: ``lines``, ``documents`` or ``text``, as ``Part`` has it.
        limit: of a line that is kept whole, where longer ones are errors.
    """

    def __init__(self, source: Source, record: int | None, reads: str, limit: int) -> None:
        self.source = source
        self.reads = reads
        self.limit = limit
        self.at_end = False  # whether all has been read
        self.ended = False  # whether all has been cut
        self.record = record
        self._line = 1
        self._offset = 0
        self._held: list[bytes] = []
        self._size = 0
        self._whole = False  # whether what is held has a line's end
        self._dropped = 0  # bytes of a line that nobody will read

    def read(self) -> None:
        """Read once; this may wait."""
        chunk = os.read(self.source.descriptor, _READ)
        if not chunk:
            self.at_end = True
            return
        if self._size > self._most() and not self._whole:
            if self.reads == "text":
                raise LineTooLongError(f"{self.source.name}:{self._line}: a line of more than {_LONGEST} bytes")
            cut = chunk.find(b"\n")
            if cut < 0:
                self._dropped += len(chunk)
                return
            self._dropped += cut
            chunk = chunk[cut:]
        self._held.append(chunk)
        self._size += len(chunk)
        self._whole = self._whole or b"\n" in chunk

    def _most(self) -> int:
        return _LONGEST if self.reads == "text" else max(self.limit + 1, BLOCK)

    def is_due(self) -> bool:
        """Whether there is enough for a block."""
        if self.ended:
            return False
        return self.at_end or (self._whole and (self._size >= BLOCK or self._dropped > 0))

    def waits(self) -> bool:
        """Whether whole lines have come, and nothing more for now."""
        return self._whole and not self.at_end and not select.select([self.source.descriptor], [], [], 0)[0]

    def cut(self, *, now: bool = False) -> Block:
        """The next block.

        Args:
            now: up to the last line that has come; else up to a line that may begin a document, if there is one.
        """
        data = b"".join(self._held)
        cut = data.rfind(b"\n") + 1
        if self._dropped:
            cut = data.find(b"\n") + 1 or len(data)  # what follows lies elsewhere than it seems
        elif self.at_end:
            cut = len(data)
        elif self.reads == "documents" and not now:
            cut = max(data.rfind(b"\n{"), data.rfind(b"\n[")) + 1 or cut
        self.ended = self.at_end and cut == len(data)
        block = Block(self.source.name, self._line, self._offset, self.record or 0, data[:cut], last=self.ended)
        rest = data[cut:]
        self._line += block.lines()
        self._offset += cut + self._dropped
        self._dropped = 0
        if self.record is not None:
            self.record += block.records()
        self._held, self._size, self._whole = [rest], len(rest), b"\n" in rest
        return block
