"""The frontends that one side of a negotiation offers."""

from __future__ import annotations

from silp_cli.frontends.registry import frontend_names, get_frontend
from silp_cli.ir.errors import SilpError
from silp_cli.protocol.negotiation.exchange import by_priority
from silp_cli.protocol.negotiation.messages import check_frontend_name
from silp_cli.text.command import CommandError
from silp_cli.text.diagnostics import render


def offered(frontends: str | None, prefer: str | None, any_frontend: bool, command: str) -> list[str]:
    """The frontends to offer, from the highest priority to the lowest.

    Args:
        frontends: names with commas between; None for the lossless ones that are installed.
        prefer: the one of them this side would rather use.
        any_frontend: whether names that are not installed here may be offered.
        command: the name for diagnostics.

    Raises:
        CommandError: for a name that cannot be, is not installed, or is preferred without being offered.
    """
    if frontends is None:
        names = [name for name in frontend_names() if _lossless(name)]
    else:
        names = [name.strip() for name in frontends.split(",")]
    for name in names:
        try:
            check_frontend_name(name)
            if not any_frontend:
                get_frontend(name)
        except SilpError as error:
            raise CommandError(render(error, command)) from None
        except ValueError as error:
            raise CommandError(f"{command}: {error}") from None
    if prefer is not None and prefer not in names:
        raise CommandError(f"{command}: '{prefer}' is preferred but not among the frontends")
    return by_priority(names)


def _lossless(name: str) -> bool:
    try:
        frontend = get_frontend(name)
    except (SilpError, ImportError):
        return False  # registered, but not in working order: nothing to offer
    return frontend.lossless and frontend.installed()
