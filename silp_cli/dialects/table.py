"""The table of dialects: one row a dialect, read from ``table.toml`` and from a user's file of the same form."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "table.toml")
_HOLE = re.compile(r'\$"?([a-z]+)')
_HOLES = {"name", "id", "arguments", "python", "braced", "parameters"}
_IN_PARAMETER = {"key", "value", "string"}
NOTATIONS = ("pythonic", "json", "keyed", "headed", "tagged", "pairs", "braces", "api")


@dataclass(frozen=True)
class Dialect:
    """One row; ``table.toml`` says what each field means."""

    name: str
    notation: str
    example: str
    open: tuple[str, ...] = ()
    close: tuple[str, ...] = ()
    inner: tuple[str, ...] = ()
    fence: tuple[str, ...] = ()
    quotes: tuple[str, ...] = ()
    head: str = ""
    margin: bool = False
    word: bool = False
    typed: bool = True
    short: str = ""
    form: str = ""
    parameter: str = ""


@dataclass(frozen=True)
class Shape:
    """The keys of an object that is a call."""

    name: str
    arguments: tuple[str, ...]
    id: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reasoning:
    """The markers around what a model thinks.

    Attributes:
        open: begins it.
        close: ends it.
        until: markers that end it too, and are read on.
        lone: whether the closing marker alone ends reasoning whose opening was in the prompt.
    """

    open: str
    close: str
    until: tuple[str, ...] = ()
    lone: bool = True


@dataclass(frozen=True)
class Table:
    """All that the reader knows of dialects."""

    dialects: tuple[Dialect, ...]
    shapes: tuple[Shape, ...]
    reasoning: tuple[Reasoning, ...]
    noise: tuple[str, ...]
    cache: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    def only(self, name: str) -> Table:
        """The table with one dialect alone.

        Raises:
            ValueError: when there is none of that name.
        """
        found = tuple(each for each in self.dialects if each.name == name)
        if not found:
            from difflib import get_close_matches

            names = [each.name for each in self.dialects]
            close = get_close_matches(name, names, n=1)
            raise ValueError(f"no dialect '{name}'" + (f"; did you mean '{close[0]}'?" if close else ""))
        return Table(found, self.shapes, self.reasoning, self.noise)

    def plus(self, more: Table) -> Table:
        """This table with the rows of another before its own; rows of the same name are replaced."""
        new = {each.name for each in more.dialects}
        return Table(
            (*more.dialects, *(each for each in self.dialects if each.name not in new)),
            (*self.shapes, *more.shapes), (*self.reasoning, *more.reasoning), (*self.noise, *more.noise),
        )


_built_in: Table | None = None


def built_in() -> Table:
    """The table that is shipped."""
    global _built_in
    if _built_in is None:
        with open(_FILE, encoding="utf-8") as file:
            _built_in = read_table(file.read())
    return _built_in


def read_table(text: str) -> Table:
    """A table out of TOML.

    Raises:
        ValueError: for text that is no TOML, or rows that miss a field or have one of a wrong type.
    """
    import tomllib

    data = tomllib.loads(text)
    unknown = data.keys() - {"dialect", "shape", "reasoning", "noise"}
    if unknown:
        raise ValueError(f"unknown table '{sorted(unknown)[0]}'; rows are [[dialect]], [[shape]], [[reasoning]]")
    dialects = tuple(_row(Dialect, row, "dialect") for row in data.get("dialect", ()))
    for dialect in dialects:
        _require_sound(dialect)
    return Table(
        dialects,
        tuple(_row(Shape, row, "shape") for row in data.get("shape", ())),
        tuple(_row(Reasoning, row, "reasoning") for row in data.get("reasoning", ())),
        tuple(data.get("noise", {}).get("marks", ())),
    )


def _row(kind: type[Any], row: Mapping[str, Any], table: str) -> Any:
    name = row.get("name") or row.get("open")
    types: dict[str, Any] = kind.__annotations__
    fields: dict[str, Any] = {}
    for key, value in row.items():
        wanted = types.get(key)
        if wanted is None:
            raise ValueError(f"{table} '{name}': unknown field '{key}'")
        if wanted.startswith("tuple"):
            if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
                raise ValueError(f"{table} '{name}': {key} is a list of strings")
            value = tuple(value)
        elif type(value).__name__ != wanted:
            raise ValueError(f"{table} '{name}': {key} is a {wanted}")
        fields[key] = value
    try:
        return kind(**fields)
    except TypeError as error:
        raise ValueError(f"{table} '{name}': {str(error).rpartition('__init__() ')[2]}") from None


def _require_sound(dialect: Dialect) -> None:
    if dialect.notation not in NOTATIONS:
        there = ", ".join(NOTATIONS)
        raise ValueError(f"dialect '{dialect.name}': no notation '{dialect.notation}'; there are: {there}")
    if any(not each for each in (*dialect.open, *dialect.close, *dialect.inner, *dialect.quotes)):
        raise ValueError(f"dialect '{dialect.name}': an empty marker")
    unknown = set(_HOLE.findall(dialect.form)) - _HOLES | set(_HOLE.findall(dialect.parameter)) - _IN_PARAMETER
    if unknown:
        raise ValueError(f"dialect '{dialect.name}': nothing is called ${min(unknown)} in a form")
    if "$parameters" in dialect.form and not dialect.parameter:
        raise ValueError(f"dialect '{dialect.name}': $parameters needs parameter")
    if dialect.notation == "braces" and not dialect.quotes:
        raise ValueError(f"dialect '{dialect.name}': braces need quotes")
    if dialect.notation == "headed":
        try:
            groups = re.compile(dialect.head).groupindex
        except re.error as error:
            raise ValueError(f"dialect '{dialect.name}': head is no regular expression: {error}") from None
        if "name" not in groups:
            raise ValueError(f"dialect '{dialect.name}': head needs a group 'name'")
        if not dialect.open:
            raise ValueError(f"dialect '{dialect.name}': headed needs open")
