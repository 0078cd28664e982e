"""The page of ``silp explain --extract --html``: the text with its spans in colour, and what became of each."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from silp_cli.explain.sightings import WHATS
from silp_cli.ir.errors import line_and_column
from silp_cli.ir.jsontext import dumps_pretty
from silp_cli.text.diagnostics import visible

if TYPE_CHECKING:
    from silp_cli.explain.sightings import Sighted, Sighting

# what: hue in degrees, chroma; lightness is the theme's.
_HUES: dict[str, tuple[int, float]] = {
    "call": (150, 0.13), "payload": (262, 0.14), "problem": (25, 0.17), "passed": (260, 0.01),
}


def page(seen: Sighted) -> str:
    """One HTML page that needs nothing else.

    Args:
        seen: what was seen in a text.

    Returns:
        The HTML text.
    """
    there = {each.what for each in seen.sightings}
    colors = "\n".join(f".w-{what} {{ --h: {hue}; --c: {chroma}; }}" for what, (hue, chroma) in _HUES.items())
    return _PAGE.format(
        style=_STYLE.replace("/* whats */", colors),
        legend="".join(f'<li class="w-{what}">{name}</li>' for what, name in WHATS.items() if what in there),
        text=_text(seen),
        rows="\n".join(_row(number, each, seen.text) for number, each in enumerate(seen.sightings, 1)),
    )


def _show(text: str) -> str:
    return "\n".join(escape(visible(line)) for line in text.split("\n"))


def _text(seen: Sighted) -> str:
    pieces = []
    place = 0
    for number, each in enumerate(seen.sightings, 1):
        pieces.append(_show(seen.text[place : each.start]))
        pieces.append(
            f'<mark id="t{number}" class="w-{each.what}" title="{escape(visible(each.meaning))}">'
            f'<a href="#r{number}">{number}</a>{_show(seen.text[each.start : each.end])}</mark>'
        )
        place = each.end
    pieces.append(_show(seen.text[place:]))
    return "".join(pieces)


def _row(number: int, each: Sighting, text: str) -> str:
    line, column = line_and_column(text, each.start)
    value = "" if each.value is None else f"<pre>{_show(dumps_pretty(each.value))}</pre>"
    return (
        f'<tr id="r{number}" class="w-{each.what}"><td><a href="#t{number}">{number}</a></td><td>{line}:{column}</td>'
        f"<td class=what>{WHATS[each.what]}</td><td>{_show(each.kind)}</td><td>{_show(each.meaning)}{value}</td></tr>"
    )


_STYLE = """\
:root { color-scheme: light dark; --page: #faf9f6; --card: #fff; --ink: #1b2127; --soft: #6a7680;
  --line: #e0ddd4; --tint: 94%; --tone: 42%; }
@media (prefers-color-scheme: dark) { :root { --page: #12161a; --card: #191f25; --ink: #e6e9ec;
  --soft: #8d9aa5; --line: #2c353d; --tint: 31%; --tone: 82%; } }
/* whats */
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 84rem; padding: 1.75rem 1.5rem 3rem; background: var(--page);
  color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.15rem; margin: 0; }
header { display: flex; flex-wrap: wrap; align-items: baseline; gap: .4rem 1.5rem; margin-bottom: 1rem; }
header ul { display: flex; gap: .5rem; margin: 0; padding: 0; list-style: none; }
header li { font-size: .78rem; padding: .05rem .55rem; border-radius: 1rem; }
header li, mark { color: oklch(var(--tone) var(--c) var(--h));
  background: oklch(var(--tint) calc(var(--c) / 3) var(--h)); }
section { background: var(--card); border: 1px solid var(--line); border-radius: .6rem;
  padding: 1.1rem 1.25rem; margin-bottom: 1.25rem; overflow-x: auto; }
pre { margin: 0; font: .88rem/1.55 ui-monospace, "SF Mono", Menlo, Consolas, monospace; white-space: pre-wrap;
  overflow-wrap: anywhere; }
mark { border-radius: .25rem; border-bottom: 2px solid oklch(var(--tone) var(--c) var(--h) / .55); }
mark a { font: .66rem/1 system-ui, sans-serif; vertical-align: super; padding: 0 .2rem; color: inherit;
  text-decoration: none; }
mark:target, tr:target td { outline: 2px solid oklch(var(--tone) max(var(--c), .05) var(--h)); }
table { border-collapse: collapse; width: 100%; font-size: .86rem; }
th { text-align: left; font-weight: 600; color: var(--soft); padding: 0 .8rem .3rem 0; }
td { vertical-align: top; padding: .3rem .8rem .3rem 0; border-top: 1px solid var(--line);
  overflow-wrap: anywhere; }
td.what { color: oklch(var(--tone) var(--c) var(--h)); font-weight: 600; white-space: nowrap; }
td a { color: inherit; }"""

_PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Calls in a text, explained</title>
<style>
{style}
</style>
</head>
<body>
<header><h1>Calls in a text</h1><ul>{legend}</ul></header>
<section><pre>{text}</pre></section>
<section>
<table><thead><tr><th></th><th>place</th><th>what</th><th>kind</th><th>meaning</th></tr></thead>
<tbody>
{rows}
</tbody></table></section>
</body>
</html>"""
