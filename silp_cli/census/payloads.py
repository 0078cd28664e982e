"""Audit of payloads: what each record costs under each encoding and tokenizer, in memory that does not grow.

A record is read as one or more encodings of the same content: a surface text alone (``--payloads``), or an IR
under every frontend beside its own compact JSON (``--ir``).
"""

from __future__ import annotations

import heapq
from operator import sub
from typing import NamedTuple

from silp_cli.ir.errors import SilpError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from silp_cli.census.families import Tokenizer
    from silp_cli.text.records import Record

IR_JSON = "ir"  # the IR's own compact JSON, beside the frontends
NATURAL = "natural"
PAYLOAD = "payload"

Counts = dict[str, dict[str, int]]  # encoding -> tokenizer -> tokens


class Item(NamedTuple):
    """One record: its place and its encodings.

    Attributes:
        number: 1-based count of records over the whole input.
        source: file name or ``stdin``.
        line: 1-based line on which it starts.
        texts: text by encoding; None where a frontend must not carry this record.
        key: what a baseline knows this record by.
    """

    number: int
    source: str
    line: int
    texts: dict[str, str | None]
    key: str


class Row(NamedTuple):
    """One audited record.

    Attributes:
        item: the record.
        counts: tokens by encoding and tokenizer; an encoding that was refused is absent.
    """

    item: Item
    counts: Counts

    def range(self, encoding: str) -> int:
        """Largest count of an encoding less its smallest, over the tokenizers."""
        counts = self.counts[encoding].values()
        return max(counts) - min(counts)

    def to_dict(self) -> dict[str, object]:
        """The row as JSON data."""
        fields: dict[str, object] = {
            "record": self.item.number, "source": self.item.source, "line": self.item.line,
        }
        if PAYLOAD in self.counts:
            return fields | {"counts": self.counts[PAYLOAD], "range": self.range(PAYLOAD)}
        fields["counts"] = self.counts
        fields["range"] = {encoding: self.range(encoding) for encoding in self.counts}
        fields["saving"] = {
            encoding: against
            for encoding in self.counts
            if (against := savings(encoding, self.counts, self.counts))
        }
        return fields


def saving(cost: int, reference: int) -> float | None:
    """How many per cent less a cost is than a reference; negative where it is more."""
    return round(100 * (1 - cost / reference), 2) if reference else None


def savings(encoding: str, costs: Counts, references: Counts) -> dict[str, dict[str, float | None]]:
    """Savings of an encoding in per cent by reference (IR JSON, natural prose) and tokenizer."""
    return {
        reference: {
            name: saving(cost, references[reference][name]) for name, cost in costs[encoding].items()
        }
        for reference in (IR_JSON, NATURAL)
        if reference in references and encoding != reference
    }


class Total:
    """Totals of one encoding over the stream.

    Attributes:
        records: how many records it carried.
        tokens: sum by tokenizer.
        largest: largest record by tokenizer.
        references: what the same records cost as IR JSON and as natural prose, by tokenizer.
        widest: largest range of one record.
    """

    def __init__(self) -> None:
        self.records = 0
        self.tokens: dict[str, int] = {}
        self.largest: dict[str, int] = {}
        self.references: Counts = {}
        self.widest = 0

    def add(self, row: Row, encoding: str) -> None:
        """Add a record that this encoding carried."""
        self.records += 1
        for name, count in row.counts[encoding].items():
            self.tokens[name] = self.tokens.get(name, 0) + count
            self.largest[name] = max(self.largest.get(name, 0), count)
        self.widest = max(self.widest, row.range(encoding))
        for reference in (IR_JSON, NATURAL):
            if reference != encoding and reference in row.counts:
                sums = self.references.setdefault(reference, {})
                for name, count in row.counts[reference].items():
                    sums[name] = sums.get(name, 0) + count

    def add_columns(
        self, encoding: str, columns: dict[str, list[int]], sums: Counts, records: int
    ) -> None:
        """Add a batch of records that every encoding carried: its counts, and the sums of all encodings' counts."""
        self.records += records
        for name, column in columns.items():
            self.tokens[name] = self.tokens.get(name, 0) + sums[encoding][name]
            self.largest[name] = max(self.largest.get(name, 0), max(column))
        if len(columns) > 1:
            spread = map(sub, map(max, *columns.values()), map(min, *columns.values()))
            self.widest = max(self.widest, max(spread))
        for reference in (IR_JSON, NATURAL):
            if reference != encoding and reference in sums:
                total = self.references.setdefault(reference, {})
                for name, count in sums[reference].items():
                    total[name] = total.get(name, 0) + count

    def merge(self, state: dict[str, Any]) -> None:
        """Take in the totals of other records, as ``vars`` has them."""
        self.records += state["records"]
        self.widest = max(self.widest, state["widest"])
        _add_up(self.tokens, state["tokens"])
        for name, count in state["largest"].items():
            self.largest[name] = max(self.largest.get(name, 0), count)
        for reference, sums in state["references"].items():
            _add_up(self.references.setdefault(reference, {}), sums)

    def to_dict(self, encoding: str) -> dict[str, object]:
        """The totals as JSON data."""
        fields: dict[str, object] = {
            "records": self.records, "tokens": self.tokens, "largest": self.largest,
            "range": max(self.tokens.values(), default=0) - min(self.tokens.values(), default=0),
            "largest_range": self.widest,
        }
        saved = savings(encoding, {encoding: self.tokens}, self.references)
        if saved:
            fields["saving"] = saved
        return fields


