"""Measures ratios on a noisy machine: what is compared runs in turn, in short batches, and the best of each counts."""

from __future__ import annotations

import gc
import os
import subprocess
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


def run_command(command: Sequence[str], given: str | os.PathLike[str] = os.devnull) -> Run:
    """Run a command with a file as stdin, its output thrown away.

    Raises:
        AssertionError: when it fails.
    """
    with open(given, "rb") as source, open(os.devnull, "wb") as sink:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdin=source, stdout=sink, env=environment())
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, command
    return Run(wall, usage.ru_maxrss * 1024)


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
