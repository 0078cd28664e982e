"""How long it takes to start, as multiples of a bare Python: what every pipeline and every Tab key pays."""

from __future__ import annotations

import os
import sys

import pytest
from support import SILP

from .ratios import Table, run_command

ROUNDS = 30
FILTERS = ("compile", "decode", "sanitize", "validate")
COMPLETION = {"_SILP_COMPLETE": "complete_bash", "COMP_WORDS": "silp comp", "COMP_CWORD": "1"}


def test_start_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """The filters have a goal; help and completion are for people, and go through typer."""
    bare = "python -I -c pass"
    commands: dict[str, tuple[list[str], float | None]] = {
        bare: ([sys.executable, "-I", "-c", "pass"], None),
        **{f"silp {name}": ([SILP, name], 3.0) for name in FILTERS},
        "silp --version": ([SILP, "--version"], 3.0),
        "silp --help": ([SILP, "--help"], None),
        "silp compile --help": ([SILP, "compile", "--help"], None),
        "completion of a command": ([SILP], None),
    }
    times = dict.fromkeys(commands, float("inf"))
    for _ in range(ROUNDS):
        for name, (command, _) in commands.items():
            with monkeypatch.context() as patch:
                for key, value in COMPLETION.items() if command == [SILP] else ():
                    patch.setitem(os.environ, key, value)
                times[name] = min(times[name], run_command(command).wall)
    table = Table(f"start-up, in units of {bare} ({times[bare] * 1e3:.1f} ms)")
    for name, (_, goal) in commands.items():
        if name != bare:
            table.row(name, times[name] / times[bare], goal)
    table.check()
