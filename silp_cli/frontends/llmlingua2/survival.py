"""What must survive compression, and what did not."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from silp_cli.frontends.llmlingua2.chunk import Spans, Word
    from silp_cli.frontends.llmlingua2.options import Options
    from silp_cli.frontends.natural import Piece

_NEGATION = re.compile(
    r"(?<!\w)(?:not|no|never|none|nor|neither|nothing|without|except|unless|otherwise|cannot|\w+n['’]t)(?!\w)",
    re.IGNORECASE,
)
_RUN = re.compile(r"\S+")
_DIGIT = re.compile(r"\d")
_TRAILING = ",.;:)"


def protected_spans(pieces: list[Piece], text: str, options: Options) -> Spans:
    """Where the prose holds what the options say must survive.

    Args:
        pieces: the prose in pieces.
        text: the same, joined.
        options: ``keep`` and ``force_tokens``.
    """
    spans: Spans = []
    if options.keep:
        offset = 0
        for piece, slot in pieces:
            verb = slot == "intent" or slot.endswith(" action")
            if verb or slot == "else" or slot.endswith(" negation") or (slot and piece.startswith('"')):
                spans.append((offset, offset + len(piece)))
            offset += len(piece)
        spans += [match.span() for match in _NEGATION.finditer(text)]
        for match in _RUN.finditer(text):
            if _DIGIT.search(match.group()):
                spans.append((match.start(), match.start() + len(match.group().rstrip(_TRAILING))))
    for token in options.force_tokens:
        spans += [match.span() for match in _whole(token).finditer(text)]
    return _merged(spans)


def _whole(token: str) -> re.Pattern[str]:
    """A pattern for a token that is no part of a longer word."""
    before = r"(?<!\w)" if token[:1].isalnum() else ""
    after = r"(?!\w)" if token[-1:].isalnum() else ""
    return re.compile(before + re.escape(token) + after, re.IGNORECASE)


def _merged(spans: Spans) -> Spans:
    merged: Spans = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged


def lost_slots(pieces: list[Piece], words: list[Word]) -> list[str]:
    """The slots of which a character was dropped, in the order of the prose, each once.

    Args:
        pieces: the prose in pieces.
        words: all of its words, kept and dropped.
    """
    there = bytearray(sum(len(piece) for piece, _ in pieces))
    for word in words:
        if word.kept:
            there[word.start : word.end] = b"\1" * (word.end - word.start)
    lost: dict[str, None] = {}
    offset = 0
    for piece, slot in pieces:
        if slot:
            start, end = offset, offset + len(piece)
            if len(piece) > 2 and piece.startswith('"') and piece.endswith('"'):
                start, end = start + 1, end - 1  # a value without its quotes is still there
            if any(not there[at] and not piece[at - offset].isspace() for at in range(start, end)):
                lost[slot] = None
        offset += len(piece)
    return list(lost)
