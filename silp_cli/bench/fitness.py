"""The draft's fitness of each frontend (section "Layer 4")."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field

from silp_cli.bench.terms import TERMS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from silp_cli.bench.measures import Measures

FLOORED = "cross_model_fidelity"


@dataclass(slots=True)
class Fitness:
    """A frontend's fitness.

    Attributes:
        frontend: its name.
        fitness: the weighted sum; None when the frontend is infeasible.
        feasible: whether its fidelity reaches the floor.
        terms: the terms that were measured.
    """

    frontend: str
    fitness: float | None
    feasible: bool
    terms: dict[str, float]


@dataclass(slots=True)
class FitnessTable:
    """The frontends, best first, the infeasible last; and what was left out.

    Attributes:
        rows: the frontends.
        missing: terms that count for none, and why.
        cases: how many cases were used.
        weights: by term.
        floor: the fidelity below which a frontend is infeasible.
        notes: what else there is to know.
    """

    rows: list[Fitness]
    missing: dict[str, str]
    cases: int
    weights: dict[str, float]
    floor: float
    notes: list[str] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """The table as JSON data."""
        return asdict(self)


def fitness_of(values: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """The draft's formula over the terms that are there."""
    return math.fsum(term.sign * weights[term.name] * values[term.name] for term in TERMS if term.name in values)


def missing_terms(measures: Measures, frontends: Sequence[str], cases: Sequence[str]) -> dict[str, str]:
    """The terms that some frontend lacks, and why each is missing; frontends can only be compared without them."""
    missing = {}
    for term in TERMS:
        lacking = [each for each in frontends if measures.mean(term.name, each, cases) is None]
        if lacking:
            who = "" if len(lacking) == len(frontends) else f" (for {', '.join(lacking)})"
            missing[term.name] = f"not measured{who}; it comes from {term.source}"
    return missing


def fitness_table(measures: Measures, weights: Mapping[str, float], floor: float) -> FitnessTable:
    """The fitness of every frontend over the cases that all of them have.

    Args:
        measures: the terms.
        weights: by term.
        floor: the fidelity below which a frontend is infeasible.
    """
    success = measures.values.get("task_success", {})
    frontends = list(success)
    every = dict.fromkeys(case for each in success.values() for case in each)
    cases = [case for case in every if all(case in success[each] for each in frontends)]
    missing = missing_terms(measures, frontends, cases)
    table = FitnessTable([], missing, len(cases), dict(weights), floor)
    if len(cases) < len(every):
        table.notes.append(f"{len(every) - len(cases)} of {len(every)} cases lack a frontend, they are left out")
    if FLOORED in missing:
        table.notes.append("the fidelity floor is not applied: there is no cross_model_fidelity")
    for frontend in frontends:
        means = {term.name: measures.mean(term.name, frontend, cases) for term in TERMS if term.name not in missing}
        values = {name: value for name, value in means.items() if value is not None}
        feasible = values.get(FLOORED, math.inf) >= floor
        table.rows.append(Fitness(frontend, fitness_of(values, weights) if feasible else None, feasible, values))
    table.rows.sort(key=lambda row: -math.inf if row.fitness is None else row.fitness, reverse=True)
    return table
