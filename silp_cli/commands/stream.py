"""What the filters share: FILE arguments, output, error policy, and the loop over the records."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentTypeError

from silp_cli.commands import CommandError, color_wanted
from silp_cli.ir.errors import SilpError
from silp_cli.ir.jsontext import MAX_DEPTH, dumps, dumps_pretty, limit_depth
from silp_cli.text.diagnostics import Reporter, say
from silp_cli.text.part import current
from silp_cli.text.records import MAX_RECORD, Reader, Source
from silp_cli.text.safe import escape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace, _ArgumentGroup
    from collections.abc import Callable, Iterable, Iterator

    from silp_cli.text.records import Record

_BUFFER = 1 << 16


def add_input_options(parser: ArgumentParser) -> None:
    """Add FILE arguments, the limits and the error policy."""
    files = parser.add_argument("files", nargs="*", metavar="FILE", help="input files; '-' or none: stdin")
    files.complete = _FILE_COMPLETION  # type: ignore[attr-defined]
    group = parser.add_argument_group("streams and errors")
    group.add_argument(
        "--errors", choices=("text", "json"), default="text", help="how diagnostics are written (default: text)"
    )
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


class Output:
    """Where a filter writes: stdout, or a file that appears whole or not at all.

    Args:
        path: the file, or None for stdout.
    """

    def __init__(self, path: str | None = None) -> None:
        self._path = path
        self._temporary: str | None = None
        if path is None or path == "-":
            self._descriptor = sys.stdout.fileno()
            self._path = None
        elif not path:
            raise CommandError("silp: the output file has no name")
        elif (given := _given_descriptor(path)) is not None:
            try:
                self._descriptor = os.dup(given)
            except OSError as error:
                raise _about(path, error) from None
        elif os.path.exists(path) and (not os.path.isfile(path) or path.startswith("/proc/")):
            self._descriptor = os.open(path, os.O_WRONLY | os.O_APPEND)
        else:
            # The input may be the same file, so it is replaced only when all is written.
            self._path = os.path.realpath(path)
            try:
                self._descriptor = self._begin(self._path)
            except OSError as error:
                raise _about(path, error) from None
        self._parts: list[str] = []
        self._size = 0

    def _begin(self, path: str) -> int:
        """Open a new file beside the one to be written; no other process or output has it."""
        number = 0
        while True:
            temporary = f"{path}.{os.getpid()}.{number}.tmp"
            try:
                descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
                break
            except FileExistsError:
                number += 1
        self._temporary = temporary
        try:
            if os.path.exists(path):
                os.chmod(temporary, os.stat(path).st_mode & 0o7777)
        except OSError:
            self.discard()
            raise
        return descriptor

    def line(self, text: str) -> None:
        """Write one line."""
        self._parts.append(text)
        self._size += len(text)
        if self._size > _BUFFER:
            self.flush()

    def flush(self) -> None:
        """Hand everything over to the operating system."""
        if not self._parts:
            return
        self._parts.append("")
        text = "\n".join(self._parts)
        self._parts, self._size = [], 0
        # Names of files may be any bytes; they show as on stderr.
        self._write(memoryview(text.encode("utf-8", "backslashreplace")))

    def raw(self, data: bytes | memoryview) -> None:
        """Write bytes as they are, at once, after the lines written before."""
        self.flush()
        self._write(memoryview(data))

    def _write(self, data: memoryview) -> None:
        try:
            while data:
                data = data[os.write(self._descriptor, data) :]
        except BrokenPipeError:
            raise
        except OSError as error:
            raise OSError(error.errno, error.strerror, self._path or "stdout") from None

    def close(self) -> None:
        """Flush, and put the file in its place; when that fails, nothing is left behind."""
        try:
            self.flush()
            if self._path is not None:
                os.close(self._descriptor)
                if self._temporary is not None:
                    os.replace(self._temporary, self._path)
                    self._temporary = None
        except OSError as error:
            self.discard()
            raise (error if error.filename2 is None else _about(error.filename2, error)) from None
        except BaseException:
            self.discard()
            raise

    def discard(self) -> None:
        """Leave no half-written file behind."""
        if self._temporary is not None:
            os.unlink(self._temporary)
            self._temporary = None


def _given_descriptor(path: str) -> int | None:
    """The number of the open descriptor that a path such as ``/dev/stdout`` stands for.

    What it leads to may be a regular file that others write too: it is written on, never replaced.
    """
    number = {"/dev/stdout": "1", "/dev/stderr": "2"}.get(path) or path.removeprefix("/dev/fd/").removeprefix(
        "/proc/self/fd/"
    )
    return int(number) if number.isdecimal() and number != path else None


def _about(path: str, error: OSError) -> OSError:
    """The same failure, of the file that the user named."""
    return OSError(error.errno, error.strerror, path)


class Stream:
    """One run of a filter: its inputs, its output, its diagnostics and its exit status.

    Args:
        options: the parsed command line, with the options of ``add_input_options``.
        command: the name for diagnostics, such as ``silp decode``.
    """

    def __init__(self, options: Namespace, command: str) -> None:
        self.command = command
        self.on_error: str = options.on_error
        self.part = current()
        if self.part and (options.files not in ([], ["-"]) or getattr(options, "output", None) is not None):
            raise CommandError(f"{command}: FILE arguments and --output are not for a filter that is given its input")
        self.reporter = Reporter(command, sys.stderr, options.errors, color=color_wanted(sys.stderr))
        self.output = Output(getattr(options, "output", None))
        self.status = 0
        self.reader = Reader(self._open(options.files or ["-"]), options.max_record_size, self.output.flush)
        limit_depth(options.max_depth)

    def _open(self, names: Iterable[str]) -> Iterator[Source]:
        for name in names:
            if self.part:
                if self.part.merge is None:
                    yield Source(self.part.source, sys.stdin.fileno(), self.part.line, self.part.offset)
                continue
            if name == "-":
                if sys.stdin is None:
                    say(f"{self.command}: stdin is closed\n")
                    self.status = 2
                else:
                    yield Source("stdin", sys.stdin.fileno())
                continue
            try:
                descriptor = os.open(name, os.O_RDONLY)
                if os.path.isdir(name):
                    os.close(descriptor)
                    raise IsADirectoryError(21, "Is a directory")
            except OSError as error:
                say(f"{self.command}: {name}: {error.strerror}\n")
                self.status = 2
                continue
            try:
                yield Source(name, descriptor)
            finally:
                os.close(descriptor)

    def filter(self, records: Iterable[Record], transform: Callable[[Record], str | None]) -> int:
        """Write what ``transform`` makes of each record; diagnose the records for which it raises ``SilpError``.

        Args:
            records: the input.
            transform: returns the line to write, or None to write nothing.

        Returns:
            The exit status: 0, 1 if a record failed, 2 if an input could not be read.
        """
        write = self.output.line
        try:
            for record in records:
                if record.error is None:
                    try:
                        line = transform(record)
                    except SilpError as error:
                        if self.fail(record, error):
                            break
                    else:
                        if line is not None:
                            write(line)
                elif self.fail(record, record.error):
                    break
            self.output.close()
        except BaseException:
            self.output.discard()
            raise
        return self.status

    def warn(self, record: Record, found: Iterable[SilpError]) -> None:
        """Report what is not quite right with a record that passes."""
        for each in found:
            self.output.flush()  # on a terminal the two go to the same place
            self.reporter.report(record.place(each))

    def fail(self, record: Record, error: SilpError) -> bool:
        """Report a record's error as the policy has it; True when the stream has to stop."""
        self.output.flush()
        self.reporter.report(record.place(error))
        self.status = self.status or 1
        if self.on_error == "emit":
            self.output.line(dumps({"error": error.to_dict()}))
        if self.part and self.on_error == "stop":
            self.part.stopped = True
        return self.on_error == "stop"


def json_writer(*, pretty: bool) -> Callable[[object], str]:
    """The function that writes JSON: one line or indented, nothing in it that a terminal or sanitizer would touch."""
    if pretty:
        return lambda value: "\n".join([escape(line) for line in dumps_pretty(value).split("\n")])
    return lambda value: escape(dumps(value))


def write_whole(text: str, path: str | None = None) -> None:
    """Write one text and a line's end to stdout or to a file, as ``Output`` does."""
    output = Output(path)
    try:
        output.line(text)
        output.close()
    except BaseException:
        output.discard()
        raise


def read_whole(path: str, command: str) -> str:
    """The text of a file named by an option.

    Raises:
        CommandError: when it cannot be read or is not UTF-8.
    """
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError as error:
        raise CommandError(f"{command}: {path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise CommandError(f"{command}: {path}: not UTF-8 at byte offset {error.start}") from None

