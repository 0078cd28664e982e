"""The statistics of the ranking, by scipy and statsmodels: intervals, tests, correlations, agreement."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass

from silp_cli.bench.extras import require

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

# Up to this many things all orders are gone through (8! = 40320); above it, as many are drawn.
EXACT_UP_TO = 8
_DRAWN = 9999


@dataclass(frozen=True, slots=True)
class Correlation:
    """How alike two series rise.

    Attributes:
        value: the coefficient, or None where a series is constant.
        p: the two-sided probability under no relation.
        exact: whether all orders were gone through to find it.
    """

    value: float | None
    p: float | None
    exact: bool = False

    def to_dict(self) -> dict[str, Any]:
        """The coefficient as JSON data."""
        return {"value": self.value, "p": self.p, "exact": self.exact}


def resampled_means(columns: Any, resamples: int, seed: int, level: float = 0.95) -> tuple[Any, Any, Any]:
    """Bootstrap the means of several columns over their common cases.

    Args:
        columns: an array with a row a column and a column a case.
        resamples: how many samples of the cases are drawn, with replacement.
        seed: of the draws.
        level: of the intervals.

    Returns:
        Lower ends, upper ends, and the means of each sample (a row a column).
    """
    numpy = require("numpy")
    stats = require("scipy.stats")
    cases = columns.shape[1]
    if cases < 2:
        only = columns.mean(axis=1)
        return only, only, numpy.repeat(only[:, None], 2, axis=1)

    def means(chosen: Any, axis: int) -> Any:
        return columns[:, chosen].mean(axis=axis)

    found = stats.bootstrap(
        (numpy.arange(cases),), means, vectorized=True, axis=-1,
        n_resamples=resamples, method="percentile", confidence_level=level, rng=numpy.random.default_rng(seed),
        batch=max(1, 4_000_000 // columns.size),
    )
    return found.confidence_interval.low, found.confidence_interval.high, found.bootstrap_distribution


def correlation(
    kind: str, one: Sequence[float], other: Sequence[float], *, permute: bool, seed: int = 0
) -> Correlation:
    """Spearman's or Kendall's coefficient.

    Args:
        kind: ``"spearman"`` or ``"kendall"``.
        one: a series.
        other: another of the same length.
        permute: find p by going through the orders instead of by the coefficient's asymptotic law.
        seed: of the drawn orders, where there are too many.
    """
    stats = require("scipy.stats")
    if len(one) < 2 or len(set(one)) < 2 or len(set(other)) < 2:
        return Correlation(None, None)
    function = {"spearman": stats.spearmanr, "kendall": stats.kendalltau}[kind]
    value, p = map(float, function(one, other))
    if not permute:
        return Correlation(value, p)
    numpy = require("numpy")
    exact = len(one) <= EXACT_UP_TO
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the asymptotic p of a few points, which is not used
        found = stats.permutation_test(
            (list(one),), lambda order: function(order, other)[0], permutation_type="pairings", vectorized=False,
            n_resamples=math.inf if exact else _DRAWN, alternative="two-sided", rng=numpy.random.default_rng(seed),
        )
    return Correlation(value, float(found.pvalue), exact)


def mcnemar(one: Sequence[bool], other: Sequence[bool]) -> tuple[int, int, float]:
    """McNemar's exact test of two series of successes on the same cases.

    Returns:
        How often only the first and only the second succeeded, and p.
    """
    tables = require("statsmodels.stats.contingency_tables")
    first = sum(a and not b for a, b in zip(one, other, strict=True))
    second = sum(b and not a for a, b in zip(one, other, strict=True))
    both = sum(a and b for a, b in zip(one, other, strict=True))
    found = tables.mcnemar([[both, first], [second, len(one) - both - first - second]], exact=True)
    return int(first), int(second), min(1.0, float(found.pvalue))


def holm(values: Sequence[float]) -> list[float]:
    """Probabilities corrected for the number of tests by Holm's method."""
    if not values:
        return []
    return [float(each) for each in require("statsmodels.stats.multitest").multipletests(values, method="holm")[1]]


def kappa(one: Sequence[str | None], other: Sequence[str | None]) -> dict[str, Any]:
    """Cohen's kappa of two judges, over what both have an opinion of, with its interval.

    Returns:
        ``rows``, ``disagree``, ``agreement``, ``kappa``, ``low`` and ``high``; kappa is None where one opinion
        is all there is.
    """
    rater = require("statsmodels.stats.inter_rater")
    pairs = [(a, b) for a, b in zip(one, other, strict=True) if a is not None and b is not None]
    said = sorted({each for pair in pairs for each in pair})
    found: dict[str, Any] = {
        "rows": len(pairs), "no_opinion": len(one) - len(pairs), "disagree": sum(a != b for a, b in pairs),
        "agreement": None, "kappa": None, "low": None, "high": None,
    }
    if pairs:
        found["agreement"] = 1 - found["disagree"] / len(pairs)
    if len(said) > 1:
        counts = [[sum(pair == (a, b) for pair in pairs) for b in said] for a in said]
        result = rater.cohens_kappa(counts)
        found.update(kappa=float(result.kappa), low=float(result.kappa_low), high=float(result.kappa_upp))
    return found
