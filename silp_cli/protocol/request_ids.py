"""How often request ids collide, measured and calculated (draft, "Request ID Collision Requirements")."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

DIGITS = range(1, 17)


@dataclass(frozen=True)
class Measurement:
    """Collisions of ids of one length.

    Attributes:
        digits: hexadecimal digits of an id.
        n: ids drawn in a trial.
        trials: how many trials.
        unique: distinct ids in a trial, on average.
        trials_with_collision: trials in which at least two ids were equal.
    """

    digits: int
    n: int
    trials: int
    unique: float
    trials_with_collision: int

    def to_dict(self) -> dict[str, object]:
        """The measurement, and what theory says, as the JSON object that ``silp req-id`` prints."""
        collisions = self.n - self.unique
        return {
            "hex": self.digits,
            "bits": 4 * self.digits,
            "n": self.n,
            "trials": self.trials,
            "unique": _rounded(self.unique),
            "collisions": _rounded(collisions),
            "expected_collisions": _rounded(expected_collisions(self.n, self.digits)),
            "duplicate_fraction": _rounded(collisions / self.n),
            "p_collision": _rounded(self.trials_with_collision / self.trials),
            "p_birthday": _rounded(birthday_probability(self.n, self.digits)),
        }


def _rounded(value: float) -> float:
    """Six significant digits; what lies beyond is noise of the machine's arithmetic."""
    return float(f"{value:.6g}")


def birthday_probability(n: int, digits: int) -> float:
    """Probability that of ``n`` random ids of ``digits`` hexadecimal digits at least two are equal."""
    space = float(16**digits)
    if n > space:
        return 1.0
    # Subtracted, not negated: one id alone has probability 0, not -0.
    return 0.0 - math.expm1(math.fsum(math.log1p(-index / space) for index in range(n)))


def expected_collisions(n: int, digits: int) -> float:
    """How many of ``n`` random ids repeat an earlier one, on average."""
    # Summed id by id: the closed form, n less the distinct ones, is rounding noise where n is small beside the space.
    missed = math.log1p(-1 / float(16**digits))
    return math.fsum(-math.expm1(index * missed) for index in range(n))


def measure(
    n: int, digits: Sequence[int], trials: int, seed: int = 0, texts: Iterable[str] | None = None
) -> Iterator[Measurement]:
    """Draw ids as ``decode`` derives them, SHA-256 of a payload cut to length, and count collisions.

    Args:
        n: ids in a trial.
        digits: the lengths to measure.
        trials: how many trials; each has payloads of its own.
        seed: names the payloads, so that a run can be repeated.
        texts: payloads to hash instead of made ones; there is one trial then, of all of them.

    Yields:
        One measurement for each length, in their order.
    """
    widest = max(digits)
    unique = dict.fromkeys(digits, 0)
    colliding = dict.fromkeys(digits, 0)
    given = None if texts is None else list(texts)
    if given is not None:
        n, trials = len(given), 1
    for trial in range(trials):
        drawn = (
            given
            if given is not None
            else (f"search(q={seed},trial={trial},id={index})" for index in range(n))
        )
        ids = [hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:widest] for text in drawn]
        for width in unique:
            distinct = len({id[:width] for id in ids})
            unique[width] += distinct
            colliding[width] += distinct < n
    for width in digits:
        yield Measurement(width, n, trials, unique[width] / trials, colliding[width])
