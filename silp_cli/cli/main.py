"""From a command line to an exit status: ordinary command lines are read quickly, all others by typer."""

from __future__ import annotations

import os
import sys

from silp_cli.cli import plain
from silp_cli.text.command import CommandError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def run(arguments: list[str]) -> int:
    """Run one command; return the exit status.

    Raises:
        CommandError: for a command line that makes no sense, or a command that cannot go on.
    """
    if arguments == ["--version"]:
        from silp_cli.version import __version__

        sys.stdout.write(f"silp {__version__}\n")
        return 0
    for word in arguments:
        if not word.isascii():
            _require_utf8(arguments)
            break
    # A shell asks what may come next.
    completing = "_SILP_COMPLETE" in os.environ
    call = None if completing else plain.read(arguments)
    if call is None:
        from silp_cli.cli import app

        found = app.read(arguments)
        if isinstance(found, int):
            return found
        call = found
    return call.run()


def _require_utf8(arguments: Sequence[str]) -> None:
    """Refuse arguments that are not UTF-8; names of files may be any bytes.

    Raises:
        CommandError: with the number of the first such argument, counted from the command's name.
    """
    before = ""
    for number, argument in enumerate(arguments):
        if number and not argument.isascii() and not _is_utf8(argument) and not _is_file(argument, before):
            raise CommandError(f"silp {arguments[0]}: argument {number} is not UTF-8")
        before = argument


def _is_utf8(argument: str) -> bool:
    try:
        argument.encode()
    except UnicodeEncodeError:  # bytes that are none come as lone surrogates
        return False
    return True


def _is_file(argument: str, before: str) -> bool:
    """Whether an argument names a file: one that is there, or one to write."""
    if before in ("-o", "--output"):
        return True
    if argument.startswith("--"):
        option, _, argument = argument.partition("=")
        return option == "--output" or os.path.exists(argument)
    return argument.startswith("-o") or os.path.exists(argument)
