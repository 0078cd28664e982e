"""How much context a receiver holds under each heartbeat interval, in numbers and as a picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from silp_cli.protocol.sessions.heartbeats import HEARTBEATS, context_after, heartbeats_before

if TYPE_CHECKING:
    from collections.abc import Sequence

# Dark enough on white, and apart from each other for colour-blind eyes (Okabe and Ito's palette).
_COLORS = ("#000000", "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00")
_WIDTH, _HEIGHT = 760, 420
_LEFT, _RIGHT, _TOP, _BOTTOM = 60, 190, 40, 50


@dataclass(frozen=True)
class Course:
    """One simulated session.

    Attributes:
        n: the heartbeat interval in turns.
        context: turns of context held after each turn, the first turn first.
    """

    n: int
    context: tuple[int, ...]

    @property
    def heartbeats(self) -> int:
        """How many times the context was reset."""
        return heartbeats_before(len(self.context), self.n)

    @property
    def mean(self) -> float:
        """Turns of context held, on average over the turns."""
        return sum(self.context) / len(self.context)

    @property
    def total(self) -> int:
        """Turns of context sent or held over all turns: what the receiver pays for."""
        return sum(self.context)

    def to_dict(self) -> dict[str, object]:
        """The course as the JSON object that ``silp session simulate`` prints."""
        return {
            "n": self.n,
            "turns": len(self.context),
            "heartbeats": self.heartbeats,
            "mean": round(self.mean, 3),
            "max": max(self.context),
            "last": self.context[-1],
            "total": self.total,
            "context": list(self.context),
        }


def simulate(turns: int, intervals: Sequence[int] = HEARTBEATS) -> list[Course]:
    """Play a session of ``turns`` turns under each interval.

    Args:
        turns: how many, at least 1.
        intervals: the heartbeat intervals.

    Returns:
        One course for each interval, in their order.
    """
    return [Course(n, tuple(context_after(turn, n) for turn in range(1, turns + 1))) for n in intervals]


def plot(courses: Sequence[Course]) -> str:
    """The courses as one SVG picture: turns to the right, turns of context held upwards."""
    turns = len(courses[0].context)
    top = max(max(course.context) for course in courses)
    across, up = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM

    def x(turn: float) -> float:
        return _LEFT + across * (turn / turns)

    def y(held: float) -> float:
        return _TOP + up * (1 - held / top)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}"'
        f' height="{_HEIGHT}" font-family="sans-serif" font-size="12" role="img">',
        f"<title>Context held over {turns} turns, by heartbeat interval N</title>",
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>',
        f'<text x="{_LEFT}" y="24" font-size="15">'
        "Context held by the receiver, by heartbeat interval N</text>",
    ]
    parts += [
        f'<line x1="{_LEFT}" y1="{y(value):.1f}" x2="{_WIDTH - _RIGHT}" y2="{y(value):.1f}" stroke="#ddd"/>'
        f'<text x="{_LEFT - 8}" y="{y(value) + 4:.1f}" text-anchor="end">{value}</text>'
        for value in _ticks(top)
    ]
    under = _HEIGHT - _BOTTOM + 18
    parts += [
        f'<text x="{x(value):.1f}" y="{under}" text-anchor="middle">{value}</text>' for value in _ticks(turns)
    ]
    parts.append(
        f'<text x="{_LEFT + across / 2:.0f}" y="{_HEIGHT - 10}" text-anchor="middle">turn</text>'
        f'<text transform="translate(16 {_TOP + up / 2:.0f}) rotate(-90)" text-anchor="middle">'
        "turns of context</text>"
    )
    # The short intervals last, on top of the long ones, which they coincide with at first.
    for number, course in sorted(enumerate(courses), key=lambda each: -each[1].n):
        color = _COLORS[number % len(_COLORS)]
        # A step for each turn, so that the drop at a heartbeat is as steep as it is.
        steps = "".join(
            f"{'M' if turn == 0 else 'L'}{x(turn):.1f} {y(held):.1f}H{x(turn + 1):.1f}"
            for turn, held in enumerate(course.context)
        )
        legend = _TOP + 16 + 22 * number
        parts.append(
            f'<path d="{steps}" fill="none" stroke="{color}" stroke-width="2"/>'
            f'<line x1="{_WIDTH - _RIGHT + 16}" y1="{legend}" x2="{_WIDTH - _RIGHT + 40}" y2="{legend}"'
            f' stroke="{color}" stroke-width="3"/>'
            f'<text x="{_WIDTH - _RIGHT + 48}" y="{legend + 4}">'
            f"N = {course.n}, mean {course.mean:.1f}</text>"
        )
    return "\n".join([*parts, "</svg>"]) + "\n"


def _ticks(top: int) -> list[int]:
    """Round numbers from 0 to ``top``, about six of them."""
    step = next(
        digit * 10**zeros for zeros in range(12) for digit in (1, 2, 5) if top <= 7 * digit * 10**zeros
    )
    return list(range(0, top + 1, step))
