"""The quick reading of command lines and typer's own: the same call, or the quick one leaves it to typer."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from silp_cli.cli import app, plain
from silp_cli.cli.call import Call
from silp_cli.cli.table import COMMANDS, GROUPS
from silp_cli.text.command import CommandError

# Texts that look like what they are not: options, numbers, commands, nothing, bytes that are no UTF-8.
WORDS = st.sampled_from([
    "a.jsonl", "-", "", "x y", "=", "a=b", "compile", "verify", "json", "-1", "--", "-x", "--nope", "--errors", "-fjson",
    "--max", "--any-verb=1", "-q1", "0", "7", "64K", "0.5", "\udcff", "ü",
])
NUMBERS = ("1", "5", "8", "0", "64", "256", "64K", "2m", "0.5", "a", "x=y")


def good_values(kind: Any) -> st.SearchStrategy[str]:
    """Values that an option of this kind takes."""
    if isinstance(kind, tuple):
        return st.sampled_from(kind)
    if not kind:
        return st.sampled_from(["a", "b.txt", "-", "x=y", "3", "ü"])
    module, _, name = kind.partition(":")
    return st.sampled_from([text for text in NUMBERS if converts(getattr(import_module(module), name), text)])


def converts(convert: Callable[[str], object], text: str) -> bool:
    try:
        convert(text)
    except ValueError:
        return False
    return True


@st.composite
def options(draw: st.DrawFn, spellings: dict[str, Any], *, only_good: bool) -> list[str]:
    """One option as it may be written."""
    name = draw(st.sampled_from(sorted(spellings)))
    _, kind, _ = spellings[name]
    if isinstance(kind, bool):
        return [name] if only_good else draw(st.sampled_from([[name], [f"{name}=1"], [name, "-q"]]))
    value = draw(good_values(kind) if only_good else good_values(kind) | WORDS)
    forms = [[name, value]]
    if name.startswith("--"):
        forms.append([f"{name}={value}"])
    elif value and "=" not in value:
        forms.append([name + value])
    if not only_good:
        forms += [[name], [f"{name}={value}"], [name + value]]
    return draw(st.sampled_from(forms))


@st.composite
def command_lines(draw: st.DrawFn, *, only_good: bool) -> list[str]:
    """A command and words behind it, drawn from the declarations."""
    name = draw(st.sampled_from(sorted(COMMANDS)))
    _, defaults, spellings, positional = COMMANDS[name]
    if only_good:
        known = {option: row for option, row in spellings.items() if row[1] is not None}
        drawn = draw(st.lists(options(known, only_good=True), max_size=6)) if known else []
        for parameter in (each for each, default in defaults.items() if default is ...):
            mine = {option: row for option, row in spellings.items() if row[0] == parameter}
            drawn.append(draw(options(mine, only_good=True)))
        for _, kind, many, required in positional:
            count = draw(st.integers(int(required), 3 if many else 1))
            drawn += [[draw(good_values(kind))] for _ in range(count)]
    else:
        word = WORDS.map(lambda text: [text])
        drawn = draw(st.lists(options(spellings, only_good=False) | word if spellings else word, max_size=6))
        short = [option[1] for option in spellings if len(option) == 2]
        cluster: bool = draw(st.booleans())
        if short and cluster:  # several flags behind one dash
            drawn.append(["-" + "".join(draw(st.lists(st.sampled_from(short), min_size=1, max_size=3)))])
    words = name.split(" ")
    if len(words) > 1 and GROUPS[words[0]][1] == words[1] and draw(st.booleans()):
        words.pop()
    return words + [word for piece in drawn for word in piece]


def by_typer(arguments: list[str]) -> Call | str:
    """What typer makes of it: a call, or a message."""
    try:
        found = app.read(arguments)
    except CommandError as error:
        return str(error)
    assert isinstance(found, Call)
    return found


@settings(max_examples=300)
@given(command_lines(only_good=False))
def test_what_is_read_quickly_is_what_typer_reads(arguments: list[str]) -> None:
    quick = plain.read(arguments)
    if quick is not None:
        assert quick == by_typer(arguments)
    else:
        found = by_typer(arguments)
        if isinstance(found, str):
            assert "\n" not in found
            assert re.match(r"silp[a-z -]*: .+ \(see 'silp[a-z -]* --help'\)$", found, re.S)


@settings(max_examples=150)
@given(command_lines(only_good=True))
def test_ordinary_command_lines_are_read_quickly(arguments: list[str]) -> None:
    quick = plain.read(arguments)
    assert quick is not None
    assert quick == by_typer(arguments)


@pytest.mark.parametrize("arguments", [
    ["validate", "--quie"], ["validate", "--max-depth"], ["validate", "--errors", "xml"], ["validate", "-h"],
    ["validate", "--quiet=1"], ["validate", "--max-depth", "0"], ["validat"], [], ["--help"], ["validate", "-qx"],
    ["validate", "--verbs", "--quiet"], ["grammar", "code", "json"],
])
def test_what_is_not_ordinary_is_left_to_typer(arguments: list[str]) -> None:
    assert plain.read(arguments) is None


def test_a_call_has_every_parameter() -> None:
    found = plain.read(["validate", "-q", "--fail-on=warning", "a", "-", "--max-record-size", "2K", "--", "--quiet"])
    assert found is not None
    said = {"files": ["a", "-", "--quiet"], "fail_on": "warning", "quiet": True, "max_record_size": 2048}
    target, defaults, _, _ = COMMANDS["validate"]
    assert found == Call(target, {**defaults, **said})
    assert (target, defaults["max_depth"], defaults["verbs"]) == ("silp_cli.codec.validate_command:run", 64, None)
