"""Streams of records: payload lines and JSON documents, read in constant memory with their places.

Reading never waits for more than it needs: before every read that may block, ``before_read`` is called, and
filters flush their output there. So output is live on a live pipe and buffered on a fast one.
"""

from __future__ import annotations

import os

from silp_cli.ir.errors import ErrorCode, SilpError
from silp_cli.ir.jsontext import loads
from silp_cli.text.part import current

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from silp_cli.text.splitter import Piece, Splitter

MAX_RECORD = 1 << 20
_CHUNK = 1 << 16


class Record:
    """One record of a stream, or what is wrong where one should be.

    Attributes:
        source: file name, or ``stdin``.
        number: 1-based count of records over the whole input.
        line: 1-based line of ``source`` on which the record starts.
        column: 1-based column of that line at which ``text`` starts.
        start_line: the whole of that line, where ``text`` does not start it.
        lines: the lines of ``text``, once a diagnostic has asked for them.
        text: the record's text, without the line's end.
        value: the parsed document, for JSON records.
        error: set instead of ``value`` (or instead of a readable ``text``) when the record cannot be read.
    """

    __slots__ = ("column", "error", "line", "lines", "number", "source", "start_line", "text", "value")

    def __init__(
        self, source: str, number: int, line: int, text: str, value: Any = None, error: SilpError | None = None
    ) -> None:
        self.source = source
        self.number = number
        self.line = line
        self.text = text
        self.value = value
        self.error = error
        self.column = 1
        self.start_line: str | None = None
        self.lines: _Lines | None = None

    def place(self, error: SilpError) -> SilpError:
        """Fill in where in the stream a diagnostic of this record belongs."""
        for each in error.all():
            each.source = self.source
            each.record = self.number
            if each.position is None and each.path is not None and self.text:
                from silp_cli.ir.locate import locate

                each.position = locate(self.text, each.path)
            if each.position is not None:
                if self.lines is None:
                    self.lines = _Lines(self.text)
                offset, column, line = self.lines.at(each.position)
                each.column = column + (self.column if offset == 0 else 1)
                each.line = self.line + offset
                if offset == 0 and self.start_line is not None:
                    each.excerpt = self.start_line
                elif each.excerpt is None:
                    each.excerpt = line
            elif each.line is None:
                each.line = self.line
        return error

    def derived(self, value: Any, error: SilpError | None) -> Record:
        """Another record out of this one's text."""
        record = Record(self.source, self.number, self.line, self.text, value, error)
        if self.lines is None:
            self.lines = _Lines(self.text)  # shared, as a text may have very many payloads
        record.column, record.start_line, record.lines = self.column, self.start_line, self.lines
        return record


class _Lines:
    """The lines of a text, taken apart once for all the diagnostics it may have."""

    __slots__ = ("_lines", "_starts")

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line) + 1)

    def at(self, position: int) -> tuple[int, int, str]:
        """The index of the line that holds a position, the position within it, and the line."""
        from bisect import bisect_right

        index = min(bisect_right(self._starts, position), len(self._lines)) - 1
        return index, position - self._starts[index], self._lines[index]


class Source:
    """One input: a name for diagnostics and an open file descriptor.

    Args:
        name: the name.
        descriptor: the descriptor.
        line: 1-based number of the first line to be read, where reading does not begin at the source's start.
        offset: number of bytes before it.
    """

    def __init__(self, name: str, descriptor: int, line: int = 1, offset: int = 0) -> None:
        self.name = name
        self.descriptor = descriptor
        self.line = line
        self.offset = offset


class _Line:
    """A line as it was read: its text or why it has none."""

    __slots__ = ("error", "number", "text")

    def __init__(self, number: int, text: str, error: SilpError | None = None) -> None:
        self.number = number
        self.text = text
        self.error = error


def require_size(payload: str, limit: int) -> str:
    """A payload as it is, if readers with the same limit take it.

    Args:
        payload: a compiled payload.
        limit: the most bytes of a record.

    Raises:
        SilpError: ``invalid_syntax``, when it is longer.
    """
    if len(payload) > limit >> 2 and (size := len(payload.encode("utf-8", "surrogatepass"))) > limit:
        raise SilpError(
            ErrorCode.INVALID_SYNTAX, f"the payload has {size} bytes, more than the limit of {limit}",
            rule="limit.payload-size", hint="no reader with this limit would take it; --max-record-size sets it",
        )
    return payload


def _no_hook() -> None:
    return None


