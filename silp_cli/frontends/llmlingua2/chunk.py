"""What the prose is cut into: chunks that fit the model, and the words that llmlingua keeps or drops."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Spans: TypeAlias = "list[tuple[int, int]]"  # (start, end) in the prose, in order, none touching the next


class Word:
    """A stretch of the prose that is kept or dropped as one.

    Attributes:
        start: offset of its first character in the prose.
        end: offset behind its last one.
        known: whether llmlingua sees it; what its tokenizer has no token for, it drops without a word.
        forced: whether it survives whatever the model says.
        kept: whether it survived.
    """

    __slots__ = ("end", "forced", "kept", "known", "start")

    def __init__(self, start: int, end: int, *, known: bool) -> None:
        self.start = start
        self.end = end
        self.known = known
        self.forced = False
        self.kept = False


class Chunk:
    """As much of the prose as goes through the model at once.

    Attributes:
        text: that part of the prose.
        ids: its token ids.
        words: its words, in order.
        forced_tokens: indices into ``ids`` of the tokens of forced words.
    """

    __slots__ = ("forced_tokens", "ids", "text", "words")

    def __init__(self, text: str, ids: list[int], words: list[Word], forced_tokens: frozenset[int]) -> None:
        self.text = text
        self.ids = ids
        self.words = words
        self.forced_tokens = forced_tokens
