"""What the reports for people show: headings and rows, whichever way they are drawn."""

from __future__ import annotations

from dataclasses import dataclass, field

from silp_cli.census.payloads import IR_JSON, NATURAL, PAYLOAD, savings
from silp_cli.text.diagnostics import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from silp_cli.census.families import Token
    from silp_cli.census.payloads import PayloadSummary
    from silp_cli.census.suggest import Suggestion
    from silp_cli.census.words import Reading, WordAudit, WordSummary

_PIECES = 8
_EXCERPT = 60

GOOD, FAIR, BAD, PLAIN = "good", "fair", "bad", ""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell: its text, and how it is to be judged (``good``, ``fair``, ``bad`` or neither)."""

    text: str
    verdict: str = PLAIN


@dataclass(slots=True)
class Table:
    """A table with a title.

    Attributes:
        title: one line.
        headings: the columns' names; columns from ``numbers`` on are numbers and stand to the right.
        rows: the cells.
        numbers: index of the first column of numbers.
    """

    title: str
    headings: list[str]
    rows: list[list[Cell]] = field(default_factory=list)
    numbers: int = 1


def spelled(token: Token) -> str:
    """A token as people read it: bytes as ``<0xE2>``, control characters visible."""
    if isinstance(token.piece, bytes):
        return "".join(f"<0x{byte:02X}>" for byte in token.piece)
    return visible(token.piece)


def reading_text(reading: Reading) -> str:
    """The count, and the tokens where there are several or something is wrong with them."""
    text = f"{reading.count}{'+' if reading.merged else ''}"
    if reading.count != 1 or reading.merged:
        pieces = [spelled(token) for token in reading.tokens[:_PIECES]]
        text += " " + "|".join(pieces) + ("|…" if reading.count > _PIECES else "")
    if reading.unknown:
        text += " UNK"
    if reading.byte_fallback:
        text += " bytes"
    return text


def word_headings(names: Sequence[str]) -> list[str]:
    """The columns of a table of strings."""
    return ["string", *names, "single", "unk-free", "range", "stdev"]


def word_row(audit: WordAudit) -> list[Cell]:
    """A string's row."""
    cells = [Cell(visible(audit.word.text) + (" (excluded)" if audit.word.excluded else ""))]
    for reading in audit.readings.values():
        verdict = GOOD if reading.single else FAIR if reading.count == 2 else BAD
        cells.append(Cell(reading_text(reading), BAD if reading.unknown else verdict))
    cells += [_yes(audit.single_token), _yes(audit.unk_free)]
    cells.append(Cell(str(audit.range), GOOD if audit.range == 0 else PLAIN))
    return [*cells, Cell(f"{audit.stdev:.2f}")]


def _yes(verdict: bool) -> Cell:
    return Cell("yes", GOOD) if verdict else Cell("no", BAD)


def word_verdict(summary: WordSummary) -> str:
    """The line under a table of strings."""
    return (
        f"{summary.strings} string{'s' * (summary.strings != 1)}: "
        f"{summary.single_token} single-token in all, "
        f"{summary.unk_free} UNK-free in all, largest range {summary.widest}"
    )


def payload_tables(summary: PayloadSummary, names: Sequence[str]) -> list[Table]:
    """The tables of a payload audit: totals, savings, costliest records."""
    labels = {IR_JSON: "IR JSON", PAYLOAD: "payloads"}
    total = Table(
        f"tokens over {summary.records} record{'s' * (summary.records != 1)}",
        ["encoding", "records", *names, "range", "largest range"],
    )
    for encoding, each in summary.totals.items():
        sums = [each.tokens.get(name, 0) for name in names]
        total.rows.append([
            Cell(labels.get(encoding, encoding)), Cell(str(each.records)),
            *(Cell(str(value)) for value in sums), Cell(str(max(sums) - min(sums))), Cell(str(each.widest)),
        ])
    tables = [total]
    for reference, label in ((IR_JSON, "the IR's own JSON"), (NATURAL, "natural")):
        table = Table(f"saving against {label}, per cent", ["encoding", *names])
        for encoding, each in summary.totals.items():
            against = savings(encoding, {encoding: each.tokens}, each.references).get(reference)
            if against:
                percents = [_percent(against.get(name)) for name in names]
                table.rows.append([Cell(labels.get(encoding, encoding)), *percents])
        if table.rows:
            tables.append(table)
    costliest = Table(
        "costliest records" + (f" under {summary.encodings[0]}" if len(summary.encodings) > 1 else ""),
        ["record", "place", "text", *names], numbers=3,
    )
    for row in summary.costliest():
        text = visible(row.item.texts[summary.encodings[0]] or "")
        counts = row.counts[summary.encodings[0]]
        costliest.rows.append([
            Cell(str(row.item.number)), Cell(f"{row.item.source}:{row.item.line}"),
            Cell(text if len(text) <= _EXCERPT else text[: _EXCERPT - 1] + "…"),
            *(Cell(str(counts[name])) for name in names),
        ])
    return [*tables, costliest] if costliest.rows else tables


def _percent(value: float | None) -> Cell:
    if value is None:
        return Cell("-")
    return Cell(f"{value:.1f}", GOOD if value > 0 else BAD if value < 0 else PLAIN)


def suggestion_table(verb: str, found: Sequence[Suggestion]) -> Table:
    """The table of suggestions, best first."""
    senses = {2: "near", 1: "related", 0: "-"}
    table = Table(
        f"single-token replacements for {visible(verb)}",
        ["verb", "sense", "whitelist", "single-token as"], numbers=9,
    )
    for each in found:
        table.rows.append([
            Cell(each.audit.word.text, GOOD), Cell(senses[each.related]),
            Cell("yes" if each.approved else "no"), Cell(", ".join(each.forms)),
        ])
    return table
