"""The ``silp`` command: find the subcommand, run it, turn what happened into an exit status."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``silp`` with the given arguments (default: those of the process); return the exit status."""
    from silp_cli.commands import CommandError, run

    arguments = list(sys.argv[1:] if argv is None else argv)
    if sys.stderr is None:  # closed by whoever started us, as `2>&-` does
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - it lives as long as the process
    if sys.stdout is None:
        _say("silp: stdout is closed")
        return 2
    try:
        status = run(arguments)
        sys.stdout.flush()
        return status
    except CommandError as error:
        _say(str(error))
        return error.status
    except BrokenPipeError:
        # The reader has seen enough (`| head`). Nothing more may be written, not even at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130  # 128 + SIGINT, as shells have it
    except OSError as error:
        name = f"{error.filename}: " if error.filename else ""
        _say(f"silp: {name}{error.strerror or error}")
        _drop_unwritten_output()
        return 2


def _say(message: str) -> None:
    sys.stderr.write(message + "\n")


def _drop_unwritten_output() -> None:
    """Keep the interpreter from trying once more, at exit, to write what could not be written."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
