"""Runs ``silp eval`` again and again on one file and kills each run at a random moment; the last may end.

Called as: killed_runs.py URL CASES FILE SEED KILLS. Forked, so that no run spends its life importing.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from pathlib import Path

from silp_cli.cli.main import run


def main() -> int:
    """Print how many runs were killed before they ended, and return the last run's status."""
    url, cases, path, seed, kills = sys.argv[1:]
    arguments = [
        "eval", "--model", f"m={url}", "--jobs", "4", "--repeat", "2", "--tokenizers", "", "-f", "code", "-f", "json",
        "-o", path, cases,
    ]
    # one run of another frontend, so that everything is imported before the first fork
    run([*arguments[:3], "--limit", "1", "-t", "read", "-f", "natural", "--tokenizers", "", "-o", path + ".warm", cases])
    chance = random.Random(int(seed))
    killed = 0
    for _ in range(int(kills)):
        if child := os.fork():
            if chance.random() < 0.3:  # anywhere, the start of the run included
                time.sleep(chance.uniform(0, 0.25))
            else:  # while results are being written
                before = _size(path)
                while _size(path) == before and os.waitpid(child, os.WNOHANG) == (0, 0):
                    time.sleep(0.001)
                time.sleep(chance.uniform(0, 0.03))
            try:
                os.kill(child, signal.SIGKILL)
                killed += os.waitpid(child, 0)[1] == signal.SIGKILL
            except (ProcessLookupError, ChildProcessError):
                pass  # it had ended before
        else:
            os._exit(run(arguments))
    print(killed)
    return run(arguments)


def _size(path: str) -> int:
    return os.path.getsize(path) if Path(path).exists() else -1


if __name__ == "__main__":
    sys.exit(main())
