"""The house: imports run downward from room to room, and never in a circle, files of one room included.

Counted is every import of one of the package's own modules that stands in a file: at the top, inside a function, under a
condition, under ``if TYPE_CHECKING:`` (a reader follows it like any other), and a module's name in a string that is imported
on demand (``calls="silp_cli.x:run"``). Not counted is a module that is started as another process (``-m``), nor that Python
imports a package's ``__init__`` before its files; what a file imports from the ``__init__`` of its own package is.
"""

from __future__ import annotations

import ast
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

PACKAGE = "silp_cli"
ROOT = Path(__file__).resolve().parents[2] / PACKAGE

# From the bottom up. Rooms of one line know nothing of each other.
FLOORS: tuple[tuple[str, ...], ...] = (
    ("version",),
    ("ir",),
    ("text",),
    ("frontends",),
    ("dialects",),
    ("policy",),
    ("census", "protocol"),
    ("codec", "explain"),
    ("bench", "corpus"),
    ("api",),
    ("manual",),
    ("cli",),
    ("__main__",),
    ("child",),
)
FLOOR = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def modules() -> dict[str, Path]:
    return {module_name(path): path for path in sorted(ROOT.rglob("*.py"))}


def room(module: str) -> str:
    return [*module.split("."), ""][1]


class _Imports(ast.NodeVisitor):
    """Collects the modules of the package that a file imports."""

    def __init__(self, module: str, known: frozenset[str]) -> None:
        self.module = module
        self.known = known
        self.found: dict[str, int] = {}

    def _add(self, name: str, line: int) -> None:
        while name and name not in self.known:
            name = name.rpartition(".")[0]
        if name in self.known and name not in (self.module, PACKAGE):
            self.found.setdefault(name, line)

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            if alias.name.split(".")[0] == PACKAGE:
                self._add(alias.name, node.lineno)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        assert node.level == 0, f"{self.module}:{node.lineno}: a relative import"
        if node.module and node.module.split(".")[0] == PACKAGE:
            for alias in node.names:
                self._add(f"{node.module}.{alias.name}", node.lineno)

    def visit_List(self, node: ast.List) -> None:
        before: object = None
        for each in node.elts:
            value = each.value if isinstance(each, ast.Constant) else None
            if before != "-m":
                self.visit(each)
            before = value

    def visit_Constant(self, node: ast.Constant) -> None:
        name = node.value.partition(":")[0] if isinstance(node.value, str) else ""
        if name in self.known and name != PACKAGE:
            self._add(name, node.lineno)


def imports_of(source: str, module: str, known: frozenset[str]) -> dict[str, int]:
    visitor = _Imports(module, known)
    visitor.visit(ast.parse(source))
    return visitor.found


@cache
def graph() -> dict[str, dict[str, int]]:
    known = frozenset(modules())
    return {
        module: imports_of(path.read_text(encoding="utf-8"), module, known) for module, path in modules().items()
    }


def circle(edges: dict[str, dict[str, int]]) -> list[str]:
    """The modules of one circle, the first again at the end; nothing if there is none."""
    state: dict[str, int] = {}
    path: list[str] = []

    def walk(module: str) -> list[str]:
        state[module] = 1
        path.append(module)
        for other in edges.get(module, ()):
            if state.get(other) == 1:
                return [*path[path.index(other) :], other]
            if other not in state and (found := walk(other)):
                return found
        path.pop()
        state[module] = 2
        return []

    for module in edges:
        if module not in state and (found := walk(module)):
            return found
    return []


def test_no_two_files_import_each_other_by_any_way_round() -> None:
    found = circle(graph())
    assert not found, " ->\n".join(f"{one}:{graph()[one][other]}" for one, other in pairwise(found)) + f" ->\n{found[-1]}"


def test_every_room_stands_on_a_floor() -> None:
    rooms = {room(module) for module in modules()} - {""}
    assert rooms <= FLOOR.keys()


@pytest.mark.parametrize("module", [module for module in modules() if room(module)])
def test_imports_run_downward(module: str) -> None:
    own = FLOOR[room(module)]
    upward = [
        f"{module}:{line} imports {other}"
        for other, line in graph()[module].items()
        if room(other) != room(module) and FLOOR[room(other)] >= own
    ]
    assert not upward


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import silp_cli.text.records", {"silp_cli.text.records"}),
        ("from silp_cli.text import records, safe", {"silp_cli.text.records", "silp_cli.text.safe"}),
        ("from silp_cli.text.records import Reader", {"silp_cli.text.records"}),
        ("def f():\n    from silp_cli.text.safe import escape", {"silp_cli.text.safe"}),
        ("command(calls='silp_cli.text.safe:escape')", {"silp_cli.text.safe"}),
        ("if TYPE_CHECKING:\n    from silp_cli.text.safe import escape", {"silp_cli.text.safe"}),
        ("'silp_cli.text.safety'", set()),
        ("run([python, '-m', 'silp_cli.text.safe', 'silp_cli.text'])", {"silp_cli.text"}),
        ("if other:\n    from silp_cli.text.safe import escape", {"silp_cli.text.safe"}),
    ],
)
def test_what_counts_as_an_import(source: str, found: set[str]) -> None:
    known = frozenset({"silp_cli", "silp_cli.text", "silp_cli.text.records", "silp_cli.text.safe"})
    assert set(imports_of(source, "silp_cli.cli.x", known)) == found


def test_a_circle_is_found_whatever_its_length() -> None:
    assert circle({"a": {"b": 1}, "b": {"c": 1}, "c": {"b": 2}}) == ["b", "c", "b"]
    assert circle({"a": {"b": 1, "c": 2}, "b": {"c": 1}, "c": {}}) == []
