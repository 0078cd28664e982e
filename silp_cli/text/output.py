"""Where a command writes: stdout, or a file that appears whole or not at all; and how it reads a file whole."""

from __future__ import annotations

import os
import sys

from silp_cli.ir.jsontext import dumps, dumps_pretty
from silp_cli.text.command import CommandError
from silp_cli.text.safe import escape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_BUFFER = 1 << 16


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

