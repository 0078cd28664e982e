"""``silp compile``, ``decode``, ``validate``, ``sanitize``: the filters of every pipeline."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from silp_cli.cli.app import command
from silp_cli.cli.options import (
    MAX_DEPTH,
    MAX_RECORD,
    AnyVerb,
    Errors,
    Files,
    MaxDepth,
    MaxRecordSize,
    OnError,
    OutputFile,
    Verbs,
)

GROUP = "Filters"


@command("validate", calls="silp_cli.codec.validate_command:run", group=GROUP, examples="""\
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
    output: OutputFile = None,
    errors: Errors = "text",
    on_error: OnError = "skip",
    max_record_size: MaxRecordSize = MAX_RECORD,
    max_depth: MaxDepth = MAX_DEPTH,
) -> None:
    """Pass valid IR on, withhold and diagnose the rest."""
