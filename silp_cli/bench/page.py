"""The frame of the HTML reports: one file, nothing to fetch, no scripts, readable on a phone, light and dark."""

from __future__ import annotations

from html import escape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_HEAD = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
:root {{ --paper: #fff; --ink: #202124; --faint: #c4c7cc; --soft: #5f6368; --box: #f1f3f4; --link: #0b57d0 }}
@media (prefers-color-scheme: dark) {{
  :root {{ --paper: #17181a; --ink: #e8eaed; --faint: #4a4d52; --soft: #a4a9b0; --box: #26282b; --link: #8ab4f8 }}
}}
body {{ font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 0 auto;
       padding: 1rem; max-width: 44rem }}
h1 {{ font-size: 1.4rem; margin: .2rem 0 }} h2 {{ font-size: 1.1rem; margin: 1.8rem 0 .4rem }}
svg {{ display: block; width: 100%; max-width: 34rem; height: auto }}
.wide {{ overflow-x: auto }}
table {{ border-collapse: collapse; font-size: .85rem }}
th, td {{ text-align: left; padding: .2rem .7rem .2rem 0; border-bottom: 1px solid var(--faint); vertical-align: top;
         white-space: nowrap }}
td.n, th.n {{ text-align: right; font-variant-numeric: tabular-nums }}
p.k, li.k {{ color: var(--soft); font-size: .9rem }}
.said {{ background: var(--box); border-radius: .4rem; padding: .5rem .8rem; margin: .4rem 0 }}
a {{ color: var(--link) }}
pre {{ background: var(--box); border-radius: .4rem; padding: .6rem .8rem; overflow-x: auto; font-size: .8rem }}
:target {{ outline: 2px solid var(--link) }}
</style>
</head>
<body>
"""


def page(title: str, body: Iterable[str]) -> str:
    """A whole page.

    Args:
        title: its title, as plain text.
        body: its parts, as HTML.
    """
    return "\n".join([_HEAD.format(title=escape(title)), *body, "</body>\n</html>"])


def paragraph(text: str, kind: str = "") -> str:
    """A paragraph of plain text."""
    return f'<p class="{kind}">{escape(text)}</p>' if kind else f"<p>{escape(text)}</p>"


def table(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table that scrolls sideways where it is wider than the screen; numbers stand to the right."""
    rows = list(rows)
    number = numeric(rows, len(headings))
    parts = ['<div class="wide"><table><tr>']
    parts += [f"<th{_right(right)}>{escape(name)}</th>" for name, right in zip(headings, number, strict=True)]
    for row in rows:
        parts.append("</tr>\n<tr>")
        parts += [f"<td{_right(right)}>{escape(cell(value))}</td>" for value, right in zip(row, number, strict=True)]
    return "".join(parts) + "</tr></table></div>"


def numeric(rows: Sequence[Sequence[object]], count: int) -> list[bool]:
    """Which columns hold numbers only."""
    return [all(isinstance(row[each], (int, float)) or row[each] is None for row in rows) for each in range(count)]


def _right(number: bool) -> str:
    return ' class="n"' if number else ""


def cell(value: object) -> str:
    """A value as tables show it."""
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.4f}" if abs(value) >= 0.0001 or value == 0 else f"{value:.1e}"
    return str(value)
