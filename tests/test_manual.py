"""The manual's reference pages are true: the rules are those of the code, and each example breaks its rule."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from support import ROOT, environment

from silp_cli.ir.errors import ErrorCode
from silp_cli.manual.codes import codes_page
from silp_cli.manual.pages import page, topics
from silp_cli.manual.roff import man_page
from silp_cli.manual.rules import Rule, rules, rules_page

RULES = rules()
FAMILIES = {name.split(".")[0] for name in RULES}
# What looks like a rule and is the name of a file.
FILES = {"compile.lock", "sessions.sqlite3", "verbs.txt", "code.abnf", "json.abnf", "negotiation.abnf", "mcp.types"}


def strings(tree: ast.AST) -> Iterator[str]:
    """All string constants, those of f-strings left out."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def named_rules() -> set[str]:
    """The rules that the code names: ``rule="…"``, and strings that begin with the family of a known rule."""
    found: set[str] = set()
    for file in (ROOT / "silp_cli").rglob("*.py"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.keyword) and node.arg == "rule" and isinstance(node.value, ast.Constant):
                found.add(str(node.value.value))
        for text in strings(tree):
            family, dot, rest = text.partition(".")
            plain = rest.replace("-", "").replace("_", "")
            if dot and family in FAMILIES and plain.isalnum() and plain.islower() and text not in FILES:
                found.add(text)
    return {name for name in found if "." in name}


def test_each_rule_of_the_code_is_in_the_table() -> None:
    assert named_rules() - set(RULES) == set()


def test_each_rule_of_the_table_is_in_the_code() -> None:
    made = ("schema.", "sanitize.", "llmlingua2.")  # composed at run time
    assert {name for name in set(RULES) - named_rules() if not name.startswith(made)} == set()


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A directory that has the fixtures."""
    (tmp_path / "fixtures").symlink_to(ROOT / "fixtures")
    return tmp_path


def output_of(command: str, directory: Path) -> str:
    done = subprocess.run(
        ["bash", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
        cwd=directory, env=environment(), timeout=60, check=False,
    )
    return done.stdout.decode()


BROKEN = [rule for rule in RULES.values() if rule.breaks]


@pytest.mark.parametrize("rule", BROKEN, ids=[rule.name for rule in BROKEN])
def test_the_example_breaks_its_rule(rule: Rule, desk: Path) -> None:
    wanted = rule.shows or f'"rule":"{rule.name}"'
    assert wanted in output_of(f"{rule.breaks.strip()} --errors json", desk)


def test_most_rules_have_an_example() -> None:
    assert len(BROKEN) > 0.7 * len(RULES)


def test_the_page_of_rules_has_them_all() -> None:
    text = rules_page()
    assert all(f"## {name}\n" in text for name in RULES)


def test_the_page_of_codes_has_all_six() -> None:
    text = codes_page()
    assert all(f"`{code}`" in text for code in ErrorCode)


def test_every_page_has_a_title() -> None:
    assert all(title and not title.startswith("#") for title in topics().values())


@pytest.mark.parametrize("name", ["nothing", "../README", "", "a/b"])
def test_a_page_that_is_not_there_is_a_key_error(name: str) -> None:
    with pytest.raises(KeyError):
        page(name)


def test_a_man_page_obeys_no_line_of_its_text() -> None:
    text = man_page("silp", "filters", "1", "# A\n\n    .so evil\n\nText with `a-b` and \\x.\n\n| a | b |\n| - | - |\n| c | d |\n")
    assert "\n\\&.so evil\n" in text
    assert r"\fBa\-b\fR" in text
    assert r"\ex" in text
    assert ".TP\nc\nd" in text
