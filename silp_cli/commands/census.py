"""``silp census``: what words and payloads cost under real tokenizers; for people, and as a gate in CI."""

from __future__ import annotations

import os
import sys

from silp_cli.commands import CommandError, color_wanted
from silp_cli.commands.stream import add_input_options, add_output_option, positive, read_whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable

    from silp_cli.census.families import Tokenizer
    from silp_cli.census.gates import Gates
    from silp_cli.census.heatmap import Grid
    from silp_cli.census.reports.base import Report, ReportMaker, Write

COMMAND = "silp census"

EPILOG = """\
Without --payloads or --ir, every line of the input is a string. In the FILE of --verbs '#' starts a comment,
and CANCEL, !CANCEL and cancel are the same verb.

The gates (--check, --max-tokens, --max-range, --baseline) put each offending line on stderr and exit 1.
With --ir they judge the lossless frontends among those counted, or all of them if none is.

examples:
  silp census --verbs whitelist.txt --check               # in CI: one token everywhere, no UNK
  printf '%s\\n' cancel escalate | silp census --as context --format table
  silp census --structural --whitelist -o census.html
  silp census --payloads --tokenizers gpt-4o,claude --max-tokens 40 payloads.txt
  silp census --ir --format table < ir.jsonl              # every frontend against JSON and prose
  silp census --ir --baseline tokens.json ir.jsonl        # --update-baseline writes tokens.json
  silp census --suggest ESCALATE
"""

_FORMATS = ("table", "json", "jsonl", "csv", "markdown", "html")
_BY_SUFFIX = {".json": "json", ".jsonl": "jsonl", ".csv": "csv", ".md": "markdown", ".html": "html"}


def configure(parser: ArgumentParser) -> None:
    """Add the options of ``silp census``."""
    what = parser.add_argument_group("what is counted")
    mode = what.add_mutually_exclusive_group()
    yes = "store_true"
    mode.add_argument("--payloads", action=yes, help="the input is surface text, one payload a line")
    mode.add_argument("--ir", action=yes, help="the input is IR JSON; compile it under every frontend")
    mode.add_argument("--suggest", metavar="VERB", help="rank replacements that are one token everywhere")
    what.add_argument("--verbs", metavar="FILE", help="audit the verbs in FILE")
    what.add_argument("--structural", action=yes, help="audit the draft's 12 structural tokens")
    what.add_argument("--whitelist", action=yes, help="audit the 13 verbs, and show the 2 excluded ones")
    what.add_argument(
        "--as", dest="form", choices=("bare", "call", "context"), default="bare",
        help="count a word alone, as in 'cancel(', or after '; ' and ': ' in a payload (default: bare)",
    )
    what.add_argument(
        "--tokenizers", metavar="A,B", help="which tokenizers (default: the six, and those that were added)"
    )
    what.add_argument("--frontends", metavar="A,B", help="with --ir: which (default: all but llmlingua2)")
    what.add_argument("--bare", action=yes, help="with --ir: leave out meta, silp and version")
    what.add_argument("--word-list", metavar="FILE", help="with --suggest: choose from the words in FILE")
    what.add_argument("--vocab-dir", metavar="DIR", help="the vocabularies (see 'silp vocab --help')")

    gates = parser.add_argument_group("gates")
    gates.add_argument("--check", action=yes, help="fail unless single-token and UNK-free everywhere")
    gates.add_argument("--max-tokens", type=positive, metavar="N", help="fail above N in any tokenizer")
    gates.add_argument(
        "--max-range", type=_natural, metavar="N", help="fail where tokenizers differ by more than N"
    )
    gates.add_argument("--baseline", metavar="FILE", help="fail where a count grew since FILE was written")
    gates.add_argument(
        "--update-baseline", action=yes, help="write the counts of this run to the --baseline FILE"
    )

    output = parser.add_argument_group("output")
    output.add_argument(
        "--format", choices=_FORMATS,
        help="default: by the suffix of -o; else a table on a terminal, JSON Lines elsewhere",
    )
    output.add_argument("--plot", metavar="FILE", help="draw the heat map, as .svg or .png")
    output.add_argument(
        "--top", type=positive, default=10, metavar="N",
        help="how many of the costliest records or best suggestions (default: 10)",
    )
    add_output_option(parser)
    add_input_options(parser)
    parser.epilog = EPILOG


