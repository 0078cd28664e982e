"""``silp lock``: freeze what was compiled, and verify it."""

from __future__ import annotations

from typing import Annotated

import typer

from silp_cli.cli.app import command, group_of_commands
from silp_cli.cli.options import (
    MAX_DEPTH,
    MAX_RECORD,
    MOST,
    All,
    AnyVerb,
    Errors,
    Files,
    MaxDepth,
    MaxDiagnostics,
    MaxRecordSize,
    TableFormat,
    Verbs,
)

GROUP = "Between agents"

NOTES = """\
    Freezing compiles the IRs, appends one line for each to the lock, and then writes the payloads; with
    --surface it freezes payloads that exist, if they decode to the IRs. SOURCE_DATE_EPOCH sets the time.
    'silp lock verify' names the first line that does not hold.
    """
FREEZE = """\
    silp lock < ir.jsonl > payloads.txt
    silp lock --surface payloads.txt ir.jsonl > /dev/null
    """
VERIFY = """\
    silp lock verify
    silp lock verify --ir ir.jsonl --surface payloads.txt release.lock
    silp lock verify --repair compile.lock
    """

Surface = Annotated[
    str | None,
    typer.Option("--surface", metavar="FILE", help="The payloads of the IRs, one a line in the same order."),
]

group_of_commands(
    "lock", "Freeze what was compiled, and verify it; 'silp lock' alone is 'silp lock freeze'.", group=GROUP,
    default="freeze", notes=NOTES, examples=FREEZE.rstrip(" ") + VERIFY,
)


@command("lock freeze", calls="silp_cli.protocol.lock.freeze_command:run", streams=True, notes=NOTES, examples=FREEZE)
def freeze(
    files: Files = (),
    lock: Annotated[str, typer.Option("--lock", "-l", metavar="LOCK", help="The lock to append to.")] = "compile.lock",
    frontend: Annotated[
        str | None,
        typer.Option(
            "--frontend", "-f", metavar="NAME", show_default="code, or with --surface found by reading",
            help="The frontend.",
        ),
    ] = None,
    surface: Surface = None,
    bare: Annotated[bool, typer.Option("--bare", help="Leave out meta, silp and version.")] = False,
    append_revision: Annotated[
        bool,
        typer.Option("--append-revision", help="Let an IR and frontend have another surface than before."),
    ] = False,
    verbs: Verbs = None,
    any_verb: AnyVerb = False,
) -> None:
    """Compile IRs, append them to the lock, then write the payloads."""


@command("lock verify", calls="silp_cli.protocol.lock.verify_command:run", examples=VERIFY)
def verify(
    locks: Annotated[
        list[str] | None, typer.Argument(metavar="LOCK", help="The locks.", show_default="compile.lock")
    ] = None,
    ir: Annotated[
        str | None, typer.Option("--ir", metavar="FILE", help="Every IR in FILE has to be frozen.")
    ] = None,
    surface: Surface = None,
    head: Annotated[
        str | None,
        typer.Option("--head", metavar="HASH", help="The lock has to go on from this head, which somebody kept."),
    ] = None,
    repair: Annotated[
        bool,
        typer.Option("--repair", help="Mend what an interrupted append left; what else is wrong stays."),
    ] = False,
    format: TableFormat = None,
    errors: Errors = "text",
    all: All = False,
    max_diagnostics: MaxDiagnostics = MOST,
    max_record_size: MaxRecordSize = MAX_RECORD,
    max_depth: MaxDepth = MAX_DEPTH,
) -> None:
    """See whether locks still hold, alone or against IRs and payloads."""
