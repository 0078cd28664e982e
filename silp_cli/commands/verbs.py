"""The verb options that ``compile``, ``validate`` and ``decode`` share."""

from __future__ import annotations

from silp_cli.commands import CommandError
from silp_cli.commands.stream import read_whole
from silp_cli.ir.verbs import WHITELIST, parse_verbs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def add_verb_options(parser: ArgumentParser) -> None:
    """Add ``--verbs FILE`` and ``--any-verb``."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument(
        "--verbs", metavar="FILE", help="replace the whitelist by the verbs in FILE, one a line, '#' for comments"
    )
    group.add_argument("--any-verb", action="store_true", help="allow any verb")


def chosen_verbs(options: Namespace, command: str) -> frozenset[str] | None:
    """The action codes that the options allow; None for any.

    Raises:
        CommandError: when the verb file cannot be read or holds something else.
    """
    if options.any_verb:
        return None
    if options.verbs is None:
        return frozenset(WHITELIST)
    try:
        return frozenset(parse_verbs(read_whole(options.verbs, command)))
    except ValueError as error:
        raise CommandError(f"{command}: {options.verbs}: {error}") from None