def _add_up(totals: dict[str, int], more: dict[str, int]) -> None:
    for name, count in more.items():
        totals[name] = totals.get(name, 0) + count


class PayloadSummary:
    """Totals and the costliest records of a stream.

    Args:
        encodings: the encodings, the one that records are ranked by first.
        costliest: how many of the costliest records to keep.
    """

    def __init__(self, encodings: Sequence[str], costliest: int) -> None:
        self.encodings = list(encodings)
        self.totals = {encoding: Total() for encoding in encodings}
        self.records = 0
        self._keep = costliest
        self._heap: list[tuple[int, int, Row]] = []

    def add(self, row: Row) -> None:
        """Take in one record."""
        self.records += 1
        for encoding in row.counts:
            self.totals[encoding].add(row, encoding)
        leading = row.counts.get(self.encodings[0])
        if leading and self._keep:
            self._rank(row, max(leading.values()))

    def add_batch(self, batch: Batch) -> None:
        """Take in a batch; the same as ``add`` for each of its records, and much faster where none is missing."""
        if not batch.whole:
            for index in range(len(batch.records)):
                if index not in batch.errors:
                    self.add(batch.row(index))
            return
        if not batch.records:
            return
        self.records += len(batch.records)
        columns: dict[str, dict[str, list[int]]] = batch.columns  # type: ignore[assignment]  # the batch is whole
        sums = {
            encoding: {name: sum(column) for name, column in each.items()} for encoding, each in columns.items()
        }
        for encoding, each in columns.items():
            self.totals[encoding].add_columns(encoding, each, sums, len(batch.records))
        if self._keep:
            leading = list(columns[self.encodings[0]].values())
            worst = leading[0] if len(leading) == 1 else list(map(max, *leading))
            bar = self._heap[0][0] if len(self._heap) == self._keep else -1
            for index, count in enumerate(worst):
                if count > bar:
                    self._rank(batch.row(index), count)
                    bar = self._heap[0][0] if len(self._heap) == self._keep else -1

    def _rank(self, row: Row, worst: int) -> None:
        # Of equals, the earlier record stays; record numbers keep rows from being compared.
        entry = (worst, -row.item.number, row)
        if len(self._heap) < self._keep:
            heapq.heappush(self._heap, entry)
        elif entry > self._heap[0]:
            heapq.heapreplace(self._heap, entry)

    def state(self) -> dict[str, Any]:
        """All that there is, as JSON data, for ``merge``."""
        return {
            "records": self.records,
            "totals": {encoding: vars(total) for encoding, total in self.totals.items()},
            "costliest": [[worst, row.item._asdict(), row.counts] for worst, _, row in sorted(self._heap)],
        }

    def merge(self, state: dict[str, Any]) -> None:
        """Take in what another summary, of later records under the same encodings, has gathered."""
        self.records += state["records"]
        for encoding, total in state["totals"].items():
            self.totals[encoding].merge(total)
        for worst, item, counts in state["costliest"]:
            self._rank(Row(Item(**item), counts), worst)

    def costliest(self) -> list[Row]:
        """The records that cost most in the first encoding under their worst tokenizer, costliest first."""
        return [row for _, _, row in sorted(self._heap, reverse=True)]

    def to_dict(self) -> dict[str, object]:
        """The summary as JSON data."""
        leading = self.encodings[0]
        costliest = [
            row.to_dict() | {"text": row.item.texts[leading]} for row in self.costliest()
        ]
        if self.encodings == [PAYLOAD]:
            return {"records": self.records, **self.totals[PAYLOAD].to_dict(PAYLOAD), "costliest": costliest}
        return {
            "records": self.records,
            "totals": {name: total.to_dict(name) for name, total in self.totals.items()},
            "costliest_by": leading, "costliest": costliest,
        }


