"""The ranking as text, for people."""

from __future__ import annotations

from silp_cli.bench.page import cell, numeric

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from silp_cli.bench.ranking import Ranking


def text_report(ranking: Ranking) -> str:
    """Everything that was found, the sentences last."""
    level = f"{ranking.settings['level']:.0%}"
    parts: list[str] = []
    for model in ranking.models:
        parts.append(f"{model.model}: {ranking.score} over {model.cases} cases, {level} interval by bootstrap")
        parts.append(columns(
            ("place", "frontend", "mean", "low", "high"),
            [(f"{each.rank:g}", each.frontend, each.mean, each.low, each.high) for each in model.means],
        ))
    parts.append("McNemar between frontends, p corrected by Holm's method within each model")
    parts.append(columns(
        ("model", "first", "second", "only first", "only second", "p", "Holm"),
        [(model.model, *_fields(each)) for model in ranking.models for each in model.differences],
    ))
    if ranking.agreements:
        parts.append("between models, over the frontends' means (p from all orders where exact)")
        parts.append(columns(
            ("first", "second", "frontends", "Spearman", "p", "Kendall", "p", "exact"),
            [(
                each.first, each.second, each.frontends, each.means_spearman.value, each.means_spearman.p,
                each.means_kendall.value, each.means_kendall.p, "yes" if each.means_spearman.exact else "no",
            ) for each in ranking.agreements],
        ))
        parts.append("between models, over (frontend, case) points")
        parts.append(columns(
            ("first", "second", "points", "Spearman", "p", "Kendall", "p"),
            [(
                each.first, each.second, each.points, each.points_spearman.value, each.points_spearman.p,
                each.points_kendall.value, each.points_kendall.p,
            ) for each in ranking.agreements],
        ))
    if ranking.judges:
        parts.append("between judges, Cohen's kappa")
        parts.append(columns(
            ("first", "second", "rows", "disagree", "kappa", "low", "high"),
            [tuple(each[name] for name in ("first", "second", "rows", "disagree", "kappa", "low", "high"))
             for each in ranking.judges],
        ))
    parts += [f"note: {note}" for note in ranking.notes]
    parts.append("\n".join(verdict.sentence for verdict in ranking.verdicts))
    return "\n\n".join(filter(None, parts))


def _fields(each: object) -> tuple[object, ...]:
    names = ("first", "second", "only_first", "only_second", "p", "holm")
    return tuple(getattr(each, name) for name in names)


def columns(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Rows in columns; numbers to the right."""
    rows = list(rows)
    shown = [list(headings), *([cell(value) for value in row] for row in rows)]
    right = numeric(rows, len(headings))
    widths = [max(len(row[each]) for row in shown) for each in range(len(headings))]
    return "\n".join(
        "  " + "  ".join(
            value.rjust(width) if to_right else value.ljust(width)
            for value, width, to_right in zip(row, widths, right, strict=True)
        ).rstrip()
        for row in shown
    )
