"""One thin module a subcommand: parse options, call, print.

A module ``silp_cli.commands.NAME`` has ``configure(parser)``, which adds its options and examples, and
``run(options) -> int``, which returns the exit status. Only the module of the subcommand in hand is imported.
"""

from __future__ import annotations

import argparse
import os
import sys
from importlib import import_module

from silp_cli.text.command import CommandError, color_wanted
from silp_cli.version import __version__

__all__ = ["COMMANDS", "CommandError", "Parser", "color_wanted"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

    from _typeshed import SupportsWrite

# Name and the line that `silp --help` shows, in the order it shows them.
COMMANDS: dict[str, str] = {
    "probe": "show how injected characters change token counts",
    "census": "count tokens of words and payloads under real tokenizers",
    "vocab": "pull, list, verify and add the tokenizers' vocabularies",
}

EPILOG = """\
examples:
  silp compile --frontend code < ir.jsonl > payloads.txt
  silp decode < payloads.txt | silp validate | jq .intent

exit status: 0 all well, 1 some record or gate failed, 2 the command was wrong or could not run
"""


class Parser(argparse.ArgumentParser):
    """An argument parser whose help is in colour on a terminal and whose complaints are one line."""

    def error(self, message: str) -> NoReturn:
        """Raise ``CommandError``: what was wrong, and where to read on."""
        raise CommandError(f"{self.prog}: {message} (see '{self.prog} --help')")

    def has_subcommands(self) -> bool:
        """Whether ``add_subparsers`` has been called on it."""
        return self._subparsers is not None

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        # argparse's own passes over a full disk in silence
        (file or sys.stderr).write(message)

    def parse_intermixed_args(  # type: ignore[override]
        self, args: Sequence[str], namespace: argparse.Namespace | None = None
    ) -> argparse.Namespace:
        """Parse options and files in any order; what follows ``--`` is a file whatever it looks like."""
        if "--" not in args:
            return super().parse_intermixed_args(args, namespace)
        cut = args.index("--")
        options = super().parse_intermixed_args(args[:cut], namespace)
        if not hasattr(options, "files"):
            self.error(f"unrecognized arguments: {' '.join(args[cut + 1 :])}")
        options.files = [*options.files, *args[cut + 1 :]]
        return options

    def format_help(self) -> str:
        """Help text; coloured by rich on a terminal unless NO_COLOR is set."""
        if color_wanted(sys.stdout):
            from rich_argparse import RawDescriptionRichHelpFormatter

            self.formatter_class = RawDescriptionRichHelpFormatter
        return super().format_help()


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """Finds the terminal's width without ``shutil``, which argparse would import for every option."""

    def __init__(self, prog: str) -> None:
        try:
            width = int(os.environ.get("COLUMNS", 0)) or os.get_terminal_size(1).columns
        except (ValueError, OSError):
            width = 80
        super().__init__(prog, max_help_position=28, width=max(width - 2, 40))


def new_parser(prog: str, description: str) -> Parser:
    """A parser with this project's habits."""
    return Parser(
        prog=prog,
        description=description,
        formatter_class=_Formatter,
        allow_abbrev=False,
    )


def command_parser(name: str) -> Parser:
    """The complete parser of one subcommand."""
    summary = COMMANDS[name]
    parser = new_parser(f"silp {name}", summary[0].upper() + summary[1:] + ".")
    import_module(f"silp_cli.commands.{name.replace('-', '_')}").configure(parser)
    return parser


def top_parser() -> Parser:
    """The parser of ``silp`` itself, without its subcommands."""
    width = max(map(len, COMMANDS))
    listing = "\n".join(f"  {name:<{width}}  {summary}" for name, summary in COMMANDS.items())
    parser = new_parser("silp", "Unix filters for SILP payloads.\n\ncommands:\n" + listing)
    parser.usage = "silp COMMAND [options] [FILE ...]"
    parser.epilog = EPILOG
    parser.add_argument("--version", action="version", version=f"silp {__version__}")
    return parser


def run(arguments: Sequence[str]) -> int:
    """Run one subcommand; return the exit status.

    Raises:
        CommandError: for a command line that makes no sense, or a command that cannot go on.
    """
    if not arguments or arguments[0].startswith("-"):
        parser = top_parser()
        try:
            parser.parse_args(arguments)
        except SystemExit as done:
            return int(done.code or 0)
        from silp_cli.text.diagnostics import say

        say(parser.format_help())
        return 2
    name, *rest = arguments
    if name == "help":
        return run([*rest[:1], "--help"])
    if name not in COMMANDS:
        raise CommandError(f"silp: no command '{name}'{_nearest(name)} (see 'silp --help')")
    _require_utf8(name, rest)
    try:
        parser = command_parser(name)
        # argparse cannot intermix options and files where a parser has subcommands of its own.
        intermixed = rest and not parser.has_subcommands()
        options = parser.parse_intermixed_args(rest) if intermixed else parser.parse_args(rest)
    except SystemExit as done:
        return int(done.code or 0)
    return int(import_module(f"silp_cli.commands.{name.replace('-', '_')}").run(options))


def _require_utf8(name: str, arguments: Sequence[str]) -> None:
    """Refuse arguments that are not UTF-8; names of files may be any bytes.

    Raises:
        CommandError: with the number of the first such argument, counted from the command's name.
    """
    before = ""
    for number, argument in enumerate(arguments, 1):
        if not argument.isascii() and not _is_utf8(argument) and not _is_file(argument, before):
            raise CommandError(f"silp {name}: argument {number} is not UTF-8")
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


def _nearest(name: str) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name, COMMANDS, n=1)
    return f"; did you mean '{close[0]}'?" if close else ""
