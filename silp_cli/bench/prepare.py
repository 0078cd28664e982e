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

PRIOR = 5  # cases that a frontend's overall mean counts for in each class
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
        name: numpy.array([[value_of(measures, name, each, case) for case in ids] for each in frontends])
        for name in there if name not in COUNTED
    }
    readable = "human_unreadability" in there
    irs = [case.ir for case in cases]

    def counted(frontend: str, readable: bool) -> list[list[float]]:
        write = get_frontend(frontend).compile
        return [_counts(write(ir, bare=True), counters, readable) for ir in irs]

    base, natural = [counted(each, readable) for each in frontends], counted("natural", False)
    genes, case_genes = class_genes(irs, frontends, features, least_cases if classes else len(cases) + 1)
    fixed = {name: drawn_in(values, case_genes) for name, values in fixed.items()}
    meaning = "cross_model_fidelity" if "cross_model_fidelity" in fixed else "task_success"
    space = Space(
        genes, tuple(frontends), tuple(features), numpy.array(case_genes), fixed, numpy.array(base, dtype=float),
        numpy.array(natural, dtype=float), {}, {name: weights[name] for name in there},
        floor if meaning == "cross_model_fidelity" else 0.0, 0.0, meaning, readable,
    )
    _add_spellings(space, irs, counters, spellings)
    space.least = least_meaning(space)
    return space


def least_meaning(space: Space) -> float:
    """What a policy must keep of the meaning: as much as the best single frontend that reaches the floor.

    Raises:
        ValueError: when none reaches it.
    """
    measured = space.measure(space.singles())
    kept = measured[space.meaning]
    allowed = kept >= space.floor
    if not allowed.any():
        raise ValueError(f"no frontend reaches the fidelity floor of {space.floor:g}; the best has {kept.max():.3f}")
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
            kept = [0, *(each for each in range(1, len(options)) if _helps(change[each], len(counters)))]
            if len(kept) > 1:
                space.changes[len(space.genes)] = (numpy.array(where), change[kept])
                space.genes.append(Gene(kind, name, tuple(options[each] for each in kept)))
    space.__post_init__()


def drawn_in(values: Any, case_genes: Sequence[int]) -> Any:
    """Draw what was measured in each class towards the frontend's mean, the more the fewer cases the class has.

    Among many small classes some frontend shines in some of them by luck. A class of n cases counts n times, the
    frontend's mean over all cases ``PRIOR`` times; so a class has to differ by more than luck to be served apart.
    """
    numpy = require("numpy")
    drawn = values.copy()
    overall = values.mean(axis=1)
    for gene in set(case_genes):
        where = numpy.flatnonzero(numpy.array(case_genes) == gene)
        own = values[:, where].mean(axis=1)
        toward = (len(where) * own + PRIOR * overall) / (len(where) + PRIOR)
        drawn[:, where] += (toward - own)[:, None]
    return drawn + (overall - drawn.mean(axis=1))[:, None]  # a frontend alone is worth what it was


def _helps(change: Any, counters: int) -> bool:
    """Whether a spelling saves tokens under some frontend. Any other is a risk for nothing.

    What models make of a new spelling was not measured.
    """
    return bool((change[:, :, :counters].sum(axis=(1, 2)) < 0).any())


def value_of(measures: Measures, term: str, frontend: str, case: str) -> float:
    """A term of a case; where one case lacks it (an answer without log-probabilities), the frontend's mean."""
    by_case = measures.values[term][frontend]
    found = by_case.get(case)
    return sum(by_case.values()) / len(by_case) if found is None else found


def _counts(text: str, counters: Sequence[Tokenizer], readable: bool) -> list[float]:
    from silp_cli.bench.unreadability import unreadability

    return [*(float(each.count(text)) for each in counters), *([unreadability(text)] if readable else [])]
