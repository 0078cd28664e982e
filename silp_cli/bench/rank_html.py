"""The ranking as a page: a heat map, a bump chart, intervals, and the tables."""

from __future__ import annotations

from silp_cli.bench.page import page, paragraph, table
from silp_cli.bench.plots import bump_chart, heat_map, intervals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from silp_cli.bench.ranking import Ranking


def html_report(ranking: Ranking) -> str:
    """The whole page."""
    models = [model.model for model in ranking.models]
    means = {(model.model, each.frontend): each for model in ranking.models for each in model.means}
    frontends = sorted(
        dict.fromkeys(name for _, name in means),
        key=lambda name: -sum(each.mean for (_, other), each in means.items() if other == name),
    )
    label = f"mean of {ranking.score}"
    cases = ", ".join(f"{model.model} {model.cases}" for model in ranking.models)
    body = [
        "<h1>silp rank</h1>",
        paragraph(f"{label}{f', task {ranking.task}' if ranking.task else ''}; cases: {cases}", "k"),
        "<h2>May one model stand in for another?</h2>" if ranking.verdicts else "",
        *(paragraph(each.sentence, "said") for each in ranking.verdicts),
        "<h2>Means</h2>",
        heat_map(models, frontends, {key: each.mean for key, each in means.items()}, label),
        "<h2>Places</h2>",
        bump_chart(models, frontends, {key: each.rank for key, each in means.items()}),
        "<h2>Intervals</h2>",
        intervals(models, frontends, {key: (each.mean, each.low, each.high) for key, each in means.items()}, label),
        paragraph(f"{ranking.settings['level']:.0%} intervals by bootstrap over cases.", "k"),
    ]
    if ranking.agreements:
        body += [
            "<h2>Agreement of models</h2>",
            table(
                ("first", "second", "Spearman, means", "p", "Kendall, means", "p", "Spearman, points", "p", "points"),
                [(
                    each.first, each.second, each.means_spearman.value, each.means_spearman.p, each.means_kendall.value,
                    each.means_kendall.p, each.points_spearman.value, each.points_spearman.p, each.points,
                ) for each in ranking.agreements],
            ),
            paragraph(
                "Means: one point a frontend, p from all orders where they are few. "
                "Points: one a frontend and case, as published.", "k",
            ),
        ]
    if ranking.judges:
        names = ("first", "second", "rows", "disagree", "kappa", "low", "high")
        body += [
            "<h2>Agreement of judges</h2>",
            table(("first", "second", "rows", "disagree", "Cohen's kappa", "low", "high"),
                  [tuple(each[name] for name in names) for each in ranking.judges]),
        ]
    body += [
        "<h2>Frontend against frontend</h2>",
        table(
            ("model", "first", "second", "only first", "only second", "McNemar p", "Holm"),
            [(model.model, each.first, each.second, each.only_first, each.only_second, each.p, each.holm)
             for model in ranking.models for each in model.differences],
        ),
        *(paragraph(f"Note: {note}.", "k") for note in ranking.notes),
    ]
    return page("silp rank", filter(None, body))
