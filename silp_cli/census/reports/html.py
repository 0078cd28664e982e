"""The HTML report: one self-contained file, the tokens of each string coloured, the counts as a heat map."""

from __future__ import annotations

from html import escape

from silp_cli.census.heatmap import color, hexadecimal, ink
from silp_cli.census.reports.base import Report
from silp_cli.census.reports.tables import Table, payload_tables, spelled, word_headings, word_verdict
from silp_cli.text.diagnostics import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from silp_cli.census.families import Token
    from silp_cli.census.payloads import PayloadSummary
    from silp_cli.census.words import WordAudit, WordSummary

_HEAD = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>silp census: {title}</title>
<style>
body {{ font: 15px/1.45 system-ui, sans-serif; margin: 2rem; color: #202124; background: #fff }}
h1 {{ font-size: 1.4rem }} h2 {{ font-size: 1.1rem; margin-top: 2rem }}
table {{ border-collapse: separate; border-spacing: 2px }}
th {{ text-align: left; font-weight: 600; padding: .25rem .5rem; position: sticky; top: 0; background: #fff }}
td {{ padding: .25rem .5rem; vertical-align: top }}
td.n {{ text-align: right; font-variant-numeric: tabular-nums }}
td.s, code {{ font-family: ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere }}
td.h {{ min-width: 4.5rem }}
.good {{ color: #137333 }} .fair {{ color: #915700 }} .bad {{ color: #b3261e }}
.p {{ font: 12px/1.7 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere }}
.p {{ display: block }}
.p span {{ color: #202124; border-radius: 3px; padding: 1px 0 }}
.t0 {{ background: #fde2b3 }} .t1 {{ background: #cfe3fc }}
.t2 {{ background: #d5efd0 }} .t3 {{ background: #f3d3ea }}
.p .u {{ background: #b3261e; color: #fff }} .p .b {{ outline: 1px dashed #b3261e }}
.k {{ color: #5f6368; font-size: .9rem }}
</style>
</head>
<body>
<h1>silp census: {title}</h1>
<p class="k">Each colour is one token; the darker a cell, the more tokens.
A dashed outline is a single-byte fallback, <span class="bad">red</span> an unknown token (UNK).</p>
"""
_TAIL = "</body>\n</html>"

# Counts of words lie close together; from here on the darkest colour serves.
_DARKEST_WORD = 6


class HtmlReport(Report):
    """One HTML file without scripts and without anything to fetch."""

    def __init__(self, *args: object, **options: object) -> None:
        super().__init__(*args, **options)  # type: ignore[arg-type]
        self._begun = False

    def _begin(self) -> None:
        if not self._begun:
            self._begun = True
            self.write(_HEAD.format(title=escape(self.title)).rstrip("\n"))

    def _begin_words(self) -> None:
        if not self._begun:
            self._begin()
            self.write("<table>")
            self._headings(word_headings(self.names))

    def _headings(self, headings: Iterable[str]) -> None:
        self.write("<tr>" + "".join(f"<th>{escape(heading)}</th>" for heading in headings) + "</tr>")

    def word(self, audit: WordAudit) -> None:
        """Write a string's row."""
        self._begin_words()
        excluded = ' <span class="k">excluded</span>' if audit.word.excluded else ""
        cells = [f'<td class="s">{escape(visible(audit.word.text))}{excluded}</td>']
        for reading in audit.readings.values():
            note = " runs on" if reading.merged else ""
            style = _heat(reading.count, 1, _DARKEST_WORD)
            cells.append(f'<td class="h"{style}>{reading.count}{note}{pieces(reading.tokens)}</td>')
        cells += [
            f'<td class="{"good" if verdict else "bad"}">{"yes" if verdict else "no"}</td>'
            for verdict in (audit.single_token, audit.unk_free)
        ]
        cells.append(f'<td class="n">{audit.range}</td><td class="n">{audit.stdev:.2f}</td>')
        self.write("<tr>" + "".join(cells) + "</tr>")

    def end_words(self, summary: WordSummary) -> None:
        """Close the table and write the verdict."""
        self._begin_words()
        self.write("</table>")
        self.write(f"<p>{escape(word_verdict(summary))}</p>")
        self.write(_TAIL)

    def end_payloads(self, summary: PayloadSummary) -> None:
        """Write totals, savings, and the costliest records token by token."""
        self._begin()
        total, *others = payload_tables(summary, self.names)
        self._table(total, heat=range(2, 2 + len(self.names)))
        for table in others:
            self._table(table)
        leading = summary.encodings[0]
        for row in summary.costliest():
            text = row.item.texts[leading] or ""
            place = f"record {row.item.number} ({row.item.source}:{row.item.line})"
            self.write(f"<h2>{escape(visible(place))}</h2>")
            self.write("<table>")
            for tokenizer in self.tokenizers:
                name, count = escape(tokenizer.name), row.counts[leading][tokenizer.name]
                tokens = pieces(tokenizer.tokens(text))
                self.write(f'<tr><th>{name}</th><td class="n">{count}</td><td>{tokens}</td></tr>')
            self.write("</table>")
        self.write(_TAIL)

    def table(self, table: Table) -> None:
        """Write a report of one table."""
        self._begin()
        self._table(table)
        self.write(_TAIL)

    def _table(self, table: Table, heat: range = range(0)) -> None:
        values = [float(row[index].text) for row in table.rows for index in heat]
        low, high = min(values, default=0.0), max(values, default=0.0)
        self.write(f"<h2>{escape(table.title)}</h2>")
        self.write("<table>")
        self._headings(table.headings)
        for row in table.rows:
            cells = []
            for index, cell in enumerate(row):
                kind = ("n" if index >= table.numbers else "s") + (f" {cell.verdict}" if cell.verdict else "")
                style = _heat(float(cell.text), low, high) if index in heat else ""
                cells.append(f'<td class="{kind}"{style}>{escape(cell.text)}</td>')
            self.write("<tr>" + "".join(cells) + "</tr>")
        self.write("</table>")


def _heat(value: float, low: float, high: float) -> str:
    background = color(value, low, high)
    return f' style="background:{hexadecimal(background)};color:{hexadecimal(ink(background))}"'


def pieces(tokens: Iterable[Token]) -> str:
    """Tokens as HTML, a colour each."""
    marks = {"": "", "unknown": " u", "byte": " b"}
    spans = "".join(
        f'<span class="t{index % 4}{marks[token.mark]}" title="{token.id}">{escape(spelled(token))}</span>'
        for index, token in enumerate(tokens)
    )
    return f'<span class="p">{spans}</span>'
