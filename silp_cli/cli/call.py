"""What a command line asks for: a function by name, and what it is called with."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Call:
    """A call that a command line stands for.

    Args:
        target: the function as ``module:name``.
        arguments: its keyword arguments.
    """

    __slots__ = ("arguments", "target")

    def __init__(self, target: str, arguments: dict[str, Any]) -> None:
        self.target = target
        self.arguments = arguments

    def run(self) -> int:
        """Import the function and call it; return the exit status."""
        module, _, name = self.target.partition(":")
        return int(getattr(__import__(module, fromlist=[name]), name)(**self.arguments))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Call) and (self.target, self.arguments) == (other.target, other.arguments)

    def __hash__(self) -> int:
        return hash(self.target)

    def __repr__(self) -> str:
        return f"Call({self.target!r}, {self.arguments!r})"
