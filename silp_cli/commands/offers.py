"""What ``silp ping`` and ``silp pong`` share: the frontends that one side offers."""

from __future__ import annotations

from silp_cli.commands import CommandError
from silp_cli.frontends.registry import frontend_names, get_frontend
from silp_cli.ir.errors import SilpError
from silp_cli.protocol.messages import check_frontend_name
from silp_cli.protocol.negotiation import by_priority
from silp_cli.text.diagnostics import render

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def add_offer_options(parser: ArgumentParser) -> None:
    """Add ``--frontends``, ``--prefer`` and ``--any-frontend``."""
    parser.add_argument(
        "--frontends",
        metavar="NAME,…",
        help="what this side supports (default: the lossless frontends that are installed)",
    )
    parser.add_argument("--prefer", metavar="NAME", help="the one of them this side would rather use")
    parser.add_argument(
        "--any-frontend",
        action="store_true",
        help="allow names that are not installed here, to speak for somebody else",
    )


def offered(options: Namespace, command: str) -> list[str]:
    """The frontends that the options name, from the highest priority to the lowest.

    Raises:
        CommandError: for a name that cannot be, is not installed, or is preferred without being offered.
    """
    if options.frontends is None:
        names = [name for name in frontend_names() if _lossless(name)]
    else:
        names = [name.strip() for name in options.frontends.split(",")]
    for name in names:
        try:
            check_frontend_name(name)
            if not options.any_frontend:
                get_frontend(name)
        except SilpError as error:
            raise CommandError(render(error, command)) from None
        except ValueError as error:
            raise CommandError(f"{command}: {error}") from None
    if options.prefer is not None and options.prefer not in names:
        raise CommandError(f"{command}: '{options.prefer}' is preferred but not among the frontends")
    return by_priority(names)


def _lossless(name: str) -> bool:
    try:
        frontend = get_frontend(name)
    except (SilpError, ImportError):
        return False  # registered, but not in working order: nothing to offer
    return frontend.lossless and frontend.installed()
