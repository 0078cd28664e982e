"""The picture that ``silp explain --html`` writes: the payload glossed part by part, and its IR beside it."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING, Any

from silp_cli.frontends.slots import KINDS
from silp_cli.ir.jsontext import dumps
from silp_cli.ir.pointer import pointer_of
from silp_cli.text.diagnostics import visible

if TYPE_CHECKING:
    from silp_cli.frontends.slots import Explained, Slot

# kind: hue in degrees, chroma; lightness is the theme's.
_HUES: dict[str, tuple[int, float]] = {
    "action": (262, 0.15), "id": (175, 0.08), "value": (150, 0.12), "type": (75, 0.13),
    "subject": (110, 0.11),
    "operator": (25, 0.16), "operand": (95, 0.12), "time": (320, 0.14), "target": (200, 0.11),
    "location": (225, 0.11), "field": (290, 0.10), "syntax": (260, 0.0),
}


def page(explained: Explained) -> str:
    """One HTML page that needs nothing else.

    Args:
        explained: the payload.

    Returns:
        The HTML text.
    """
    there = {slot.kind for slot in explained.slots}
    kinds = [kind for kind in KINDS if kind in there and kind != "syntax"]
    colors = "\n".join(f".k-{kind} {{ --h: {hue}; --c: {chroma}; }}" for kind, (hue, chroma) in _HUES.items())
    legend = "".join(f'<li class="k-{kind}">{KINDS[kind]}</li>' for kind in kinds)
    return _PAGE.format(
        style=_STYLE.replace("/* kinds */", colors),
        script=_SCRIPT,
        frontend=escape(explained.frontend),
        legend=legend,
        payload=_payload(explained),
        rows="\n".join(map(_row, explained.slots, [explained.text] * len(explained.slots))),
        ir=_json(explained.ir, (), _homes(explained), 0),
    )


def _show(text: str) -> str:
    return escape(visible(text))


def _payload(explained: Explained) -> str:
    """The text, its parts over their glosses."""
    pieces = []
    place = 0
    for slot in explained.slots:
        pieces.append(_between(explained.text[place : slot.start]))
        pieces.append(
            f'<span class="part k-{slot.kind}" data-p="{_show(slot.path)}" tabindex="0"'
            f' title="{_show(slot.meaning)}"><bdi>'
            f"{_show(explained.text[slot.start : slot.end])}</bdi><small>{_gloss(slot)}</small></span>"
        )
        place = slot.end
    pieces.append(_between(explained.text[place:]))
    return "".join(pieces)


def _between(text: str) -> str:
    """What stands between parts; white space stays, so that lines can break there."""
    pieces = re.findall(r"[ \t\r\n]+|[^ \t\r\n]+", text)
    return "".join(f"<i>{' ' if piece.isspace() else _show(piece)}</i>" for piece in pieces)


def _gloss(slot: Slot) -> str:
    if slot.kind == "syntax":
        return "&nbsp;"
    if slot.kind == "field":
        return _show(slot.path.rpartition("/")[2])
    return {"operand": "value", "operator": "op"}.get(slot.kind, slot.kind)


def _row(slot: Slot, text: str) -> str:
    value = "" if slot.kind == "syntax" else _show(dumps(slot.value))
    return (
        f'<tr class="k-{slot.kind}" data-p="{_show(slot.path)}" tabindex="0"><td class="text"><bdi>'
        f"{_show(text[slot.start : slot.end])}</bdi></td><td class=path>{_show(slot.path)}</td>"
        f"<td class=value>{value}</td><td>{_show(slot.meaning)}</td></tr>"
    )


def _homes(explained: Explained) -> dict[str, str]:
    """The kind of slot at each path that some part of the text became."""
    homes: dict[str, str] = {}
    for slot in explained.slots:
        if homes.get(slot.path, "syntax") == "syntax":
            homes[slot.path] = slot.kind
    return homes


def _json(value: Any, path: tuple[Any, ...], homes: dict[str, str], depth: int) -> str:
    """The IR as indented JSON, each slot in its colour; what no text stands for is faint."""
    pointer = pointer_of(path)
    if isinstance(value, dict | list) and value:
        inner = "  " * (depth + 1)
        if isinstance(value, dict):
            items = [(f"<span class=key>{_show(dumps(key))}</span>: ", key, each) for key, each in value.items()]
        else:
            items = [("", index, each) for index, each in enumerate(value)]
        lines = [inner + name + _json(each, (*path, step), homes, depth + 1) for name, step, each in items]
        left, right = "{}" if isinstance(value, dict) else "[]"
        written = left + "\n" + ",\n".join(lines) + "\n" + "  " * depth + right
    else:
        written = f"<bdi>{_show(dumps(value))}</bdi>"
    if pointer in homes:
        kind = homes[pointer]
        return f'<span class="slot k-{kind}" data-p="{_show(pointer)}" tabindex="0">{written}</span>'
    above = any(pointer_of(path[:length]) in homes for length in range(2, len(path)))
    if not isinstance(value, dict | list) and not above:
        return f'<span class="implied" title="implied: no part of the text says it">{written}</span>'
    return written


_STYLE = """\
:root { color-scheme: light dark; --page: #faf9f6; --card: #fff; --ink: #1b2127; --soft: #6a7680;
  --line: #e0ddd4;
  --tint: 94%; --tone: 42%; }
