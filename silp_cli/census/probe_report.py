"""How probes are reported: JSON Lines, CSV, or a table."""

from __future__ import annotations

import csv
import io
from unicodedata import name

from silp_cli.ir.jsontext import dumps
from silp_cli.text.safe import escape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from silp_cli.census.probe import Probe, Result

FIELDS = (
    "word", "kind", "codepoints", "names", "positions", "text", "cleaned", "tokenizer", "before", "after", "change",
    "altered",
)


def json_lines(results: Iterable[tuple[Probe, list[Result]]]) -> Iterator[str]:
    """A line of JSON for each probe and tokenizer."""
    return (escape(dumps(row)) for row in _rows(results))


def csv_lines(results: Iterable[tuple[Probe, list[Result]]]) -> Iterator[str]:
    """The same as CSV, below a line of names."""
    yield ",".join(FIELDS)
    for row in _rows(results):
        yield _csv(row)


def table_lines(
    results: Iterable[tuple[Probe, list[Result]]], tokenizers: Sequence[str], *, width: int = 0, color: bool = False
) -> Iterator[str]:
    """A table for people.

    Args:
        results: the probes.
        tokenizers: the names of the tokenizers.
        width: columns of the terminal; 0 where there is none.
        color: whether ANSI colours may be used.
    """
    from rich.box import ROUNDED
    from rich.console import Console
    from rich.table import Table

    table = Table(box=ROUNDED if width else None)
    for heading in ("word", "probe", "at", *tokenizers):
        table.add_column(heading, no_wrap=True)
    altered = total = 0
    for probe, measured in results:
        cells = []
        for result in measured:
            total += 1
            altered += result.altered
            mark = "[red]" if result.after > result.before else "[yellow]" if result.altered else "[green]="
            cells.append(f"{mark}{result.before}→{result.after}")
        foreign = " ".join(f"U+{ord(char):04X}" for char in probe.chars)
        table.add_row(probe.word, foreign, ",".join(map(str, probe.positions)), *cells)
    text = io.StringIO()
    Console(file=text, width=width or 200, force_terminal=color, no_color=not color, highlight=False).print(table)
    yield "tokens of the plain word → of the disguised one"
    for line in text.getvalue().splitlines():
        yield line.rstrip()
    yield f"tokens altered in {altered} of {total} probes"


def _rows(results: Iterable[tuple[Probe, list[Result]]]) -> Iterator[dict[str, object]]:
    for probe, measured in results:
        facts = _facts(probe)
        for result in measured:
            yield facts | {
                "tokenizer": result.tokenizer, "before": result.before, "after": result.after,
                "change": result.after - result.before, "altered": result.altered,
            }


def _facts(probe: Probe) -> dict[str, object]:
    return {
        "word": probe.word,
        "kind": probe.kind,
        "codepoints": [f"U+{ord(char):04X}" for char in probe.chars],
        "names": [name(char) for char in probe.chars],
        "positions": list(probe.positions),
        "text": probe.text,
        "cleaned": probe.cleaned,
    }


def _csv(row: dict[str, object]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(
        " ".join(map(str, value)) if isinstance(value, list)
        else str(value).lower() if isinstance(value, bool) else value
        for value in map(row.__getitem__, FIELDS)
    )
    return line.getvalue()
