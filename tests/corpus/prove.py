"""Kills a corpus run's workers at random moments. As a script: the proof on a large corpus, ``prove.py DIR MEGABYTES``."""

from __future__ import annotations

import hashlib
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from corpora import write_irs
from support import SILP, environment


def workers(run: int) -> list[int]:
    """The Dask worker processes below a run: children of its nannies' process that run no filter."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                line = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if parent == run and b"spawn_main" in line:
                found.append(int(entry.name))
    return found


def run_with_kills(directory: Path, arguments: list[str], kills: int, seed: int = 1) -> int:
    """Run ``silp corpus`` and kill workers, one after the other; return how many were killed before it ended."""
    chance = random.Random(seed)
    killed = 0
    with subprocess.Popen(
        [SILP, "corpus", *arguments], cwd=directory, env=environment(), stderr=subprocess.PIPE, text=True
    ) as run:
        while not list(directory.glob("out/.silp/*-*.json")) and run.poll() is None:
            time.sleep(0.01)
        while killed < kills and run.poll() is None:
            time.sleep(chance.uniform(0.05, 0.6))
            there = workers(run.pid)
            if there:
                os.kill(chance.choice(there), signal.SIGKILL)
                killed += 1
        said = run.communicate()[1]
    assert run.returncode in (0, 1), said
    assert "Traceback" not in said, said
    return killed


def main() -> None:
    """The proof."""
    directory, megabytes = Path(sys.argv[1]), int(sys.argv[2])
    write_irs(directory / "a.jsonl", megabytes << 20, bad=9973)
    plain = subprocess.run([SILP, "compile", "a.jsonl"], cwd=directory, env=environment(), capture_output=True)
    killed = run_with_kills(
        directory, ["--in", "a.jsonl", "--out", "out", "--block-size", "2M", "--workers", "2", "--", "compile"], 20
    )
    got = hashlib.sha256()
    for path in sorted((directory / "out").glob("part-*")):
        got.update(path.read_bytes())
    same = got.digest() == hashlib.sha256(plain.stdout).digest()
    print(f"{killed} workers killed; output {'equal' if same else 'DIFFERENT'}")


if __name__ == "__main__":
    main()
