"""Measures every term for every frontend and case; what cannot be measured is absent, and never zero."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations

from silp_cli.bench.results import score_of
from silp_cli.bench.scoring import f1, slots

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from silp_cli.bench.results import Row

    ByCase = dict[str, dict[str, float]]  # frontend -> case -> value
    Tokens = dict[str, dict[str, dict[str, int]]]  # frontend -> case -> tokenizer -> count

NATURAL = "natural"


@dataclass(slots=True)
class Measures:
    """What was measured.

    Attributes:
        values: term -> frontend -> case -> value.
        tokens: frontend -> case -> tokenizer -> count.
    """

    values: dict[str, ByCase] = field(default_factory=dict)
    tokens: Tokens = field(default_factory=dict)

    def put(self, term: str, frontend: str, case: str, value: float | None) -> None:
        """Note a value; None is not noted."""
        if value is not None:
            self.values.setdefault(term, {}).setdefault(frontend, {})[case] = value

    def mean(self, term: str, frontend: str, cases: Iterable[str]) -> float | None:
        """The mean of a term over those cases that have it."""
        known = self.values.get(term, {}).get(frontend, {})
        found = [known[case] for case in cases if case in known]
        return math.fsum(found) / len(found) if found else None


def measure(
    rows: Sequence[Row], column: str, *, texts: Mapping[str, Mapping[str, str]] | None = None,
    tokens: Tokens | None = None, ratings: Sequence[Row] | None = None,
) -> Measures:
    """Measure all terms.

    Args:
        rows: the results.
        column: which column is the score.
        texts: payloads by frontend and case, where they are known.
        tokens: their token counts; those in the results are taken where there are none.
        ratings: what people said of frontends (and cases), in place of the unreadability score.
    """
    found = Measures(tokens=_tokens(rows))
    for frontend, by_case in (tokens or {}).items():
        found.tokens.setdefault(frontend, {}).update(by_case)
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        groups.setdefault((row.frontend, row.case), []).append(row)
    for (frontend, case), group in groups.items():
        scores = [value for row in group if (value := score_of(row.fields.get(column))) is not None]
        found.put("task_success", frontend, case, math.fsum(scores) / len(scores) if scores else None)
        found.put("cross_model_fidelity", frontend, case, fidelity(group))
        found.put("cross_model_ambiguity", frontend, case, ambiguity(group))
        found.put("PPL", frontend, case, perplexity(group))
    for frontend, by_case in found.tokens.items():
        for case, counts in by_case.items():
            found.put("compression", frontend, case, compression(counts, found.tokens.get(NATURAL, {}).get(case)))
            found.put("tokenizer_variance", frontend, case, variation(counts))
    if ratings is not None:
        _rate(found, ratings, groups)
    elif texts:
        from silp_cli.bench.unreadability import unreadability

        for frontend, payloads in texts.items():
            for case, text in payloads.items():
                found.put("human_unreadability", frontend, case, unreadability(text))
    return found


def fidelity(group: Sequence[Row]) -> float | None:
    """Mean agreement of the answers of different models to one payload; None without two models that were asked."""
    answers = [(row.model, _slots(row.fields["answer"])) for row in group if "answer" in row.fields]
    pairs = [(one, two) for (a, one), (b, two) in combinations(answers, 2) if a != b]
    if not pairs:
        return None
    return math.fsum(0.0 if one is None or two is None else f1(one, two) or 0.0 for one, two in pairs) / len(pairs)


def ambiguity(group: Sequence[Row]) -> float | None:
    """Entropy of the answers over that of all different ones; None without two models that were asked."""
    asked = [row for row in group if "answer" in row.fields]
    if len({row.model for row in asked}) < 2:
        return None
    answers = Counter(str(row.fields["answer"]) if row.fields["answer"] else number for number, row in enumerate(asked))
    shares = [count / len(asked) for count in answers.values()]
    return abs(math.fsum(share * math.log(share) for share in shares)) / math.log(len(asked))


def perplexity(group: Sequence[Row]) -> float | None:
    """1 less the inverse of the answers' perplexity; None without log-probabilities."""
    means = [mean for row in group if (mean := _mean_logprob(row.fields.get("logprob"))) is not None]
    return math.fsum(1 - math.exp(min(0.0, mean)) for mean in means) / len(means) if means else None


def compression(counts: Mapping[str, int], natural: Mapping[str, int] | None) -> float | None:
    """Share of the natural frontend's tokens that are saved, mean over the tokenizers that counted both."""
    shared = [name for name in counts if natural and natural.get(name)]
    if not shared or natural is None:
        return None
    return math.fsum(max(0.0, 1 - counts[name] / natural[name]) for name in shared) / len(shared)


def variation(counts: Mapping[str, int]) -> float | None:
    """Coefficient of variation of the token counts; None for fewer than two tokenizers."""
    if len(counts) < 2:
        return None
    mean = math.fsum(counts.values()) / len(counts)
    deviation = math.sqrt(math.fsum((count - mean) ** 2 for count in counts.values()) / len(counts))
    return min(1.0, deviation / mean) if mean else None


def _slots(answer: Any) -> list[tuple[str, ...]] | None:
    """The slots of an answer: canonical JSON of ``silp eval``, or an IR; None where there is none."""
    from silp_cli.ir.errors import SilpError
    from silp_cli.ir.jsontext import loads
    from silp_cli.ir.normal import normal_form

    if not answer:
        return None
    try:
        ir = loads(answer) if isinstance(answer, str) else answer
        return slots(normal_form({"meta": {}, **ir}))
    except (SilpError, KeyError, TypeError, AttributeError):
        return [("text", str(answer))]  # some other tool's answer: compared as a whole


def _mean_logprob(value: Any) -> float | None:
    if isinstance(value, dict) and value.get("tokens"):
        return float(value["sum"]) / float(value["tokens"])
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value)
    return None


def _tokens(rows: Iterable[Row]) -> Tokens:
    """The token counts in the results: ``census`` is an object of counts by tokenizer."""
    found: Tokens = {}
    for row in rows:
        census = row.fields.get("census")
        if isinstance(census, dict) and census:
            found.setdefault(row.frontend, {})[row.case] = {name: int(count) for name, count in census.items()}
    return found


def _rate(found: Measures, ratings: Sequence[Row], cells: Iterable[tuple[str, str]]) -> None:
    """People's ratings, 1 for what reads like prose: of a frontend and case, else of a frontend."""
    given: dict[tuple[str, str], list[float]] = {}
    for row in ratings:
        value = score_of(row.fields.get("rating"))
        if value is not None:
            given.setdefault((row.frontend, row.case), []).append(value)
    for frontend, case in cells:
        values = given.get((frontend, case)) or given.get((frontend, ""))
        found.put("human_unreadability", frontend, case, 1 - math.fsum(values) / len(values) if values else None)
