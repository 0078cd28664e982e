"""What ends a command, and whether it may write in colour."""

from __future__ import annotations

import os


class CommandError(Exception):
    """The command itself cannot go on. The message is what stderr shows, one line, command name first.

    Args:
        message: the line.
        status: the exit status.
    """

    def __init__(self, message: str, status: int = 2) -> None:
        super().__init__(message)
        self.status = status


def color_wanted(stream: object) -> bool:
    """Whether ANSI colours belong on a stream: a terminal, and no NO_COLOR."""
    isatty = getattr(stream, "isatty", None)
    return bool(isatty and isatty()) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
