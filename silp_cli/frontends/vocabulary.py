"""A way for frontends to reach a vocabulary of the census, which stands above them and may not be imported here."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_find: Callable[[str], str | None] | None = None


def set_finder(find: Callable[[str], str | None]) -> None:
    """Say how a tokenizer's name becomes the path of its vocabulary; None where there is none."""
    global _find
    _find = find


def find_vocabulary(name: str) -> str | None:
    """The path of a tokenizer's vocabulary on this machine, if it is known."""
    return None if _find is None else _find(name)
