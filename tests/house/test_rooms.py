"""The map of the rooms in the package's docstring is true, and whatever a command calls is in the room of its subject."""

from __future__ import annotations

import ast
import inspect
import re
from importlib import import_module

import pytest

import silp_cli
from silp_cli.cli.table import COMMANDS

from .test_imports import FLOOR, ROOT

MAP = re.findall(r"^    (\w+) +\S", (silp_cli.__doc__ or "").partition("::\n")[2], re.M)


def test_the_map_names_every_room_and_no_other() -> None:
    rooms = {path.name for path in ROOT.iterdir() if path.is_dir() and any(path.glob("*.*"))} - {"__pycache__"}
    files = {path.stem for path in ROOT.glob("*.py")} - {"__init__", "__main__", "child", "version"}
    assert sorted(MAP) == sorted(rooms | files)


def test_the_map_goes_from_the_bottom_up() -> None:
    floors = [FLOOR[room] for room in MAP]
    assert floors == sorted(floors)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_calls_a_room_with_what_it_declares(command: str) -> None:
    target, defaults, _, _ = COMMANDS[command]
    module, _, name = target.partition(":")
    room = module.split(".")[1]
    assert room in MAP
    assert room != "cli"
    parameters = inspect.signature(getattr(import_module(module), name)).parameters
    assert {each.kind for each in parameters.values()} <= {inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.VAR_KEYWORD}
    if not any(each.kind is inspect.Parameter.VAR_KEYWORD for each in parameters.values()):
        assert set(parameters) == set(defaults)
    assert set(parameters) - {"stream"} <= set(defaults)


def test_declarations_hold_no_logic() -> None:
    """In a module that declares commands every function is a name, its parameters and a docstring."""
    infrastructure = {"app", "call", "main", "make_table", "options", "plain", "table", "values", "__init__"}
    for path in sorted((ROOT / "cli").glob("*.py")):
        if path.stem in infrastructure:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                assert len(node.body) == 1, f"{path.name}: {node.name}"
                assert ast.get_docstring(node), f"{path.name}: {node.name}"