def _blocks(
    source: Source, limit: int, before_read: Callable[[], None]
) -> Iterator[tuple[int, int, bytes, bool]]:
    """Yield (first line number, byte offset, whole lines, too long) as the input arrives."""
    number, offset = source.line, source.offset
    pending: list[bytes] = []
    size = 0
    skipping = False
    while True:
        before_read()
        chunk = os.read(source.descriptor, _CHUNK)
        if not chunk:
            break
        cut = chunk.rfind(b"\n") + 1
        if cut:
            if skipping:
                first = chunk.index(b"\n") + 1
                offset += size + first
                number += 1
                pending, size, skipping = [], 0, False
                chunk, cut = chunk[first:], cut - first
            if cut:
                block = b"".join([*pending, chunk[:cut]])
                pending, size = [], 0
                yield number, offset, block, False
                number += block.count(b"\n")
                offset += len(block)
            chunk = chunk[cut:]
        if chunk:
            size += len(chunk)
            if skipping:
                continue
            pending.append(chunk)
            if size > limit:
                yield number, offset, b"".join(pending), True
                pending, skipping = [], True
    if pending and not skipping:
        yield number, offset, b"".join(pending), False


def read_lines(
    source: Source, limit: int = MAX_RECORD, before_read: Callable[[], None] = _no_hook
) -> Iterator[_Line]:
    """Yield the lines of a source, decoded, without their ends.

    Args:
        source: where to read.
        limit: longest line in bytes; a longer one is reported, skipped and never held in memory.
        before_read: called before every read.
    """
    for first, offset, block, too_long in _blocks(source, limit, before_read):
        if too_long:
            yield _Line(first, "", _over_limit(limit))
            continue
        if offset == 0 and block.startswith(b"\xef\xbb\xbf"):
            block = block[3:]
            offset = 3
        if len(block) <= limit:
            try:
                text = block.decode()
            except UnicodeDecodeError:
                pass
            else:
                lines = text.split("\n")
                if lines[-1] == "":
                    lines.pop()
                for number, line in enumerate(lines, first):
                    yield _Line(number, line.rstrip("\r"))
                continue
        yield from _line_by_line(block, first, offset, limit)


def _line_by_line(block: bytes, first: int, offset: int, limit: int) -> Iterator[_Line]:
    lines = block.split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    for number, line in enumerate(lines, first):
        if len(line) > limit:
            yield _Line(number, "", _over_limit(limit))
        else:
            try:
                yield _Line(number, line.decode().rstrip("\r"))
            except UnicodeDecodeError as error:
                yield _Line(number, line.decode(errors="replace").rstrip("\r"), _not_utf8(line, error, offset))
        offset += len(line) + 1


def _over_limit(limit: int) -> SilpError:
    return SilpError(
        ErrorCode.INVALID_SYNTAX, f"record longer than {limit} bytes", rule="limit.record-size",
        hint="raise the limit with --max-record-size",
    )


def _not_utf8(line: bytes, error: UnicodeDecodeError, offset: int) -> SilpError:
    hint = "convert the input to UTF-8, for instance with iconv"
    if line.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\x00" in line[:4]:
        hint = "this looks like UTF-16; convert it with: iconv -f UTF-16 -t UTF-8"
    return SilpError(
        ErrorCode.INVALID_SYNTAX, f"not UTF-8 at byte offset {offset + error.start} (0x{line[error.start]:02x})",
        rule="encoding.utf-8", hint=hint, position=len(line[: error.start].decode(errors="replace")),
    )


def _on_line(error: SilpError, line: _Line) -> SilpError:
    """The error of a line, for a record that is more than the line."""
    if error.position is not None:
        error.line, error.column, error.excerpt = line.number, error.position + 1, line.text
        error.position = None
    return error


def _replayed(lines: Iterator[_Line], again: list[_Line]) -> Iterator[_Line | None]:
    """The lines, and between them those that are put on the stack ``again``; None where they end for now."""
    for line in lines:
        yield line
        while again:
            yield again.pop()
    yield None
    while again:
        while again:
            yield again.pop()
        yield None


class _Unended:
    """What is known between two lines of JSON.

    Attributes:
        splitter: holds the document that goes on; None between documents.
        again: lines that are to be read once more, the first of them last.
        skip: whether lines are passed over up to one that looks like the start of a document.
    """

    __slots__ = ("again", "skip", "splitter")

    def __init__(self) -> None:
        self.splitter: Splitter | None = None
        self.again: list[_Line] = []
        self.skip = False


