"""The libraries that only this room needs; they come with an extra of the package."""

from __future__ import annotations

from importlib import import_module

from silp_cli.text.command import CommandError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def require(module: str, extra: str = "bench") -> Any:
    """Import a library of an extra.

    Args:
        module: its dotted name.
        extra: the extra that it comes with.

    Raises:
        CommandError: one line that says what to install.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        missing = (error.name or module).partition(".")[0]
        raise CommandError(f"silp: this needs {missing}; install it with: pip install 'silp-cli[{extra}]'") from None
