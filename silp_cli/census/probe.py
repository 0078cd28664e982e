"""The draft's experiment on disguised words (section "Zero-Width and Homoglyph Attacks"), for any words and tokenizers.

A probe is a word with one of the four zero-width characters inside, or with letters replaced by Cyrillic look-alikes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from silp_cli.ir.verbs import WHITELIST, function_name
from silp_cli.text.sanitize.classes import DRAFT_FOUR
from silp_cli.text.sanitize.engine import clean
from silp_cli.text.sanitize.homoglyphs import lookalikes, table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from silp_cli.census.families import Tokenizer

# The draft probes five verbs and names none; these are the first five of its whitelist.
DEFAULT_WORDS: tuple[str, ...] = tuple(function_name(verb) for verb in WHITELIST[:5])

POSITIONS = ("middle", "start", "end", "all")


@dataclass(frozen=True, slots=True)
class Probe:
    """A disguised word.

    Attributes:
        word: the plain word.
        text: the disguised one.
        kind: ``"zero-width"`` or ``"homoglyph"``.
        chars: the foreign characters in ``text``, each once.
        positions: 0-based offsets of the foreign characters in ``text``.
    """

    word: str
    text: str
    kind: str
    chars: str
    positions: tuple[int, ...]

    @property
    def cleaned(self) -> bool:
        """Whether ``silp sanitize`` gives the plain word back."""
        return clean(self.text) == self.word


@dataclass(frozen=True, slots=True)
class Result:
    """What a disguise does to a tokenizer.

    Attributes:
        tokenizer: its name.
        before: tokens of the plain word.
        after: tokens of the disguised word.
        altered: whether the tokens differ at all, which they may with the same count.
    """

    tokenizer: str
    before: int
    after: int
    altered: bool


def probes(word: str, at: str = "middle") -> Iterator[Probe]:
    """The disguises of a word.

    Args:
        word: the word.
        at: where a zero-width character goes: one of ``POSITIONS``; ``"all"`` is between all characters in turn.
    """
    places = {
        "middle": [(len(word) + 1) // 2], "start": [0], "end": [len(word)], "all": list(range(1, len(word))),
    }[at]
    for char in DRAFT_FOUR:
        for place in places:
            yield Probe(word, word[:place] + char + word[place:], "zero-width", char, (place,))
    alike = cyrillic()
    replaceable = [i for i, char in enumerate(word) if char in alike]
    for i in replaceable:
        yield _replaced(word, (i,), alike)
    if len(replaceable) > 1:
        yield _replaced(word, tuple(replaceable), alike)


def _replaced(word: str, places: tuple[int, ...], alike: dict[str, str]) -> Probe:
    text = "".join(alike[char] if i in places else char for i, char in enumerate(word))
    return Probe(word, text, "homoglyph", "".join(dict.fromkeys(text[i] for i in places)), places)


def cyrillic() -> dict[str, str]:
    """ASCII letter -> the Cyrillic letter (of the lowest code point) that looks like it, by Unicode TR39."""
    data = table()
    found: dict[str, str] = {}
    for char, plain in sorted(lookalikes().items()):
        if data.script(char) == "CYRILLIC" and plain.isalpha():
            found.setdefault(plain, char)
    return found


def measure(probe: Probe, tokenizers: Sequence[Tokenizer]) -> list[Result]:
    """Count a probe under each tokenizer."""
    results = []
    for tokenizer in tokenizers:
        before, after = tokenizer.encode(probe.word), tokenizer.encode(probe.text)
        results.append(Result(tokenizer.name, len(before), len(after), before != after))
    return results
