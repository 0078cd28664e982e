"""Diagnostics for people (one line, the source, a caret) and for machines (JSON Lines)."""

from __future__ import annotations

import os
import sys

from silp_cli.ir.errors import SilpError
from silp_cli.ir.jsontext import dumps
from silp_cli.text.part import current

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TextIO

    from silp_cli.text.part import Told

MOST = 5  # diagnostics of one rule that are written unless all are asked for

_WINDOW = 100
_INDENT = "  "


def say(text: str, stream: TextIO | None = None) -> None:
    """Write to stderr, or to another stream for people, at once.

    When nobody can take it any more (its reader has gone, the disk is full), this and all that follows on the stream
    is dropped: what goes to stdout must not suffer from it, and the exit status says the rest.
    """
    stream = stream or sys.stderr
    try:
        stream.write(text)
        stream.flush()
    except OSError:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)


class Reporter:
    """Writes the diagnostics of one command to stderr: of each rule the first few, then how many there were.

    What machines read is complete: ``most`` holds for text alone.

    Args:
        command: what stands first on the line, such as ``silp decode``.
        stream: where to write.
        form: ``"text"`` or ``"json"``.
        color: whether text may carry ANSI colours.
        most: how many diagnostics of one rule are written; None for all.
    """

    def __init__(
        self, command: str, stream: TextIO, form: str = "text", *, color: bool = False, most: int | None = None
    ) -> None:
        self.command = command
        self.stream = stream
        self.form = form
        self.color = color
        part = current()
        self.tell = part and part.tell
        self._said: set[str] = set()
        self._most = sys.maxsize if most is None or form == "json" else most
        self._counts: dict[tuple[str, str], int] = {}

    def admits(self, rule: str, severity: str = "error") -> bool:
        """Count a diagnostic of a rule; True when it is to be written and not only counted.

        Args:
            rule: its rule.
            severity: ``"error"`` or ``"warning"``.
        """
        kind = rule, severity
        count = self._counts[kind] = self._counts.get(kind, 0) + 1
        return count <= self._most

    def report(self, error: SilpError) -> None:
        """Count one diagnostic and the others that came with it, and write those that ``admits`` lets through."""
        for each in error.all():
            if self.admits(each.rule, each.severity):
                self.write(each)

    def write(self, error: SilpError) -> None:
        """Write one diagnostic, which has been counted."""
        if self.tell:
            self.tell(error)
        elif self.form == "json":
            say(dumps(error.to_dict()) + "\n", self.stream)
        else:
            say(render(error, self.command, color=self.color) + "\n", self.stream)

    def finish(self) -> None:
        """Write one line for each rule of which diagnostics were only counted, and count anew."""
        counts, self._counts = self._counts, {}
        if self.tell:
            self.tell(counts)
            return
        for (rule, severity), count in counts.items():
            rest = count - self._most
            if rest > 0:
                noun = severity if rest == 1 else f"{severity}s"
                shown = f" more {noun} ({count:,} in all)" if self._most else f" {noun}"
                say(f"{self.command}: {visible(rule)}: {rest:,}{shown}; to see each: --all\n", self.stream)

    def note(self, message: str) -> None:
        """Write a plain remark, which is no diagnostic; left out where machines read."""
        if self.form == "text":
            self.say(f"{self.command}: {message}\n")

    def note_once(self, about: str, message: str) -> None:
        """Write a plain remark, but only the first about something."""
        if about not in self._said:
            self._said.add(about)
            if self.tell:
                self.tell((about, message))
            else:
                self.note(message)

    def take(self, told: Iterable[Told], records: int) -> None:
        """Report what a part of the input has told, as if it had happened here.

        Args:
            told: diagnostics; lines that are ready, perhaps with a rule and severity; remarks with what they are about;
                and at the end how many diagnostics there were of each rule and severity, written or not.
            records: how many records lie before those that it knew of.
        """
        seen: dict[tuple[str, str], int] = {}
        for each in told:
            if isinstance(each, dict):
                for kind, count in each.items():
                    self._counts[kind] = self._counts.get(kind, 0) + count - seen.get(kind, 0)
                seen = {}
            elif isinstance(each, SilpError):
                kind = each.rule, each.severity
                seen[kind] = seen.get(kind, 0) + 1
                if each.record is not None:
                    each.record += records
                if self.admits(*kind):
                    self.write(each)
            elif isinstance(each, str):
                self.say(each)
            elif len(each) == 3:
                kind = each[0], each[1]
                seen[kind] = seen.get(kind, 0) + 1
                if self.admits(*kind):
                    self.say(each[2])
            else:
                self.note_once(*each)

    def say_of(self, rule: str, text: str) -> None:
        """Write a line that is ready, of a failure that has been counted."""
        if self.tell:
            self.tell((rule, "error", text))
        else:
            say(text, self.stream)

    def say(self, text: str) -> None:
        """Write a line that is ready."""
        if self.tell:
            self.tell(text)
        else:
            say(text, self.stream)


def render(error: SilpError, command: str = "silp", *, color: bool = False) -> str:
    """A diagnostic as text: the one-line statement, the source line, the caret, the hint."""
    place = ":".join(str(part) for part in (error.source, error.line, error.column) if part is not None)
    warns = error.severity == "warning"
    label = visible(error.rule) if warns else str(error.code)  # the six codes are of what failed
    if color:
        label = f"\x1b[{33 if warns else 31};1m{label}\x1b[0m"
    if warns:
        label = f"warning: {label}"
    where = f" (at {error.path})" if error.path else ""
    lines = [f"{command}: {place + ': ' if place else ''}{label}: {visible(error.message)}{visible(where)}"]
    if error.excerpt is not None and error.column is not None:
        lines += _excerpt(error.excerpt, error.column)
    if error.hint:
        lines.append(f"{_INDENT}hint: {visible(error.hint)}")
    return "\n".join(lines)


def _excerpt(line: str, column: int) -> list[str]:
    """The source line around a column, made visible, and a caret under the column."""
    start = max(0, min(column - 1 - _WINDOW // 2, len(line) - _WINDOW))
    end = start + _WINDOW
    before = ("…" if start else "") + visible(line[start : column - 1])
    rest = visible(line[column - 1 : end]) + ("…" if end < len(line) else "")
    return [_INDENT + before + rest, _INDENT + " " * display_width(before) + "^"]


def visible(text: str) -> str:
    r"""Text with everything a terminal would hide or obey spelled ``\uXXXX``."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else f"\\u{ord(char):04x}" if ord(char) < 0x10000 else f"\\U{ord(char):08x}"
        for char in text
    )


def display_width(text: str) -> int:
    """How many terminal cells a text takes."""
    if text.isascii():
        return len(text)
    import unicodedata

    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1
        for char in text
    )
