"""``silp probe``: show what injected zero-width characters and look-alikes do to token counts."""

from __future__ import annotations

import sys

from silp_cli.commands import CommandError, color_wanted
from silp_cli.commands.stream import Output, add_output_option, read_whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterable, Iterator

    from silp_cli.census.families import Tokenizer
    from silp_cli.census.probe import Probe, Result

COMMAND = "silp probe"

_FORMATS = ("table", "json", "csv")
_POSITIONS = ("middle", "start", "end", "all")
_KINDS = ("zero-width", "homoglyph")
_FIELDS = (
    "word", "kind", "codepoints", "names", "positions", "text", "cleaned", "tokenizer", "before", "after", "change",
    "altered",
)


def configure(parser: ArgumentParser) -> None:
    """Add the options of ``silp probe``."""
    parser.add_argument("words", nargs="*", metavar="WORD", help="words to disguise (default: five of the verbs)")
    parser.add_argument("--file", metavar="FILE", help="read words from FILE, one a line")
    parser.add_argument("--at", choices=_POSITIONS, default="middle", help="where to inject (default: middle)")
    parser.add_argument("--kind", choices=_KINDS, help="only zero-width characters, or only look-alikes")
    parser.add_argument("--tokenizers", metavar="A,B", help="which tokenizers (default: all that are there)")
    parser.add_argument("--vocab-dir", metavar="DIR", help="the vocabularies (see 'silp vocab --help')")
    parser.add_argument(
        "--format", choices=_FORMATS, help="default: a table on a terminal, JSON Lines elsewhere"
    )
    add_output_option(parser)
    parser.epilog = """\
Each of U+200B, U+200C, U+200D and U+FEFF goes into each word, and Cyrillic look-alikes take the place of its letters,
one by one and all at once. The table shows tokens before and after; '=' says that the tokens stayed the same.

examples:
  silp probe
  silp probe cancel escalate --tokenizers gpt-4o,claude --format table
  silp probe --at all --format csv -o probes.csv cancel
"""


def run(options: Namespace) -> int:
    """Measure every probe; return the exit status."""
    words = _words(options)
    tokenizers = _tokenizers(options)
    form = options.format or ("table" if options.output is None and sys.stdout.isatty() else "json")
    output = Output(options.output)
    results = _measured(words, options, tokenizers)
    try:
        if form == "table":
            _table(results, [tokenizer.name for tokenizer in tokenizers], output, options.output)
        else:
            _rows(results, form, output)
    except BaseException:
        output.discard()
        raise
    output.close()
    return 0


def _words(options: Namespace) -> list[str]:
    from silp_cli.census.probe import DEFAULT_WORDS

    words = list(options.words)
    if options.file:
        words += [line.strip() for line in read_whole(options.file, COMMAND).splitlines() if line.strip()]
        if not words:
            raise CommandError(f"{COMMAND}: {options.file}: no words in it")
    if "" in words:
        raise CommandError(f"{COMMAND}: an empty word cannot be disguised")
    return words or list(DEFAULT_WORDS)


def _tokenizers(options: Namespace) -> list[Tokenizer]:
    """The tokenizers that were asked for, loaded; without a wish, those whose vocabulary is there."""
    from silp_cli.census.tokenizers import TOKENIZERS, installed, load
    from silp_cli.census.vocabularies import VocabularyError

    try:
        if options.tokenizers is None:
            wanted = installed(options.vocab_dir) or list(TOKENIZERS)
        else:
            wanted = list(dict.fromkeys(filter(None, map(str.strip, options.tokenizers.split(",")))))
        if not wanted:
            raise CommandError(f"{COMMAND}: --tokenizers names none")
        return [load(name, options.vocab_dir) for name in wanted]
    except VocabularyError as error:
        raise CommandError(f"{COMMAND}: {error}") from None


def _measured(
    words: Iterable[str], options: Namespace, tokenizers: list[Tokenizer]
) -> Iterator[tuple[Probe, list[Result]]]:
    from silp_cli.census.probe import measure, probes

    for word in words:
        for probe in probes(word, options.at):
            if options.kind in (None, probe.kind):
                yield probe, measure(probe, tokenizers)


def _facts(probe: Probe) -> dict[str, object]:
    from unicodedata import name

    return {
        "word": probe.word,
        "kind": probe.kind,
        "codepoints": [f"U+{ord(char):04X}" for char in probe.chars],
        "names": [name(char) for char in probe.chars],
        "positions": list(probe.positions),
        "text": probe.text,
        "cleaned": probe.cleaned,
    }


def _rows(results: Iterator[tuple[Probe, list[Result]]], form: str, output: Output) -> None:
    from silp_cli.ir.jsontext import dumps
    from silp_cli.text.safe import escape

    if form == "csv":
        output.line(",".join(_FIELDS))
    for probe, measured in results:
        facts = _facts(probe)
        for result in measured:
            row = facts | {
                "tokenizer": result.tokenizer, "before": result.before, "after": result.after,
                "change": result.after - result.before, "altered": result.altered,
            }
            output.line(escape(dumps(row)) if form == "json" else _csv(row))


def _csv(row: dict[str, object]) -> str:
    import csv
    import io

    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(
        " ".join(map(str, value)) if isinstance(value, list)
        else str(value).lower() if isinstance(value, bool) else value
        for value in map(row.__getitem__, _FIELDS)
    )
    return line.getvalue()


def _table(results: Iterator[tuple[Probe, list[Result]]], names: list[str], output: Output, path: str | None) -> None:
    import io
    import shutil

    from rich.box import ROUNDED
    from rich.console import Console
    from rich.table import Table

    to_terminal = path is None and sys.stdout.isatty()
    table = Table(box=ROUNDED if to_terminal else None)
    for name in ("word", "probe", "at", *names):
        table.add_column(name, no_wrap=True)
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
    width = shutil.get_terminal_size().columns if to_terminal else 200
    color = to_terminal and color_wanted(sys.stdout)
    console = Console(file=text, width=width, force_terminal=color, no_color=not color, highlight=False)
    console.print(table)
    output.line("tokens of the plain word → of the disguised one")
    for line in text.getvalue().splitlines():
        output.line(line.rstrip())
    output.line(f"tokens altered in {altered} of {total} probes")
