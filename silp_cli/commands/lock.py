"""``silp lock``: freeze what was compiled; ``silp lock verify``: see whether it still holds."""

from __future__ import annotations

import os

from silp_cli.commands import CommandError
from silp_cli.commands.rows import add_format_option
from silp_cli.commands.stream import add_input_options, add_output_option
from silp_cli.commands.verbs import add_verb_options
from silp_cli.frontends.chosen import frontend_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

COMMAND = "silp lock"
DEFAULT_LOCK = "compile.lock"
VERIFY = "verify"


def configure(parser: ArgumentParser) -> None:
    """Add the options of ``silp lock`` and of ``silp lock verify``."""
    parser.usage = "silp lock [options] [FILE ...]\n       silp lock verify [options] [LOCK ...]"
    freeze = parser.add_argument_group("freezing")
    freeze.add_argument(
        "-l", "--lock", metavar="LOCK", help=f"the lock to append to (default: {DEFAULT_LOCK})"
    )
    freeze.add_argument(
        "-f",
        "--frontend",
        metavar="NAME",
        help="the frontend (default: code, or with --surface found by reading)",
    )
    freeze.add_argument("--bare", action="store_true", help="leave out meta, silp and version")
    freeze.add_argument(
        "--append-revision",
        action="store_true",
        help="let an IR and frontend have another surface than before",
    )
    add_verb_options(parser)
    add_output_option(parser)
    check = parser.add_argument_group("verifying")
    check.add_argument("--ir", metavar="FILE", help="every IR in FILE has to be frozen")
    check.add_argument(
        "--head", metavar="HASH", help="the lock has to go on from this head, which somebody kept"
    )
    check.add_argument(
        "--repair", action="store_true", help="mend what an interrupted append left; what else is wrong stays"
    )
    add_format_option(parser)
    parser.add_argument(
        "--surface",
        metavar="FILE",
        help="the payloads of the IRs, one a line in the same order: freeze (or verify) these",
    )
    add_input_options(parser)
    parser.epilog = f"""\
Freezing compiles the IRs, appends one line for each to the lock, and then writes the payloads; with
--surface it freezes payloads that exist, if they decode to the IRs. SOURCE_DATE_EPOCH sets the time. The
first line that does not hold is named.

examples:
  silp lock < ir.jsonl > payloads.txt
  silp lock --surface payloads.txt ir.jsonl > /dev/null
  silp lock verify
  silp lock verify --ir ir.jsonl --surface payloads.txt release.lock
  silp lock verify --repair {DEFAULT_LOCK}
"""


def run(options: Namespace) -> int:
    """Freeze, or verify; return the exit status."""
    if options.files[:1] == [VERIFY]:
        for name in ("lock", "frontend", "append_revision", "bare", "output"):
            if getattr(options, name):
                raise CommandError(f"{COMMAND} {VERIFY}: --{name.replace('_', '-')} is for freezing")
        from silp_cli.commands.lock_verify import verify

        return verify(options, options.files[1:] or [DEFAULT_LOCK])
    for name in ("ir", "head", "repair", "format"):
        if getattr(options, name):
            raise CommandError(f"{COMMAND}: --{name} is for verifying: silp lock {VERIFY}")
    lock = options.lock or DEFAULT_LOCK
    if options.output and os.path.realpath(options.output) == os.path.realpath(lock):
        raise CommandError(f"{COMMAND}: {options.output}: is the lock; the payloads need a file of their own")
    if options.frontend is not None:
        frontend_of(options.frontend, COMMAND)
    from silp_cli.commands.lock_freeze import freeze

    return freeze(options, lock)
