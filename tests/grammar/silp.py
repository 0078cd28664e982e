"""Runs the real command."""

from __future__ import annotations

import subprocess
import sys
from typing import Any


def silp(*arguments: str, given: str | bytes = b"", **more: Any) -> subprocess.CompletedProcess[str]:
    """Run ``silp`` with some input; its output as text."""
    data = given.encode() if isinstance(given, str) else given
    done = subprocess.run(
        [sys.executable, "-m", "silp_cli", *arguments],
        input=data, capture_output=True, timeout=60, check=False, **more,
    )
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())
