"""``silp census`` and ``silp probe``: what words and payloads cost under real tokenizers."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from silp_cli.cli import values
from silp_cli.cli.app import command
from silp_cli.cli.options import Files, OutputFile

GROUP = "Measure"
COUNTED = "What is counted"
GATES = "Gates"
OUTPUT = "Output"

VocabDir = Annotated[
    str | None,
    typer.Option(
        "--vocab-dir", metavar="DIR", help="The vocabularies (see 'silp vocab --help').", rich_help_panel=COUNTED
    ),
]


@command("census", calls="silp_cli.census.census_command:run", streams=True, jobs=True, group=GROUP, notes="""\
    Without --payloads or --ir, every line of the input is a string. In the FILE of --verbs '#' starts a comment,
    and CANCEL, !CANCEL and cancel are the same verb.

    The gates (--check, --max-tokens, --max-range, --baseline) put each offending line on stderr and exit 1.
    With --ir they judge the lossless frontends among those counted, or all of them if none is.
    """, examples="""\
    silp census --verbs whitelist.txt --check               # in CI: one token everywhere, no UNK
    printf '%s\\n' cancel escalate | silp census --as context --format table
    silp census --structural --whitelist -o census.html
    silp census --payloads --tokenizers gpt-4o,claude --max-tokens 40 payloads.txt
    silp census --ir --format table < ir.jsonl              # every frontend against JSON and prose
    silp census --ir --baseline tokens.json ir.jsonl        # --update-baseline writes tokens.json
    silp census --suggest ESCALATE
    """)
def census(
    files: Files = (),
    payloads: Annotated[
        bool,
        typer.Option("--payloads", help="The input is surface text, one payload a line.", rich_help_panel=COUNTED),
    ] = False,
    ir: Annotated[
        bool,
        typer.Option(
            "--ir", help="The input is IR JSON; compile it under every frontend.", rich_help_panel=COUNTED
        ),
    ] = False,
    suggest: Annotated[
        str | None,
        typer.Option(
            "--suggest", metavar="VERB", help="Rank replacements that are one token everywhere.",
            rich_help_panel=COUNTED,
        ),
    ] = None,
    verbs: Annotated[
        str | None,
        typer.Option("--verbs", metavar="FILE", help="Audit the verbs in FILE.", rich_help_panel=COUNTED),
    ] = None,
    structural: Annotated[
        bool,
        typer.Option("--structural", help="Audit the draft's 12 structural tokens.", rich_help_panel=COUNTED),
    ] = False,
    whitelist: Annotated[
        bool,
        typer.Option(
            "--whitelist", help="Audit the 13 verbs, and show the 2 excluded ones.", rich_help_panel=COUNTED
        ),
    ] = False,
    form: Annotated[
        Literal["bare", "call", "context"],
        typer.Option(
            "--as", help="Count a word alone, as in 'cancel(', or after '; ' and ': ' in a payload.",
            rich_help_panel=COUNTED,
        ),
    ] = "bare",
    tokenizers: Annotated[
        str | None,
        typer.Option(
            "--tokenizers", metavar="A,B", help="Which tokenizers.", rich_help_panel=COUNTED,
            show_default="the six, and those that were added",
        ),
    ] = None,
    frontends: Annotated[
        str | None,
        typer.Option(
            "--frontends", metavar="A,B", help="With --ir: which.", rich_help_panel=COUNTED,
            show_default="all but llmlingua2",
        ),
    ] = None,
    bare: Annotated[
        bool,
        typer.Option("--bare", help="With --ir: leave out meta, silp and version.", rich_help_panel=COUNTED),
    ] = False,
    word_list: Annotated[
        str | None,
        typer.Option(
            "--word-list", metavar="FILE", help="With --suggest: choose from the words in FILE.",
            rich_help_panel=COUNTED,
        ),
    ] = None,
    vocab_dir: VocabDir = None,
    check: Annotated[
        bool,
        typer.Option("--check", help="Fail unless single-token and UNK-free everywhere.", rich_help_panel=GATES),
    ] = False,
    max_tokens: Annotated[
        int | None,
        typer.Option(
            "--max-tokens", metavar="N", parser=values.positive, help="Fail above N in any tokenizer.",
            rich_help_panel=GATES,
        ),
    ] = None,
    max_range: Annotated[
        int | None,
        typer.Option(
            "--max-range", metavar="N", parser=values.count, rich_help_panel=GATES,
            help="Fail where tokenizers differ by more than N.",
        ),
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option(
            "--baseline", metavar="FILE", help="Fail where a count grew since FILE was written.", rich_help_panel=GATES
        ),
    ] = None,
    update_baseline: Annotated[
        bool,
        typer.Option(
            "--update-baseline", help="Write the counts of this run to the --baseline FILE.", rich_help_panel=GATES
        ),
    ] = False,
    format: Annotated[
        Literal["table", "json", "jsonl", "csv", "markdown", "html"] | None,
        typer.Option(
            "--format", rich_help_panel=OUTPUT, help="How the report is written.",
            show_default="by the suffix of -o; else a table on a terminal, JSON Lines elsewhere",
        ),
    ] = None,
    plot: Annotated[
        str | None,
        typer.Option(
            "--plot", metavar="FILE", help="Draw the heat map, as .svg or .png.", rich_help_panel=OUTPUT
        ),
    ] = None,
    top: Annotated[
        int,
        typer.Option(
            "--top", metavar="N", parser=values.positive, rich_help_panel=OUTPUT,
            help="How many of the costliest records or best suggestions.",
        ),
    ] = 10,
) -> None:
    """Count tokens of words and payloads under real tokenizers."""


@command("probe", calls="silp_cli.census.probe_command:run", group=GROUP, notes="""\
    Each of U+200B, U+200C, U+200D and U+FEFF goes into each word, and Cyrillic look-alikes take the place of its
    letters, one by one and all at once. The table shows tokens before and after; '=' says that the tokens stayed
    the same.
    """, examples="""\
    silp probe
    silp probe cancel escalate --tokenizers gpt-4o,claude --format table
    silp probe --at all --format csv -o probes.csv cancel
    """)
def probe(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="WORD", help="Words to disguise.", show_default="five of the verbs"),
    ] = None,
    file: Annotated[
        str | None, typer.Option("--file", metavar="FILE", help="Read words from FILE, one a line.")
    ] = None,
    at: Annotated[
        Literal["middle", "start", "end", "all"], typer.Option("--at", help="Where to inject.")
    ] = "middle",
    kind: Annotated[
        Literal["zero-width", "homoglyph"] | None,
        typer.Option("--kind", help="Only zero-width characters, or only look-alikes."),
    ] = None,
    tokenizers: Annotated[
        str | None,
        typer.Option("--tokenizers", metavar="A,B", help="Which tokenizers.", show_default="all that are there"),
    ] = None,
    vocab_dir: Annotated[
        str | None, typer.Option("--vocab-dir", metavar="DIR", help="The vocabularies (see 'silp vocab --help').")
    ] = None,
    format: Annotated[
        Literal["table", "json", "csv"] | None,
        typer.Option(
            "--format", help="How it is written.", show_default="a table on a terminal, JSON Lines elsewhere"
        ),
    ] = None,
    output: OutputFile = None,
) -> None:
    """Show how injected characters change token counts."""
