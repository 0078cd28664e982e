"""The manual page on extraction is true: its commands print what it shows, its program runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import ROOT
from test_readme import blocks, check_python, examples, output_of

TEXT = (ROOT / "silp_cli" / "manual" / "extract.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(("line", "block"), blocks(TEXT, "console"), ids=lambda value: str(value)[:6])
def test_console_examples(line: int, block: str, tmp_path: Path) -> None:
    (tmp_path / "fixtures").symlink_to(ROOT / "fixtures")
    for command, wanted in examples(block):
        assert output_of(command, tmp_path) == wanted, f"extract.md:{line}"


@pytest.mark.parametrize(("line", "source"), blocks(TEXT, "python"), ids=lambda value: str(value)[:6])
def test_python_example(line: int, source: str) -> None:
    check_python(source, f"extract.md:{line}")
