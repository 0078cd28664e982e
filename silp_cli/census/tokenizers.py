"""The tokenizers by name. Each is loaded when first asked for, from a verified file, without the network.

``load("gpt-4o").count("cancel")`` is 1.
"""

from __future__ import annotations

from silp_cli.census import vocabularies
from silp_cli.census.families import JsonTokenizer, RanksTokenizer, SentencePieceTokenizer, Token, Tokenizer
from silp_cli.census.vocabularies import Vocabulary, VocabularyDamaged

__all__ = ["TOKENIZERS", "Token", "Tokenizer", "build", "installed", "load"]

# The draft's six, in its order.
TOKENIZERS: tuple[str, ...] = tuple(vocabularies.PINNED)

_loaded: dict[tuple[str, str], Tokenizer] = {}


def installed(directory: str | None = None) -> list[str]:
    """The names of the tokenizers whose vocabulary is there: the six, then the added ones."""
    return vocabularies.installed(directory)


def load(name: str, directory: str | None = None) -> Tokenizer:
    """The tokenizer of a name.

    Args:
        name: one of ``TOKENIZERS``, or a name given to ``silp vocab add``.
        directory: the cache directory, where it is not the usual one.

    Raises:
        VocabularyError: the vocabulary is unknown, missing or damaged; the message says what to run.
    """
    base = vocabularies.directory(directory)
    if (name, base) not in _loaded:
        vocabulary = vocabularies.find(name, base)
        _loaded[name, base] = build(vocabulary, vocabularies.read_verified(vocabulary, base), base)
    return _loaded[name, base]


def build(vocabulary: Vocabulary, data: bytes, directory: str) -> Tokenizer:
    """Make a tokenizer of a vocabulary's bytes.

    Raises:
        VocabularyError: when the bytes are no vocabulary of that kind.
    """
    try:
        if vocabulary.kind == "ranks":
            return RanksTokenizer(vocabulary, data, directory)
        if vocabulary.kind == "sentencepiece":
            return SentencePieceTokenizer(vocabulary, data)
        return JsonTokenizer(vocabulary, data)
    except (ValueError, RuntimeError) as error:
        reason = str(error).strip().split("\n")[0]
        raise VocabularyDamaged(
            f"{vocabulary.name}: not a vocabulary of kind {vocabulary.kind}: {reason}"
        ) from None
