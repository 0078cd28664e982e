"""The strings of an audit that have a name: the draft's tokens and verbs, and the verbs of a file."""

from __future__ import annotations

from silp_cli.census.words import STRUCTURAL, Word
from silp_cli.ir.verbs import EXCLUDED, WHITELIST, function_name, parse_verbs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def structural_words() -> Iterator[Word]:
    """The draft's structural tokens."""
    for number, text in enumerate(STRUCTURAL, 1):
        yield Word(text, "structural", number)


def whitelist_words() -> Iterator[Word]:
    """The draft's verbs, and the two that it excludes."""
    for number, code in enumerate([*WHITELIST, *EXCLUDED], 1):
        yield Word(function_name(code), "whitelist", number, excluded=code in EXCLUDED)


def verb_words(text: str, source: str) -> Iterator[Word]:
    """The verbs of a file's text, one a line.

    Raises:
        ValueError: for a line that is no verb, with its place.
    """
    for number, line in enumerate(text.splitlines(), 1):
        try:
            codes = parse_verbs(line)
        except ValueError as error:
            raise ValueError(f"{source}:{number}: {str(error).partition(': ')[2]}") from None
        for code in codes:
            yield Word(function_name(code), source, number)
