"""``silp compile``, ``decode``, ``validate``, ``sanitize``: the filters of every pipeline."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from silp_cli.cli import values
from silp_cli.cli.app import command
from silp_cli.cli.options import (
    EXTRACTING,
    LOSSY,
    AllowLossy,
    AnyVerb,
    Bare,
    Device,
    Dialect,
    DialectsFile,
    Files,
    ForceTokens,
    Keep,
    MapFile,
    Model,
    Pretty,
    Prose,
    Rate,
    Reasoning,
    TargetTokens,
    ToolsFile,
    Verbs,
)
from silp_cli.text.sanitize.classes import CLASSES

GROUP = "Filters"
CLEANED = "What is cleaned"


@command("compile", calls="silp_cli.codec.compile_command:run", streams=True, jobs=True, group=GROUP, examples="""\
    silp compile < ir.json
    silp compile --frontend json --bare ir.jsonl -o payloads.txt
    jq -c '.[]' array.json | silp compile --on-error stop
    silp compile -f llmlingua2 --rate 0.6 --keep --report ir.jsonl 2> report.jsonl
    silp compile --session a1 --degrade < ir.jsonl
    silp compile --as openai < ir.json
    silp compile --policy policy.json < ir.jsonl | silp decode --policy policy.json
    """)
def compile(
    files: Files = (),
    frontend: Annotated[
        str, typer.Option("--frontend", "-f", metavar="NAME", help="The encoding to write.")
    ] = "code",
    as_: Annotated[
        str | None,
        typer.Option(
            "--as", metavar="DIALECT",
            help="Write the tool call that the IR is, as a model or an API writes it (see: silp dialects).",
        ),
    ] = None,
    map_file: MapFile = None,
    dialects: DialectsFile = None,
    policy: Annotated[
        str | None,
        typer.Option(
            "--policy", metavar="FILE",
            help="Choose frontend and spellings record by record, as 'silp optimize' found them.",
        ),
    ] = None,
    bare: Bare = False,
    degrade: Annotated[
        bool,
        typer.Option(
            "--degrade",
            help="Where the frontend fails, take the next of the chain code, math, json, natural, and say so.",
        ),
    ] = False,
    session: Annotated[
        str | None,
        typer.Option("--session", metavar="ID", help="Stamp the session's id and count a turn for each payload."),
    ] = None,
    state: Annotated[
        str | None,
        typer.Option("--state", metavar="FILE", help="Where sessions are kept (see: silp session --help)."),
    ] = None,
    verbs: Verbs = None,
    any_verb: AnyVerb = False,
    rate: Rate = None,
    target_tokens: TargetTokens = None,
    model: Model = None,
    device: Device = None,
    force_tokens: ForceTokens = None,
    keep: Keep = False,
    allow_lossy: AllowLossy = False,
    report: Annotated[
        bool,
        typer.Option(
            "--report", rich_help_panel=LOSSY,
            help="What was lost and achieved, as JSON Lines on stderr; implies --errors json.",
        ),
    ] = False,
    fail_on_loss: Annotated[
        bool,
        typer.Option(
            "--fail-on-loss", rich_help_panel=LOSSY,
            help="Withhold a record of which a slot was lost, and exit 1.",
        ),
    ] = False,
    batch_size: Annotated[
        int | None,
        typer.Option(
            "--batch-size", metavar="N", parser=values.positive, rich_help_panel=LOSSY, show_default="8",
            help="Records that share a pass of the model.",
        ),
    ] = None,
) -> None:
    """IR JSON in, surface text out."""


@command(
    "decode", calls="silp_cli.codec.decode_command:run", streams=True, jobs=True, group=GROUP,
    notes="With --extract each input is one text, and what is found is printed as soon as it is complete.\n"
    "With --prose, calls in running text count only if their verb is on the whitelist.",
    examples="""\
    silp decode < payloads.txt | silp validate
    echo 'cancel(flight); email(zhangsan)' | silp decode --pretty
    model-answer | silp decode --extract | jq .intent
    model-answer | silp decode --extract --as calls --tools tools.json
    silp decode --extract --lines --as calls --on-error emit < messages.jsonl
    """,
)
def decode(
    files: Files = (),
    frontend: Annotated[
        str | None,
        typer.Option(
            "--frontend", "-f", metavar="NAME", show_default="found by reading, '{' is json",
            help="The encoding of the input.",
        ),
    ] = None,
    policy: Annotated[
        str | None,
        typer.Option("--policy", metavar="FILE", help="Undo the spellings of the policy that the payloads follow."),
    ] = None,
    extract: Annotated[
        bool,
        typer.Option(
            "--extract", help="Find calls and payloads in what a model wrote: fences, markers, messages of APIs."
        ),
    ] = False,
    as_: Annotated[
        Literal["ir", "calls"] | None,
        typer.Option(
            "--as", show_default="ir", rich_help_panel=EXTRACTING,
            help="What each call becomes: an IR, or {\"name\", \"arguments\"} with the JSON types it was written with.",
        ),
    ] = None,
    lines: Annotated[
        bool,
        typer.Option(
            "--lines", rich_help_panel=EXTRACTING,
            help="Each line is a text: a JSON string, or a message of an API.",
        ),
    ] = False,
    typed: Annotated[
        bool,
        typer.Option("--typed", rich_help_panel=EXTRACTING, help="Give each entity the JSON type of its value."),
    ] = False,
    tools: ToolsFile = None,
    map_file: MapFile = None,
    dialect: Dialect = None,
    dialects: DialectsFile = None,
    reasoning: Reasoning = False,
    prose: Prose = False,
    sanitize: Annotated[
        Literal["clean", "refuse"] | None,
        typer.Option(
            "--sanitize", show_default="clean",
            help="Invisible characters and look-alikes outside quoted literals: clean and warn, or refuse the record.",
        ),
    ] = None,
    no_sanitize: Annotated[bool, typer.Option("--no-sanitize", help="Decode the text as it is.")] = False,
    pretty: Pretty = False,
    verbs: Verbs = None,
    any_verb: AnyVerb = False,
) -> None:
    """Surface text in, IR JSON out."""


@command("validate", calls="silp_cli.codec.validate_command:run", streams=True, jobs=True, group=GROUP, examples="""\
    silp validate < ir.jsonl | silp compile
    silp validate --fail-on warning --quiet ir/*.json     # a gate in CI
    silp validate --errors json ir.jsonl 2>&1 >/dev/null | jq .rule
    """)
def validate(
    files: Files = (),
    strict: Annotated[
        bool, typer.Option("--strict", help="Hold to the schema to the letter: no null for optional fields.")
    ] = False,
    fail_on: Annotated[
        Literal["error", "warning"], typer.Option("--fail-on", help="What makes a record fail.")
    ] = "error",
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Write no records, only diagnostics.")] = False,
    no_warnings: Annotated[bool, typer.Option("--no-warnings", help="Look for errors only.")] = False,
    verbs: Verbs = None,
    any_verb: AnyVerb = False,
) -> None:
    """Pass valid IR on, withhold and diagnose the rest."""


@command(
    "sanitize", calls="silp_cli.text.sanitize.sanitize_command:run", streams=True, jobs=True, group=GROUP,
    notes=f"""\
Classes: {', '.join(CLASSES)}

Emoji sequences, joiners in scripts spelled with them and text wholly in one script stay as they are.
Text may have lines of any length, but those of more than a megabyte are judged and withheld in pieces, and
with --homoglyphs all a literal has to end in the piece it began in. --max-record-size and --max-depth hold
for --json.""",
    examples="""\
    silp sanitize < payloads.txt > clean.txt
    silp sanitize --check --report sarif payloads.txt > findings.sarif
    silp sanitize --json ir.jsonl | silp compile
    silp sanitize --show suspicious.txt
    """,
)
def sanitize(
    files: Files = (),
    classes: Annotated[
        str | None,
        typer.Option(
            "--classes", metavar="LIST", show_default="all", rich_help_panel=CLEANED,
            help="Clean only these classes of invisible characters, 'none' for none.",
        ),
    ] = None,
    keep: Annotated[
        str | None,
        typer.Option("--keep", metavar="LIST", rich_help_panel=CLEANED, help="Leave these classes alone."),
    ] = None,
    strict: Annotated[
        bool,
        typer.Option(
            "--strict", rich_help_panel=CLEANED,
            help="Strip U+200B, U+200C, U+200D and U+FEFF even in emoji and in scripts that are spelled with them.",
        ),
    ] = False,
    homoglyphs: Annotated[
        Literal["mixed", "all", "off"],
        typer.Option(
            "--homoglyphs", rich_help_panel=CLEANED,
            help="Fold look-alikes of ASCII in words that mix scripts or spell a reserved word (mixed), everywhere "
            "outside double-quoted literals (all), or not (off).",
        ),
    ] = "mixed",
    json: Annotated[
        bool,
        typer.Option(
            "--json", rich_help_panel=CLEANED,
            help="The input is JSON: clean the strings in it, escapes and keys too.",
        ),
    ] = False,
    encoding_errors: Annotated[
        Literal["strict", "replace"],
        typer.Option(
            "--encoding-errors", rich_help_panel=CLEANED,
            help="Bytes that are not UTF-8: refuse the line, or read U+FFFD.",
        ),
    ] = "strict",
    check: Annotated[
        bool, typer.Option("--check", help="Write only the report; exit 1 if anything was found.")
    ] = False,
    report: Annotated[
        Literal["text", "json", "sarif"] | None,
        typer.Option("--report", help="Report each finding, on stderr, with --check on stdout."),
    ] = None,
    report_file: Annotated[
        str | None, typer.Option("--report-file", metavar="FILE", help="Write the report there.")
    ] = None,
    diff: Annotated[
        bool,
        typer.Option("--diff", help="Write changed lines only, before and after, the invisible made visible."),
    ] = False,
    show: Annotated[
        bool, typer.Option("--show", help="Clean nothing, write all text with the invisible made visible.")
    ] = False,
) -> None:
    """Strip invisible characters and look-alikes from text or JSON."""
