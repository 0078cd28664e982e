"""The search as a page: the front as a plot, each point a link to its policy."""

from __future__ import annotations

from html import escape

from silp_cli.bench.extras import require
from silp_cli.bench.optimize_text import sentence
from silp_cli.bench.page import page, paragraph, table
from silp_cli.bench.plots import COLORS, INK, drawing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from silp_cli.bench.optimize import Found


def html_report(found: Found) -> str:
    """The whole page."""
    from silp_cli.ir.jsontext import dumps_pretty

    best = found.policy.to_dict()
    body = ["<h1>silp optimize</h1>"]
    if found.gain is not None:
        body.append(paragraph(sentence(found), "said"))
    body += [
        "<h2>The front</h2>",
        paragraph(
            "Each point is a policy that no other surpasses in meaning kept, tokens and tokenizer variance together, "
            "on the tuning cases. Click a point for its policy.", "k",
        ),
        front_plot(found),
        "<h2>Searches, at equal evaluations</h2>",
        table(
            ("search", "evaluations", "fitness"),
            [
                *((name, each["evaluations"], each["fitness"]) for name, each in found.searches.items()),
                *((f"{name} alone", 1, value) for name, value in found.facts["fitness_of_singles"].items()),
            ],
        ),
    ]
    if found.gain is not None:
        body += [
            f"<h2>On {found.gain.cases} cases not used in the search</h2>",
            table(
                ("term", "policy", f"{found.gain.over} alone"),
                [(name, *values) for name, values in found.gain.terms.items()],
            ),
        ]
    body += [paragraph(f"Left out: {name}: {why}.", "k") for name, why in found.missing.items()]
    body += [paragraph(f"Note: {note}.", "k") for note in found.notes]
    body += ['<h2 id="best">The policy</h2>', f"<pre>{escape(dumps_pretty(best))}</pre>"]
    body += ["<h2>Policies of the front</h2>"]
    for number, each in enumerate(found.front):
        figures = ", ".join(f"{name} {value:.4f}" for name, value in each.items() if name != "policy")
        body += [
            # A link to what stands inside opens the whole.
            f"<details><summary>{number}: {escape(figures)}</summary>",
            f'<pre id="p{number}">{escape(dumps_pretty(each["policy"]))}</pre></details>',
        ]
    return page("silp optimize", body)


def front_plot(found: Found) -> str:
    """Tokens across, meaning kept up; the single frontends and the policy of the weighted formula are marked."""
    if not found.front:
        return paragraph("No policy of the front reaches the floor.")
    require("matplotlib")
    with drawing(3.2, label="meaning kept against tokens, a point a policy") as (_, axes, done):
        across = [each.get("tokens", 0.0) for each in found.front]
        up = [each["quality"] for each in found.front]
        dots = axes.scatter(across, up, s=34, color=COLORS[0], alpha=0.85, linewidths=0)
        dots.set_urls([f"#p{number}" for number in range(len(found.front))])
        if found.facts.get("best_figures"):
            place = _place(found.facts["best_figures"])
            star = axes.scatter(*place, s=90, marker="*", color=COLORS[1])
            star.set_urls(["#best"])
            axes.annotate("policy", place, xytext=(4, 6), textcoords="offset points")
        for name, figures in found.facts.get("single_figures", {}).items():
            place = _place(figures)
            axes.scatter(*place, s=40, marker="s", color=INK)
            axes.annotate(name, place, xytext=(4, -11), textcoords="offset points")
        axes.set(xlabel="tokens a payload, mean of the tokenizers", ylabel="meaning kept")
        axes.margins(0.12)
    return done[0]


def _place(figures: dict[str, float]) -> tuple[float, float]:
    return figures.get("tokens", 0.0), figures["quality"]
