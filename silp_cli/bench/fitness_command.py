"""``silp fitness``: the draft's fitness of each frontend, with every term beside it."""

from __future__ import annotations

import csv
import io
import sys

from silp_cli.bench.terms import BY_NAME, TERMS
from silp_cli.text.command import CommandError
from silp_cli.text.output import write_whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from silp_cli.bench.fitness import FitnessTable
    from silp_cli.bench.results import Row

COMMAND = "silp fitness"


def run(
    *, files: Sequence[str], score: str | None, task: str | None, corpus: str | None, weights: str | None,
    human: str | None, floor: float, json: bool, header: bool, output: str | None,
) -> int:
    """Write the fitness of each frontend; return the exit status: 1 if all are infeasible."""
    from silp_cli.bench.terms import read_weights

    chosen = read_weights(weights, COMMAND)
    table = fitness_files(files, score=score, task=task, corpus=corpus, weights=chosen, human=human, floor=floor)
    if json:
        from silp_cli.text.output import json_writer

        write_whole(json_writer(pretty=False)(table.to_dict()), output)
    elif output is None and sys.stdout.isatty():
        write_whole(people(table))
    else:
        write_whole(separated(table, header=header), output)
    for name, why in table.missing.items():
        sys.stderr.write(f"{COMMAND}: note: {name} ({BY_NAME[name].symbol}) is left out: {why}\n")
    for note in table.notes:
        sys.stderr.write(f"{COMMAND}: note: {note}\n")
    return 0 if any(row.feasible for row in table.rows) else 1


def fitness_files(
    files: Sequence[str], *, score: str | None = None, task: str | None = None, corpus: str | None = None,
    weights: dict[str, float], human: str | None = None, floor: float,
) -> FitnessTable:
    """Read results and compute the fitness.

    Raises:
        CommandError: when something cannot be read.
    """
    from silp_cli.bench.fitness import fitness_table
    from silp_cli.bench.measures import measure
    from silp_cli.bench.results import of_task, read_rows, score_column, scores

    rows, _ = of_task(read_rows(files, COMMAND), task, COMMAND)
    column = score_column(rows, score, COMMAND)
    scores(rows, column, COMMAND)  # says where a score is none
    texts, tokens = None, None
    if corpus is not None:
        from silp_cli.bench.corpus_cases import count, payloads, read_corpus, tokenizers

        names = list(dict.fromkeys((*(row.frontend for row in rows), "natural")))
        texts = payloads(read_corpus(corpus, COMMAND), names)
        tokens = count(texts, tokenizers())
    ratings = None if human is None else read_ratings(human)
    return fitness_table(measure(rows, column, texts=texts, tokens=tokens, ratings=ratings), weights, floor)


def read_ratings(path: str) -> list[Row]:
    """People's ratings: CSV with the columns frontend, rating, and perhaps case.

    Raises:
        CommandError: with file and line, for what is no rating from 0 to 1.
    """
    from silp_cli.bench.results import Row, score_of
    from silp_cli.text.output import read_whole

    reader = csv.DictReader(io.StringIO(read_whole(path, COMMAND)))
    if not {"frontend", "rating"} <= set(reader.fieldnames or ()):
        raise CommandError(f"{COMMAND}: {path}:1: the columns frontend and rating are expected")
    found = []
    for fields in reader:
        place = f"{path}:{reader.line_num}"
        try:
            value = score_of(fields["rating"])
        except ValueError:
            value = None
        if value is None or not 0 <= value <= 1:
            raise CommandError(f"{COMMAND}: {place}: a rating is a number from 0 (unreadable) to 1 (like prose)")
        found.append(Row("", fields["frontend"], fields.get("case") or "", dict(fields), place))
    return found


def separated(table: FitnessTable, *, header: bool = False) -> str:
    """Rows for ``sort`` and ``awk``: frontend, fitness, the terms; ``-`` for a term that is missing."""
    lines = ["\t".join(("frontend", "fitness", *BY_NAME))] if header else []
    for row in table.rows:
        shown = "infeasible" if row.fitness is None else f"{row.fitness:.4f}"
        terms = [f"{row.terms[term.name]:.4f}" if term.name in row.terms else "-" for term in TERMS]
        lines.append("\t".join((row.frontend, shown, *terms)))
    return "\n".join(lines)


def people(table: FitnessTable) -> str:
    """A table for a terminal."""
    from silp_cli.bench.rank_text import columns

    shown = [term for term in TERMS if term.name not in table.missing]
    return columns(
        ("frontend", "fitness", *(term.name for term in shown)),
        [(
            row.frontend, "infeasible" if row.fitness is None else f"{row.fitness:.4f}",
            *(f"{row.terms[term.name]:.4f}" for term in shown),
        ) for row in table.rows],
    )
