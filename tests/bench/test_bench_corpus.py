"""What a second process gives: ``--jobs 2`` and ``silp corpus`` against one process on the same generated IRs.

``SILP_BENCH_MB`` says how many megabytes (default 64); the promise is for 1000.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from pathlib import Path

from corpora import write_irs
from support import SILP, environment

from .ratios import Table

MEGABYTES = int(os.environ.get("SILP_BENCH_MB", "64"))
ROUNDS = 3 if MEGABYTES <= 200 else 1
# Dask takes some seconds to start and to end, which is nothing to a corpus and much to a bench.
_LARGE = 500


def seconds(command: str, directory: Path) -> float:
    """Wall time of a shell command."""
    start = time.perf_counter()
    subprocess.run(["bash", "-c", command], cwd=directory, env=environment(), check=True, stderr=subprocess.DEVNULL)
    return time.perf_counter() - start


def test_two_processes(tmp_path: Path) -> None:
    write_irs(tmp_path / "a.jsonl", MEGABYTES << 20)
    table = Table(f"{MEGABYTES} MB of IRs, {os.cpu_count()} cores: time as a share of one process's")
    for name in ("compile", "validate"):
        one = two = corpus = float("inf")
        for _ in range(ROUNDS):
            one = min(one, seconds(f"{SILP} {name} a.jsonl > one", tmp_path))
            two = min(two, seconds(f"{SILP} {name} --jobs 2 a.jsonl > two", tmp_path))
            assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
            if name == "compile":
                shutil.rmtree(tmp_path / "out", ignore_errors=True)
                corpus = min(corpus, seconds(
                    f"{SILP} corpus --in a.jsonl --out out --workers 2 --block-size 16M -- {name}", tmp_path
                ))
        note = f"one process {one:.2f} s, {MEGABYTES / one:.0f} MB/s"
        table.row(f"{name} --jobs 2", two / one, 1 / 1.7, note)
        if name == "compile":
            goal = 1 / (2 * 0.85) if MEGABYTES >= _LARGE else None
            table.row("corpus, 2 workers", corpus / one, goal, f"{one / corpus / 2:.2f} of twice one process")
    table.check()
