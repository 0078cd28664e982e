"""``silp census``: what words and payloads cost under real tokenizers; for people, and as a gate in CI."""

from __future__ import annotations

import os
import sys

from silp_cli.census.chosen import chosen_tokenizers
from silp_cli.census.vocabularies import names, write_whole
from silp_cli.text.command import CommandError, color_wanted
from silp_cli.text.jobs import with_jobs
from silp_cli.text.output import read_whole
from silp_cli.text.part import current
from silp_cli.text.stream import Stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any, Unpack

    from silp_cli.census.families import Tokenizer
    from silp_cli.census.gates import Baseline, Gates
    from silp_cli.census.heatmap import Grid
    from silp_cli.census.reports.base import Report, ReportMaker, Write
    from silp_cli.census.words import Word
    from silp_cli.text.stream import StreamOptions

COMMAND = "silp census"

_BY_SUFFIX = {".json": "json", ".jsonl": "jsonl", ".csv": "csv", ".md": "markdown", ".html": "html"}


def _settled(given: dict[str, Any]) -> dict[str, Any]:
    """The arguments with the format that the whole run would take."""
    return given | {"format": _format(given["format"], given.get("output"), given.get("on_error", "skip"))}


@with_jobs(COMMAND, settled=_settled)
def run(
    *, payloads: bool, ir: bool, suggest: str | None, verbs: str | None, structural: bool, whitelist: bool,
    form: str, tokenizers: str | None, frontends: str | None, bare: bool, word_list: str | None,
    vocab_dir: str | None, check: bool, max_tokens: int | None, max_range: int | None, baseline: str | None,
    update_baseline: bool, format: str | None, plot: str | None, top: int, **stream: Unpack[StreamOptions],
) -> int:
    """Audit the input; return the exit status."""
    given = {
        "--payloads": payloads, "--ir": ir, "--suggest": suggest is not None, "--verbs": verbs,
        "--structural": structural, "--whitelist": whitelist, "--as": form != "bare", "--check": check,
        "--frontends": frontends, "--bare": bare, "--word-list": word_list, "--baseline": baseline,
        "--update-baseline": update_baseline, "--plot": plot, "FILE arguments": stream.get("files"),
    }
    _check_together({name for name, value in given.items() if value})
    if plot and os.path.splitext(plot)[1].lower() not in (".svg", ".png"):
        _refuse("--plot", f"draws .svg or .png, not '{plot}'")
    output = stream.get("output")
    shown = _format(format, output, stream.get("on_error", "skip"))
    asked = chosen_tokenizers(tokenizers, vocab_dir, COMMAND, names)
    _keep(asked)
    title = f"words, {form}"
    if payloads or ir:
        title = "payloads" if payloads else "IR under each frontend" + (", bare" if bare else "")
    make_report = _report_maker(shown, asked, title, output)
    if suggest is not None:
        from silp_cli.census.suggest_command import run_suggest

        return run_suggest(
            suggest, asked, make_report, COMMAND, form=form, word_list=word_list, top=top, format=shown, output=output
        )
    mode = ("payloads" if payloads else "ir:bare" if bare else "ir") if payloads or ir else f"words:{form}"
    earlier = _baseline(baseline, mode, fresh=update_baseline)
    gates = _gates(check, max_tokens, max_range, earlier, compare=not update_baseline)
    if payloads or ir:
        from silp_cli.census.payload_run import run_payloads
        from silp_cli.frontends.chosen import chosen_frontends

        carried = chosen_frontends(frontends, COMMAND) if ir else []
        status, grid = run_payloads(
            Stream(COMMAND, **stream), asked, make_report, frontends=carried, bare=bare, gates=gates, top=top
        )
    else:
        from silp_cli.census.word_run import run_words

        listed = list(_listed(verbs, structural=structural, whitelist=whitelist))
        read = bool(stream.get("files")) or not (verbs or structural or whitelist)
        status, grid = run_words(
            listed, Stream(COMMAND, **stream), asked, make_report, form=form, gates=gates, read=read
        )
    part = current()
    if plot and (part is None or part.merge is not None):
        _plot(plot, grid)
    if update_baseline and earlier is not None:
        write_whole(str(baseline), earlier.render().encode())
    return status


