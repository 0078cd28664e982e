"""What the filters share: inputs, output, error policy, and the loop over the records."""

from __future__ import annotations

import os
import sys

from silp_cli.ir.errors import SilpError
from silp_cli.ir.jsontext import MAX_DEPTH, dumps, limit_depth
from silp_cli.text.command import CommandError, color_wanted
from silp_cli.text.diagnostics import MOST, Reporter, say
from silp_cli.text.output import Output
from silp_cli.text.part import current
from silp_cli.text.records import MAX_RECORD, Reader, Source
from silp_cli.text.stdin import stdin_descriptor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import TypeAlias, TypedDict

    from silp_cli.text.records import Record

    # A record, what became of it (a line, nothing, an error), and what is not quite right with it.
    Result: TypeAlias = tuple[Record, str | SilpError | None, Sequence[SilpError]]

    class StreamOptions(TypedDict, total=False):
        """The options of every filter, as the command line names them."""

        files: Sequence[str]
        output: str | None
        errors: str
        on_error: str
        all: bool
        max_diagnostics: int
        max_record_size: int
        max_depth: int


def reporter(command: str, *, errors: str = "text", all: bool = False, max_diagnostics: int = MOST) -> Reporter:
    """What writes a command's diagnostics to stderr, as its options have it.

    Args:
        command: the name that stands first on the line.
        errors: ``"text"`` or ``"json"``.
        all: write every diagnostic.
        max_diagnostics: else, how many of one rule are written in text before the rest is only counted.
    """
    most = None if all else max_diagnostics
    return Reporter(command, sys.stderr, errors, color=color_wanted(sys.stderr), most=most)


class Stream:
    """One run of a filter: its inputs, its output, its diagnostics and its exit status.

    Args:
        command: the name for diagnostics, such as ``silp decode``.
        files: the inputs; ``-`` or none: stdin.
        output: a file to write instead of stdout.
        errors: how diagnostics are written, ``"text"`` or ``"json"``.
        on_error: what happens after a bad record: ``"skip"``, ``"stop"`` or ``"emit"``.
        all: write every diagnostic.
        max_diagnostics: else, how many of one rule are written in text before the rest is only counted.
        max_record_size: the longest record accepted, in bytes.
        max_depth: the deepest nesting of JSON accepted.
    """

    def __init__(
        self, command: str, *, files: Sequence[str] = (), output: str | None = None, errors: str = "text",
        on_error: str = "skip", all: bool = False, max_diagnostics: int = MOST, max_record_size: int = MAX_RECORD,
        max_depth: int = MAX_DEPTH,
    ) -> None:
        self.command = command
        self.on_error = on_error
        self.part = current()
        if self.part and self.part.merge is None and (files or output is not None):
            raise CommandError(f"{command}: FILE arguments and --output are not for a filter that is given its input")
        if self.part and self.part.tell is None and on_error == "stop":
            raise CommandError(f"{command}: --on-error stop is not for blocks that are read at the same time")
        if self.part:
            self.part.numbered = on_error == "emit"
        self.reporter = reporter(command, errors=errors, all=all, max_diagnostics=max_diagnostics)
        self.output = Output(output)
        self.status = 0
        self.reader = Reader(self._open(files or ["-"]), max_record_size, self.output.flush)
        limit_depth(max_depth)

    def _open(self, names: Iterable[str]) -> Iterator[Source]:
        for name in names:
            if self.part:
                if self.part.merge is None:
                    yield Source(self.part.source, sys.stdin.fileno(), self.part.line, self.part.offset)
                continue
            if name == "-":
                try:
                    descriptor = stdin_descriptor(self.command)
                except CommandError as error:
                    say(f"{error}\n")
                    self.status = 2
                else:
                    yield Source("stdin", descriptor)
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
        return self.write(results(records, transform))

    def write(self, found: Iterable[Result]) -> int:
        """Write the results of records, and diagnose what is wrong with them.

        Returns:
            The exit status: 0, 1 if a record failed, 2 if an input could not be read.
        """
        write = self.output.line
        try:
            for record, outcome, warnings in found:
                if warnings:
                    self.warn(record, warnings)
                if isinstance(outcome, str):
                    write(outcome)
                elif outcome is not None and self.fail(record, outcome):
                    break
            self.close()
        except BaseException:
            self.output.discard()
            raise
        return self.status

    def close(self) -> None:
        """Put the output in its place, and say what diagnostics were only counted."""
        self.output.close()
        self.reporter.finish()

    def warn(self, record: Record, found: Iterable[SilpError]) -> None:
        """Report what is not quite right with a record that passes."""
        for each in found:
            if self.reporter.admits(each.rule, each.severity):
                self.output.flush()  # on a terminal the two go to the same place
                self.reporter.write(record.place(each))

    def fail(self, record: Record, error: SilpError) -> bool:
        """Report a record's error as the policy has it; True when the stream has to stop."""
        self.diagnose(record, error)
        if self.on_error == "emit":
            self.output.line(dumps({"error": record.place(error).to_dict()}))
        if self.part and self.on_error == "stop":
            self.part.stopped = True
        return self.on_error == "stop"

    def diagnose(self, record: Record, error: SilpError) -> None:
        """Report a record's error; the exit status is 1 from then on."""
        self.status = self.status or 1
        shown = [each for each in error.all() if self.reporter.admits(each.rule, each.severity)]
        if shown:  # finding the place takes time
            record.place(error)
            self.output.flush()
            for each in shown:
                self.reporter.write(each)


def results(records: Iterable[Record], transform: Callable[[Record], str | None]) -> Iterator[Result]:
    """What a function makes of each record: a line, nothing, or the ``SilpError`` that it raises."""
    for record in records:
        outcome: str | SilpError | None = record.error
        if outcome is None:
            try:
                outcome = transform(record)
            except SilpError as error:
                outcome = error
        yield record, outcome, ()
