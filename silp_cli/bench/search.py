"""Searches a space: random, greedy, every point of a small one, and the genetic algorithms of pymoo.

All are given the same number of evaluations: of points that no search of the same kind has evaluated before.
"""

from __future__ import annotations

from silp_cli.bench.evaluations import INFEASIBLE, Evaluations
from silp_cli.bench.extras import require

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from silp_cli.bench.space import Space

# Spaces up to this many points are gone through as well.
SMALL = 20_000
_POPULATION = 20
_GENERATIONS = 2  # of one leg of a search; a checkpoint is written after each leg
_BATCH = 200
_FEW = 5  # fewer new points than this, five times running, and a search has been everywhere
_SHAKEN = 0.1  # share of the genes that are drawn anew before a climb from near the best


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


def climb(
    found: Evaluations, start: Any, order: list[int], penalty: float | None = None, *, give_way: bool = False
) -> Any:
    """Take the best option of one gene after the other, until a whole round changes nothing or nothing is left.

    Args:
        found: evaluates.
        start: where the climb begins.
        order: the genes, in the order in which they are tried.
        penalty: see ``Evaluations.of``.
        give_way: whether a spelling may take a word from a name that has it.
    """
    point = found.space.repair(start[None])[0]
    worth = found.of(point[None], penalty)[0]
    sizes = found.space.sizes()
    improved = True
    while improved and found.left() > 0:
        improved = False
        for gene in order:
            options = point[None].repeat(sizes[gene], axis=0)
            options[:, gene] = range(sizes[gene])
            if give_way:
                options = found.space.give_way(options, gene)
            worths = found.of(options, penalty)
            top = int(worths.argmax())
            if worths[top] > worth:
                point, worth, improved = found.space.repair(options[top][None])[0], worths[top], True
    return point


def genetic_search(
    space: Space, evaluations: int, seed: int, *, state: dict[str, Any] | None = None,
    after: Callable[[dict[str, Any]], None] | None = None,
) -> Evaluations:
    """Let pymoo's genetic algorithm work on the weighted formula, with climbs from its best point between legs.

    What a policy must keep of the meaning ties the genes together: where one gives some up, another has to make up for
    it, and no change of a single gene does both. So every other climb first weighs what is given up by a price, found
    on the way, and then makes the outcome feasible; the others begin near the best point, not at it.

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
    leg, price = 0, 1.0
    if state is not None:
        population = numpy.array(state["population"], dtype=int)
        leg, price = int(state["leg"]), float(state["price"])
        known = numpy.array(state["evaluated"], dtype=int)
        for start in range(0, len(known), _BATCH):
            found.of(known[start : start + _BATCH])
    else:
        random = numpy.random.default_rng(seed)
        drawn = random.integers(0, space.sizes(), size=(_POPULATION, len(space.genes)))
        population = numpy.concatenate([space.singles(), drawn])[:_POPULATION]
    for _ in _until_used_up(found):
        random = numpy.random.default_rng((seed, leg, 1))
        order = random.permutation(len(space.genes)).tolist()
        population = best_of_leg(found, population, _GENERATIONS, seed * 100_003 + leg)
        start = found.best
        if leg == 0:
            order = sorted(order)  # as the greedy search begins, so that none of its gain is missed
        elif leg % 4 == 1:
            start = climb(found, start, order, price, give_way=True)
            price *= 2.0 if found.of(start[None])[0] <= INFEASIBLE else 0.7
        else:
            elsewhere = random.integers(0, space.sizes())
            start = numpy.where(random.random(len(start)) < _SHAKEN, elsewhere, start)
        population[-2:] = start, climb(found, start, order, give_way=True)
        leg += 1
        if after is not None:
            after({
                "leg": leg, "price": price, "population": population.tolist(), "used": len(found.known),
                "best": found.best_worth,
                "evaluated": [numpy.frombuffer(key, dtype=population.dtype).tolist() for key in found.known],
            })
    return found


def _until_used_up(found: Evaluations) -> Iterator[None]:
    """Go on while evaluations are left and more than a few new points turn up."""
    idle = 0
    while found.left() > 0 and len(found.known) < found.space.points() and idle < 5:
        before = len(found.known)
        yield
        idle = idle + 1 if len(found.known) < before + _FEW else 0
