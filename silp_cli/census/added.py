"""Vocabularies that users bring: ``*.tiktoken`` ranks, sentencepiece models, ``tokenizer.json``."""

from __future__ import annotations

import hashlib
import os

from silp_cli.census.families import SPLITS
from silp_cli.census.tokenizers import build
from silp_cli.census.vocabularies import (
    Vocabulary,
    VocabularyError,
    check_name,
    directory,
    find,
    forget_added,
    names,
    read_verified,
    record_added,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from silp_cli.census.vocabularies import Kind

RULES: tuple[str, ...] = tuple(SPLITS)


def add(
    name: str, data: bytes, *, rules: str = "", replace: bool = False, where: str | None = None
) -> Vocabulary:
    """Take a vocabulary into the cache under a name of its own.

    Args:
        name: the name.
        data: the file's bytes; what kind of file it is, is found out by reading.
        rules: for ranks, whose way of splitting text applies, since the file does not say (default: gpt-3.5).
        replace: let it take the place of another one of that name.
        where: the cache directory, where it is not the usual one.

    Raises:
        VocabularyError: for a name that cannot be had, or bytes that no tokenizer can be made of.
        OSError: when the cache directory cannot be written.
    """
    check_name(name)
    base = directory(where)
    kind = kind_of(data)
    vocabulary = Vocabulary(
        name, kind, hashlib.sha256(data).hexdigest(), len(data), licence="the user's own",
        rules=(rules or "gpt-3.5") if kind == "ranks" else "",
    )
    if not replace and _other_is_there(vocabulary, base):
        raise VocabularyError(f"there is another vocabulary '{name}'; --replace puts this one in its place")
    try:
        tokenizer = build(vocabulary, data, base)
        tokenizer.tokens("if loc(me,Beijing,t+1am): cancel(flight) \u00e9\U0001f600")
    except (KeyError, ValueError) as error:
        raise VocabularyError(f"no tokenizer can be made of it: {error}") from None
    if name in names(base):
        forget_added(name, base)  # the old file may have another suffix
    record_added(vocabulary, data, base)
    return vocabulary


def _other_is_there(vocabulary: Vocabulary, base: str) -> bool:
    if vocabulary.name not in names(base):
        return False
    try:
        there = find(vocabulary.name, base)
        read_verified(there, base)
    except VocabularyError:
        return False  # damaged or gone: this is the repair
    return (there.sha256, there.rules) != (vocabulary.sha256, vocabulary.rules)


def remove(name: str, where: str | None = None) -> None:
    """Drop an added vocabulary.

    Raises:
        VocabularyError: when there is none of that name, or it is a pinned one.
    """
    check_name(name)
    base = directory(where)
    find(name, base)
    forget_added(name, base)


def kind_of(data: bytes) -> Kind:
    """What kind of vocabulary some bytes are."""
    head = data[:4096].lstrip()
    if head.startswith(b"{"):
        return "json"
    first = head.split(b"\n", 1)[0].split()
    if len(first) == 2 and first[1].isdigit() and first[0].isascii():
        return "ranks"
    return "sentencepiece"


def read_file(path: str) -> bytes:
    """The bytes of a user's file.

    Raises:
        VocabularyError: when it cannot be read.
    """
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise VocabularyError(f"{os.fspath(path)}: {error.strerror}") from None
