"""Lines with their ends kept, for input that has to come out byte for byte."""

from __future__ import annotations

import os

from silp_cli.ir.errors import ErrorCode, SilpError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from silp_cli.text.records import Source

_BLOCK = 1 << 16


def read_raw_lines(
    source: Source, limit: int, before_read: Callable[[], None], *, replace: bool = False
) -> Iterator[tuple[int, str, SilpError | None]]:
    """Yield number, text with its end, and what is wrong, for each line.

    Args:
        source: the input.
        limit: longest line in bytes; a longer one is reported, skipped and never held in memory.
        before_read: called before every read that may block.
        replace: read bytes that are not UTF-8 as U+FFFD.
    """
    number, offset = source.line, source.offset
    rest = b""
    skipping = False
    while True:
        before_read()
        data = os.read(source.descriptor, _BLOCK)
        lines = _split(rest + data)
        rest = lines.pop() if data else b""
        for line in filter(None, lines):
            if skipping:
                skipping = not line.endswith(b"\n")
            else:
                yield number, *_decode(line, offset, limit, replace)
            offset += len(line)
            number += line.endswith(b"\n")
        if not data:
            return
        if len(rest) > limit:
            if not skipping:
                yield number, "", over_limit(limit)
            offset += len(rest)
            rest, skipping = b"", True


def _split(data: bytes) -> list[bytes]:
    """Lines with their LF; the last one without, perhaps empty."""
    lines = [line + b"\n" for line in data.split(b"\n")]
    lines[-1] = lines[-1][:-1]
    return lines


def _decode(line: bytes, offset: int, limit: int, replace: bool) -> tuple[str, SilpError | None]:
    if len(line) > limit + 2:
        return "", over_limit(limit)
    try:
        return line.decode(), None
    except UnicodeDecodeError as error:
        text = line.decode(errors="replace")
        return text, None if replace else not_utf8(line, error, offset)


def over_limit(limit: int) -> SilpError:
    """A record is too long."""
    return SilpError(
        ErrorCode.INVALID_SYNTAX, f"record longer than {limit} bytes", rule="limit.record-size",
        hint="raise the limit with --max-record-size",
    )


def not_utf8(data: bytes, error: UnicodeDecodeError, offset: int) -> SilpError:
    """Bytes are not UTF-8; ``offset`` is where they begin in the source."""
    return SilpError(
        ErrorCode.INVALID_SYNTAX, f"not UTF-8 at byte offset {offset + error.start} (0x{data[error.start]:02x})",
        rule="encoding.utf-8", hint="convert the input with iconv, or pass --encoding-errors replace",
        position=len(data[: error.start].decode(errors="replace")),
    )
