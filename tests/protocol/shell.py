"""Runs the real ``silp`` command."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

FIXTURES = Path(__file__).parents[2] / "fixtures" / "protocol"


def silp(
    *arguments: str, input: str | bytes = b"", cwd: Path | None = None, env: dict[str, str] | None = None, **more: str
) -> subprocess.CompletedProcess[str]:
    """Run ``silp`` with text on stdin; the result has its output as text."""
    data = input.encode() if isinstance(input, str) else input
    done = subprocess.run(
        [sys.executable, "-m", "silp_cli", *arguments],
        input=data,
        capture_output=True,
        cwd=cwd,
        env={**os.environ, **(env or {}), **more},
        timeout=60,
    )
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def shell(line: str, cwd: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a line with ``silp`` on the path, failing where any command of a pipe fails."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", line],
        capture_output=True, text=True, cwd=cwd, env={**os.environ, "PATH": path, **environment}, timeout=60,
    )  # fmt: skip
