"""stdin that cannot be read: one line that says why, status 2; whoever does not need it does not notice."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from support import SILP, shell

COMMANDS = ("compile", "decode", "validate", "sanitize", "explain", "compare", "pong", "unwrap")


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(("redirection", "why"), [
    ("< .", "stdin is a directory"), ("<&-", "stdin is closed"), ("0> /dev/null", "stdin is not open for reading"),
])
def test_stdin_that_cannot_be_read_is_one_line_and_status_2(command: str, redirection: str, why: str) -> None:
    done = shell(f"silp {command} {redirection}")
    assert (done.status, done.out, done.err) == (2, "", f"silp {command}: {why}\n")


@pytest.mark.parametrize("redirection", ["< .", "<&-", "0> /dev/null"])
def test_who_reads_files_does_not_mind(redirection: str) -> None:
    assert shell(f"silp validate -q fixtures/draft-ir.jsonl {redirection}").status == 0
    assert shell(f"silp --version {redirection}").out.startswith("silp ")


def test_the_launcher_is_found_through_links_and_by_name(tmp_path: Path) -> None:
    (tmp_path / "absolute").symlink_to(SILP)
    (tmp_path / "relative").symlink_to("absolute")
    version = shell("silp --version").out
    assert shell(f"{tmp_path}/relative --version").out == version
    assert shell("cd $(dirname $(command -v silp)) && PATH=.:$PATH && silp --version && sh silp --version").out == (
        version * 2
    )
    assert shell(f"cd {tmp_path} && ./relative --version").out == version


def test_the_launcher_hands_on_arguments_and_status_as_they_are() -> None:
    found = shell("""silp explain --format json --payload 'x("a  b",$HOME)'""")
    assert '"value":"a  b"' in found.out
    assert '"value":"$HOME"' in found.out
    assert shell("silp --no-such ''").status == 2
    assert os.access(SILP, os.X_OK)
