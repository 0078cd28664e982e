"""Evaluates the points of a space, each once, and remembers what they came to."""

from __future__ import annotations

from dataclasses import dataclass, field

from silp_cli.bench.extras import require

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from silp_cli.bench.space import Space

# What a feasible point can never be worth: the worth of infeasible ones begins here and falls with what they lack.
INFEASIBLE = -10.0


@dataclass(slots=True)
class Evaluations:
    """Evaluates points, each once, and remembers the best feasible one.

    Attributes:
        space: what the points are of.
        limit: how many points may be evaluated.
        known: point -> fitness, and by how much it falls short of what it must keep of the meaning.
        best: the best point so far.
        best_worth: its fitness.
    """

    space: Space
    limit: int
    known: dict[bytes, tuple[float, float]] = field(default_factory=dict)
    best: Any = None
    best_worth: float = float("-inf")

    def left(self) -> int:
        """How many evaluations are left."""
        return self.limit - len(self.known)

    def of(self, points: Any, penalty: float | None = None) -> Any:
        """The worth of points, after repair. Points beyond the limit are worth nothing.

        Args:
            points: a row a point.
            penalty: what a point loses for each unit that it falls short; None makes any such point worth less than
                all feasible ones.
        """
        numpy = require("numpy")
        points = self.space.repair(points)
        keys = [point.tobytes() for point in points]
        new = list(dict.fromkeys(key for key in keys if key not in self.known))[: max(0, self.left())]
        if new:
            self._evaluate(numpy.frombuffer(b"".join(new), dtype=points.dtype).reshape(len(new), -1), new)
        beyond = (float("-inf"), 0.0)
        fitness, short = numpy.array([self.known.get(key, beyond) for key in keys]).T
        if penalty is not None:
            return fitness - penalty * short
        return numpy.where(short > 0, INFEASIBLE - short, fitness)

    def _evaluate(self, points: Any, keys: list[bytes]) -> None:
        measured = self.space.measure(points)
        # Sums differ in the last digit with the number of points that are measured together.
        for key, point, fitness, short in zip(
            keys, points, measured["fitness"].round(12).tolist(), measured["short"].round(12).tolist(), strict=True
        ):
            self.known[key] = (fitness, short)
            if (worth := fitness if not short else INFEASIBLE - short) > self.best_worth:
                self.best_worth, self.best = worth, point.copy()
