"""stdin, which whoever starts a command may have closed, or opened for something else."""

from __future__ import annotations

import os
import sys

from silp_cli.text.command import CommandError

# The interpreter will not start with a directory as stdin; the launcher closes it and says so here.
_DIRECTORY = "SILP_STDIN_IS_DIRECTORY"


def stdin_descriptor(command: str) -> int:
    """The descriptor of stdin.

    Args:
        command: the name that stands first in messages.

    Raises:
        CommandError: when nothing can be read there: it is closed, a directory, or open for writing alone.
    """
    if sys.stdin is None:
        why = "is a directory" if os.environ.get(_DIRECTORY) else "is closed"
        raise CommandError(f"{command}: stdin {why}")
    descriptor = sys.stdin.fileno()
    try:
        os.read(descriptor, 0)  # no byte of it is taken
    except IsADirectoryError:
        raise CommandError(f"{command}: stdin is a directory") from None
    except OSError:
        raise CommandError(f"{command}: stdin is not open for reading") from None
    return descriptor
