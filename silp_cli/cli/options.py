"""The options that commands share, as annotated types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from silp_cli.cli import values
from silp_cli.ir.jsontext import MAX_DEPTH
from silp_cli.text.diagnostics import MOST
from silp_cli.text.records import MAX_RECORD

STREAMS = "Streams and errors"
LOSSY = "Prose shortened by a model (llmlingua2; lossy)"

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    Files: TypeAlias = Sequence[str]
else:
    Files = Annotated[
        list[str], typer.Argument(metavar="FILE", help="Input files; '-' or none: stdin.", show_default=False)
    ]
OutputFile = Annotated[
    str | None, typer.Option("--output", "-o", metavar="FILE", help="Write here instead of stdout.")
]
Errors = Annotated[
    Literal["text", "json"], typer.Option("--errors", help="How diagnostics are written.", rich_help_panel=STREAMS)
]
OnError = Annotated[
    Literal["skip", "stop", "emit"],
    typer.Option(
        "--on-error", rich_help_panel=STREAMS,
        help='After a bad record: go on, stop, or put an {"error": …} record in its place.',
    ),
]
All = Annotated[bool, typer.Option("--all", help="Write every diagnostic.", rich_help_panel=STREAMS)]
MaxDiagnostics = Annotated[
    int,
    typer.Option(
        "--max-diagnostics", metavar="N", parser=values.count, rich_help_panel=STREAMS,
        help="How many of one rule are written before the rest is only counted; JSON is always complete.",
    ),
]
MaxRecordSize = Annotated[
    int,
    typer.Option(
        "--max-record-size", metavar="BYTES", parser=values.byte_count, show_default="1M", rich_help_panel=STREAMS,
        help="Longest record accepted; K, M and G may follow the number.",
    ),
]
MaxDepth = Annotated[
    int,
    typer.Option(
        "--max-depth", metavar="N", parser=values.depth, rich_help_panel=STREAMS,
        help=f"Deepest nesting of JSON accepted, at most {values.DEEPEST}.",
    ),
]
Verbs = Annotated[
    str | None,
    typer.Option(
        "--verbs", metavar="FILE", help="Replace the whitelist by the verbs in FILE, one a line, '#' for comments."
    ),
]
Jobs = Annotated[
    int,
    typer.Option(
        "--jobs", "-j", metavar="N", parser=values.count, show_default="1",
        help="Work with so many processes, 0 for one a core; what comes out stays the same.",
    ),
]
AnyVerb = Annotated[bool, typer.Option("--any-verb", help="Allow any verb.")]
TableFormat = Annotated[
    Literal["table", "json"] | None,
    typer.Option("--format", help="Default: a table on a terminal, JSON Lines otherwise.", show_default=False),
]

Bare = Annotated[bool, typer.Option("--bare", help="Leave out meta, silp and version.")]
Pretty = Annotated[bool, typer.Option("--pretty", help="Lay the JSON out over several lines.")]

# How llmlingua2 shortens.
Rate = Annotated[
    float | None,
    typer.Option(
        "--rate", metavar="R", parser=values.rate, rich_help_panel=LOSSY, show_default="0.5",
        help="Share of the tokens to keep, up to 1.",
    ),
]
TargetTokens = Annotated[
    int | None,
    typer.Option(
        "--target-tokens", metavar="N", parser=values.positive, rich_help_panel=LOSSY,
        help="Keep about N tokens a record.",
    ),
]
Model = Annotated[
    str | None,
    typer.Option(
        "--model", metavar="MODEL", rich_help_panel=LOSSY, show_default="$SILP_LLMLINGUA_MODEL, or the draft's",
        help="Directory or hub name.",
    ),
]
Device = Annotated[
    str | None,
    typer.Option(
        "--device", metavar="DEVICE", rich_help_panel=LOSSY, show_default="cpu", help="cpu, cuda, cuda:1, mps."
    ),
]
ForceTokens = Annotated[
    list[str] | None,
    typer.Option(
        "--force-tokens", metavar="WORDS", rich_help_panel=LOSSY,
        help="Words that survive, separated by commas; may be repeated.",
    ),
]
Keep = Annotated[
    bool,
    typer.Option(
        "--keep", rich_help_panel=LOSSY, help="Negation words, verbs, numbers and quoted values survive."
    ),
]
AllowLossy = Annotated[
    bool,
    typer.Option(
        "--allow-lossy", rich_help_panel=LOSSY, help="Compress negations, != and else branches too."
    ),
]
EXTRACTING = "What a model wrote"
ToolsFile = Annotated[
    str | None,
    typer.Option(
        "--tools", metavar="FILE", rich_help_panel=EXTRACTING,
        help="Check calls against these definitions (OpenAI, Anthropic, MCP), and type and name values by them.",
    ),
]
MapFile = Annotated[
    str | None,
    typer.Option(
        "--map", metavar="FILE", rich_help_panel=EXTRACTING,
        help="Action codes of tools whose names they cannot spell: TOOL = ACTION a line.",
    ),
]
Dialect = Annotated[
    str | None,
    typer.Option(
        "--dialect", metavar="NAME", show_default="found by reading", rich_help_panel=EXTRACTING,
        help="Read this dialect only (see: silp dialects).",
    ),
]
DialectsFile = Annotated[
    str | None,
    typer.Option(
        "--dialects", metavar="FILE", rich_help_panel=EXTRACTING, help="Know the dialects in this TOML file too."
    ),
]
Reasoning = Annotated[
    bool, typer.Option("--reasoning", rich_help_panel=EXTRACTING, help="Read what stands in reasoning, too.")
]
Prose = Annotated[
    bool, typer.Option("--prose", rich_help_panel=EXTRACTING, help="Read whitelisted calls in running text, too.")
]


def several(jobs: Jobs = 1) -> None:
    """The option of filters that several processes can share: what ``command(…, jobs=True)`` adds."""


def streams(
    output: OutputFile = None,
    errors: Errors = "text",
    on_error: OnError = "skip",
    all: All = False,
    max_diagnostics: MaxDiagnostics = MOST,
    max_record_size: MaxRecordSize = MAX_RECORD,
    max_depth: MaxDepth = MAX_DEPTH,
) -> None:
    """The options of every filter: what ``command(…, streams=True)`` adds behind a command's own."""


__all__ = [
    "EXTRACTING",
    "LOSSY",
    "MAX_DEPTH",
    "MAX_RECORD",
    "MOST",
    "STREAMS",
    "All",
    "AllowLossy",
    "AnyVerb",
    "Bare",
    "Device",
    "Dialect",
    "DialectsFile",
    "Errors",
    "Files",
    "ForceTokens",
    "Jobs",
    "Keep",
    "MapFile",
    "MaxDepth",
    "MaxDiagnostics",
    "MaxRecordSize",
    "Model",
    "OnError",
    "OutputFile",
    "Pretty",
    "Prose",
    "Rate",
    "Reasoning",
    "TableFormat",
    "TargetTokens",
    "ToolsFile",
    "Verbs",
    "streams",
]
