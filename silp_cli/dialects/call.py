"""What reading a text gives, in the order of the text: calls, payloads, problems, and what was passed over."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from silp_cli.ir.errors import SilpError


class _Span:
    """A part of the text that was read; ``start`` and ``end`` are offsets in characters into the whole text."""

    __slots__ = ("end", "start")

    def __init__(self, start: int, end: int) -> None:
        self.start = start
        self.end = end

    def _facts(self) -> tuple[Any, ...]:
        names = [name for base in type(self).__mro__ for name in getattr(base, "__slots__", ())]
        return tuple((name, getattr(self, name)) for name in sorted(names))

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._facts() == other._facts()

    def __hash__(self) -> int:
        return hash((type(self), self.start, self.end))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self._facts())})"


class Call(_Span):
    """A tool call that stands in the text as a call.

    Args:
        name: the tool's name as it was written.
        arguments: the arguments by name, in order, with JSON types.
        id: the call's id where the dialect gives one.
        dialect: the name of the table's row that read it.
        start: where the call starts in the whole text.
        end: where it ends.
        typed: whether the dialect tells 3 from "3"; without, every value is a string.
        positional: the values without a name.
    """

    __slots__ = ("arguments", "dialect", "id", "name", "positional", "typed")

    def __init__(
        self,
        name: str,
        arguments: dict[str, Any],
        *,
        id: str | None = None,
        dialect: str = "",
        start: int = 0,
        end: int = 0,
        typed: bool = True,
        positional: tuple[Any, ...] = (),
    ) -> None:
        super().__init__(start, end)
        self.name = name
        self.arguments = arguments
        self.id = id
        self.dialect = dialect
        self.typed = typed
        self.positional = positional


class Payload(_Span):
    """A payload of SILP's own code or json surface: one record a statement, whatever it holds.

    Args:
        ir: the decoded IR.
        frontend: ``code`` or ``json``.
        start: where the statement starts in the whole text.
        end: where it ends.
    """

    __slots__ = ("frontend", "ir")

    def __init__(self, ir: dict[str, Any], frontend: str, start: int, end: int) -> None:
        super().__init__(start, end)
        self.ir = ir
        self.frontend = frontend


class Problem(_Span):
    """A construct that should be a call and is none.

    Args:
        error: what is wrong; its ``position`` is an offset into the whole text.
        start: where the construct starts.
        end: where the search went on behind it.
    """

    __slots__ = ("error",)

    def __init__(self, error: SilpError, start: int, end: int) -> None:
        super().__init__(start, end)
        self.error = error


class Passed(_Span):
    """A part of the text that was passed over.

    Args:
        reason: ``reasoning``, ``prose``, ``fence``, ``code``, ``data``, or ``rest``: what stands behind a
            failure whose end is unknown.
        start: where it starts.
        end: where it ends.
        note: what is of use to know besides, such as a fence's tag.
    """

    __slots__ = ("note", "reason")

    def __init__(self, reason: str, start: int, end: int, note: str = "") -> None:
        super().__init__(start, end)
        self.reason = reason
        self.note = note


if TYPE_CHECKING:
    Event = Call | Payload | Problem | Passed
