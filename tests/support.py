"""Where things are, and how the real command is run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FIXTURES = ROOT / "fixtures"
BIN = os.path.dirname(sys.executable)
SILP = os.path.join(BIN, "silp")


class Result:
    """What a command did: exit status, and both outputs as text."""

    def __init__(self, status: int, out: str, err: str) -> None:
        self.status = status
        self.out = out
        self.err = err

    @property
    def lines(self) -> list[str]:
        """The lines of stdout."""
        return self.out.splitlines()

    @property
    def diagnostics(self) -> list[dict[str, Any]]:
        """The lines of stderr as JSON, for ``--errors json``."""
        return [json.loads(line) for line in self.err.splitlines()]

    def __repr__(self) -> str:
        return f"status {self.status}\n--- stdout\n{self.out[:2000]}\n--- stderr\n{self.err[:2000]}"


def environment(**more: str) -> dict[str, str]:
    """The environment of a user who has installed silp: its command first on PATH, no terminal, no colours."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "COLUMNS", "SILP"))}
    return {**kept, "PATH": BIN + os.pathsep + os.environ["PATH"], "COLUMNS": "100", "LC_ALL": "C.UTF-8", **more}


def silp(
    *arguments: str, given: str | bytes = b"", cwd: str | Path | None = None, env: dict[str, str] | None = None
) -> Result:
    """Run the installed ``silp`` with some input."""
    return run([SILP, *arguments], given, cwd, env)


def shell(script: str, given: str | bytes = b"", cwd: str | Path | None = None) -> Result:
    """Run a pipeline in bash, with ``silp`` on PATH; its status is the first that is not 0."""
    return run(["bash", "-o", "pipefail", "-c", script], given, cwd, None)


def run(command: list[str], given: str | bytes, cwd: str | Path | None, env: dict[str, str] | None) -> Result:
    """Run a command with some input."""
    data = given.encode("utf-8", "surrogatepass") if isinstance(given, str) else given
    done = subprocess.run(
        command, input=data, capture_output=True, timeout=120, check=False, cwd=cwd or ROOT,
        env=environment(**env or {})
    )
    return Result(done.returncode, done.stdout.decode(), done.stderr.decode())


def read_jsonl(*names: str) -> list[Any]:
    """The values of a JSON Lines fixture."""
    text = FIXTURES.joinpath(*names).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]
