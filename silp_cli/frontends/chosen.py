"""The frontend that a command line names, and the one that a payload is written in."""

from __future__ import annotations

from silp_cli.frontends.registry import get_frontend
from silp_cli.ir.errors import SilpError
from silp_cli.text.command import CommandError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from silp_cli.frontends.base import Frontend


def frontend_of(name: str, command: str) -> Frontend:
    """The frontend of a name given on the command line.

    Raises:
        CommandError: when there is none.
    """
    try:
        return get_frontend(name)
    except SilpError as error:
        from silp_cli.text.diagnostics import render

        raise CommandError(render(error, command)) from None


def detect(text: str) -> str:
    """The lossless frontend that a payload is written in: ``json`` if it starts with a brace, else ``code``."""
    return "json" if text.lstrip(" \t\r\n").startswith("{") else "code"
