"""SIGINT: the tests mean the same in the foreground and in the background; the command respects who ignores it."""

from __future__ import annotations

import subprocess
import sys

from support import ROOT

# What a shell without job control does to `command &`.
_BACKGROUND = ["bash", "-c", 'trap "" INT; exec "$@"', "bash", sys.executable, "-c"]
_HANDLER = "import signal; print(repr(signal.getsignal(signal.SIGINT)))"


def printed(code: str) -> str:
    done = subprocess.run([*_BACKGROUND, code], cwd=ROOT / "tests", capture_output=True, text=True, check=True)
    return done.stdout


def test_what_tests_start_can_be_interrupted_though_they_run_in_the_background() -> None:
    child = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {_HANDLER!r}])"
    assert "SIG_IGN" in printed(child)
    assert "default_int_handler" in printed(f"import conftest; {child}")


def test_the_command_leaves_an_ignored_interrupt_ignored() -> None:
    assert "SIG_IGN" in printed(f"import silp_cli.__main__ as m; m.main(['schema']); {_HANDLER}")
