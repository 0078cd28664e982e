"""Measures ratios on a noisy machine: what is compared runs in turn, in short batches, and the best of each counts."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from support import environment


def best_times(
    functions: Sequence[Callable[[], Any]], *, seconds: float = 3.0, least: int = 5, repeats: int = 1
) -> list[float]:
    """The shortest time of each function, in seconds, all of them running in turn for about ``seconds``.

    Args:
        functions: what to compare; each call should take a millisecond or less, or as little as it can.
        seconds: how long to go on.
        least: rounds that are run in any case.
        repeats: how often each function runs in its turn.
    """
    best = [float("inf")] * len(functions)
    gc.collect()
    gc.freeze()  # what the test runner keeps is not to be searched for garbage in here
    end = time.perf_counter() + seconds
    rounds = 0
    while rounds < least or time.perf_counter() < end:
        for index, function in enumerate(functions):
            for _ in range(repeats):  # the first finds the caches full of what ran before
                start = time.perf_counter()
                function()
                taken = time.perf_counter() - start
                if taken < best[index]:
                    best[index] = taken
        rounds += 1
    gc.unfreeze()
    return best


def over(function: Callable[[Any], Any], values: Sequence[Any]) -> Callable[[], None]:
    """A function that calls another for each value."""
    def batch() -> None:
        for value in values:
            function(value)

    return batch


class Run:
    """One run of a command: wall time in seconds and peak memory in bytes."""

    def __init__(self, wall: float, memory: int) -> None:
        self.wall = wall
        self.memory = memory


# A process starts out with the peak memory of the one that forked it, so a small one has to do that.
_LAUNCHER = """
import os, sys, time
given, command = sys.argv[1], sys.argv[2:]
files = [(os.POSIX_SPAWN_OPEN, 0, given, os.O_RDONLY, 0), (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
start = time.perf_counter()
child = os.posix_spawn(command[0], command, os.environ, file_actions=files)
_, status, usage = os.wait4(child, 0)
print(time.perf_counter() - start, usage.ru_maxrss * 1024, os.waitstatus_to_exitcode(status))
"""


def run_command(command: Sequence[str], given: str | os.PathLike[str] = os.devnull) -> Run:
    """Run a command with a file as stdin, its output thrown away.

    Raises:
        AssertionError: when it fails.
    """
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", _LAUNCHER, os.fspath(given), *command], env=environment(),
        stdout=subprocess.PIPE, text=True, check=True,
    )
    wall, memory, status = done.stdout.split()
    assert status == "0", command
    return Run(float(wall), int(memory))


class Table:
    """Figures beside their goals; printed as they come, checked at the end."""

    def __init__(self, title: str) -> None:
        print(f"\n{title}")
        self._missed: list[str] = []

    def row(self, name: str, figure: float, goal: float | None = None, note: str = "") -> None:
        """Add a figure that must not exceed its goal; without one it is for information."""
        aim = "" if goal is None else f"goal {goal:5.2f}  {'met' if figure <= goal else 'MISSED'}"
        print(f"  {name:<44} {figure:7.2f}  {aim:<19} {note}".rstrip())
        if goal is not None and figure > goal:
            self._missed.append(f"{name}: {figure:.2f} > {goal}")

    def check(self) -> None:
        """Fail if a goal was missed."""
        assert not self._missed, "; ".join(self._missed)
