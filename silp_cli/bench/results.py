"""Reads results: JSON Lines of ``silp eval``, or any CSV or JSON Lines with a model, a frontend, a case and a score."""

from __future__ import annotations

import csv
import io
import sys
from dataclasses import dataclass, field

from silp_cli.ir.errors import SilpError
from silp_cli.ir.jsontext import loads
from silp_cli.text.command import CommandError
from silp_cli.text.stdin import stdin_descriptor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

# Where the first that a file has is the score, unless one is named.
SCORES = ("verdict", "score", "llm_verdict", "f1", "exact", "rule_verdict", "valid")
KEYS = ("model", "frontend", "case")
# What judges write, as a score. An error of the judge is no success, and no opinion either.
VERDICTS: dict[str, float] = {
    "pass": 1.0, "passed": 1.0, "true": 1.0, "yes": 1.0, "ok": 1.0, "correct": 1.0,
    "fail": 0.0, "failed": 0.0, "false": 0.0, "no": 0.0, "wrong": 0.0, "incorrect": 0.0, "error": 0.0, "invalid": 0.0,
    "partial": 0.5,
}
NO_OPINION = frozenset(("error", "", "none", "null"))


@dataclass(frozen=True, slots=True)
class Row:
    """One result.

    Attributes:
        model: which model answered.
        frontend: the encoding it read or wrote.
        case: which case.
        fields: every column of the row.
        place: file and line.
    """

    model: str
    frontend: str
    case: str
    fields: dict[str, Any]
    place: str


@dataclass(slots=True)
class Scores:
    """Scores by model, frontend and case; repeats are averaged.

    Attributes:
        column: where they come from.
        values: the scores.
        left_out: how many rows had no score.
    """

    column: str
    values: dict[str, dict[str, dict[str, float]]] = field(default_factory=dict)
    left_out: int = 0

    def models(self) -> list[str]:
        """The models, in the order of the input."""
        return list(self.values)

    def frontends(self, *models: str) -> list[str]:
        """The frontends that all of the models have, in the order of the first."""
        first, *rest = models or self.models()
        return [each for each in self.values[first] if all(each in self.values[other] for other in rest)]

    def cases(self, frontends: Sequence[str], *models: str) -> list[str]:
        """The cases that all of the models have under all of the frontends, in order."""
        columns = [self.values[model][frontend] for model in models for frontend in frontends]
        return [case for case in columns[0] if all(case in column for column in columns)] if columns else []


def read_rows(files: Sequence[str], command: str) -> list[Row]:
    """Read results out of files.

    Args:
        files: their names; ``-`` or none: stdin.
        command: the name for messages.

    Raises:
        CommandError: with file and line, for what is no result.
    """
    rows: list[Row] = []
    for name in files or ["-"]:
        try:
            if name == "-":
                stdin_descriptor(command)
                data, name = sys.stdin.buffer.read(), "stdin"
            else:
                with open(name, "rb") as file:
                    data = file.read()
            text = data.decode("utf-8-sig")
        except OSError as error:
            raise CommandError(f"{command}: {name}: {error.strerror}") from None
        except UnicodeDecodeError as error:
            raise CommandError(f"{command}: {name}: not UTF-8 at byte offset {error.start}") from None
        rows.extend(parse_rows(text, name, command))
    if not rows:
        raise CommandError(f"{command}: no results in the input (they have the columns model, frontend and case)", 1)
    return rows


def parse_rows(text: str, name: str = "stdin", command: str = "silp") -> Iterator[Row]:
    """Read results out of a text: JSON Lines if it begins with a brace, else CSV with a line of names.

    Raises:
        CommandError: with file and line, for what is no result.
    """
    records = _json_lines(text, name, command) if text.lstrip()[:1] == "{" else _csv(text, name, command)
    for line, fields in records:
        missing = [key for key in KEYS if fields.get(key) in (None, "")]
        if len(missing) == len(KEYS) and "model" not in fields:
            continue  # the head of a run, not a result
        if missing:
            raise CommandError(
                f"{command}: {name}:{line}: no {' and no '.join(missing)}; "
                "a result has model, frontend, case and a score"
            )
        model, frontend, case = (str(fields[key]) for key in KEYS)
        yield Row(model, frontend, case, fields, f"{name}:{line}")


