"""The ``silp`` command: find the subcommand, run it, turn what happened into an exit status."""

from __future__ import annotations

# What `signal` is made of: that one takes a millisecond to import.
import _signal  # type: ignore[import-not-found]

# Until main() has taken over, Ctrl-C ends the process as it ends any other, not in the middle of an import with a
# traceback. Where it was ignored (`nohup`, a background job) it stays so.
if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
    _signal.signal(_signal.SIGINT, _signal.SIG_DFL)

import io
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``silp`` with the given arguments (default: those of the process); return the exit status."""
    if sys.stderr is None:  # closed by whoever started us, as `2>&-` does
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - it lives as long as the process
    from silp_cli.cli.main import run
    from silp_cli.text.command import CommandError
    from silp_cli.text.diagnostics import say

    arguments = list(sys.argv[1:] if argv is None else argv)
    if sys.stdout is None:
        say("silp: stdout is closed\n")
        return 2
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Help and tables have characters that an ASCII or Latin-1 terminal has not; payloads do not pass here.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        if _signal.getsignal(_signal.SIGINT) == _signal.SIG_DFL:
            _signal.signal(_signal.SIGINT, _signal.default_int_handler)
        try:
            status = run(arguments)
        except CommandError as error:
            say(f"{error}\n")
            status = error.status
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        # The reader has seen enough (`| head`). Nothing more may be written, not even at exit.
        _drop_unwritten_output()
        return 0
    except KeyboardInterrupt:
        _drop_unwritten_output()
        return 130  # 128 + SIGINT, as shells have it
    except OSError as error:
        name = f"{error.filename}: " if error.filename else ""
        say(f"silp: {name}{error.strerror or error}\n")
        _drop_unwritten_output()
        return 2


def _drop_unwritten_output() -> None:
    """Keep the interpreter from trying once more, at exit, to write what could not be written."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
