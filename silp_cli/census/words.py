"""Audit of words: how many tokens each string is, alone or in place, and whether all models agree."""

from __future__ import annotations

from math import fsum, sqrt
from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from silp_cli.census.families import Token, Tokenizer

# What stands before and after the word. In a payload, a call follows "; " or ": ".
FORMS: dict[str, tuple[tuple[str, str], ...]] = {
    "bare": (("", ""),),
    "call": (("", "("),),
    "context": (("; ", "(x)"), (": ", "(x)")),
}

# Draft, section "Structural Token Verification".
STRUCTURAL: tuple[str, ...] = ("if", "else", "and", "not", "(", ")", ",", ";", ":", "!", "@", "->")


class Word(NamedTuple):
    """A string to audit and where it came from.

    Attributes:
        text: the string.
        source: file name, ``stdin``, ``structural`` or ``whitelist``.
        line: 1-based line in the source.
        excluded: whether the draft excludes this verb; such a one is shown and not judged.
    """

    text: str
    source: str
    line: int
    excluded: bool = False


class Reading:
    """How one tokenizer takes one string.

    Attributes:
        count: number of tokens that carry the string.
        tokens: those tokens.
        merged: whether a token reaches beyond the string, over more than the space before it.
    """

    __slots__ = ("count", "merged", "tokens")

    def __init__(self, count: int, tokens: tuple[Token, ...], merged: bool = False) -> None:
        self.count = count
        self.tokens = tokens
        self.merged = merged

    @property
    def single(self) -> bool:
        """Exactly one token, with nothing else in it."""
        return self.count == 1 and not self.merged

    @property
    def unknown(self) -> int:
        """Number of UNK tokens."""
        return sum(token.mark == "unknown" for token in self.tokens)

    @property
    def byte_fallback(self) -> int:
        """Number of single-byte fallback tokens."""
        return sum(token.mark == "byte" for token in self.tokens)


class WordAudit(NamedTuple):
    """One string under every tokenizer, with the verdict."""

    word: Word
    readings: dict[str, Reading]

    @property
    def counts(self) -> dict[str, int]:
        """Token count by tokenizer."""
        return {name: reading.count for name, reading in self.readings.items()}

    @property
    def single_token(self) -> bool:
        """One token in every tokenizer."""
        return all(reading.single for reading in self.readings.values())

    @property
    def unk_free(self) -> bool:
        """No UNK in any tokenizer. (Byte fallback loses nothing: it is reported beside.)"""
        return not any(reading.unknown for reading in self.readings.values())

    @property
    def byte_fallback(self) -> bool:
        """Whether any tokenizer falls back to bytes."""
        return any(reading.byte_fallback for reading in self.readings.values())

    @property
    def range(self) -> int:
        """Largest count less the smallest."""
        counts = self.counts.values()
        return max(counts) - min(counts)

    @property
    def stdev(self) -> float:
        """Population standard deviation of the counts."""
        counts = list(self.counts.values())
        mean = fsum(counts) / len(counts)
        return sqrt(fsum((count - mean) ** 2 for count in counts) / len(counts))

    def to_dict(self) -> dict[str, object]:
        """The audit as JSON data. Tokens that are no whole characters are given as hexadecimal bytes."""
        fields: dict[str, object] = {
            "string": self.word.text, "source": self.word.source, "line": self.word.line,
            "counts": self.counts, "single_token": self.single_token, "unk_free": self.unk_free,
            "byte_fallback": self.byte_fallback, "range": self.range, "stdev": round(self.stdev, 4),
            "tokens": {
                name: [spell(token) for token in reading.tokens] for name, reading in self.readings.items()
            },
        }
        for key, marks in (
            ("unknown", {name: reading.unknown for name, reading in self.readings.items()}),
            ("byte_tokens", {name: reading.byte_fallback for name, reading in self.readings.items()}),
        ):
            if any(marks.values()):
                fields[key] = {name: number for name, number in marks.items() if number}
        merged = [name for name, reading in self.readings.items() if reading.merged]
        if merged:
            fields["merged"] = merged
        if self.word.excluded:
            fields["excluded"] = True
        return fields


def spell(token: Token) -> str | dict[str, str]:
    """A token as JSON data."""
    return token.piece if isinstance(token.piece, str) else {"bytes": token.piece.hex()}


def read(tokenizer: Tokenizer, text: str, form: str = "bare") -> Reading:
    """How a tokenizer takes a string in a form; where a form has several places, the worst of them.

    Args:
        tokenizer: the tokenizer.
        text: the string.
        form: a key of ``FORMS``.
    """
    readings = [_read(tokenizer, before, text, after) for before, after in FORMS[form]]
    return max(readings, key=lambda reading: (reading.merged, reading.count))


def _read(tokenizer: Tokenizer, before: str, text: str, after: str) -> Reading:
    if not before and not after:
        tokens = tokenizer.tokens(text)
        return Reading(len(tokens), tuple(tokens))
    text = tokenizer.normalize(text)
    start = len(before.encode())
    end = start + len(text.encode())
    tokens = [
        token for token in tokenizer.tokens(before + text + after)
        if token.start < end and (token.end > start or start == 0)
    ]
    # Whatever carries the word may carry the space before it too: no other token would ever be used there.
    merged = bool(tokens) and (tokens[-1].end > end or tokens[0].start < start - 1)
    return Reading(len(tokens), tuple(tokens), merged)


def audit(words: Iterable[Word], tokenizers: Sequence[Tokenizer], form: str = "bare") -> Iterator[WordAudit]:
    """Audit strings one by one.

    Args:
        words: the strings.
        tokenizers: the tokenizers to ask.
        form: ``bare`` (the word alone), ``call`` (as ``cancel(``) or ``context`` (inside a payload).
    """
    for word in words:
        yield WordAudit(word, {each.name: read(each, word.text, form) for each in tokenizers})


class WordSummary:
    """Totals over the audited strings."""

    def __init__(self) -> None:
        self.strings = 0
        self.single_token = 0
        self.unk_free = 0
        self.widest = 0

    def add(self, audit: WordAudit) -> None:
        """Count one more string."""
        self.strings += 1
        self.single_token += audit.single_token
        self.unk_free += audit.unk_free
        self.widest = max(self.widest, audit.range)

    def to_dict(self) -> dict[str, int]:
        """The totals as JSON data."""
        return {
            "strings": self.strings, "single_token": self.single_token, "unk_free": self.unk_free,
            "largest_range": self.widest,
        }