@media (prefers-color-scheme: dark) { :root { --page: #12161a; --card: #191f25; --ink: #e6e9ec;
  --soft: #8d9aa5;
  --line: #2c353d; --tint: 31%; --tone: 82%; } }
/* kinds */
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 84rem; padding: 1.75rem 1.5rem 3rem; background: var(--page);
  color: var(--ink);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.15rem; margin: 0; }
h2 { font-size: .78rem; letter-spacing: .07em; text-transform: uppercase; color: var(--soft);
  margin: 0 0 .75rem; }
header { display: flex; flex-wrap: wrap; align-items: baseline; gap: .4rem 1.5rem; margin-bottom: 1rem; }
header ul { display: flex; flex-wrap: wrap; gap: .3rem .5rem; margin: 0; padding: 0; list-style: none; }
header li { font-size: .78rem; padding: .05rem .55rem; border-radius: 1rem;
  color: oklch(var(--tone) var(--c) var(--h));
  background: oklch(var(--tint) calc(var(--c) / 3) var(--h)); }
section { background: var(--card); border: 1px solid var(--line); border-radius: .6rem;
  padding: 1.1rem 1.25rem; min-width: 0; }
.below { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: 1.25rem;
  margin-top: 1.25rem;
  align-items: start; }
@media (max-width: 60rem) { .below { grid-template-columns: minmax(0, 1fr); } }
.payload { font: 1.2rem/1.3 ui-monospace, "SF Mono", Menlo, Consolas, monospace; display: flex;
  flex-wrap: wrap;
  align-items: flex-start; row-gap: .9rem; white-space: pre; }
.payload > i { font-style: normal; color: var(--soft); padding: .12rem .04rem; white-space: pre-wrap;
  overflow-wrap: anywhere; }
.part { display: inline-flex; flex-direction: column; align-items: center; cursor: default; outline: none;
  max-width: 100%; }
.part bdi { max-width: 100%; white-space: pre-wrap; overflow-wrap: anywhere; padding: .12rem .25rem;
  border-radius: .3rem;
  color: oklch(var(--tone) var(--c) var(--h)); background: oklch(var(--tint) calc(var(--c) / 3) var(--h));
  border-bottom: 2px solid oklch(var(--tone) var(--c) var(--h) / .55); }
.part.k-syntax bdi { background: none; border-color: transparent; font-weight: 600; }
.part small { font: .66rem/1.5 system-ui, sans-serif;
  color: oklch(var(--tone) calc(var(--c) * .8) var(--h)); margin-top: .15rem; }
table { border-collapse: collapse; width: 100%; font-size: .86rem; }
th { text-align: left; font-weight: 600; color: var(--soft); padding: 0 .8rem .3rem 0; }
td { vertical-align: top; padding: .26rem .8rem .26rem 0; border-top: 1px solid var(--line);
  overflow-wrap: anywhere; }
td.text, td.path, td.value, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
td.text, td.value { font-size: .84rem; color: oklch(var(--tone) var(--c) var(--h)); min-width: 6.2rem; }
td.path { font-size: .8rem; color: var(--soft); overflow-wrap: break-word; min-width: 9rem; }
tr { outline: none; }
tr.on td { background: oklch(var(--tint) calc(var(--c) / 3) var(--h)); }
@media (max-width: 32rem) {  /* four columns do not fit: a part's facts stand below one another */
  .below section { padding: .9rem .8rem; }
  table, tbody, tr, td { display: block; }
  thead { display: none; }
  td, td.text, td.value, td.path { min-width: 0; border: 0; padding: .1rem 0; }
  tr { border-bottom: 1px solid var(--line); padding: .4rem 0; }
}
pre { margin: 0; font-size: .86rem; line-height: 1.55; white-space: pre-wrap; overflow-wrap: anywhere; }
.key { color: var(--soft); }
.slot { outline: none; border-radius: .25rem; }
.slot:not(.k-syntax) { color: oklch(var(--tone) var(--c) var(--h)); }
.implied { opacity: .5; }
.part.on bdi, .slot.on { box-shadow: 0 0 0 2px oklch(var(--tone) max(var(--c), .05) var(--h)); }
.slot.on { background: oklch(var(--tint) calc(var(--c) / 3) var(--h)); }
#wire { position: absolute; left: 0; top: 0; pointer-events: none; overflow: visible; }
#wire path { fill: none; stroke-width: 1.8; opacity: .75; }
footer { color: var(--soft); font-size: .8rem; margin-top: 1rem; }"""

_SCRIPT = """\
(() => {
  const wire = document.getElementById("wire");
  let pinned = null;
  const clear = () => {
    document.querySelectorAll(".on").forEach(each => each.classList.remove("on"));
    wire.replaceChildren();
  };
  const line = (from, to) => {
    const a = from.querySelector("bdi").getBoundingClientRect(), b = to.getBoundingClientRect();
    const x1 = a.x + a.width / 2 + scrollX, y1 = a.bottom + 18 + scrollY;
    const x2 = b.x - 3 + scrollX, y2 = b.y + Math.min(b.height / 2, 11) + scrollY;
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", `M${x1} ${y1}C${x1} ${y1 + 70} ${x2 - 110} ${y2} ${x2} ${y2}`);
    path.style.stroke = getComputedStyle(from.querySelector("bdi")).color;
    wire.append(path);
  };
  const show = from => {
    clear();
    if (!from) return;
    const same = [...document.querySelectorAll("[data-p]")].filter(each => each.dataset.p === from.dataset.p);
    same.forEach(each => each.classList.add("on"));
    const slot = same.find(each => each.classList.contains("slot"));
    if (slot) same.filter(each => each.classList.contains("part")).forEach(part => line(part, slot));
  };
  const of = event => event.target.closest ? event.target.closest("[data-p]") : null;
  document.addEventListener("mouseover", event => show(of(event) || pinned));
  document.addEventListener("focusin", event => show(of(event) || pinned));
  document.addEventListener("click", event => { pinned = of(event); show(pinned); });
  document.addEventListener("keydown", event => { if (event.key === "Escape") show(pinned = null); });
  addEventListener("resize", () => show(pinned));
})();"""

_PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>SILP payload, explained</title>
<style>
{style}
</style>
</head>
<body>
<header><h1>SILP payload, {frontend} surface</h1><ul>{legend}</ul></header>
<section><h2>Payload</h2>
<div class="payload">{payload}</div></section>
<div class="below">
<section><h2>Parts</h2>
<table><thead><tr><th>text</th><th>slot</th><th>value</th><th>meaning</th></tr></thead>
<tbody>
{rows}
</tbody></table></section>
<section><h2>IR</h2>
<pre>{ir}</pre></section>
</div>
<footer>Point at a part to see its slot, click to keep it. Faint values are implied: no part of the text says
them.</footer>
<svg id="wire" width="1" height="1" aria-hidden="true"></svg>
<script>
{script}
</script>
</body>
</html>"""