def _natural(text: str) -> int:
    value = int(text)
    if value < 0:
        raise ValueError
    return value


def run(options: Namespace) -> int:
    """Audit the input; return the exit status."""
    _check_options(options)
    form = _format(options)
    tokenizers = _tokenizers(options)
    if options.suggest is not None:
        return _suggest(options, form, tokenizers)
    gates = _gates(options)
    if options.payloads or options.ir:
        from silp_cli.commands.census_payloads import audit_payloads

        audit = audit_payloads
    else:
        from silp_cli.commands.census_words import audit_words

        audit = audit_words
    status, make_grid = audit(options, COMMAND, tokenizers, gates, new_report(options, form, tokenizers))
    if options.plot:
        _plot(options.plot, make_grid)
    if options.update_baseline and gates is not None and gates.baseline is not None:
        from silp_cli.census.vocabularies import write_whole

        write_whole(options.baseline, gates.baseline.render().encode())
    return status


def _check_options(options: Namespace) -> None:
    """Refuse options that do not go together.

    Raises:
        CommandError: naming them.
    """
    def refuse(one: str, other: str) -> None:
        raise CommandError(f"{COMMAND}: {one} {other} (see '{COMMAND} --help')")

    words = {
        "--verbs": options.verbs, "--structural": options.structural, "--whitelist": options.whitelist,
        "--as": options.form != "bare", "--check": options.check,
    }
    for name, given in words.items():
        if given and (options.payloads or options.ir):
            refuse(name, "is for words, not for --payloads or --ir")
    if options.structural and options.form != "bare":
        refuse("--structural", "audits tokens that stand alone; --as is for words")
    for name, given in (("--frontends", options.frontends), ("--bare", options.bare)):
        if given and not options.ir:
            refuse(name, "needs --ir")
    if options.word_list and options.suggest is None:
        refuse("--word-list", "needs --suggest")
    if options.update_baseline and not options.baseline:
        refuse("--update-baseline", "needs --baseline FILE")
    if options.plot and os.path.splitext(options.plot)[1].lower() not in (".svg", ".png"):
        refuse("--plot", f"draws .svg or .png, not '{options.plot}'")
    if options.suggest is not None:
        for name in ("files", "verbs", "structural", "whitelist", "check", "baseline", "plot"):
            if getattr(options, name):
                other = "FILE arguments" if name == "files" else f"--{name}"
                refuse("--suggest", f"does not go with {other}")


def _format(options: Namespace) -> str:
    """The format of the report, by option, by the output's suffix, or by what stdout is."""
    by_suffix = _BY_SUFFIX.get(os.path.splitext(options.output or "")[1].lower())
    terminal = options.output is None and sys.stdout.isatty()
    form: str = options.format or by_suffix or ("table" if terminal else "jsonl")
    if options.on_error == "emit" and form != "jsonl":
        raise CommandError(f"{COMMAND}: --on-error emit needs --format jsonl")
    return form


def _tokenizers(options: Namespace) -> list[Tokenizer]:
    """The tokenizers that were asked for, loaded.

    Raises:
        CommandError: when one is unknown, missing or damaged.
    """
    from silp_cli.census.tokenizers import load
    from silp_cli.census.vocabularies import VocabularyError, names

    if options.tokenizers is None:
        wanted = names(options.vocab_dir)
    else:
        wanted = list(dict.fromkeys(filter(None, map(str.strip, options.tokenizers.split(",")))))
    if not wanted:
        raise CommandError(f"{COMMAND}: --tokenizers names none")
    try:
        tokenizers = [load(name, options.vocab_dir) for name in wanted]
    except VocabularyError as error:
        raise CommandError(f"{COMMAND}: {error}") from None
    _keep(tokenizers)
    return tokenizers


