"""Texts that come in pieces: how they are decoded, where things are in them."""

from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from silp_cli.ir.errors import ErrorCode, SilpError
from silp_cli.text.live import LiveText, Unreadable, read_pieces
from silp_cli.text.records import Source


def pieces(*chunks: bytes, limit: int = 1000) -> list[str | Unreadable]:
    """What is read when each chunk is all that the pipe holds at the time."""
    out, into = os.pipe()
    left = [chunk for chunk in chunks if chunk]
    closed = False

    def write_next() -> None:
        nonlocal closed
        if left:
            os.write(into, left.pop(0))
        else:
            os.close(into)
            closed = True

    try:
        return list(read_pieces(Source("x", out), limit, write_next))
    finally:
        os.close(out)
        if not closed:
            os.close(into)


def test_a_piece_is_given_when_it_comes() -> None:
    assert pieces(b"ab", b"c\n") == ["ab", "c\n"]


def test_characters_and_line_ends_may_be_torn() -> None:
    assert "".join(map(str, pieces(b"\xef\xbb", b"\xbfa\xc3", b"\xa4\r", b"\nb\rc\r"))) == "aä\nb\rc"


@given(st.text(), st.integers(1, 5))
def test_any_text_in_any_pieces(text: str, size: int) -> None:
    text = text.encode("utf-8", "replace").decode()
    data = text.encode()
    given_in_pieces = pieces(*[data[i : i + size] for i in range(0, len(data), size)], limit=10_000)
    assert "".join(map(str, given_in_pieces)) == "".join(map(str, pieces(data, limit=10_000)))


@pytest.mark.parametrize("chunks", [(b"ok\nx \xff y\nz",), (b"ok\nx ", b"\xff y\nz"), (b"ok\nx \xff y",)])
def test_what_is_no_utf8_ends_the_text(chunks: tuple[bytes, ...]) -> None:
    *text, last = pieces(*chunks)
    assert "".join(map(str, text)) == "ok\nx "
    assert isinstance(last, Unreadable)
    assert last.error.message == "not UTF-8 at byte offset 5 (0xff)"
    assert last.rest == "� y"


def test_a_torn_character_at_the_end_is_told() -> None:
    *_, last = pieces(b"a\xc3")
    assert isinstance(last, Unreadable)


@pytest.mark.parametrize("chunks", [(b"abcdef",), (b"ab", b"cd", b"ef"), (b"abcd", b"e")])
def test_the_text_ends_at_the_limit(chunks: tuple[bytes, ...]) -> None:
    *text, last = pieces(*chunks, limit=4)
    assert "".join(map(str, text)) == "abcd"
    assert isinstance(last, Unreadable)
    assert last.error.rule == "limit.record-size"
    assert pieces(b"abcd", limit=4) == ["abcd"]


@given(st.lists(st.text(alphabet="ab\nü", max_size=4), max_size=8), st.data())
def test_places(parts: list[str], data: st.DataObject) -> None:
    live = LiveText()
    for part in parts:
        live.add(part)
    whole = "".join(parts)
    assert (live.whole(), live.length, live.isascii()) == (whole, len(whole), whole.isascii())
    start = data.draw(st.integers(0, len(whole)))
    end = data.draw(st.integers(start, len(whole)))
    assert live.between(start, end) == whole[start:end]
    told = live.place(SilpError(ErrorCode.INVALID_SYNTAX, "x", position=start))
    want = SilpError(ErrorCode.INVALID_SYNTAX, "x", position=start).within(whole)
    assert (told.line, told.column, told.excerpt) == (want.line, want.column, want.excerpt)
