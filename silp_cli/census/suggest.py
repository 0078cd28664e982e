"""Replacements for a verb: words of a list that are one token everywhere, the nearest in sense first."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files

from silp_cli.census.words import FORMS, Word, WordAudit, audit
from silp_cli.ir.verbs import WHITELIST, function_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from silp_cli.census.families import Tokenizer


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A replacement.

    Attributes:
        audit: the word's audit.
        related: how near the list puts it: 2 in a group with the verb, 1 with one of those, 0 neither.
        approved: whether it is on the draft's whitelist.
        forms: the forms of ``words.FORMS`` in which it is one token everywhere.
        likeness: how alike the spellings are, 0 to 1.
    """

    audit: WordAudit
    related: int
    approved: bool
    forms: tuple[str, ...]
    likeness: float

    def to_dict(self) -> dict[str, object]:
        """The suggestion as JSON data."""
        return {
            "verb": self.audit.word.text, "related": self.related, "approved": self.approved,
            "single_token_as": list(self.forms), "likeness": round(self.likeness, 3),
            "counts": self.audit.counts,
        }


def shipped_list() -> str:
    """The text of the word list that comes with the package."""
    return files("silp_cli.census").joinpath("verbs.txt").read_text(encoding="utf-8")


def parse_groups(text: str) -> list[tuple[str, ...]]:
    """Read a word list: one word or one group of related words a line, ``#`` starts a comment."""
    groups = []
    for line in text.splitlines():
        words = tuple(word.lower().removeprefix("!") for word in line.partition("#")[0].split())
        if words:
            groups.append(words)
    return groups


def suggest(
    verb: str, groups: Iterable[tuple[str, ...]], tokenizers: Sequence[Tokenizer], form: str = "bare"
) -> list[Suggestion]:
    """Rank the replacements for a verb.

    Args:
        verb: what is to be replaced, as function name.
        groups: the word list.
        tokenizers: the tokenizers in which a replacement must be one token.
        form: the form in which it must be, a key of ``words.FORMS``.

    Returns:
        Words that pass, best first: by sense, by standing on the whitelist, by the number of forms in which
        they are one token everywhere, by spelling.
    """
    from difflib import SequenceMatcher

    groups = list(groups)
    near = {word for group in groups if verb in group for word in group}
    further = {word for group in groups if near.intersection(group) for word in group}
    approved = {function_name(code) for code in WHITELIST}
    words = dict.fromkeys(word for group in groups for word in group if word != verb)
    found = []
    for number, word in enumerate(words, 1):
        place = [Word(word, "list", number)]
        verdict = next(audit(place, tokenizers, form))
        if not (verdict.single_token and verdict.unk_free):
            continue
        forms = tuple(
            each for each in FORMS if each == form or next(audit(place, tokenizers, each)).single_token
        )
        found.append(Suggestion(
            verdict, 2 if word in near else 1 if word in further else 0, word in approved, forms,
            SequenceMatcher(None, verb, word).ratio(),
        ))
    return sorted(
        found, key=lambda each: (-each.related, not each.approved, -len(each.forms), -each.likeness,
                                 each.audit.word.text),
    )
