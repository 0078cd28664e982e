"""The space that is searched: a frontend for each class of IR, a spelling for each verb and slot id.

A point is a row of whole numbers, one a gene: which of its options is taken. Token counts are looked up and added:
what a spelling changes in a payload was counted once, in the payload, by the real tokenizer. Two spellings in one
payload are taken to change it independently; the final figures are of real payloads.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from silp_cli.bench.extras import require
from silp_cli.bench.terms import TERMS
from silp_cli.policy.features import class_of
from silp_cli.policy.policy import Policy
from silp_cli.policy.spelling import Vocabulary, conflict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

DEFAULT = "default"  # the gene of all classes that have none of their own


@dataclass(frozen=True, slots=True)
class Gene:
    """What is chosen.

    Attributes:
        kind: ``class``, ``verb`` or ``id``.
        name: the class, action code or slot id.
        options: frontends, or spellings of which the first is the name's own.
    """

    kind: str
    name: str
    options: tuple[str, ...]


@dataclass(slots=True)
class Space:
    """The genes, and all that is needed to say what a point is worth.

    Attributes:
        genes: the first is the default frontend.
        frontends: the options of the genes that choose one.
        features: by which IRs are sorted into classes.
        case_genes: for each case the number of the gene that chooses its frontend.
        fixed: term -> array of frontend by case, for terms that a spelling does not change.
        counts: array of frontend by case by counter: tokens by tokenizer, then unreadability if that is a term.
        natural: array of case by tokenizer: tokens of the natural frontend.
        changes: for genes that choose a spelling: the cases that have the name, and an array of option by frontend
            by such case by counter.
        weights: by term, for the terms that were measured.
        floor: what the mean of ``meaning`` must reach for a point to be feasible at all.
        least: what it must reach for the weighted formula: as much as the best single frontend.
        meaning: the term that stands for the meaning kept.
        readable: whether the last counter is unreadability.
    """

    genes: list[Gene]
    frontends: tuple[str, ...]
    features: tuple[str, ...]
    case_genes: Any
    fixed: dict[str, Any]
    counts: Any
    natural: Any
    changes: dict[int, tuple[Any, Any]]
    weights: dict[str, float]
    floor: float
    least: float
    meaning: str
    readable: bool
    _offsets: Any = None
    _conflicts: Any = None
    spelled: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        numpy = require("numpy")
        self.spelled = [number for number, gene in enumerate(self.genes) if gene.kind != "class"]
        flat = [(number, option) for number in self.spelled for option in range(len(self.genes[number].options))]
        self._offsets = numpy.cumsum([0, *(len(self.genes[number].options) for number in self.spelled)])[:-1]
        self._conflicts = numpy.zeros((len(flat), len(flat)), dtype=bool)
        for one, (a, i) in enumerate(flat):
            for other, (b, j) in enumerate(flat[:one]):
                # Names as they were may begin alike: the protocol has them so.
                if a != b and (i or j) and self.genes[a].kind == self.genes[b].kind:
                    clash = bool(conflict(_plain(self.genes[a].options[i]), _plain(self.genes[b].options[j])))
                    self._conflicts[one, other] = self._conflicts[other, one] = clash

    def sizes(self) -> list[int]:
        """How many options each gene has."""
        return [len(gene.options) for gene in self.genes]

    def points(self) -> int:
        """How many points there are."""
        product = 1
        for size in self.sizes():
            product *= size
        return product

    def repair(self, points: Any) -> Any:
        """Points in which spellings that could be confused are taken back, the later gene's first."""
        if not self.spelled:
            return points
        numpy = require("numpy")
        points = points.copy()
        for _ in range(len(self.spelled) + 1):
            chosen = points[:, self.spelled] + self._offsets
            clash = self._conflicts[chosen[:, :, None], chosen[:, None, :]]
            rows = numpy.flatnonzero(clash.any(axis=(1, 2)))
            if not len(rows):
                break
            for row in rows:
                changed = clash[row].any(axis=1) & (points[row, self.spelled] > 0)
                points[row, self.spelled[int(numpy.flatnonzero(changed)[-1])]] = 0
        return points

    def give_way(self, points: Any, gene: int) -> Any:
        """Points in which spellings that could be confused with that of a gene are taken back, so that it can stay."""
        if gene not in self.changes:
            return points
        points = points.copy()
        place = self.spelled.index(gene)
        chosen = points[:, self.spelled] + self._offsets
        clash = self._conflicts[chosen, chosen[:, place, None]]
        points[:, self.spelled] *= ~clash
        return points

    def measure(self, points: Any) -> dict[str, Any]:
        """The terms of points (mean over the cases), and ``tokens``, ``fitness``, ``quality``, ``short``.

        ``short`` is by how much the meaning falls below what it must reach; a point is feasible at 0.
        """
        numpy = require("numpy")
        cases = numpy.arange(self.counts.shape[1])
        chosen = points[:, self.case_genes]
        counts = self.counts[chosen, cases]
        for gene, (where, change) in self.changes.items():
            counts[:, where] += change[points[:, gene][:, None], chosen[:, where], numpy.arange(len(where))]
        found = {name: values[chosen, cases].mean(axis=1) for name, values in self.fixed.items()}
        tokens = counts[:, :, : self.natural.shape[1]]
        if self.natural.shape[1]:
            found["compression"] = numpy.clip(1 - tokens / self.natural, 0, None).mean(axis=(1, 2))
            mean = tokens.mean(axis=2)
            found["tokenizer_variance"] = numpy.clip(tokens.std(axis=2) / mean, None, 1).mean(axis=1)
            found["tokens"] = mean.mean(axis=1)
        if self.readable:
            found["human_unreadability"] = counts[:, :, -1].mean(axis=1)
        found["fitness"] = sum(
            term.sign * self.weights[term.name] * found[term.name] for term in TERMS
            if term.name in self.weights and term.name in found
        )
        kept = [name for name in ("task_success", "cross_model_fidelity") if name in found]
        whole = sum(self.weights[name] for name in kept)
        found["quality"] = sum(self.weights[name] * found[name] for name in kept) / whole
        found["short"] = numpy.clip(self.least - found[self.meaning] - 1e-9, 0, None)
        return found

    def policy(self, point: Sequence[int]) -> Policy:
        """The policy that a point stands for."""
        taken = [(gene, gene.options[int(option)]) for gene, option in zip(self.genes, point, strict=True)]
        default = taken[0][1]
        return Policy(
            default,
            {gene.name: option for gene, option in taken[1:] if gene.kind == "class" and option != default},
            self.features,
            Vocabulary(*(
                {gene.name: option for gene, option in taken if gene.kind == kind and option != gene.name}
                for kind in ("verb", "id")
            )),
        )

    def singles(self) -> Any:
        """The points of one frontend for all classes, with the spellings as they are."""
        classes = [gene.kind == "class" for gene in self.genes]
        rows = [[number if each else 0 for each in classes] for number in range(len(self.frontends))]
        return require("numpy").array(rows, dtype=int)


def class_genes(
    irs: Sequence[Mapping[str, Any]], frontends: Sequence[str], features: Sequence[str], least_cases: int
) -> tuple[list[Gene], list[int]]:
    """A gene for every class that has enough cases, after the default; and for each IR the number of its gene."""
    classes = [class_of(ir, features) for ir in irs]
    own = [name for name in sorted(set(classes)) if classes.count(name) >= least_cases]
    genes = [Gene("class", name, tuple(frontends)) for name in (DEFAULT, *own)]
    return genes, [own.index(name) + 1 if name in own else 0 for name in classes]


def _plain(text: str) -> str:
    from silp_cli.bench.candidates import plain

    return plain(text)
