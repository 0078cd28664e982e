"""``silp explain``, ``compare``, ``frontends``, ``grammar``, ``schema``: commands that show how things are encoded."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from silp_cli.cli.app import command
from silp_cli.cli.options import (
    MAX_DEPTH,
    MAX_RECORD,
    AllowLossy,
    AnyVerb,
    Bare,
    Device,
    Dialect,
    DialectsFile,
    Errors,
    Files,
    ForceTokens,
    Keep,
    MaxDepth,
    MaxRecordSize,
    Model,
    OutputFile,
    Pretty,
    Prose,
    Rate,
    Reasoning,
    TableFormat,
    TargetTokens,
    ToolsFile,
    Verbs,
)

GROUP = "Look"


@command("explain", calls="silp_cli.explain.explain_command:run", group=GROUP, examples="""\
    silp explain --payload 'if !rain(t+1): start(hike) else: start(cards@indoor)'
    silp explain payload.txt --format json | jq '.slots[] | select(.kind == "time")'
    silp explain --html picture.html < payload.txt
    silp explain --extract answer.txt     # where the calls are, and why the rest is none
    """)
def explain(
    file: Annotated[
        str | None, typer.Argument(metavar="FILE", help="File with one payload; '-' or none: stdin.")
    ] = None,
    payload: Annotated[str | None, typer.Option("--payload", metavar="TEXT", help="The payload itself.")] = None,
    frontend: Annotated[
        str | None,
        typer.Option("--frontend", "-f", metavar="NAME", show_default="found by reading", help="Its surface."),
    ] = None,
    format: Annotated[Literal["text", "json"], typer.Option("--format", help="A listing, or JSON.")] = "text",
    extract: Annotated[
        bool,
        typer.Option(
            "--extract",
            help="Explain what a model wrote: where each call was found, what was passed over, and why.",
        ),
    ] = False,
    tools: ToolsFile = None,
    dialect: Dialect = None,
    dialects: DialectsFile = None,
    reasoning: Reasoning = False,
    prose: Prose = False,
    pretty: Pretty = False,
    html: Annotated[
        str | None,
        typer.Option(
            "--html", metavar="FILE",
            help="Write a picture here instead: one HTML page, complete in itself; '-': stdout.",
        ),
    ] = None,
    output: OutputFile = None,
    errors: Errors = "text",
    max_record_size: MaxRecordSize = MAX_RECORD,
    max_depth: MaxDepth = MAX_DEPTH,
) -> None:
    """Show which part of a payload means what."""


@command(
    "compare", calls="silp_cli.census.compare_command:run", streams=True, group=GROUP,
    notes="Lossless is tried, not believed: a text is lossless when it decodes to an equivalent IR.",
    examples="""\
    silp compare ir.json
    silp compare --format markdown --tokenizers gpt-4o,claude ir.json
    silp compare --format json ir.jsonl | jq '.rows[] | [.frontend, .tokens["gpt-4o"]]'
    """,
)
def compare(
    files: Files = (),
    format: Annotated[
        Literal["table", "json", "markdown"] | None,
        typer.Option(
            "--format", show_default="a table on a terminal, JSON Lines otherwise", help="How it is written."
        ),
    ] = None,
    frontends: Annotated[
        str | None,
        typer.Option(
            "--frontends", "-f", metavar="NAMES", show_default="all that 'silp frontends' lists",
            help="Separated by commas.",
        ),
    ] = None,
    tokenizers: Annotated[
        str | None,
        typer.Option(
            "--tokenizers", metavar="NAMES", show_default="those whose vocabulary is there",
            help="Separated by commas.",
        ),
    ] = None,
    bare: Bare = False,
    verbs: Verbs = None,
    any_verb: AnyVerb = False,
    rate: Rate = None,
    target_tokens: TargetTokens = None,
    model: Model = None,
    device: Device = None,
    force_tokens: ForceTokens = None,
    keep: Keep = False,
    allow_lossy: AllowLossy = False,
) -> None:
    """One IR under all frontends: text, tokens, what is lost."""


@command(
    "frontends", calls="silp_cli.frontends.frontends_command:run", group=GROUP,
    notes="Other distributions add frontends through the entry-point group 'silp.frontends'.",
    examples="""\
    silp frontends
    silp frontends --format json | jq -r 'select(.lossless).name'
    """,
)
def frontends(format: TableFormat = None, output: OutputFile = None) -> None:
    """List the frontends."""


@command("dialects", calls="silp_cli.dialects.dialects_command:run", group=GROUP, examples="""\
    silp dialects
    silp dialects --format json | jq -r 'select(.name == "hermes").example'
    silp dialects --dialects my-dialects.toml
    """)
def dialects(dialects: DialectsFile = None, format: TableFormat = None) -> None:
    """List the dialects in which models and APIs write tool calls."""


@command("grammar", calls="silp_cli.frontends.grammar_command:run", group=GROUP, examples="""\
    silp grammar                          # the ABNF of the code surface
    silp grammar json                     # that of the json surface
    silp grammar --diagram grammar.html   # railroad diagrams of every rule, for a browser
    """)
def grammar(
    name: Annotated[
        Literal["code", "json"], typer.Argument(metavar="NAME", help="Which surface: code or json.")
    ] = "code",
    diagram: Annotated[
        str | None,
        typer.Option(
            "--diagram", metavar="FILE.html", help="Write railroad diagrams of the code grammar here instead."
        ),
    ] = None,
    output: OutputFile = None,
) -> None:
    """Print the ABNF, or draw it."""


@command("schema", calls="silp_cli.text.schema_command:run", group=GROUP, examples="""\
    silp schema | jq '.properties | keys'
    silp schema -o ir.schema.json
    """)
def schema(output: OutputFile = None) -> None:
    """Print the JSON Schema of the IR."""
