"""The algorithms of pymoo over a space: its genetic algorithm for the weighted formula, NSGA-II for the front."""

from __future__ import annotations

from typing import Any

import numpy
from pymoo.algorithms.moo.nsga2 import NSGA2
from pymoo.algorithms.soo.nonconvex.ga import GA
from pymoo.core.mutation import Mutation
from pymoo.core.problem import Problem
from pymoo.core.repair import Repair
from pymoo.operators.crossover.ux import UniformCrossover
from pymoo.optimize import minimize

TYPE_CHECKING = False
if TYPE_CHECKING:
    from silp_cli.bench.evaluations import Evaluations
    from silp_cli.bench.space import Space


class _Redraw(Mutation):  # type: ignore[misc]
    """Draw some genes anew; options have no order, so that there is no step to a neighbour."""

    def _do(self, problem: Any, X: Any, *_: Any, random_state: Any = None, **__: Any) -> Any:  # noqa: N803
        random = random_state if random_state is not None else numpy.random.default_rng(0)
        drawn = random.integers(0, problem.xu + 1, size=X.shape)
        return numpy.where(random.random(X.shape) < 1.5 / X.shape[1], drawn, X)


class _Distinct(Repair):  # type: ignore[misc]
    """Take back spellings that could be confused."""

    def _do(self, problem: Any, X: Any, **_: Any) -> Any:  # noqa: N803
        return problem.space.repair(X)


class _Worth(Problem):  # type: ignore[misc]
    """The weighted formula, turned round, for pymoo minimizes."""

    def __init__(self, found: Evaluations) -> None:
        self.found, self.space = found, found.space
        super().__init__(n_var=len(self.space.genes), n_obj=1, xl=0, xu=numpy.array(self.space.sizes()) - 1, vtype=int)

    def _evaluate(self, x: Any, out: Any, *_: Any, **__: Any) -> None:
        out["F"] = numpy.nan_to_num(-self.found.of(x), posinf=1e9)


class _Front(Problem):  # type: ignore[misc]
    """Three aims at once: meaning kept, few tokens, tokenizers that agree; and the floor."""

    def __init__(self, space: Space) -> None:
        self.space = space
        super().__init__(
            n_var=len(space.genes), n_obj=3, n_ieq_constr=1, xl=0, xu=numpy.array(space.sizes()) - 1, vtype=int
        )

    def _evaluate(self, x: Any, out: Any, *_: Any, **__: Any) -> None:
        measured = self.space.measure(x)
        zero = numpy.zeros(len(x))
        out["F"] = numpy.column_stack([
            -measured["quality"], measured.get("tokens", zero), measured.get("tokenizer_variance", zero)
        ])
        out["G"] = self.space.floor - measured[self.space.meaning]


def best_of_leg(found: Evaluations, population: Any, generations: int, seed: int) -> Any:
    """Let a population go on for some generations; return the population that it became."""
    algorithm = GA(
        pop_size=len(population), sampling=population, crossover=UniformCrossover(), mutation=_Redraw(),
        repair=_Distinct(), eliminate_duplicates=True,
    )
    result = minimize(_Worth(found), algorithm, ("n_gen", generations), seed=seed % 2**31, verbose=False)
    after = result.pop.get("X").astype(int)
    return numpy.concatenate([after, population])[: len(population)]


def front(space: Space, population: Any, evaluations: int, seed: int) -> Any:
    """The points of NSGA-II that no other surpasses in all three aims; none if none is feasible."""
    size = max(len(population), 60)
    algorithm = NSGA2(
        pop_size=size, sampling=population, crossover=UniformCrossover(), mutation=_Redraw(), repair=_Distinct(),
        eliminate_duplicates=True,
    )
    result = minimize(_Front(space), algorithm, ("n_eval", evaluations), seed=seed % 2**31, verbose=False)
    if result.X is None:
        return numpy.empty((0, len(space.genes)), dtype=int)
    return numpy.unique(numpy.atleast_2d(result.X).astype(int), axis=0)
