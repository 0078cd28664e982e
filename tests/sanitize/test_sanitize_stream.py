"""A long stream is judged as its lines are one by one, and what is found in it has its place."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from support import shell

from silp_cli.text.sanitize.engine import Policy, find

HONEST = ['cancel("встреча")', "plain ascii", "", "東京 \\u0441 слово", "می‌خواهم 👩🏽‍💻", "x" * 300, "а с у", "crlf é\r"]
DISGUISED = ["іf x", "a\u200bb", "Мoсква", "esc\x1b[0m", "👩‍x", "\u202e", "x\ry"]


@pytest.mark.parametrize("share", [0, 1, 50])
@pytest.mark.parametrize("command", ["silp sanitize --check --report json < {}", "cat {} | silp sanitize --check --report json"])
def test_everything_found_is_reported_where_it_stands(tmp_path: Path, share: int, command: str) -> None:
    draw = random.Random(share)
    lines = [draw.choice(DISGUISED if draw.randrange(100) < share else HONEST) for _ in range(15_000)]
    path = tmp_path / "text.txt"
    path.write_bytes("\n".join(lines).encode())
    want = [
        (number, finding.position + 1, f"U+{ord(finding.char):04X}")
        for number, line in enumerate(lines, 1) for finding in find(line + "\n")
    ]
    result = shell(command.format(path))
    assert result.status == (1 if want else 0)
    found = [json.loads(line) for line in result.lines]
    assert [(each["line"], each["column"], each["codepoint"]) for each in found] == want


@pytest.mark.parametrize("before", ["слово ", "word ", "a", "я", "слово\t", "й" * 1000 + " "])
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
        ("--homoglyphs all", text.replace(" сок", " cок").replace("cок", "coк")),
    ):
        assert shell(f"silp sanitize {options}", text).out == want, options


def test_a_policy_looks_for_what_it_names() -> None:
    assert find("x\u200b\u202e", Policy(["bidi"]))[0].position == 2
