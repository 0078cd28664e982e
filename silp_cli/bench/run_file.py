"""The file that a run writes and resumes from: JSON Lines, one a result, each written by one call.

A process that is killed in the middle of a line leaves a torn one; it is cut off when the file is opened again.
"""

from __future__ import annotations

import fcntl
import os
import sys

from silp_cli.ir.errors import SilpError
from silp_cli.ir.jsontext import dumps, loads
from silp_cli.text.command import CommandError
from silp_cli.text.safe import escape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType
    from typing import Any

    Key = tuple[str, str, str, str, int]

# What tells results apart, and what must be the same for a run to go on with them.
KEY = ("model", "frontend", "case", "task", "repeat")
SETTINGS = ("prompt_sha256", "temperature", "seed")


def key_of(result: Mapping[str, Any]) -> Key:
    """What tells a result apart from the others."""
    model, frontend, case, task, repeat = (result[name] for name in KEY)
    return model, frontend, case, task, repeat


class RunFile:
    """Where results go: a file that may hold some already, or stdout.

    Args:
        path: the file; None writes to stdout.

    Attributes:
        done: the settings of the results that are there, by key.
        mended: whether a torn line was cut off.
    """

    def __init__(self, path: str | None) -> None:
        self.done: dict[Key, tuple[Any, ...]] = {}
        self.mended = False
        self._path = path
        self._descriptor = -1

    def __enter__(self) -> RunFile:
        if self._path is None:
            self._descriptor = sys.stdout.fileno()
            return self
        try:
            self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        except OSError as error:
            raise CommandError(f"silp eval: {self._path}: {error.strerror}") from None
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self._descriptor)
            raise CommandError(f"silp eval: {self._path}: another run is writing it") from None
        try:
            self._read()
        except BaseException:
            os.close(self._descriptor)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._path is not None:
            os.close(self._descriptor)

    def add(self, result: Mapping[str, Any]) -> None:
        """Write a result."""
        self.done[key_of(result)] = settings_of(result)
        data = memoryview((escape(dumps(result)) + "\n").encode("utf-8", "backslashreplace"))
        while data:
            data = data[os.write(self._descriptor, data) :]

    def _read(self) -> None:
        size = os.fstat(self._descriptor).st_size
        with open(os.dup(self._descriptor), "rb") as file:
            file.seek(0)
            end = 0
            for number, line in enumerate(file, 1):
                if not line.endswith(b"\n"):
                    break
                end += len(line)
                self._note(line, number)
        if end < size:
            os.ftruncate(self._descriptor, end)
            self.mended = True

    def _note(self, line: bytes, number: int) -> None:
        if not line.strip():
            return
        try:
            result = loads(line.decode())
            self.done[key_of(result)] = settings_of(result)
        except (SilpError, UnicodeDecodeError, KeyError, TypeError):
            raise CommandError(
                f"silp eval: {self._path}:{number}: not a result; a run goes on only in a file of its own"
            ) from None


def settings_of(result: Mapping[str, Any]) -> tuple[Any, ...]:
    """What must be the same for an answer to count as the answer to a question."""
    return tuple(result.get(name) for name in SETTINGS)
