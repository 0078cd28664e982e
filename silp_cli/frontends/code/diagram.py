"""Railroad diagrams of the code grammar, drawn by pyparsing, with the ABNF of each rule beside them."""

from __future__ import annotations

import re
from html import escape
from io import StringIO

from silp_cli.frontends.code.grammar import grammar
from silp_cli.ir.resources import read_resource

_HEAD = """\
<title>SILP code surface: grammar</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
:root { color-scheme: light dark; --page: #fbfaf7; --ink: #1d2328; --soft: #68737d; --line: #d9d6cd;
  --rule: #dcebfb; --word: #fdf0cf; --link: #1f5fa8; }
@media (prefers-color-scheme: dark) { :root { --page: #14181c; --ink: #e4e7ea; --soft: #93a0ab;
  --line: #333b43;
  --rule: #1d3b5c; --word: #4a3d17; --link: #86b8f2; } }
body { background: var(--page); color: var(--ink); margin: 0 auto; max-width: 76rem;
  padding: 2rem 1.25rem 4rem;
  font: 15px/1.55 system-ui, sans-serif; }
header h1 { font-size: 1.6rem; margin: 0 0 .25rem; }
header p { color: var(--soft); margin: 0 0 1rem; max-width: 46rem; }
nav { columns: 10rem; font: 13px/1.7 ui-monospace, monospace; border-block: 1px solid var(--line);
  padding: .8rem 0; margin-bottom: 1rem; }
nav a { display: block; color: var(--link); text-decoration: none; }
nav a:hover { text-decoration: underline; }
.railroad-group { border-bottom: 1px solid var(--line); padding: .4rem 0 1rem; }
h1.railroad-heading { font: 600 1rem ui-monospace, monospace; margin: .8rem 0 .2rem; }
.railroad-group:target h1.railroad-heading { color: var(--link); }
pre.abnf { color: var(--soft); font: 12.5px/1.5 ui-monospace, monospace; margin: 0 0 .5rem;
  overflow-x: auto; }
.railroad-svg { overflow-x: auto; }
svg.railroad-diagram { background: none !important; }
svg.railroad-diagram path { stroke: var(--soft) !important; stroke-width: 1.6 !important; }
svg.railroad-diagram text { fill: var(--ink); font: 600 13px ui-monospace, monospace !important; }
svg.railroad-diagram rect { stroke: var(--soft) !important; stroke-width: 1.2 !important;
  fill: var(--word) !important; }
svg.railroad-diagram .non-terminal rect { fill: var(--rule) !important; }
svg.railroad-diagram rect.group-box { fill: none !important; }
svg.railroad-diagram a text { fill: var(--link); }
svg.railroad-diagram text:nth-of-type(2) { display: none; }
</style>"""
_BODY = """\
<header><h1>SILP code surface</h1><p>Each rule of the grammar, as ABNF and as a railroad diagram: every way
from the left end to the right end spells a part of a payload. Square boxes are other rules, round ones are
text.</p>
</header>
<nav></nav>"""
_HEADING = re.compile(r'<h1 class="railroad-heading" id="([^"]*)">([^<]*)</h1>')
_RULE = re.compile(r"^([A-Za-z][A-Za-z0-9-]*)\s+=.*(?:\n[ ]+\S.*)*", re.M)


def draw() -> str:
    """The diagrams as one HTML page that needs nothing else."""
    page = StringIO()
    grammar().payload.create_diagram(page, vertical=13, show_results_names=False, head=_HEAD, body=_BODY)
    drawn = page.getvalue()
    abnf = {match.group(1): match.group() for match in _RULE.finditer(read_resource("code.abnf"))}
    links = "".join(f'<a href="#{anchor}">{name}</a>' for anchor, name in _HEADING.findall(drawn))

    def with_abnf(match: re.Match[str]) -> str:
        return f'{match.group()}<pre class="abnf">{escape(abnf[match.group(2)])}</pre>'

    return _HEADING.sub(with_abnf, drawn).replace("<nav></nav>", f"<nav>{links}</nav>")