def _keep(tokenizers: list[Tokenizer]) -> None:
    """Have the process end without taking hundreds of thousands of entries apart one by one."""
    import gc

    cycle: list[object] = [*tokenizers]
    cycle.append(cycle)  # only the collector could free it,
    gc.freeze()  # and from here on the collector looks past it


def _gates(options: Namespace) -> Gates | None:
    """The gates that were asked for, if any."""
    if not options.check and not options.baseline and options.max_tokens is None and options.max_range is None:
        return None
    from silp_cli.census.gates import Baseline, BaselineError, Gates

    baseline = None
    if options.baseline:
        mode = f"words:{options.form}"
        if options.payloads or options.ir:
            mode = "payloads" if options.payloads else "ir:bare" if options.bare else "ir"
        if options.update_baseline:
            baseline = Baseline(mode)
        else:
            try:
                baseline = Baseline.parse(read_whole(options.baseline, COMMAND), mode)
            except BaselineError as error:
                raise CommandError(f"{COMMAND}: {options.baseline}: {error}") from None
    compare = not options.update_baseline
    return Gates(options.check, options.max_tokens, options.max_range, baseline, compare)


def new_report(options: Namespace, form: str, tokenizers: list[Tokenizer]) -> ReportMaker:
    """What makes the report, once there is an output to write to."""
    from silp_cli.census.reports.formats import report_class

    if options.ir:
        title = "IR under each frontend" + (", bare" if options.bare else "")
    else:
        title = "payloads" if options.payloads else f"words, {options.form}"
    terminal = options.output is None and sys.stdout.isatty()
    width = os.get_terminal_size(sys.stdout.fileno()).columns if terminal else 0
    color = terminal and color_wanted(sys.stdout)

    def make(write: Write) -> Report:
        return report_class(form)(write, tokenizers, title, color=color, width=width)

    return make


def _plot(path: str, make_grid: Callable[[], Grid]) -> None:
    from silp_cli.census import heatmap
    from silp_cli.census.vocabularies import write_whole

    grid = make_grid()
    svg = path.lower().endswith(".svg")
    write_whole(path, heatmap.svg(grid).encode() if svg else heatmap.png(grid))


def _suggest(options: Namespace, form: str, tokenizers: list[Tokenizer]) -> int:
    """Write the best replacements for a verb; 1 if there are none."""
    from silp_cli.census.reports.records import json_line
    from silp_cli.census.reports.tables import suggestion_table
    from silp_cli.census.suggest import parse_groups, shipped_list, suggest
    from silp_cli.commands.stream import Output
    from silp_cli.ir.verbs import parse_verbs

    try:
        (verb,) = parse_verbs(options.suggest) or ("",)
    except ValueError:
        verb = ""
    if not verb:
        raise CommandError(f"{COMMAND}: --suggest takes a verb, not {options.suggest!r}")
    name = verb[1:].lower()
    text = read_whole(options.word_list, COMMAND) if options.word_list else shipped_list()
    found = suggest(name, parse_groups(text), tokenizers, options.form)[: options.top]
    output = Output(options.output)
    if form == "json":
        suggestions = [each.to_dict() for each in found]
        output.line(json_line({"verb": name, "as": options.form, "suggestions": suggestions}))
    elif form == "jsonl":
        for each in found:
            output.line(json_line(each.to_dict()))
    elif form == "csv":
        output.line("verb,related,approved,single_token_as")
        for each in found:
            approved = "true" if each.approved else "false"
            output.line(f"{each.audit.word.text},{each.related},{approved},{' '.join(each.forms)}")
    else:
        new_report(options, form, tokenizers)(output.line).table(suggestion_table(name, found))
    output.close()
    return 0 if found else 1
