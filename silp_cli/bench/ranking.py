"""Ranks frontends per model, and says whether one model's ranking may stand in for another's (draft, "Layer 5")."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from itertools import combinations, permutations

from silp_cli.bench.extras import require
from silp_cli.bench.statistics import Correlation, correlation, holm, kappa, mcnemar, resampled_means
from silp_cli.bench.verdict import CHOICES, Verdict, judge

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from silp_cli.bench.results import Scores

# A case counts as passed in McNemar's test from this score up: an answer that is right in every slot.
PASSED = 1.0


@dataclass(frozen=True, slots=True)
class Mean:
    """A frontend's mean score under a model, with its bootstrap interval and place."""

    frontend: str
    mean: float
    low: float
    high: float
    rank: float


@dataclass(frozen=True, slots=True)
class Difference:
    """Two frontends under a model: the cases that only one passed, McNemar's p, and p after Holm's correction."""

    first: str
    second: str
    only_first: int
    only_second: int
    p: float
    holm: float


@dataclass(slots=True)
class ModelRanking:
    """One model's frontends, best first.

    Attributes:
        model: its name.
        cases: how many cases all of its frontends have.
        means: the frontends.
        differences: every pair of them.
    """

    model: str
    cases: int
    means: list[Mean]
    differences: list[Difference]


@dataclass(frozen=True, slots=True)
class Agreement:
    """How alike two models rank: over the frontends' means, and over (frontend, case) points as published."""

    first: str
    second: str
    frontends: int
    cases: int
    points: int
    means_spearman: Correlation
    means_kendall: Correlation
    points_spearman: Correlation
    points_kendall: Correlation


@dataclass(slots=True)
class Ranking:
    """Everything that ``silp rank`` says."""

    score: str
    task: str | None
    models: list[ModelRanking]
    agreements: list[Agreement]
    verdicts: list[Verdict]
    judges: list[dict[str, Any]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    settings: dict[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """The ranking as JSON data."""
        return asdict(self)


def rank(
    scores: Scores, *, proxies: Sequence[str] = (), targets: Sequence[str] = (), resamples: int = 9999, seed: int = 0,
    level: float = 0.95, sure: float = 0.9,
) -> Ranking:
    """Rank the frontends of every model, and compare the models.

    Args:
        scores: the scores.
        proxies: the models that might stand in; none: every model.
        targets: the models that they might stand in for; none: every model.
        resamples: how many bootstrap samples are drawn.
        seed: of all draws.
        level: of the intervals.
        sure: the probability from which a verdict is given.
    """
    models = scores.models()
    found = Ranking(scores.column, None, [], [], [])
    found.settings = {"resamples": resamples, "seed": seed, "level": level, "sure": sure}
    for model in models:
        ranked = _model(scores, model, found.notes, resamples, seed, level)
        if ranked is not None:
            found.models.append(ranked)
    usable = [each.model for each in found.models]
    for one, other in combinations(usable, 2):
        agreement = _agreement(scores, one, other, found.notes, seed)
        if agreement is not None:
            found.agreements.append(agreement)
    for proxy, target in permutations(usable, 2):
        if (not proxies or proxy in proxies) and (not targets or target in targets):
            shared = scores.frontends(proxy, target)
            cases = scores.cases(shared, proxy, target)
            if len(shared) > 1 and cases:
                found.verdicts.append(judge(
                    proxy, target, shared, _columns(scores, [proxy], shared, cases),
                    _columns(scores, [target], shared, cases), resamples=resamples, seed=seed, sure=sure,
                ))
    if scores.left_out:
        found.notes.append(f"{scores.left_out} rows without a value in the column {scores.column} are left out")
    return found


def agreement_of_judges(judges: Mapping[str, list[str | None]]) -> list[dict[str, Any]]:
    """Cohen's kappa of every two judges."""
    return [
        {"first": one, "second": other, **kappa(judges[one], judges[other])} for one, other in combinations(judges, 2)
    ]


def describe_choices() -> dict[str, str]:
    """What each verdict says, for reports and the manual."""
    return dict(CHOICES)


def _columns(scores: Scores, models: Sequence[str], frontends: Sequence[str], cases: Sequence[str]) -> Any:
    values = [[scores.values[model][each][case] for case in cases] for model in models for each in frontends]
    return require("numpy").array(values, dtype=float)


def _model(
    scores: Scores, model: str, notes: list[str], resamples: int, seed: int, level: float
) -> ModelRanking | None:
    frontends = scores.frontends(model)
    cases = scores.cases(frontends, model)
    every = {case for each in frontends for case in scores.values[model][each]}
    if len(every) > len(cases):
        notes.append(
            f"{model}: {len(every) - len(cases)} of {len(every)} cases lack a score under some frontend, "
            "they are left out"
        )
    if not cases:
        notes.append(f"{model}: no case has a score under all of {', '.join(frontends)}, the model is left out")
        return None
    columns = _columns(scores, [model], frontends, cases)
    low, high, _ = resampled_means(columns, resamples, seed, level)
    means = columns.mean(axis=1)
    places = require("scipy.stats").rankdata(-means.round(12))
    order = sorted(range(len(frontends)), key=lambda each: (places[each], each))
    passed = {each: list(columns[number] >= PASSED) for number, each in enumerate(frontends)}
    tests = [(*pair, *mcnemar(passed[pair[0]], passed[pair[1]])) for pair in combinations(frontends, 2)]
    corrected = holm([test[-1] for test in tests])
    return ModelRanking(
        model, len(cases),
        [Mean(frontends[n], float(means[n]), float(low[n]), float(high[n]), float(places[n])) for n in order],
        [Difference(*test, holm=p) for test, p in zip(tests, corrected, strict=True)],
    )


def _agreement(scores: Scores, one: str, other: str, notes: list[str], seed: int) -> Agreement | None:
    shared = scores.frontends(one, other)
    cases = scores.cases(shared, one, other)
    if len(shared) < 2 or not cases:
        notes.append(f"{one} and {other} share too little to be compared ({len(shared)} frontends, {len(cases)} cases)")
        return None
    means = [_columns(scores, [model], shared, cases).mean(axis=1).round(12).tolist() for model in (one, other)]
    first, second = scores.values[one], scores.values[other]
    keys = [(each, case) for each in shared for case in first[each] if case in second[each]]
    points = ([first[each][case] for each, case in keys], [second[each][case] for each, case in keys])
    return Agreement(
        one, other, len(shared), len(cases), len(keys),
        correlation("spearman", means[0], means[1], permute=True, seed=seed),
        correlation("kendall", means[0], means[1], permute=True, seed=seed),
        correlation("spearman", *points, permute=False),
        correlation("kendall", *points, permute=False),
    )
