"""The one exception family, with the six error codes of the draft (section "Error Codes")."""

from __future__ import annotations

from enum import StrEnum

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Literal

    Severity = Literal["error", "warning"]


class ErrorCode(StrEnum):
    """What can go wrong with a payload; the strings are the draft's own."""

    INVALID_SYNTAX = "invalid_syntax"
    UNSUPPORTED_VERSION = "unsupported_version"
    UNSUPPORTED_FRONTEND = "unsupported_frontend"
    DECODE_FAILED = "decode_failed"
    TIMEOUT = "timeout"
    SESSION_EXPIRED = "session_expired"


class SilpError(ValueError):
    """Something is wrong with a record. Raised, or collected as a diagnostic by ``validate``.

    Args:
        code: one of the six codes.
        message: one line, lower case, no full stop: what is wrong.
        rule: stable dotted name of the check that failed, such as ``schema.required`` or ``verb.excluded``.
        severity: ``"error"``, or ``"warning"`` for what a gate may let pass.
        hint: what to do about it, one line.
        path: JSON Pointer (RFC 6901) into the IR or JSON text, where there is one.
        position: offset in characters into the record's text, where it is known.
        line: 1-based line, counted in the source once the record's place in it is known.
        column: 1-based column, in characters.
        others: further diagnostics of the same record.
    """

    # Filled in by whoever knows where the record came from.
    source: str | None = None
    record: int | None = None
    excerpt: str | None = None

    def __init__(
        self,
        code: ErrorCode,
        message: str,
        *,
        rule: str = "",
        severity: Severity = "error",
        hint: str = "",
        path: str | None = None,
        position: int | None = None,
        line: int | None = None,
        column: int | None = None,
        others: Sequence[SilpError] = (),
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.rule = rule or str(code)
        self.severity = severity
        self.hint = hint
        self.path = path
        self.position = position
        self.line = line
        self.column = column
        self.others = tuple(others)

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"

    def __reduce__(self) -> tuple[object, ...]:
        return _restored, (self.code, self.message, self.__dict__.copy())  # so that it crosses to other processes

    def within(self, text: str) -> SilpError:
        """Fill in line, column and excerpt from the position, for a text that is the whole source; returns self."""
        for each in self.all():
            if each.position is not None and each.excerpt is None:
                line, each.column = line_and_column(text, each.position)
                each.line, each.excerpt = line, text.split("\n", line)[line - 1]
        return self

    def all(self) -> tuple[SilpError, ...]:
        """This diagnostic and the others of the same record, in order."""
        return (self, *self.others)

    def to_dict(self) -> dict[str, object]:
        """The diagnostic as the JSON object of ``--errors json``; absent facts are left out."""
        fields: dict[str, object] = {
            "code": str(self.code),
            "rule": self.rule,
            "severity": self.severity,
            "message": self.message,
            "source": self.source,
            "record": self.record,
            "line": self.line,
            "column": self.column,
            "path": self.path,
            "hint": self.hint or None,
        }
        return {name: value for name, value in fields.items() if value is not None}


def _restored(code: ErrorCode, message: str, state: dict[str, object]) -> SilpError:
    error = SilpError(code, message)
    error.__dict__.update(state)
    return error


def line_and_column(text: str, position: int) -> tuple[int, int]:
    """1-based line and column of a character offset in ``text``."""
    line = text.count("\n", 0, position) + 1
    return line, position - (text.rfind("\n", 0, position) + 1) + 1
