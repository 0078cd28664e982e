"""Every example of the README and the manual is run: ``console`` blocks in a shell, ``python`` blocks in an interpreter."""

from __future__ import annotations

import doctest
import re
import subprocess
from pathlib import Path

import pytest
from support import ROOT, environment

README = ROOT / "README.md"
_BLOCK = re.compile(r"^(`{3,})(\w+)\n(.*?)^\1$", re.M | re.S)


def blocks(text: str, language: str) -> list[tuple[int, str]]:
    """The fenced blocks of a language: the line of the file each starts on, and its content."""
    return [
        (text.count("\n", 0, match.start(3)) + 1, match.group(3))
        for match in _BLOCK.finditer(text)
        if match.group(2) == language
    ]


def examples(block: str) -> list[tuple[str, str]]:
    """The commands of a console block (lines after ``$``, continued after a backslash) and their output."""
    found: list[tuple[str, str]] = []
    for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
        command, end = re.match(r"(?:[^\n]*\\\n)*[^\n]*\n", part), 0
        assert command is not None
        end = command.end()
        found.append((part[:end].rstrip("\n"), part[end:]))
    return found


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """Where the examples of a block run: a directory of their own that has the fixtures."""
    (tmp_path / "fixtures").symlink_to(ROOT / "fixtures")
    return tmp_path


def output_of(command: str, directory: Path = ROOT) -> str:
    """What a command shows on a screen: both outputs in the order they are written."""
    done = subprocess.run(
        ["bash", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
        cwd=directory, env=environment(), timeout=120, check=False,
    )
    return done.stdout.decode()


def check_python(source: str, name: str) -> None:
    """Run a block: as doctest if it holds prompts, else as a program that must not raise."""
    if ">>>" in source:
        test = doctest.DocTestParser().get_doctest(source, {}, name, name, 0)
        report: list[str] = []
        failed = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=report.append).failed
        assert not failed, "".join(report)
    else:
        exec(compile(source, name, "exec"), {"__name__": "__readme__"})


PAGES = [README, *sorted((ROOT / "silp_cli" / "manual").glob("*.md"))]
CONSOLE = [
    (f"{page.name}:{line}", examples(block))
    for page in PAGES
    for line, block in blocks(page.read_text(encoding="utf-8"), "console")
]
PYTHON = [
    (f"{page.name}:{line}", block)
    for page in PAGES
    for line, block in blocks(page.read_text(encoding="utf-8"), "python")
]


@pytest.mark.parametrize(("place", "commands"), CONSOLE, ids=[place for place, _ in CONSOLE])
def test_console_examples_print_what_the_page_shows(place: str, commands: list[tuple[str, str]], desk: Path) -> None:
    assert commands
    for command, wanted in commands:
        assert output_of(command, desk) == wanted, place


@pytest.mark.parametrize(("place", "source"), PYTHON, ids=[place for place, _ in PYTHON])
def test_python_example_runs(place: str, source: str) -> None:
    check_python(source, place)


def test_there_are_examples() -> None:
    assert CONSOLE
    assert PYTHON


def test_the_readme_is_read_to_its_end() -> None:
    assert README.read_text(encoding="utf-8").count("\n") <= 150


# ---------------------------------------------------------------- the checker itself


def test_a_console_block_is_read_command_by_command() -> None:
    block = "$ echo one\none\n$ echo two; \\\n  echo three\ntwo\nthree\n$ true\n"
    assert examples(block) == [("echo one", "one\n"), ("echo two; \\\n  echo three", "two\nthree\n"), ("true", "")]


def test_both_outputs_count_in_their_order() -> None:
    assert output_of("echo a; echo b >&2; echo c") == "a\nb\nc\n"


@pytest.mark.parametrize("source", ["assert 1 == 2\n", ">>> 1 + 1\n3\n"])
def test_a_wrong_python_example_fails(source: str) -> None:
    with pytest.raises(AssertionError):
        check_python(source, "example")


@pytest.mark.parametrize("source", ["assert 1 == 1\n", ">>> 1 + 1\n2\n"])
def test_a_right_python_example_passes(source: str) -> None:
    check_python(source, "example")
