"""The options that commands share, as annotated types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from silp_cli.cli import values
from silp_cli.ir.jsontext import MAX_DEPTH
from silp_cli.text.records import MAX_RECORD

STREAMS = "Streams and errors"

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
AnyVerb = Annotated[bool, typer.Option("--any-verb", help="Allow any verb.")]
FrontendName = Annotated[str | None, typer.Option("--frontend", "-f", metavar="NAME")]
TableFormat = Annotated[
    Literal["table", "json"] | None,
    typer.Option("--format", help="Default: a table on a terminal, JSON Lines otherwise.", show_default=False),
]

__all__ = [
    "MAX_DEPTH", "MAX_RECORD", "STREAMS", "AnyVerb", "Errors", "Files", "FrontendName", "MaxDepth", "MaxRecordSize",
    "OnError", "OutputFile", "TableFormat", "Verbs",
]
