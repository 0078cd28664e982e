"""Whether a model's ranking of the frontends may stand in for another's: a probability and a plain sentence."""

from __future__ import annotations

from dataclasses import dataclass

from silp_cli.bench.extras import require
from silp_cli.bench.statistics import resampled_means

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

# What is said, by what the bootstrap finds.
CHOICES: dict[str, str] = {
    "use": "use it",
    "do-not": "do not",
    "more": "too few cases",
}
# More cases than this nobody has; a difference that small is none.
_MOST_CASES = 100_000
_DRAWS = 4000
# Resampling fewer than these says more about the cases that happened to be drawn than about the models.
_LEAST_CASES = 20


@dataclass(frozen=True, slots=True)
class Verdict:
    """May ``proxy`` stand in for ``target``?

    Attributes:
        proxy: the model that is asked.
        target: the model that it would be asked for.
        frontends: how many frontends both have.
        cases: how many cases both have under all of them.
        proxy_best: the frontend that the proxy puts first.
        target_best: the frontend that the target puts first.
        best: probability that the proxy's best is the target's best.
        top_two: probability that it is among the target's best two.
        loss: how much of the target's score is lost by taking the proxy's best.
        choice: a key of ``CHOICES``.
        more: how many cases more would settle it, where that is the choice; None where no number would.
        sentence: all this in words.
    """

    proxy: str
    target: str
    frontends: int
    cases: int
    proxy_best: str
    target_best: str
    best: float
    top_two: float
    loss: float
    choice: str
    more: int | None
    sentence: str


def judge(
    proxy: str, target: str, frontends: Sequence[str], proxy_scores: Any, target_scores: Any, *, resamples: int = 9999,
    seed: int = 0, sure: float = 0.9,
) -> Verdict:
    """Draw samples of the cases and see how often the proxy's best frontend is good for the target.

    Args:
        proxy: name of the model that is asked.
        target: name of the model that it would be asked for.
        frontends: the names of the rows.
        proxy_scores: the proxy's scores, a row a frontend and a column a case.
        target_scores: the target's, on the same cases.
        resamples: how many samples are drawn.
        seed: of the draws.
        sure: the probability from which a verdict is given; below 1 - sure it is "do not".
    """
    numpy = require("numpy")
    both = numpy.concatenate([proxy_scores, target_scores])
    count, cases = target_scores.shape
    _, _, means = resampled_means(both, resamples, seed)
    best, top_two = _shares(means[:count], means[count:])
    asked = top_two if count > 2 else best  # of two, both are always among the best two
    first, own = proxy_scores.mean(axis=1), target_scores.mean(axis=1)
    pick, right = int(first.argmax()), int(own.argmax())
    choice, more = "more", None
    if cases >= _LEAST_CASES and asked >= sure:
        choice = "use"
    elif cases >= _LEAST_CASES and asked <= 1 - sure:
        choice = "do-not"
    else:
        needed = _needed(both, count, sure, seed)
        more = None if needed is None else max(1, max(needed, _LEAST_CASES) - cases)
    loss = float(own[right] - own[pick])
    return Verdict(
        proxy, target, count, cases, frontends[pick], frontends[right], best, top_two, loss, choice, more,
        _sentence(proxy, target, count, cases, frontends[pick], best, top_two, choice, more),
    )


def _shares(proxy: Any, target: Any) -> tuple[float, float]:
    """Of samples of means (a row a frontend): how often the proxy's best is the target's best, and among its best two.

    Where the proxy has several best, each counts in part; a frontend is among the best two of the target when fewer
    than two others are strictly better.
    """
    proxy, target = proxy.round(12), target.round(12)
    picked = proxy == proxy.max(axis=0)
    better = (target[None, :, :] > target[:, None, :]).sum(axis=1)  # for each frontend, how many are above it
    weight = picked / picked.sum(axis=0)
    shares = [float((weight * (better < places)).sum(axis=0).mean()) for places in (1, 2)]
    return min(1.0, shares[0]), min(1.0, shares[1])


def _needed(both: Any, count: int, sure: float, seed: int) -> int | None:
    """How many cases in all would settle it, if these are what cases are like; None if no number would.

    The means of n cases scatter about the observed ones as the normal law with the observed covariance over n has it.
    """
    numpy = require("numpy")
    cases = int(both.shape[1])
    if cases < 3:
        return None
    mean, covariance = both.mean(axis=1), numpy.cov(both)
    values, vectors = numpy.linalg.eigh(covariance)
    drawn = numpy.random.default_rng(seed).standard_normal((len(mean), _DRAWS))
    scatter = (vectors * numpy.sqrt(values.clip(0))) @ drawn

    def settled(number: int) -> bool:
        means = mean[:, None] + scatter / numpy.sqrt(number)
        best, top_two = _shares(means[:count], means[count:])
        asked = top_two if count > 2 else best
        return bool(asked >= sure or asked <= 1 - sure)

    low, high = cases, cases
    while not settled(high):
        low, high = high, high * 2
        if high > _MOST_CASES:
            return None
    while high - low > max(1, low // 50):
        middle = (low + high) // 2
        low, high = (low, middle) if settled(middle) else (middle, high)
    return high


def _sentence(
    proxy: str, target: str, count: int, cases: int, pick: str, best: float, top_two: float, choice: str,
    more: int | None,
) -> str:
    chance = (
        f"its best frontend ({pick}) is the best of {target} with probability {best:.2f}"
        + (f" and among its best two with probability {top_two:.2f}" if count > 2 else "")
        + f", on {cases} cases"
    )
    said = CHOICES[choice]
    if choice == "more":
        said += f": {more or f'over {_MOST_CASES}'} more needed"
    return f"{proxy} for {target}: {said}; {chance}."
