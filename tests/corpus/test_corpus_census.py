"""``silp corpus -- census``: totals over a corpus are those of one process, to the last digit."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from corpora import irs
from support import silp

from .test_corpus import SMALL, corpus


@pytest.fixture
def payloads(logs: Path) -> Path:
    """Payloads in two files."""
    compiled = silp("compile", "logs/a.jsonl", "logs/b.jsonl", cwd=logs).out.splitlines(keepends=True)
    (logs / "p1.txt").write_text("".join(compiled[:1500]))
    (logs / "p2.txt").write_text("".join(compiled[1500:]))
    return logs


COUNT = ("census", "--tokenizers", "gpt-3.5", "--top", "5")


def test_totals_equal_those_of_one_process(payloads: Path) -> None:
    done = corpus(payloads, "--in", "p*.txt", "--json", *SMALL, "--", *COUNT, "--payloads")
    assert done.out == silp(*COUNT, "--payloads", "--format", "json", "p1.txt", "p2.txt", cwd=payloads).out
    assert done.status == 0
    piped = silp(*COUNT, "--payloads", "--format", "json", given=b"".join(
        (payloads / name).read_bytes() for name in ("p1.txt", "p2.txt")
    ))
    assert _without_places(done.out) == _without_places(piped.out)


def _without_places(report: str) -> object:
    value = json.loads(report)
    for row in value["costliest"]:
        del row["source"], row["line"]
    return value


def test_rows_come_in_order_with_their_places(payloads: Path) -> None:
    done = corpus(payloads, "--in", "p1.txt", "--out", "out", *SMALL, "--", *COUNT, "--payloads")
    assert done.status == 0, done
    parts = "".join(path.read_text() for path in sorted((payloads / "out").glob("part-*")))
    totals = (payloads / "out" / "totals.txt").read_text()
    assert parts + totals == silp(*COUNT, "--payloads", "--format", "jsonl", "p1.txt", cwd=payloads).out


def test_irs_are_counted_under_every_frontend(tmp_path: Path) -> None:
    lines = irs(3)
    (tmp_path / "a.jsonl").write_text("".join(next(lines) + "\n" for _ in range(300)))
    done = corpus(tmp_path, "--in", "a.jsonl", "--json", "--block-size", "20K", "--workers", "2", "--", *COUNT, "--ir")
    assert done.out == silp(*COUNT, "--ir", "--format", "json", "a.jsonl", cwd=tmp_path).out
