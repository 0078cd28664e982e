"""Audit of payloads: totals, savings and the costliest records, in memory that does not grow."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from silp_cli.census.families import Token, Tokenizer
from silp_cli.census.payloads import IR_JSON, PAYLOAD, Batch, Item, PayloadSummary, Row, saving
from silp_cli.census.tokenizers import load
from silp_cli.text.records import Record

COUNTS = st.integers(0, 10_000)


def row(number: int, counts: dict[str, dict[str, int]]) -> Row:
    return Row(Item(number, "test", number, dict.fromkeys(counts, "text"), str(number)), counts)


def summed(rows: list[Row], encodings: list[str], keep: int = 10) -> dict[str, Any]:
    summary = PayloadSummary(encodings, keep)
    for each in rows:
        summary.add(each)
    return summary.to_dict()


@given(st.lists(st.fixed_dictionaries({"a": COUNTS, "b": COUNTS}), min_size=1, max_size=30), st.integers(1, 5))
def test_totals_are_sums_and_the_costliest_are_the_costliest(counts: list[dict[str, int]], keep: int) -> None:
    rows = [row(number, {PAYLOAD: each}) for number, each in enumerate(counts, 1)]
    result = summed(rows, [PAYLOAD], keep)
    assert result["records"] == len(counts)
    assert result["tokens"] == {name: sum(each[name] for each in counts) for name in "ab"}
    assert result["largest"] == {name: max(each[name] for each in counts) for name in "ab"}
    assert result["largest_range"] == max(abs(each["a"] - each["b"]) for each in counts)
    ranked = sorted(range(len(counts)), key=lambda index: (-max(counts[index].values()), index))
    assert [each["record"] for each in result["costliest"]] == [index + 1 for index in ranked[:keep]]


def test_savings_are_against_the_ir_and_the_prose_of_the_same_records() -> None:
    rows = [
        row(1, {"code": {"a": 10}, "lossy": {"a": 5}, "natural": {"a": 20}, IR_JSON: {"a": 40}}),
        row(2, {"code": {"a": 30}, "natural": {"a": 20}, IR_JSON: {"a": 60}}),  # lossy refused this one
    ]
    totals = summed(rows, ["code", "lossy", "natural", IR_JSON])["totals"]
    assert totals["code"]["saving"] == {"ir": {"a": 60.0}, "natural": {"a": 0.0}}
    assert totals["lossy"]["records"] == 1
    assert totals["lossy"]["saving"] == {"ir": {"a": 87.5}, "natural": {"a": 75.0}}
    assert totals["natural"]["saving"] == {"ir": {"a": 60.0}}
    assert rows[1].to_dict()["saving"] == {
        "code": {"ir": {"a": 50.0}, "natural": {"a": -50.0}}, "natural": {"ir": {"a": 66.67}},
        "ir": {"natural": {"a": -200.0}},
    }


def test_a_saving_against_nothing_is_none() -> None:
    assert saving(3, 0) is None
    assert saving(0, 3) == 100.0


def batch(texts: dict[str, list[str | None]], *tokenizers: Tokenizer) -> Batch:
    length = len(next(iter(texts.values())))
    return Batch([Record("test", number, number, "") for number in range(1, length + 1)], texts, tokenizers)


def test_a_batch_counts_like_its_records_one_by_one() -> None:
    texts = ["cancel(flight)", "", "😀 é", "a" * 5000]
    tokenizers = (load("gpt-4o"), load("llama-2"))
    counted = batch({PAYLOAD: [*texts]}, *tokenizers)
    for index, text in enumerate(texts):
        assert counted.row(index).counts == {PAYLOAD: {t.name: t.count(text) for t in tokenizers}}


class Picky(Tokenizer):
    """Counts characters, and cannot count an exclamation mark."""

    name = "picky"

    def encode(self, text: str) -> list[int]:
        return load("gpt-4o").encode(" " * 1_000_000) if "!" in text else [0] * len(text)

    def tokens(self, text: str) -> list[Token]:
        return [Token(0, char, at, at + 1, "") for at, char in enumerate(text)]


class Words(Tokenizer):
    name = "words"

    def encode(self, text: str) -> list[int]:
        return [0] * (text.count(" ") + 1)

    def tokens(self, text: str) -> list[Token]:
        return [Token(0, word, 0, len(word), "") for word in text.split(" ")]


def test_a_record_that_cannot_be_counted_does_not_take_the_others_along() -> None:
    counted = batch({PAYLOAD: ["ab", "!", "c"]}, Picky())
    assert list(counted.errors) == [1]
    assert [counted.row(index).counts for index in (0, 2)] == [{PAYLOAD: {"picky": 2}}, {PAYLOAD: {"picky": 1}}]


def test_an_encoding_that_was_refused_is_absent() -> None:
    counted = batch({"code": ["cancel()"], "lossy": [None]}, load("gpt-4o"))
    assert list(counted.row(0).counts) == ["code"]


TEXT = st.text("ab !", max_size=12)


@given(
    st.lists(st.tuples(TEXT, st.none() | TEXT, TEXT, TEXT), max_size=20), st.integers(1, 4), st.booleans(),
)
def test_a_summary_of_batches_is_the_summary_of_their_rows(
    texts: list[tuple[str | None, ...]], keep: int, strip: bool
) -> None:
    encodings = ["code", "lossy", "natural", IR_JSON]
    columns: dict[str, list[str | None]] = {
        encoding: [each[index] for each in texts] for index, encoding in enumerate(encodings)
    }
    if strip:  # the fast path: nothing refused, nothing that cannot be counted
        columns = {name: [(text or "").replace("!", "") for text in column] for name, column in columns.items()}
    by_batch, by_row = PayloadSummary(encodings, keep), PayloadSummary(encodings, keep)
    counted = batch(columns, Picky(), Words())
    assert counted.whole or not strip
    by_batch.add_batch(counted)
    for index in range(len(texts)):
        if index not in counted.errors:
            by_row.add(counted.row(index))
    assert by_batch.to_dict() == by_row.to_dict()


@pytest.mark.parametrize("keep", [1, 3])
def test_no_more_rows_are_kept_than_asked_for(keep: int) -> None:
    summary = PayloadSummary([PAYLOAD], keep)
    for number in range(1, 200):
        summary.add(row(number, {PAYLOAD: {"a": number % 17}}))
        assert len(summary.costliest()) <= keep
