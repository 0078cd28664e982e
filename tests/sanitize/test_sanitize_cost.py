"""What an attacker may send costs time in proportion to its length, and the report of it little room."""

from __future__ import annotations

import gc
import json
import re
import tempfile
import time
from typing import TYPE_CHECKING
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import shell, silp

from silp_cli.text.sanitize import stream
from silp_cli.text.sanitize.engine import Policy, _code_literals, find, sanitize_structure
from silp_cli.text.sanitize.reports import word_at

if TYPE_CHECKING:
    from collections.abc import Callable

SIZE = 200_000
UNITS = [
    '"с\\', "'с\\", '"\\', "'\\", "\"'с\\", "\\\"с\\'", "\"\\'", "'\\\"с", '"с\\"', "'с\\'", '{"с\\', '"с\\\n"', "\"с'",
    "[\"\\'с",
]


def seconds(work: Callable[[str], object], text: str) -> float:
    """CPU time, the best of three, without the collector, whose rounds depend on what else is alive."""
    best = float("inf")
    gc.collect()
    gc.disable()
    try:
        for _ in range(3):
            start = time.process_time()
            work(text)
            best = min(best, time.process_time() - start)
    finally:
        gc.enable()
    return best


def fold_all(text: str) -> object:
    return find(text, Policy(homoglyphs="all"))


@pytest.mark.parametrize("work", [sanitize_structure, fold_all])
@pytest.mark.parametrize("unit", UNITS)
def test_quotes_that_are_not_closed_cost_linear_time(unit: str, work: Callable[[str], object]) -> None:
    """Sixteen times the text takes some sixteen times as long, not two hundred and fifty-six."""
    for prefix in ("", "{"):
        text = prefix + unit * (SIZE // len(unit.encode()))
        assert seconds(work, text) < 64 * seconds(work, text[: len(text) // 16])


HARD = [
    "саncel ", "с", "aا\u200c", "\u200d", "👩\u200d", "\u0301", "\\", '"', "\\u0441", "_с", "а_", "葛\U000e0100", "іf x\n", '"а', "\\alpha", "\x01",
    "می\u200c", "я\r", "ӏ\0",
]


def pipe(text: str) -> object:
    """The stream, with the grammar from the start."""
    with tempfile.TemporaryFile() as file, mock.patch.object(stream, "_FEW", -1):
        file.write(text.encode())
        file.seek(0)
        return sum(1 for _ in stream.Cleaner(Policy()).read(file.fileno()))


@pytest.mark.parametrize("work", [find, fold_all, pipe])
@pytest.mark.parametrize("unit", HARD)
def test_whatever_is_sent_costs_linear_time(unit: str, work: Callable[[str], object]) -> None:
    few = SIZE // len(unit.encode()) // 16
    assert seconds(work, unit * few * 16) < 64 * seconds(work, unit * few)


@pytest.mark.parametrize("quote", ['"', "'"])
def test_decode_is_done_with_them_at_once(quote: str) -> None:
    start = time.monotonic()
    silp("decode", given=(quote + "с\\") * (SIZE // 4) + "\n")
    assert time.monotonic() - start < 60  # it would be many minutes


@settings(max_examples=700, deadline=None)
@given(st.text(st.sampled_from("\"'\\\nab"), max_size=30))
def test_literals_are_what_each_quote_in_turn_would_open(text: str) -> None:
    plain = re.compile(r"\"(?:[^\"\\\n]|\\.)*+\"|'(?:[^'\\\n]|\\.)*+'")
    assert list(_code_literals(text)) == [match.span() for match in plain.finditer(text)]


@pytest.mark.parametrize(
    ("text", "position", "word"),
    [
        ("one two\u200b three", 7, "two\u200b"), ("\u200b", 0, "\u200b"),
        ("a" * 20 + "\u200b" + "b" * 20, 20, "a" * 20 + "\u200b" + "b" * 20),
        ("a" * 21 + "\u200b" + "b" * 21, 21, "…" + "a" * 20 + "\u200b" + "b" * 20 + "…"),
        (" " + "a" * 20 + "\u200b" + "b" * 20 + " ", 21, "a" * 20 + "\u200b" + "b" * 20),
        ("x" * 99 + "(a\u200b", 101, "a\u200b"),
    ],
)
def test_the_word_in_a_report_is_cut_to_a_little_context(text: str, position: int, word: str) -> None:
    assert word_at(text, position) == word


@pytest.mark.parametrize(("form", "most"), [("text", 450), ("json", 450), ("sarif", 1000)])
def test_a_long_run_makes_no_giant_report(form: str, most: int) -> None:
    result = silp("sanitize", "--check", "--report", form, given="\u200b" * 20_000)
    assert len(result.out) < most * 20_000 + 5000


def test_a_document_that_breaks_off_is_reported_where_it_does() -> None:
    given = '{"ok":0}\n[1,2\n{"ok":1}\n{"a":\n [3,\n\n{"ok":2}\n["end"\n'
    result = shell("silp sanitize --json --errors json", given)
    assert result.out == '{"ok":0}\n{"ok":1}\n'
    places = [(each["line"], each["column"]) for each in result.diagnostics]
    assert places == [(2, 5), (7, 9), (8, 7)]
    text = silp("sanitize", "--json", given='{"ok":0}\n[1,2\n{"ok":1}\n')
    assert text.err.startswith("silp sanitize: stdin:2:5: ")
    assert text.err.splitlines()[1] == "  [1,2"
    assert [json.loads(line) for line in text.lines] == [{"ok": 0}, {"ok": 1}]
