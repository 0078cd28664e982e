"""Searches a space: random, greedy, every point of a small one, and the genetic algorithms of pymoo.

All are given the same number of evaluations: of points that no search of the same kind has evaluated before.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from silp_cli.bench.extras import require

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from silp_cli.bench.space import Space

# Spaces up to this many points are gone through as well.
SMALL = 20_000
_POPULATION = 60
_GENERATIONS = 10  # of one leg of a search; a checkpoint is written after each
_BATCH = 200


@dataclass(slots=True)
class Evaluations:
    """Evaluates points, each once, and remembers the best.

    Attributes:
        space: what the points are of.
        limit: how many points may be evaluated.
        worth: point -> fitness if it is feasible, else less than any fitness.
        best: the best point so far.
    """

    space: Space
    limit: int
    worth: dict[bytes, float] = field(default_factory=dict)
    best: Any = None
    best_worth: float = float("-inf")

    def left(self) -> int:
        """How many evaluations are left."""
        return self.limit - len(self.worth)

    def of(self, points: Any) -> Any:
        """The worth of points, after repair. Points beyond the limit are worth nothing."""
        numpy = require("numpy")
        points = self.space.repair(points)
        keys = [point.tobytes() for point in points]
        new = list(dict.fromkeys(key for key in keys if key not in self.worth))[: max(0, self.left())]
        if new:
            fresh = numpy.frombuffer(b"".join(new), dtype=points.dtype).reshape(len(new), -1)
            for key, worth in zip(new, worth_of(self.space.measure(fresh)), strict=True):
                self.worth[key] = float(worth)
        found = numpy.array([self.worth.get(key, float("-inf")) for key in keys])
        top = int(found.argmax())
        if found[top] > self.best_worth:
            self.best_worth, self.best = float(found[top]), points[top].copy()
        return found


def worth_of(measured: dict[str, Any]) -> Any:
    """Fitness of feasible points; an infeasible one is worth less the further it falls short."""
    numpy = require("numpy")
    # Sums differ in the last digit with the number of points that are measured together.
    return numpy.where(measured["short"] > 0, -10 - measured["short"], measured["fitness"]).round(12)


def enumerate_all(space: Space) -> Evaluations:
    """Evaluate every point of a small space."""
    numpy = require("numpy")
    found = Evaluations(space, space.points())
    sizes = space.sizes()
    for start in range(0, space.points(), _BATCH * 10):
        numbers = numpy.arange(start, min(start + _BATCH * 10, space.points()))
        found.of(numpy.stack(numpy.unravel_index(numbers, sizes), axis=1).astype(int))
    return found


def random_search(space: Space, evaluations: int, seed: int) -> Evaluations:
    """Draw points evenly."""
    found = Evaluations(space, evaluations)
    random = require("numpy").random.default_rng(seed)
    found.of(space.singles())
    for _ in _until_used_up(found):
        found.of(random.integers(0, space.sizes(), size=(min(_BATCH, found.left()), len(space.genes))))
    return found


def greedy_search(space: Space, evaluations: int, seed: int) -> Evaluations:
    """From the best single frontend, take the best option gene by gene until none helps; then again from elsewhere."""
    found = Evaluations(space, evaluations)
    random = require("numpy").random.default_rng(seed)
    singles = space.singles()
    start = singles[int(found.of(singles).argmax())]
    for _ in _until_used_up(found):
        climb(found, start, list(range(len(space.genes))))
        start = random.integers(0, space.sizes())
    return found


def climb(found: Evaluations, start: Any, order: list[int]) -> Any:
    """Take the best option of one gene after the other, until a whole round changes nothing or nothing is left."""
    point = found.space.repair(start[None])[0]
    worth = found.of(point[None])[0]
    sizes = found.space.sizes()
    improved = True
    while improved and found.left() > 0:
        improved = False
        for gene in order:
            options = point[None].repeat(sizes[gene], axis=0)
            options[:, gene] = range(sizes[gene])
            worths = found.of(options)
            top = int(worths.argmax())
            if worths[top] > worth:
                point, worth, improved = found.space.repair(options[top][None])[0], worths[top], True
    return point


def genetic_search(
    space: Space, evaluations: int, seed: int, *, state: dict[str, Any] | None = None,
    after: Callable[[dict[str, Any]], None] | None = None,
) -> Evaluations:
    """Let pymoo's genetic algorithm work on the weighted formula, with a climb from its best point between legs.

    Args:
        space: what is searched.
        evaluations: how many points may be evaluated.
        seed: of the draws.
        state: where an earlier run was, as it was given to ``after``.
        after: takes the state after each leg, from which the search resumes to the same end.
    """
    numpy = require("numpy")
    require("pymoo.core.problem")
    from silp_cli.bench.genetic import best_of_leg

    found = Evaluations(space, evaluations)
    leg = 0
    if state is not None:
        population = numpy.array(state["population"], dtype=int)
        leg = int(state["leg"])
        known = numpy.array(state["evaluated"], dtype=int)
        for start in range(0, len(known), _BATCH):
            found.of(known[start : start + _BATCH])
    else:
        random = numpy.random.default_rng(seed)
        drawn = random.integers(0, space.sizes(), size=(_POPULATION, len(space.genes)))
        population = numpy.concatenate([space.singles(), drawn])[:_POPULATION]
    for _ in _until_used_up(found):
        order = numpy.random.default_rng((seed, leg, 1)).permutation(len(space.genes)).tolist()
        population = best_of_leg(found, population, _GENERATIONS, seed * 100_003 + leg)
        start = found.best if leg % 2 == 0 or found.best is None else population[leg % len(population)]
        population[-1] = climb(found, start, order)
        leg += 1
        if after is not None:
            after({
                "leg": leg, "population": population.tolist(), "used": len(found.worth), "best": found.best_worth,
                "evaluated": [numpy.frombuffer(key, dtype=population.dtype).tolist() for key in found.worth],
            })
    return found


def _until_used_up(found: Evaluations) -> Iterator[None]:
    """Go on while evaluations are left and new points turn up."""
    idle = 0
    while found.left() > 0 and len(found.worth) < found.space.points() and idle < 5:
        before = len(found.worth)
        yield
        idle = idle + 1 if len(found.worth) == before else 0
