"""A long stream is judged as its lines are one by one, and what is found in it has its place."""

from __future__ import annotations

import json
import random
import tempfile
from pathlib import Path
from unittest import mock

import pytest
from support import shell

from silp_cli.text.sanitize import stream
from silp_cli.text.sanitize.engine import Policy, clean, find

HONEST = ['cancel("встреча")', "plain ascii", "", "東京 \\u0441 слово", "می‌خواهم 👩🏽‍💻", "x" * 300, "а с у", "crlf é\r"]
DISGUISED = ["іf x", "a\u200bb", "Мoсква", "esc\x1b[0m", "👩‍x", "\u202e", "x\ry"]


@pytest.mark.parametrize("share", [0, 1, 50])
@pytest.mark.parametrize("command", ["silp sanitize --check --report json < {}", "cat {} | silp sanitize --check --report json"])
def test_everything_found_is_reported_where_it_stands(tmp_path: Path, share: int, command: str) -> None:
    draw = random.Random(share)
    lines = [draw.choice(DISGUISED if draw.randrange(100) < share else HONEST) for _ in range(15_000)]
    path = tmp_path / "text.txt"
    path.write_bytes("".join(f"{line}\n" for line in lines).encode())
    want = [
        (number, finding.position + 1, f"U+{ord(finding.char):04X}")
        for number, line in enumerate(lines, 1) for finding in find(line + "\n")
    ]
    result = shell(command.format(path))
    assert result.status == (1 if want else 0)
    found = [json.loads(line) for line in result.lines]
    assert [(each["line"], each["column"], each["codepoint"]) for each in found] == want


@pytest.mark.parametrize("before", ["слово ", "word ", "a", "я", "слово\t", "й" * 1000 + " ", "😀"])
@pytest.mark.parametrize("size", [10, 300_000, 1_500_000, 2_500_000])
def test_columns_count_from_the_begin_of_a_line_of_any_length(tmp_path: Path, before: str, size: int) -> None:
    path = tmp_path / "text.txt"
    start = before * (size // len(before))
    path.write_bytes(f"первая\n{start} x\u200b {start} y\u200b\nz\u200b\n".encode())
    result = shell(f"silp sanitize --check --report json {path}")
    found = [json.loads(line) for line in result.lines]
    wide = len(start)
    assert [(each["line"], each["column"]) for each in found] == [(2, wide + 3), (2, 2 * wide + 7), (3, 2)]


def test_bytes_that_are_not_utf8_are_told_deep_in_a_stream(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    line = "честный текст\n".encode()
    path.write_bytes(line * 40_000 + b"bad \xff\n" + line * 3)
    result = shell(f"silp sanitize {path} > /dev/null")
    assert result.status == 1
    assert ":40001:5: " in result.err
    assert f"byte offset {len(line) * 40_000 + 4}" in result.err


def test_modes_hold_deep_in_a_stream() -> None:
    text = 'note("сок") 👩‍👧 сок\n' * 20_000
    for options, want in (
        ("", text), ("--strict", text.replace("\u200d", "")), ("--homoglyphs off", text),
        ("--homoglyphs all", text.replace(" сок\n", " coк\n")),
    ):
        assert shell(f"silp sanitize {options}", text).out == want, options


@pytest.mark.parametrize("before", [0, 1_500_000, 2_500_000])
def test_a_bad_byte_has_its_column_in_a_line_of_any_length(before: int) -> None:
    result = shell("silp sanitize --errors json", b"word " * (before // 5) + b"\xff end\nnext\n")
    assert [(each["line"], each["column"]) for each in result.diagnostics] == [(1, before + 1)]
    assert result.lines[-1] == "next"  # what was written of the long line has been ended
    assert len(result.lines) == (2 if before else 1)


UNITS = ["еӏѕе(", "саncel(x)", "👩\u200d👩", "क\u200dष", "\\nМосква", "\\u0441а", "еӏ\0ѕе", "1\ufe0f\u20e3", "#\ufe0f\u20e3"]


@pytest.mark.parametrize("unit", UNITS)
def test_no_cut_of_a_long_line_changes_what_is_found(unit: str) -> None:
    """A line is cut behind a megabyte; the unit stands at every offset around that."""
    with mock.patch.object(stream, "_LONGEST", 64), mock.patch.object(stream, "_BLOCK", 64):
        for before in range(128):
            text = "." * before + unit + ";" * 200
            assert piped(text.encode()) == clean(text), before


def piped(data: bytes) -> str:
    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.seek(0)
        pieces = stream.Cleaner(Policy()).read(file.fileno())
        return b"".join(
            piece.cleaned().encode() if isinstance(piece, stream.Line) else bytes(piece) for piece in pieces
        ).decode()


@pytest.mark.parametrize("tail", ["😀", "é", "日", "a"])
@pytest.mark.parametrize("stray", [0, 1, 4, 9])
def test_no_cut_splits_a_character(tail: str, stray: int) -> None:
    with mock.patch.object(stream, "_LONGEST", 64), mock.patch.object(stream, "_BLOCK", 64):
        for before in range(128):
            data = b"a" * before + tail.encode() + b"\x80" * stray + b"b" * 100
            with tempfile.TemporaryFile() as file:
                file.write(data)
                file.seek(0)
                pieces = list(stream.Cleaner(Policy(), replace=True).read(file.fileno()))
            text = "".join(piece.text if isinstance(piece, stream.Line) else bytes(piece).decode() for piece in pieces)
            assert text == data.decode(errors="replace")