def _json_lines(text: str, name: str, command: str) -> Iterator[tuple[int, dict[str, Any]]]:
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            value = loads(line)
        except SilpError as error:
            if number == len(lines):  # a run that was killed in the middle of a line
                sys.stderr.write(f"{command}: {name}:{number}: warning: the last line is cut off, it is left out\n")
                return
            raise CommandError(f"{command}: {name}:{number}: {error.message}") from None
        if not isinstance(value, dict):
            raise CommandError(f"{command}: {name}:{number}: a result is a JSON object")
        yield number, value


def _csv(text: str, name: str, command: str) -> Iterator[tuple[int, dict[str, Any]]]:
    if not text.strip():
        return
    head = text.lstrip().split("\n", 1)[0]
    reader = csv.DictReader(io.StringIO(text), delimiter=max(",\t;", key=head.count))
    names = reader.fieldnames or []
    if missing := [key for key in KEYS if key not in names]:
        raise CommandError(
            f"{command}: {name}:1: no column {', '.join(missing)}; a CSV begins with names: model,frontend,case,verdict"
        )
    for row in reader:
        if None in row or None in row.values():
            raise CommandError(f"{command}: {name}:{reader.line_num}: {len(names)} columns expected")
        yield reader.line_num, row


def score_of(value: Any) -> float | None:
    """A score out of what a column holds: a number, a boolean or a verdict; None where there is nothing.

    Raises:
        ValueError: for anything else.
    """
    if value is None or value == "":
        return None
    if isinstance(value, (bool, int, float)):
        return float(value)
    if isinstance(value, str):
        known = VERDICTS.get(value.strip().lower())
        return float(value) if known is None else known
    raise ValueError(f"not a score: {value!r}")


def score_column(rows: Iterable[Row], named: str | None, command: str) -> str:
    """The column that holds the score: the one that is named, or the first of ``SCORES`` that has values.

    Raises:
        CommandError: when there is none.
    """
    present = dict.fromkeys(name for row in rows for name, value in row.fields.items() if value is not None)
    if named is not None:
        if named not in present:
            raise CommandError(f"{command}: no column '{named}' in the results; there are: {', '.join(present)}")
        return named
    for name in SCORES:
        if name in present:
            return name
    raise CommandError(
        f"{command}: no score in the results; name its column with --score (there are: {', '.join(present)})"
    )


def of_task(rows: Sequence[Row], task: str | None, command: str) -> tuple[list[Row], str | None]:
    """The rows of one task: the one that is named, else ``read``, else the first; and which it was.

    Raises:
        CommandError: when no row has the task that is named.
    """
    tasks = list(dict.fromkeys(str(row.fields["task"]) for row in rows if row.fields.get("task")))
    if task is None:
        if not tasks:
            return list(rows), None
        task = "read" if "read" in tasks else tasks[0]
    elif task not in tasks:
        raise CommandError(f"{command}: no results of the task '{task}'; there are: {', '.join(tasks) or 'none named'}")
    return [row for row in rows if row.fields.get("task") == task], task


def scores(rows: Sequence[Row], column: str, command: str) -> Scores:
    """Collect one column's scores.

    Raises:
        CommandError: with the place, for a value that is no score from 0 to 1.
    """
    found = Scores(column)
    sums: dict[tuple[str, str, str], list[float]] = {}
    for row in rows:
        try:
            value = score_of(row.fields.get(column))
        except ValueError:
            raise CommandError(
                f"{command}: {row.place}: {row.fields[column]!r} in the column {column} is neither a number nor "
                f"a verdict ({', '.join(VERDICTS)})"
            ) from None
        if value is None:
            found.left_out += 1
        elif not 0 <= value <= 1:
            raise CommandError(f"{command}: {row.place}: the score {value:g} in the column {column} is not from 0 to 1")
        else:
            sums.setdefault((row.model, row.frontend, row.case), []).append(value)
    for (model, frontend, case), each in sums.items():
        found.values.setdefault(model, {}).setdefault(frontend, {})[case] = sum(each) / len(each)
    if not found.values:
        raise CommandError(f"{command}: the column {column} is empty", 1)
    return found


def judges(rows: Sequence[Row]) -> dict[str, list[str | None]]:
    """What each judge said of each row: the columns whose names end in ``verdict``; None for no opinion."""
    names = dict.fromkeys(name for row in rows for name in row.fields if name.endswith("verdict"))
    found = {}
    for name in names:
        said = [str(row.fields.get(name) or "").strip().lower() for row in rows]
        found[name] = [None if each in NO_OPINION else each for each in said]
    return found