class Reader:
    """Reads the records of several sources in turn.

    Args:
        sources: the inputs, opened one after the other by the caller's iterator.
        max_record: longest record in bytes.
        before_read: called before every read that may block.
    """

    def __init__(
        self,
        sources: Iterator[Source],
        max_record: int = MAX_RECORD,
        before_read: Callable[[], None] = _no_hook,
    ) -> None:
        self.sources = sources
        self.max_record = max_record
        self.before_read = before_read
        self.part = current()
        self.count = self.part.record if self.part else 0

    def payloads(self) -> Iterator[Record]:
        """Yield one record a line; blank lines are no records."""
        for source in self.sources:
            name = source.name
            for line in read_lines(source, self.max_record, self.before_read):
                if line.error is None and not line.text.strip():
                    continue
                self.count += 1
                yield Record(name, self.count, line.number, line.text, error=line.error)
            if self.part:
                self.part.records = self.count

    def texts(self) -> Iterator[Record]:
        """Yield each source as one record, whole, for inputs in which payloads lie about in prose."""
        if self.part:
            self.part.reads = "whole"
        for source in self.sources:
            self.count += 1
            parts: list[str] = []
            size = 0
            error: SilpError | None = None
            for line in read_lines(source, self.max_record, self.before_read):
                size += len(line.text) + 1
                if error is None and line.error is not None:
                    error = _on_line(line.error, line)
                error = error or (_over_limit(self.max_record) if size > self.max_record + 1 else None)
                if error is None:
                    parts.append(line.text)
            if self.part:
                self.part.records = self.count
            yield Record(source.name, self.count, 1, "\n".join(parts), error=error)

    def documents(self) -> Iterator[Record]:
        """Yield JSON documents in any layout: one, several in a row, or one a line."""
        for source in self.sources:
            name = source.name
            state = _Unended()
            if self.part:
                self.part.reads, state.skip = "documents", self.part.skip
            for line in _replayed(read_lines(source, self.max_record, self.before_read), state.again):
                if line is None:
                    if self.part:
                        self.part.open, self.part.skipping = state.splitter is not None, state.skip
                    yield from self._cut_off(name, state)
                    continue
                text = line.text
                if state.splitter is None and text.endswith("}") and text.startswith("{") and line.error is None:
                    try:
                        value = loads(text)
                    except SilpError:
                        pass  # perhaps several documents, or one that goes on below
                    else:
                        state.skip = False
                        self.count += 1
                        yield Record(name, self.count, line.number, text, value)
                        continue
                yield from self._pieces(name, line, state)
            if self.part:
                self.part.records = self.count

    def _pieces(self, name: str, line: _Line, state: _Unended) -> Iterator[Record]:
        """Yield the documents that end on a line, in whatever layout."""
        splitter = state.splitter
        if splitter is None:
            if line.error is None and (not line.text.strip() or (state.skip and not line.text.startswith(("{", "[")))):
                return
            state.skip = False
            if line.error is not None:
                self.count += 1
                yield Record(name, self.count, line.number, line.text, error=line.error)
                return
            from silp_cli.text import splitter as splitting

            splitter = state.splitter = splitting.Splitter(line.number)
        if line.error is not None:
            state.again.append(line)
            yield from self._cut_off(name, state)
            return
        yield from self._documents(name, splitter.feed(line.text, line.number))
        if splitter.broken:
            yield from self._cut_off(name, state)
            state.skip = len(splitter.text) > 1 and not state.again
        elif splitter.size > self.max_record:
            self.count += 1
            yield Record(name, self.count, splitter.first, "", error=_over_limit(self.max_record))
            state.splitter, state.skip = None, True
        elif not splitter.text:
            state.splitter = None

    def _cut_off(self, name: str, state: _Unended) -> Iterator[Record]:
        """Yield the document that broke off, if any; the lines after it, from the next record's on, come again."""
        splitter, state.splitter = state.splitter, None
        if splitter is not None:
            number, text = splitter.first, splitter.text
            cut = splitter.next_start()
            state.again += [_Line(number + index, text[index]) for index in range(len(text) - 1, cut - 1, -1)]
            yield from self._documents(name, [splitter.piece(text[:cut])])

    def _documents(self, name: str, found: list[Piece]) -> Iterator[Record]:
        for piece in found:
            self.count += 1
            record = Record(name, self.count, piece.line, piece.text)
            if piece.column > 1:
                record.column, record.start_line = piece.column, piece.start_line
            try:
                record.value = loads(piece.text)
            except SilpError as error:
                record.error = error
            yield record
