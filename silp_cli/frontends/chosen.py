"""The frontends that a command line names."""

from __future__ import annotations

from silp_cli.frontends.registry import frontend_names, get_frontend
from silp_cli.ir.errors import SilpError
from silp_cli.text.command import CommandError
from silp_cli.text.diagnostics import render

TYPE_CHECKING = False
if TYPE_CHECKING:
    from silp_cli.frontends.base import Frontend


def chosen_frontend(name: str, command: str) -> Frontend:
    """The frontend of a name given on the command line.

    Raises:
        CommandError: when there is none.
    """
    try:
        return get_frontend(name)
    except SilpError as error:
        raise CommandError(render(error, command)) from None


def chosen_frontends(names: str | None, command: str) -> list[Frontend]:
    """The frontends of a comma-separated list; None stands for all installed ones that are not slow.

    Raises:
        CommandError: for a frontend that is unknown or not installed.
    """
    wanted = frontend_names() if names is None else list(filter(None, map(str.strip, names.split(","))))
    found = []
    for name in dict.fromkeys(wanted):
        try:
            frontend = get_frontend(name)
        except SilpError as error:
            if names is None:
                continue  # an extra's module, or a stranger's that is broken
            hint = f"; {error.hint}" if error.hint else ""
            raise CommandError(f"{command}: {error.message}{hint}") from None
        if names is None and frontend.slow:
            continue
        if frontend.installed():
            found.append(frontend)
        elif names is not None:
            raise CommandError(f"{command}: the {name} frontend is not installed; see 'silp frontends'")
    if not found:
        raise CommandError(f"{command}: --frontends names none")
    return found
