"""The manual page on scale is true: its commands print what it shows."""

from __future__ import annotations

import re

import pytest
from support import ROOT, shell

TEXT = (ROOT / "silp_cli" / "manual" / "scale.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```console\n\$ (.*?)\n(.*?)```", TEXT, re.S)


@pytest.mark.parametrize(("command", "output"), EXAMPLES)
def test_example(command: str, output: str) -> None:
    assert shell(command).out == output


def test_there_are_examples() -> None:
    assert len(EXAMPLES) == 2
