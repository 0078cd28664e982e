"""Draws with matplotlib into SVG that stands in a page: text stays text, ink follows the page's theme, no date in it.

The same figures give the same bytes: ids in the SVG come from a fixed salt, and nothing of the machine goes in.
"""

from __future__ import annotations

import io
import re
from contextlib import contextmanager
from html import escape

from silp_cli.bench.extras import require

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

# Drawn with these and then replaced by the page's own colours, so that one drawing serves light and dark.
INK, FAINT = "#010203", "#010204"
_THEME = {INK: "var(--ink)", FAINT: "var(--faint)"}
# Told apart by those who see no red or green as well (Okabe and Ito's set, less the yellow that light paper swallows).
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8c7ae6", "#56b4e9", "#b8860b", "#7f7f7f")
# A phone is 360 pixels wide; at this width in inches the letters come out at 12 of them.
WIDTH = 3.75

_STYLE: dict[str, Any] = {
    "svg.hashsalt": "silp", "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 9,
    "text.color": INK, "axes.labelcolor": INK, "axes.edgecolor": FAINT, "xtick.color": INK, "ytick.color": INK,
    "axes.spines.top": False, "axes.spines.right": False, "figure.facecolor": "none", "axes.facecolor": "none",
    "savefig.facecolor": "none", "path.simplify": False,
}


@contextmanager
def drawing(height: float, rows: int = 1, *, label: str) -> Iterator[tuple[Any, Any, list[str]]]:
    """Draw a figure as wide as a phone.

    Args:
        height: in inches.
        rows: how many plots stand one below the other.
        label: what it shows, for those who do not see it.

    Yields:
        The figure, its axes (an array if there are several), and a list into which the SVG goes at the end.
    """
    matplotlib = require("matplotlib")
    figures = require("matplotlib.figure")
    with matplotlib.rc_context({**matplotlib.rcParamsDefault, **_STYLE}):
        figure = figures.Figure(figsize=(WIDTH, height), layout="constrained")
        axes = figure.subplots(rows, 1, sharex=True)
        done: list[str] = []
        yield figure, axes, done
        out = io.StringIO()
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
        done.append(_inline(out.getvalue(), label))


def _inline(svg: str, label: str) -> str:
    """The SVG element alone, as wide as it may be, in the page's colours and letters."""
    svg = svg[svg.index("<svg") :].rstrip()
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r'(<svg[^>]*?) (?:width|height)="[^"]*"', r"\1", svg, count=1)
    svg = re.sub(r'(<svg[^>]*?) (?:width|height)="[^"]*"', r"\1", svg, count=1)
    svg = re.sub(r"font: ([0-9.]+)px[^;\"]*", r"font: \1px system-ui, sans-serif", svg)
    for ink, variable in _THEME.items():
        svg = svg.replace(ink, variable)
    return svg.replace("<svg", f'<svg role="img" aria-label="{escape(label)}"', 1)


def heat_map(
    models: Sequence[str], frontends: Sequence[str], means: Mapping[tuple[str, str], float], label: str
) -> str:
    """Models down, frontends across, each mean as a colour and a number."""
    matplotlib = require("matplotlib")
    colors = matplotlib.colormaps["viridis"]
    with drawing(0.9 + 0.32 * len(models), label=f"{label}, by model and frontend") as (_, axes, done):
        for row, model in enumerate(models):
            for column, frontend in enumerate(frontends):
                mean = means.get((model, frontend))
                if mean is None:
                    continue
                shade = colors(min(1.0, max(0.0, mean)))
                axes.add_patch(require("matplotlib.patches").Rectangle(
                    (column - 0.48, row - 0.46), 0.96, 0.92, facecolor=shade, edgecolor="none"
                ))
                light = 0.299 * shade[0] + 0.587 * shade[1] + 0.114 * shade[2] > 0.55
                axes.text(column, row, f"{mean:.2f}", ha="center", va="center", color="#000000" if light else "#ffffff")
        axes.set(xlim=(-0.5, len(frontends) - 0.5), ylim=(len(models) - 0.5, -0.5), title=label)
        axes.set_xticks(range(len(frontends)), frontends, rotation=30, ha="right")
        axes.set_yticks(range(len(models)), models)
        axes.tick_params(length=0)
        for spine in axes.spines.values():
            spine.set_visible(False)
    return done[0]


def bump_chart(models: Sequence[str], frontends: Sequence[str], places: Mapping[tuple[str, str], float]) -> str:
    """Each frontend's place under each model, as a line."""
    with drawing(1.1 + 0.3 * len(frontends), label="place of each frontend under each model") as (_, axes, done):
        for number, frontend in enumerate(frontends):
            line = [(x, places[model, frontend]) for x, model in enumerate(models) if (model, frontend) in places]
            color = COLORS[number % len(COLORS)]
            axes.plot(*zip(*line, strict=True), marker="o", markersize=6, linewidth=2, color=color)
            x, y = line[-1]
            tied = [each for each in frontends[:number] if places.get((models[x], each)) == y]
            axes.text(x + 0.12, y + 0.28 * len(tied), frontend, va="center", color=color)
        axes.set(
            xlim=(-0.25, len(models) - 1 + 0.35 * max(2, len(models) - 1)), ylim=(len(frontends) + 0.5, 0.5),
            title="place of each frontend",
        )
        axes.set_xticks(range(len(models)), models, rotation=30, ha="right")
        axes.set_yticks(range(1, len(frontends) + 1))
        axes.spines["bottom"].set_visible(False)
    return done[0]


def intervals(
    models: Sequence[str], frontends: Sequence[str], means: Mapping[tuple[str, str], tuple[float, float, float]],
    label: str,
) -> str:
    """Each mean with its interval: a plot a model, a line a frontend."""
    height = 0.5 + len(models) * (0.3 + 0.19 * len(frontends))
    with drawing(height, len(models), label=f"{label} with its interval, by model and frontend") as (_, axes, done):
        for model, each in zip(models, axes.flat if len(models) > 1 else [axes], strict=True):
            shown = [name for name in frontends if (model, name) in means]
            for y, name in enumerate(shown):
                mean, low, high = means[model, name]
                color = COLORS[frontends.index(name) % len(COLORS)]
                each.plot([low, high], [y, y], color=color, linewidth=2)
                each.plot([mean], [y], marker="o", markersize=5, color=color)
            each.set_title(model, loc="left", fontsize=9)
            each.set_yticks(range(len(shown)), shown)
            each.set(xlim=(-0.02, 1.02), ylim=(len(shown) - 0.5, -0.5))
            each.grid(axis="x", color=FAINT, linewidth=0.5)
            each.tick_params(length=0)
        each.set_xlabel(label)
    return done[0]
