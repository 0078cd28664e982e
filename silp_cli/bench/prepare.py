"""Makes the space that is searched out of measures and cases; everything is counted here, once."""

from __future__ import annotations

from silp_cli.bench.extras import require
from silp_cli.bench.fitness import missing_terms
from silp_cli.bench.space import Space, class_genes
from silp_cli.bench.terms import BY_NAME
from silp_cli.frontends.registry import get_frontend
from silp_cli.policy.spelling import Vocabulary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from silp_cli.bench.cases import Case
    from silp_cli.bench.measures import Measures
    from silp_cli.census.families import Tokenizer

# Terms that the choice of a spelling changes; the others are as measured with the old spellings.
COUNTED = ("compression", "tokenizer_variance", "human_unreadability")


def make_space(
    cases: Sequence[Case], frontends: Sequence[str], measures: Measures, counters: Sequence[Tokenizer], *,
    weights: Mapping[str, float], floor: float, features: Sequence[str], least_cases: int,
    spellings: tuple[Mapping[str, Sequence[str]], Mapping[str, Sequence[str]]] = ({}, {}), classes: bool = True,
) -> Space:
    """Count what every frontend and every spelling makes of every case.

    Args:
        cases: the cases to tune on; every frontend has results for them.
        frontends: what may be chosen.
        measures: the terms by frontend and case.
        counters: the tokenizers.
        weights: by term.
        floor: the least fidelity, or where that was not measured, nothing.
        features: by which IRs are sorted into classes.
        least_cases: how many cases a class needs to be chosen for on its own.
        spellings: candidates for verbs and for ids.
        classes: whether frontends are chosen by class at all.
    """
    numpy = require("numpy")
    ids = [case.id for case in cases]
    missing = missing_terms(measures, frontends, ids)
    there = [name for name in BY_NAME if name not in missing]
    fixed = {
        name: numpy.array([[_value(measures, name, each, case) for case in ids] for each in frontends])
        for name in there if name not in COUNTED
    }
    readable = "human_unreadability" in there
    irs = [case.ir for case in cases]
    base = [[_counts(get_frontend(each).compile(ir, bare=True), counters, readable) for ir in irs] for each in frontends]
    natural = [_counts(get_frontend("natural").compile(ir, bare=True), counters, False) for ir in irs]
    genes, case_genes = class_genes(irs, frontends, features, least_cases if classes else len(cases) + 1)
    space = Space(
        genes, tuple(frontends), tuple(features), numpy.array(case_genes), fixed, numpy.array(base, dtype=float),
        numpy.array(natural, dtype=float), {}, {name: weights[name] for name in there}, 0.0,
        "cross_model_fidelity" if "cross_model_fidelity" in fixed else "task_success", readable,
    )
    _add_spellings(space, irs, counters, spellings)
    space.least = least_meaning(space, floor)
    return space


def least_meaning(space: Space, floor: float) -> float:
    """What a policy must keep of the meaning: as much as the best single frontend that reaches the floor.

    Raises:
        ValueError: when none reaches it.
    """
    measured = space.measure(space.singles())
    kept = measured[space.meaning]
    allowed = kept >= floor if space.meaning == "cross_model_fidelity" else kept >= 0
    if not allowed.any():
        raise ValueError(f"no frontend reaches the fidelity floor of {floor:g}; the best has {kept.max():.3f}")
    best = max((number for number in range(len(kept)) if allowed[number]), key=lambda each: measured["fitness"][each])
    return float(kept[best])


def _add_spellings(
    space: Space, irs: Sequence[dict[str, Any]], counters: Sequence[Tokenizer],
    spellings: tuple[Mapping[str, Sequence[str]], Mapping[str, Sequence[str]]],
) -> None:
    """A gene for each name that has candidates, with what each changes in each payload."""
    from silp_cli.bench.candidates import names_of
    from silp_cli.bench.space import Gene

    numpy = require("numpy")
    for kind, table in zip(("verb", "id"), spellings, strict=True):
        for name, words in table.items():
            where = [n for n, ir in enumerate(irs) if name in names_of([ir])[kind == "id"]]
            if not where:
                continue
            options = (name, *words)
            change = numpy.zeros((len(options), len(space.frontends), len(where), space.counts.shape[2]))
            for option, word in enumerate(options[1:], 1):
                vocabulary = Vocabulary({name: word}) if kind == "verb" else Vocabulary(None, {name: word})
                for number, frontend in enumerate(space.frontends):
                    write = get_frontend(frontend).compile
                    for column, case in enumerate(where):
                        text = write(vocabulary.write(irs[case]), bare=True)
                        counts = numpy.array(_counts(text, counters, space.readable))
                        change[option, number, column] = counts - space.counts[number, case]
            space.changes[len(space.genes)] = (numpy.array(where), change)
            space.genes.append(Gene(kind, name, options))
    space.__post_init__()


def _value(measures: Measures, term: str, frontend: str, case: str) -> float:
    """A term of a case; where one case lacks it (an answer without log-probabilities), the frontend's mean."""
    by_case = measures.values[term][frontend]
    found = by_case.get(case)
    return sum(by_case.values()) / len(by_case) if found is None else found


def _counts(text: str, counters: Sequence[Tokenizer], readable: bool) -> list[float]:
    from silp_cli.bench.unreadability import unreadability

    return [*(float(each.count(text)) for each in counters), *([unreadability(text)] if readable else [])]