def _refuse(one: str, other: str) -> None:
    raise CommandError(f"{COMMAND}: {one} {other} (see '{COMMAND} --help')")


def _check_together(given: set[str]) -> None:
    """Refuse options that do not go together.

    Raises:
        CommandError: naming them.
    """
    modes = [name for name in ("--payloads", "--ir", "--suggest") if name in given]
    if len(modes) > 1:
        _refuse(modes[1], f"does not go with {modes[0]}")
    for name in ("--verbs", "--structural", "--whitelist", "--as", "--check"):
        if name in given and modes and modes[0] != "--suggest":
            _refuse(name, "is for words, not for --payloads or --ir")
    if {"--structural", "--as"} <= given:
        _refuse("--structural", "audits tokens that stand alone; --as is for words")
    for name, needed in (
        ("--frontends", "--ir"), ("--bare", "--ir"), ("--word-list", "--suggest"), ("--update-baseline", "--baseline"),
    ):
        if name in given and needed not in given:
            _refuse(name, f"needs {needed}" + (" FILE" if needed == "--baseline" else ""))
    if "--suggest" in given:
        for name in ("FILE arguments", "--verbs", "--structural", "--whitelist", "--check", "--baseline", "--plot"):
            if name in given:
                _refuse("--suggest", f"does not go with {name}")


def _format(format: str | None, output: str | None, on_error: str) -> str:
    """The format of the report, by option, by the output's suffix, or by what stdout is."""
    by_suffix = _BY_SUFFIX.get(os.path.splitext(output or "")[1].lower())
    terminal = output is None and sys.stdout.isatty()
    found = format or by_suffix or ("table" if terminal else "jsonl")
    if on_error == "emit" and found != "jsonl":
        raise CommandError(f"{COMMAND}: --on-error emit needs --format jsonl")
    return found


def _keep(tokenizers: Sequence[Tokenizer]) -> None:
    """Have the process end without taking hundreds of thousands of entries apart one by one."""
    import gc

    cycle: list[object] = [*tokenizers]
    cycle.append(cycle)  # only the collector could free it,
    gc.freeze()  # and from here on the collector looks past it


def _report_maker(format: str, tokenizers: Sequence[Tokenizer], title: str, output: str | None) -> ReportMaker:
    """What makes the report, once there is an output to write to."""
    from silp_cli.census.reports.formats import report_class

    terminal = output is None and sys.stdout.isatty()
    width = os.get_terminal_size(sys.stdout.fileno()).columns if terminal else 0
    color = terminal and color_wanted(sys.stdout)

    def make(write: Write) -> Report:
        return report_class(format)(write, tokenizers, title, color=color, width=width)

    return make


def _baseline(path: str | None, mode: str, *, fresh: bool) -> Baseline | None:
    """The counts of an earlier run, or none yet."""
    if path is None:
        return None
    from silp_cli.census.gates import Baseline, BaselineError

    if fresh:
        return Baseline(mode)
    try:
        return Baseline.parse(read_whole(path, COMMAND), mode)
    except BaselineError as error:
        raise CommandError(f"{COMMAND}: {path}: {error}") from None


def _gates(
    check: bool, max_tokens: int | None, max_range: int | None, baseline: Baseline | None, *, compare: bool
) -> Gates | None:
    """The gates that were asked for, if any."""
    if not check and baseline is None and max_tokens is None and max_range is None:
        return None
    from silp_cli.census.gates import Gates

    return Gates(check, max_tokens, max_range, baseline, compare)


def _listed(verbs: str | None, *, structural: bool, whitelist: bool) -> Iterator[Word]:
    """The strings that options name."""
    from silp_cli.census.named_words import structural_words, verb_words, whitelist_words

    if structural:
        yield from structural_words()
    if whitelist:
        yield from whitelist_words()
    if verbs:
        try:
            yield from verb_words(read_whole(verbs, COMMAND), verbs)
        except ValueError as error:
            raise CommandError(f"{COMMAND}: {error}") from None


def _plot(path: str, grid: Grid) -> None:
    from silp_cli.census import heatmap

    svg = path.lower().endswith(".svg")
    write_whole(path, heatmap.svg(grid).encode() if svg else heatmap.png(grid))
