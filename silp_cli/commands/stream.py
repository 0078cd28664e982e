"""What the filters share: FILE arguments, output, error policy, and the loop over the records."""

from __future__ import annotations

from argparse import ArgumentTypeError

from silp_cli.ir.jsontext import MAX_DEPTH
from silp_cli.text import stream
from silp_cli.text.diagnostics import MOST
from silp_cli.text.output import Output, json_writer, read_whole, write_whole
from silp_cli.text.records import MAX_RECORD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace, _ArgumentGroup

__all__ = ["Output", "Stream", "json_writer", "read_whole", "write_whole"]


def add_input_options(parser: ArgumentParser) -> None:
    """Add FILE arguments, the limits and the error policy."""
    files = parser.add_argument("files", nargs="*", metavar="FILE", help="input files; '-' or none: stdin")
    files.complete = _FILE_COMPLETION  # type: ignore[attr-defined]
    group = parser.add_argument_group("streams and errors")
    group.add_argument(
        "--errors", choices=("text", "json"), default="text",
        help="how diagnostics are written; json is always complete (default: text)",
    )
    group.add_argument(
        "--max-diagnostics", type=count, default=MOST, metavar="N",
        help=f"how many of one rule are written before the rest is only counted (default: {MOST})",
    )
    group.add_argument("--all", action="store_true", help="write every diagnostic")
    group.add_argument(
        "--on-error", choices=("skip", "stop", "emit"), default="skip",
        help="after a bad record: go on, stop, or put an {\"error\": …} record in its place (default: skip)",
    )
    add_limit_options(group)


def add_limit_options(parser: ArgumentParser | _ArgumentGroup) -> None:
    """Add ``--max-record-size`` and ``--max-depth``; ``limit_depth`` and ``Reader`` take what they say."""
    parser.add_argument(
        "--max-record-size", type=byte_count, default=MAX_RECORD, metavar="BYTES",
        help="longest record accepted; K, M and G may follow the number (default: 1M)",
    )
    parser.add_argument(
        "--max-depth", type=depth, default=MAX_DEPTH, metavar="N",
        help=f"deepest nesting of JSON accepted (default: {MAX_DEPTH}, at most {_DEEPEST})",
    )


def add_output_option(parser: ArgumentParser) -> None:
    """Add ``-o/--output``."""
    output = parser.add_argument("-o", "--output", metavar="FILE", help="write here instead of stdout")
    output.complete = _FILE_COMPLETION  # type: ignore[attr-defined]


_FILE_COMPLETION = {"bash": "_shtab_compgen_files", "zsh": "_files", "tcsh": "f", "fish": "__fish_complete_path"}


def positive(text: str) -> int:
    """Parse a whole number from 1 up (an argparse type)."""
    value = int(text)
    if value < 1:
        raise ValueError
    return value


def count(text: str) -> int:
    """Parse a whole number from 0 up (an argparse type)."""
    value = int(text)
    if value < 0:
        raise ValueError
    return value


# Beyond this the interpreter's own limit on recursion would come first somewhere.
_DEEPEST = 256


def depth(text: str) -> int:
    """Parse a limit on nesting (an argparse type)."""
    value = positive(text)
    if value > _DEEPEST:
        raise ArgumentTypeError(f"at most {_DEEPEST}, not {text}")
    return value


def byte_count(text: str) -> int:
    """Parse a size such as ``4096``, ``64K`` or ``1M`` (an argparse type)."""
    scale = {"k": 10, "m": 20, "g": 30}.get(text[-1:].lower())
    return positive(text) if scale is None else positive(text[:-1]) << scale


class Stream(stream.Stream):
    """``silp_cli.text.stream.Stream`` for a command line that argparse has read."""

    def __init__(self, options: Namespace, command: str) -> None:
        super().__init__(
            command, files=options.files, output=getattr(options, "output", None), errors=options.errors,
            on_error=options.on_error,
            all=options.all, max_diagnostics=options.max_diagnostics, max_record_size=options.max_record_size,
            max_depth=options.max_depth,
        )
