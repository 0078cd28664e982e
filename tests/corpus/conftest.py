"""A corpus in a directory of its own, which is where the commands run."""

from __future__ import annotations

from pathlib import Path

import pytest
from corpora import write_irs


@pytest.fixture
def logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two files of IRs, some of them bad, in ``logs``."""
    directory = tmp_path / "logs"
    directory.mkdir()
    write_irs(directory / "a.jsonl", 600_000, 1, bad=97)
    write_irs(directory / "b.jsonl", 200_000, 2, bad=45)
    monkeypatch.chdir(tmp_path)
    return tmp_path
