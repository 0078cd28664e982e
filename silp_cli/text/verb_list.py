"""The verbs that ``--verbs`` and ``--any-verb`` allow."""

from __future__ import annotations

from silp_cli.ir.verbs import WHITELIST, parse_verbs
from silp_cli.text.command import CommandError
from silp_cli.text.output import read_whole


def chosen_verbs(verbs: str | None, any_verb: bool, command: str) -> frozenset[str] | None:
    """The action codes that the options allow; None for any.

    Args:
        verbs: a file that replaces the whitelist.
        any_verb: whether any verb will do.
        command: the name for diagnostics.

    Raises:
        CommandError: for both options at once, or when the file cannot be read or holds something else.
    """
    if any_verb and verbs is not None:
        raise CommandError(f"{command}: --verbs and --any-verb exclude one another (see '{command} --help')")
    if any_verb:
        return None
    if verbs is None:
        return frozenset(WHITELIST)
    try:
        return frozenset(parse_verbs(read_whole(verbs, command)))
    except ValueError as error:
        raise CommandError(f"{command}: {verbs}: {error}") from None
