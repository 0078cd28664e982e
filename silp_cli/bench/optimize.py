"""Finds a policy on some cases and reports what it gains on others."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from random import Random

from silp_cli.bench.evaluations import Evaluations
from silp_cli.bench.extras import require
from silp_cli.bench.fitness import fitness_of, missing_terms
from silp_cli.bench.measures import Measures, compression, variation
from silp_cli.bench.prepare import COUNTED, make_space, value_of
from silp_cli.bench.search import (
    SMALL,
    enumerate_all,
    genetic_search,
    greedy_search,
    random_search,
)
from silp_cli.bench.terms import BY_NAME
from silp_cli.frontends.registry import get_frontend
from silp_cli.policy.policy import Policy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from silp_cli.bench.cases import Case
    from silp_cli.bench.space import Space
    from silp_cli.census.families import Tokenizer

_RESAMPLES = 9999
FIGURES: tuple[str, ...] = ("quality", "tokens", "tokenizer_variance", "fitness")


@dataclass(slots=True)
class Gain:
    """What a policy gains over the best single frontend, on cases that were not used in the search.

    Attributes:
        over: that frontend.
        cases: how many cases.
        terms: term -> (policy, single frontend); ``tokens`` among them.
        fitness: mean gain in fitness, and the ends of its 95 % interval.
        verdict: ``better``, ``worse`` or ``no difference shown``.
    """

    over: str
    cases: int
    terms: dict[str, tuple[float, float]]
    fitness: tuple[float, float, float]
    verdict: str


@dataclass(slots=True)
class Found:
    """What ``silp optimize`` found.

    Attributes:
        policy: the best by the weighted formula.
        searches: what each search found at equal evaluations: evaluations used, fitness on the tuning cases.
        gain: on the final cases.
        front: the policies that no other surpasses, each with its figures.
        missing: terms that count for none, and why.
        facts: sizes and seeds.
    """

    policy: Policy
    searches: dict[str, dict[str, float | int | None]]
    gain: Gain | None
    front: list[dict[str, Any]]
    missing: dict[str, str]
    facts: dict[str, Any]
    notes: list[str] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """The policy's file: the policy, and how it was found."""
        return {
            **self.policy.to_dict(),
            "search": {
                **self.facts, "searches": self.searches, "gain": None if self.gain is None else asdict(self.gain),
                "missing": self.missing, "notes": self.notes,
            },
        }