def moved(state: dict[str, Any], records: int, lines: int) -> dict[str, Any]:
    """A summary's state for records before which there are others, and for lines before which there are others."""
    costliest = [
        [worst, item | {"number": item["number"] + records, "line": item["line"] + lines}, counts]
        for worst, item, counts in state["costliest"]
    ]
    return state | {"costliest": costliest}


class Batch:
    """Some records of a stream, counted column by column, which is what makes counting fast.

    Args:
        records: the records.
        texts: by encoding, the text of each record; None where a frontend must not carry it.
        tokenizers: the tokenizers to ask, one after the other.
        keys: what a baseline knows the records by; None where there is no baseline.

    Attributes:
        errors: the records (by index) that cannot be counted.
        columns: counts by encoding and tokenizer, in the order of the records; None where there is no text.
    """

    def __init__(
        self,
        records: Sequence[Record],
        texts: dict[str, list[str | None]],
        tokenizers: Sequence[Tokenizer],
        keys: Sequence[str] | None = None,
    ) -> None:
        self.records = records
        self.texts = texts
        self.keys = keys
        self.names = [tokenizer.name for tokenizer in tokenizers]
        self.errors: dict[int, SilpError] = {}
        try:
            self.columns = _count_all(texts, tokenizers)
        except SilpError:
            self._find_errors(tokenizers)
        self.whole = not self.errors and not any(None in column for column in texts.values())

    def _find_errors(self, tokenizers: Sequence[Tokenizer]) -> None:
        """Count again without the records that cannot be counted."""
        for index in range(len(self.records)):
            try:
                for column in self.texts.values():
                    for each in tokenizers:
                        _count(column[index : index + 1], each)
            except SilpError as error:
                self.errors[index] = error
        sound = {
            encoding: [None if index in self.errors else text for index, text in enumerate(column)]
            for encoding, column in self.texts.items()
        }
        self.columns = _count_all(sound, tokenizers)

    def row(self, index: int) -> Row:
        """One record, which must not be among the errors."""
        record = self.records[index]
        counts = {}
        for encoding, columns in self.columns.items():
            each = {name: count for name, column in columns.items() if (count := column[index]) is not None}
            if each:
                counts[encoding] = each
        texts = {encoding: column[index] for encoding, column in self.texts.items()}
        key = self.keys[index] if self.keys is not None else ""
        return Row(Item(record.number, record.source, record.line, texts, key), counts)


Columns = dict[str, dict[str, list[int | None]]]

# Below this many records a second thread costs more than it gives.
_THREAD = 200


def _count_all(texts: Mapping[str, Sequence[str | None]], tokenizers: Sequence[Tokenizer]) -> Columns:
    """Count every column with every tokenizer.

    Libraries that use one core only (tiktoken) run beside those that share their work among all.
    """
    def count(group: Sequence[Tokenizer]) -> Columns:
        return {
            encoding: {each.name: _count(column, each) for each in group} for encoding, column in texts.items()
        }

    sharing = [each for each in tokenizers if each.shares]
    single = [each for each in tokenizers if not each.shares]
    if not sharing or not single or len(next(iter(texts.values()), ())) < _THREAD:
        return count(tokenizers)
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as pool:
        aside = pool.submit(count, single)
        both = (count(sharing), aside.result())
    return {
        encoding: {each.name: both[not each.shares][encoding][each.name] for each in tokenizers} for encoding in texts
    }


def _count(column: Sequence[str | None], tokenizer: Tokenizer) -> list[int | None]:
    """The counts of a column of texts, None where there is none."""
    present = [text for text in column if text is not None]
    counts = tokenizer.count_many(present)
    if len(present) == len(column):
        return list(counts)
    rest = iter(counts)
    return [None if text is None else next(rest) for text in column]
