"""Files cut into blocks, at the ends of lines, by whoever reads a block and without reading the others."""

from __future__ import annotations

from dataclasses import dataclass

from silp_cli.corpus.files import Input, read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

BLOCK_SIZE = 64 << 20


@dataclass(frozen=True)
class Block:
    """The lines of a file that begin from one byte on and before another.

    Attributes:
        file: index of the file among the inputs.
        number: index of the block in its file; the first of those it was joined from.
        url: the file.
        compression: how it is packed; such a file is one block.
        start: the first byte at which a line may begin.
        end: the first byte at which none may begin any more; None for the end of the file.
        documents: whether a block begins only with a line that may begin a JSON document.
    """

    file: int
    number: int
    url: str
    compression: str | None
    start: int
    end: int | None
    documents: bool

    @property
    def name(self) -> str:
        """What tells it from all others and sorts as they are ordered."""
        return f"{self.file:06d}-{self.number:06d}"


def plan(inputs: Sequence[Input], block_size: int, *, documents: bool, whole: bool) -> list[Block]:
    """Cut files into blocks of about equal size.

    Args:
        inputs: the files.
        block_size: bytes of a block.
        documents: whether the filter reads JSON documents, which may have several lines.
        whole: whether files are not to be cut.
    """
    blocks = []
    for index, each in enumerate(inputs):
        uncut = whole or each.compression is not None or not each.size
        starts = [0] if uncut else list(range(0, each.size or 0, block_size))
        for number, start in enumerate(starts):
            end = starts[number + 1] if number + 1 < len(starts) else None
            blocks.append(Block(index, number, each.url, each.compression, start, end, documents))
    return blocks


class Contents:
    """The lines of a block.

    Args:
        block: the block.

    Attributes:
        offset: the byte at which its first line begins.
        lines: how many lines' ends there were, once all is read.
        follows: the byte after its last line; empty at the end of the file.
    """

    def __init__(self, block: Block) -> None:
        self.block = block
        self.lines = 0
        self.follows = b""
        self._mark = (b"\n{", b"\n[") if block.documents else (b"\n",)
        self._chunks = read(block.url, max(0, block.start - 1), block.compression)
        self._first = b""
        self.offset = block.start
        if block.start:
            self._find_start()

    def _find_start(self) -> None:
        """Pass over what belongs to the block before."""
        position = self.block.start - 1
        held = b""
        for chunk in self._chunks:
            held += chunk
            found = self._next_start(held, 0)
            if found is not None:
                self._first, self.offset = held[found:], position + found
                return
            position += len(held) - 1
            held = held[-1:]
        self.offset = position + len(held)

    def _next_start(self, data: bytes, at: int) -> int | None:
        """Where in data, from a byte on, a block may begin."""
        found = [position for mark in self._mark if (position := data.find(mark, at)) >= 0]
        return min(found) + 1 if found else None

    def read_into(self, write: Callable[[bytes], object]) -> None:
        """Hand the lines over in pieces.

        Raises:
            OSError: when the file cannot be read, or what ``write`` raises.
        """
        end, position = self.block.end, self.offset
        if end is not None and position >= end and self.block.start:
            return
        held = b""  # the last byte of what was read stays, as a mark may lie on the border
        for chunk in self._all():
            data = held + chunk
            if end is not None and position + len(data) >= end:
                cut = self._next_start(data, max(0, end - 1 - position))
                if cut is not None:
                    self._hand_over(data[:cut], write)
                    self.follows = data[cut : cut + 1] or next(self._chunks, b"")[:1]
                    return
            self._hand_over(data[:-1], write)
            position += len(data) - 1
            held = data[-1:]
        self._hand_over(held, write)

    def _all(self) -> Iterator[bytes]:
        if self._first:
            yield self._first
        yield from self._chunks

    def _hand_over(self, data: bytes, write: Callable[[bytes], object]) -> None:
        self.lines += data.count(b"\n")
        write(data)
