"""The seven terms of the draft's fitness (section "Layer 4"), each defined once; the manual's table is this one."""

from __future__ import annotations

import math
from dataclasses import dataclass

from silp_cli.text.command import CommandError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@dataclass(frozen=True, slots=True)
class Term:
    """One term.

    Attributes:
        name: the draft's name.
        symbol: its weight's name in a weights file.
        sign: 1 if more is better, -1 if less is.
        weight: the weight by default.
        unit: what the number counts, and its range.
        meaning: how it is computed, for one frontend and case.
        source: where it comes from.
    """

    name: str
    symbol: str
    sign: int
    weight: float
    unit: str
    meaning: str
    source: str


TERMS: tuple[Term, ...] = (
    Term("task_success", "alpha", 1, 0.4, "share, 0 to 1", "mean score over models and repeats", "results"),
    Term(
        "cross_model_fidelity", "alpha_prime", 1, 0.2, "F1 of slots, 0 to 1",
        "agreement of the decoded answers of two models, mean over all pairs of models; an answer that cannot be read "
        "agrees with nothing", "results with answers of two models or more",
    ),
    Term(
        "compression", "beta", 1, 0.2, "share of tokens saved, 0 to 1",
        "1 less tokens of the payload over tokens of the natural frontend's, mean over the tokenizers; below 0 is 0",
        "census",
    ),
    Term(
        "human_unreadability", "gamma", -1, 0.05, "0 (prose) to 1",
        "half the rarity of its words (1 less Zipf frequency over 6), half its density of symbols (twice their share "
        "of the characters, at most 1); or 1 less the ratings of --human", "payloads, from --corpus; or --human",
    ),
    Term(
        "PPL", "delta", -1, 0.05, "0 (certain) to 1",
        "1 less the inverse of the perplexity of the answer: 1 - exp(mean log-probability of its tokens)",
        "results with log-probabilities",
    ),
    Term(
        "tokenizer_variance", "epsilon", -1, 0.05, "coefficient of variation, 0 to 1",
        "standard deviation of the payload's token counts over the tokenizers, over their mean; above 1 is 1", "census",
    ),
    Term(
        "cross_model_ambiguity", "zeta", -1, 0.05, "normalized entropy, 0 to 1",
        "entropy of the answers of all models and repeats over that of all different ones; an answer that cannot be "
        "read is one of its own", "results with answers of two models or more",
    ),
)
BY_NAME = {term.name: term for term in TERMS}
# The draft's constraint on the two that keep the meaning.
LEAST_MEANING = 0.6
# Below this the answers of two models have less in common than apart.
FLOOR = 0.5


def default_weights() -> dict[str, float]:
    """The weights by default, by term."""
    return {term.name: term.weight for term in TERMS}


def read_weights(path: str | None, command: str) -> dict[str, float]:
    """The weights of a JSON file by symbol or by term; what it does not name keeps its default.

    Raises:
        CommandError: for what is no weight, and when the draft's constraint does not hold.
    """
    weights = default_weights()
    if path is None:
        return weights
    from silp_cli.ir.errors import SilpError
    from silp_cli.ir.jsontext import loads
    from silp_cli.text.output import read_whole

    try:
        value = loads(read_whole(path, command))
    except SilpError as error:
        raise CommandError(f"{command}: {path}: not JSON: {error.message}") from None
    if not isinstance(value, dict):
        raise CommandError(f'{command}: {path}: an object of weights is expected, such as {{"alpha": 0.5}}')
    names = {key: term.name for term in TERMS for key in (term.name, term.symbol)}
    for key, number in value.items():
        if key not in names:
            raise CommandError(f"{command}: {path}: no term '{key}'; there are: {', '.join(t.symbol for t in TERMS)}")
        weights[names[key]] = _weight(key, number, path, command)
    meaning = weights["task_success"] + weights["cross_model_fidelity"]
    if meaning < LEAST_MEANING - 1e-9:
        raise CommandError(
            f"{command}: {path}: alpha + alpha_prime is {meaning:g}; the draft asks for at least {LEAST_MEANING:g}, "
            "so that no saving outweighs the meaning"
        )
    return weights


def _weight(key: str, number: Any, path: str, command: str) -> float:
    if isinstance(number, bool) or not isinstance(number, (int, float)) or not math.isfinite(number) or number < 0:
        raise CommandError(f"{command}: {path}: the weight {key} is a number from 0 up")
    return float(number)
