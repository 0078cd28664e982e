"""The search as text: its parts side by side, and the gain in words."""

from __future__ import annotations

from silp_cli.bench.rank_text import columns
from silp_cli.bench.terms import BY_NAME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from silp_cli.bench.optimize import Found


def text_report(found: Found) -> str:
    """What was found, in a few lines: the searches side by side, and the gain."""
    parts = [columns(
        ("search", "evaluations", "fitness on tuning cases"),
        [
            *((name, each["evaluations"], each["fitness"]) for name, each in found.searches.items()),
            *((f"{name} alone", 1, value) for name, value in found.facts["fitness_of_singles"].items()),
        ],
    )]
    if found.gain is not None:
        gain = found.gain
        parts.append(columns(
            (f"on {gain.cases} final cases", "policy", f"{gain.over} alone"),
            [(name, *values) for name, values in gain.terms.items()],
        ))
        parts.append(sentence(found))
    parts += [
        f"note: {name} ({BY_NAME[name].symbol}) is left out: {why}" for name, why in found.missing.items()
    ]
    parts += [f"note: {note}" for note in found.notes]
    return "\n".join(parts) + "\n"


def sentence(found: Found) -> str:
    """The gain in words."""
    gain = found.gain
    if gain is None:
        return ""
    mean, low, high = gain.fitness
    tokens = gain.terms.get("tokens")
    saved = "" if tokens is None or not tokens[1] else f"; tokens {tokens[0] / tokens[1] - 1:+.2%}"
    return (
        f"policy against {gain.over} alone, on {gain.cases} cases not used in the search: fitness {mean:+.4f} "
        f"(95% {low:+.4f} to {high:+.4f}): {gain.verdict}{saved}"
    )