def split(cases: Sequence[Case], seed: int) -> tuple[list[Case], list[Case]]:
    """The cases to tune on and those for the final figures: as they are marked, else half and half by chance."""
    if any(case.split for case in cases):
        return [case for case in cases if case.split == "tune"], [case for case in cases if case.split == "final"]
    order = list(cases)
    Random(seed).shuffle(order)
    tune = {case.id for case in order[: len(order) // 2]}
    return [case for case in cases if case.id in tune], [case for case in cases if case.id not in tune]


def optimize(
    cases: Sequence[Case], frontends: Sequence[str], measures: Measures, counters: Sequence[Tokenizer], *,
    weights: Mapping[str, float], floor: float, features: Sequence[str], least_cases: int = 5,
    spellings: tuple[Mapping[str, Sequence[str]], Mapping[str, Sequence[str]]] = ({}, {}), classes: bool = True,
    evaluations: int = 5000, seed: int = 0, state: dict[str, Any] | None = None,
    after: Callable[[dict[str, Any]], None] | None = None,
) -> Found:
    """Search for a policy, with a random and a greedy search beside it.

    Args:
        cases: the cases; all have results under all frontends.
        frontends: what a policy may choose.
        measures: the terms by frontend and case.
        counters: the tokenizers.
        weights: by term.
        floor: the least fidelity.
        features: by which IRs are sorted into classes.
        least_cases: how many cases a class needs.
        spellings: candidates for verbs and ids.
        classes: whether frontends are chosen by class at all.
        evaluations: how many points each search may evaluate.
        seed: of all draws.
        state: where an earlier run was.
        after: takes the state after each leg.

    Raises:
        ValueError: when no frontend reaches the floor, or there are no cases to tune on.
    """
    from silp_cli.bench.genetic import front

    tune, final = split(cases, seed)
    if not tune:
        raise ValueError("no cases to tune on")
    space = make_space(
        tune, frontends, measures, counters, weights=weights, floor=floor, features=features, least_cases=least_cases,
        spellings=spellings, classes=classes,
    )
    best = genetic_search(space, evaluations, seed, state=state, after=after)
    searches: dict[str, Evaluations] = {
        "genetic": best,
        "greedy": greedy_search(space, evaluations, seed),
        "random": random_search(space, evaluations, seed),
    }
    if space.points() <= SMALL:
        searches["enumeration"] = enumerate_all(space)
    point = max((searches[name] for name in searches), key=lambda each: each.best_worth).best
    policy = space.policy(point)
    singles = space.measure(space.singles())
    order = [number for number in range(len(frontends)) if not singles["short"][number] > 0]
    over = frontends[max(order, key=lambda number: singles["fitness"][number])]
    missing = missing_terms(measures, frontends, [case.id for case in tune])
    found = Found(
        policy,
        {name: {"evaluations": len(each.known), "fitness": each.best_worth} for name, each in searches.items()},
        gain_of(policy, over, final, measures, counters, weights, missing, seed) if final else None,
        _front_of(space, front(space, _seeds(space, point), evaluations, seed)),
        missing,
        {
            "seed": seed, "points": space.points(), "genes": len(space.genes), "tune_cases": len(tune),
            "final_cases": len(final), "best_single": over,
            "fitness_of_singles": dict(zip(frontends, map(float, singles["fitness"]), strict=True)),
            "meaning": space.meaning, "least_meaning": space.least,
            "best_figures": _figures(space.measure(point[None]), 0),
            "single_figures": {name: _figures(singles, number) for number, name in enumerate(frontends)},
        },
    )
    if policy.vocabulary:
        found.notes.append(
            "what models make of the new spellings was not measured: run silp eval on payloads of this policy"
        )
    if not final:
        found.notes.append("no cases were kept for the final figures, so no gain is claimed")
    return found


def gain_of(
    policy: Policy, over: str, cases: Sequence[Case], measures: Measures, counters: Sequence[Tokenizer],
    weights: Mapping[str, float], missing: Mapping[str, str], seed: int,
) -> Gain:
    """Compile the cases by the policy and by one frontend, count both for good, and compare case by case."""
    numpy = require("numpy")
    single = Policy(over)
    ours = [_terms(policy, case, measures, counters, missing) for case in cases]
    theirs = [_terms(single, case, measures, counters, missing) for case in cases]
    gains = numpy.array([
        fitness_of(one, weights) - fitness_of(other, weights) for one, other in zip(ours, theirs, strict=True)
    ])
    mean = float(gains.mean())
    low = high = mean
    if len(gains) > 1 and gains.std() > 0:
        interval = require("scipy.stats").bootstrap(
            (gains,), numpy.mean, n_resamples=_RESAMPLES, method="percentile", rng=numpy.random.default_rng(seed)
        ).confidence_interval
        low, high = float(interval.low), float(interval.high)
    names = [name for name in (*BY_NAME, "tokens") if all(name in each for each in (*ours, *theirs))]
    terms = {
        name: (float(numpy.mean([each[name] for each in ours])), float(numpy.mean([each[name] for each in theirs])))
        for name in names
    }
    verdict = "better" if low > 0 else "worse" if high < 0 else "no difference shown"
    return Gain(over, len(cases), terms, (mean, low, high), verdict)


def _terms(
    policy: Policy, case: Case, measures: Measures, counters: Sequence[Tokenizer], missing: Mapping[str, str]
) -> dict[str, float]:
    from silp_cli.bench.unreadability import unreadability

    frontend = policy.frontend_for(case.ir)
    text = policy.compile(case.ir, bare=True)
    counts = {each.name: each.count(text) for each in counters}
    natural_text = get_frontend("natural").compile(case.ir, bare=True)
    found: dict[str, float | None] = {
        name: value_of(measures, name, frontend, case.id)
        for name in BY_NAME if name not in missing and name not in COUNTED
    }
    found["compression"] = compression(counts, {each.name: each.count(natural_text) for each in counters})
    found["tokenizer_variance"] = variation(counts)
    found["human_unreadability"] = unreadability(text)
    found["tokens"] = sum(counts.values()) / len(counts) if counts else None
    return {name: value for name, value in found.items() if value is not None and name not in missing}


def _seeds(space: Space, point: Any) -> Any:
    numpy = require("numpy")
    random = numpy.random.default_rng(7)
    drawn = random.integers(0, space.sizes(), size=(40, len(space.genes)))
    plain = drawn.copy()
    plain[:, space.spelled] = 0
    return numpy.concatenate([space.singles(), point[None], plain[:20], drawn])


def _figures(measured: Mapping[str, Any], number: int) -> dict[str, Any]:
    return {name: round(float(measured[name][number]), 6) for name in FIGURES if name in measured}


def _front_of(space: Space, points: Any) -> list[dict[str, Any]]:
    """The front, thinned to what differs in the figures, the most faithful first."""
    if not len(points):
        return []
    measured = space.measure(points)
    rows: dict[tuple[float, ...], dict[str, Any]] = {}
    for number, point in enumerate(points):
        figures = _figures(measured, number)
        rows.setdefault(tuple(figures.values()), {**figures, "policy": space.policy(point).to_dict()})
    return [rows[key] for key in sorted(rows, reverse=True)]
