"""``silp probe``: show what injected zero-width characters and look-alikes do to token counts."""

from __future__ import annotations

import shutil
import sys

from silp_cli.census.chosen import chosen_tokenizers
from silp_cli.census.probe import DEFAULT_WORDS, measure, probes
from silp_cli.census.probe_report import csv_lines, json_lines, table_lines
from silp_cli.census.tokenizers import TOKENIZERS, installed
from silp_cli.text.command import CommandError, color_wanted
from silp_cli.text.output import Output, read_whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from silp_cli.census.families import Tokenizer
    from silp_cli.census.probe import Probe, Result

COMMAND = "silp probe"


def run(
    *, words: Sequence[str] | None, file: str | None, at: str, kind: str | None, tokenizers: str | None,
    vocab_dir: str | None, format: str | None, output: str | None,
) -> int:
    """Measure every probe; return the exit status."""
    disguised = _words(words, file)
    asked = chosen_tokenizers(
        tokenizers, vocab_dir, COMMAND, lambda directory: installed(directory) or list(TOKENIZERS)
    )
    terminal = output is None and sys.stdout.isatty()
    form = format or ("table" if terminal else "json")
    results = measured(disguised, asked, at, kind)
    out = Output(output)
    try:
        if form == "table":
            width = shutil.get_terminal_size().columns if terminal else 0
            color = terminal and color_wanted(sys.stdout)
            lines = table_lines(results, [each.name for each in asked], width=width, color=color)
        else:
            lines = json_lines(results) if form == "json" else csv_lines(results)
        for line in lines:
            out.line(line)
    except BaseException:
        out.discard()
        raise
    out.close()
    return 0


def measured(
    words: Iterable[str], tokenizers: Sequence[Tokenizer], at: str = "middle", kind: str | None = None
) -> Iterator[tuple[Probe, list[Result]]]:
    """The probes of words, each under every tokenizer.

    Args:
        words: the words.
        tokenizers: the tokenizers to ask.
        at: where to inject, one of ``probe.POSITIONS``.
        kind: only probes of this kind.
    """
    for word in words:
        for probe in probes(word, at):
            if kind in (None, probe.kind):
                yield probe, measure(probe, tokenizers)


def _words(given: Sequence[str] | None, file: str | None) -> list[str]:
    words = list(given or ())
    if file:
        words += [line.strip() for line in read_whole(file, COMMAND).splitlines() if line.strip()]
        if not words:
            raise CommandError(f"{COMMAND}: {file}: no words in it")
    if "" in words:
        raise CommandError(f"{COMMAND}: an empty word cannot be disguised")
    return words or list(DEFAULT_WORDS)
