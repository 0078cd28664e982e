"""The verb options of commands that are not declared in ``silp_cli.cli`` yet."""

from __future__ import annotations

from silp_cli.text import verb_list

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
    """The action codes that the options allow; None for any."""
    return verb_list.chosen_verbs(options.verbs, options.any_verb, command)
