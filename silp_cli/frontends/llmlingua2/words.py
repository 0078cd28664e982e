"""Cuts prose into chunks that fit the model and into the words that llmlingua sees, and puts words together again."""

from __future__ import annotations

import re

from silp_cli.frontends.llmlingua2.chunk import Chunk, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from silp_cli.frontends.llmlingua2.chunk import Spans

_NON_SPACE = re.compile(r"\S+")


def split(
    text: str, tokenizer: Any, family: str, special_tokens: set[str], limit: int, protected: Spans
) -> list[Chunk]:
    """Cut prose into chunks and words.

    Args:
        text: the prose.
        tokenizer: a fast tokenizer, which knows where in the text its tokens stand.
        family: llmlingua's name for the kind of tokenizer.
        special_tokens: tokens that llmlingua passes over.
        limit: most tokens in a chunk.
        protected: (start, end) of what must survive, in order and apart.

    Returns:
        The chunks; their words cover all of the prose but white space.
    """
    chunks = []
    for start, end in _cuts(text, 0, len(text), tokenizer, limit, limit):
        part = text[start:end]
        ids, offsets = _encode(tokenizer, part)
        known, members = _known_words(ids, offsets, start, tokenizer, family, special_tokens)
        _settle(text, known)
        words = _with_unknown(text, start, end, known)
        _force(words, protected)
        forced = frozenset(index for word, own in zip(known, members, strict=True) if word.forced for index in own)
        chunks.append(Chunk(part, ids, words, forced))
    return chunks


def assemble(text: str, words: list[Word]) -> str:
    """The words that were kept, with white space wherever there was some between them."""
    parts: list[str] = []
    last = 0
    for word in words:
        if word.kept and word.end > word.start:
            gap = text[last : word.start]
            if parts and gap.strip():
                parts.append(" " if len(gap.split()) > 1 or gap.strip() != gap else "")
            elif parts:
                parts.append(gap)
            parts.append(text[word.start : word.end])
            last = word.end
    kept = "".join(parts)
    return kept if any(map(str.isalnum, kept)) else ""


def _encode(tokenizer: Any, text: str) -> tuple[list[int], list[tuple[int, int]]]:
    encoded = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True, verbose=False)
    return encoded["input_ids"], encoded["offset_mapping"]


def _cuts(text: str, start: int, end: int, tokenizer: Any, aim: int, limit: int) -> list[tuple[int, int]]:
    """Where to cut so that no part has more than ``limit`` tokens: before a word, if one begins in time."""
    _, offsets = _encode(tokenizer, text[start:end])
    if len(offsets) <= limit:
        return [(start, end)]
    cuts: list[tuple[int, int]] = []
    begin, first = start, 0
    while len(offsets) - first > aim:
        cut = first + aim
        while cut > first and not _begins_word(text, start + offsets[cut][0]):
            cut -= 1
        if start + offsets[cut][0] <= begin:
            cut = first + aim
        stop = max(start + offsets[cut][0], begin + 1)
        # A word cut in two may come out as more tokens than it had.
        cuts += _cuts(text, begin, stop, tokenizer, max(1, aim // 2), limit)
        begin, first = stop, cut
    return [*cuts, *_cuts(text, begin, end, tokenizer, max(1, aim // 2), limit)] if begin < end else cuts


def _begins_word(text: str, offset: int) -> bool:
    return offset == 0 or text[offset - 1].isspace() or text[offset].isspace()


def _known_words(
    ids: list[int], offsets: list[tuple[int, int]], start: int, tokenizer: Any, family: str, special_tokens: set[str]
) -> tuple[list[Word], list[list[int]]]:
    """The words as llmlingua joins them from tokens, and the tokens of each."""
    from llmlingua.utils import is_begin_of_new_word

    words: list[Word] = []
    members: list[list[int]] = []
    for index, (token, span) in enumerate(zip(tokenizer.convert_ids_to_tokens(ids), offsets, strict=True)):
        if token in special_tokens:
            continue
        if not words or is_begin_of_new_word(token, family, [], {}):
            words.append(Word(start + span[0], start + span[1], known=True))
            members.append([])
        words[-1].end = max(words[-1].end, start + span[1])
        members[-1].append(index)
    return words, members


def _settle(text: str, words: list[Word]) -> None:
    """Take white space off the words, and each character that two claim from the second."""
    free = 0
    for word in words:
        word.start = max(word.start, free)
        while word.start < word.end and text[word.start].isspace():
            word.start += 1
        while word.start < word.end and text[word.end - 1].isspace():
            word.end -= 1
        word.end = max(word.start, word.end)
        free = word.end


def _with_unknown(text: str, start: int, end: int, known: list[Word]) -> list[Word]:
    """The words of a part, and between them those that the tokenizer has no token for."""
    words: list[Word] = []
    last = start
    for word in [*known, None]:
        stop = end if word is None else word.start
        words += [Word(*found.span(), known=False) for found in _NON_SPACE.finditer(text, last, stop)]
        if word is not None:
            words.append(word)
            last = word.end
    return words


def _force(words: list[Word], protected: Spans) -> None:
    at = 0
    for word in words:
        while at < len(protected) and protected[at][1] <= word.start:
            at += 1
        word.forced = at < len(protected) and protected[at][0] < word.end
