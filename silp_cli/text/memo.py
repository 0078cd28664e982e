"""Remembers what was worked out for a word: most streams say the same few words over and over."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    T = TypeVar("T")


class Memo(dict[str, "T"]):
    """A dictionary that works out what it does not hold, and never grows beyond some thousand short texts.

    Args:
        work_out: gives the value of a text that is not known yet.
        most: how many texts are held before all are forgotten.
    """

    _LONGEST = 64

    def __init__(self, work_out: Callable[[str], T], most: int = 8192) -> None:
        super().__init__()
        self._work_out = work_out
        self._most = most

    def __missing__(self, text: str) -> T:
        value = self._work_out(text)
        if len(text) <= self._LONGEST:
            if len(self) >= self._most:
                self.clear()
            self[text] = value
        return value
