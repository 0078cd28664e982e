"""tiktoken ranks: parsed once, then kept in a form that loads several times faster than base64 lines."""

from __future__ import annotations

import base64
import hashlib
import marshal
import os
import sys

from silp_cli.census.vocabularies import VocabularyError, write_whole

_MAGIC = b"silp-ranks-1\n"


def parse_ranks(data: bytes) -> dict[bytes, int]:
    """Parse ``base64 rank`` lines.

    Raises:
        VocabularyError: for a line of any other form, or ranks that no encoder can be made of.
    """
    ranks: dict[bytes, int] = {}
    try:
        for line in data.splitlines():
            if line:
                token, rank = line.split()
                ranks[base64.b64decode(token, validate=True)] = int(rank)
    except ValueError:
        raise VocabularyError(f"a line is not 'base64 rank', as in a .tiktoken file: {line[:40]!r}") from None
    # tiktoken takes these for granted and stops the process where they do not hold.
    lacking = [byte for byte in range(256) if bytes([byte]) not in ranks]
    if lacking:
        raise VocabularyError(f"the ranks have no token for byte 0x{lacking[0]:02x}")
    if len(set(ranks.values())) != len(ranks) or not 0 <= min(ranks.values()) <= max(ranks.values()) < 1 << 31:
        raise VocabularyError("the ranks are not distinct numbers from 0 up")
    return ranks


def load_ranks(data: bytes, sha256: str, directory: str) -> dict[bytes, int]:
    """The ranks of a vocabulary, from the fast copy beside it where there is one.

    Args:
        data: the vocabulary's bytes, already verified.
        sha256: their hash; the copy is kept under it.
        directory: the cache directory. A read-only one costs time and nothing else.
    """
    path = os.path.join(directory, "fast", f"{sha256}.{sys.implementation.cache_tag}")
    ranks = _read_copy(path)
    if ranks is None:
        ranks = parse_ranks(data)
        body = marshal.dumps(ranks)
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            write_whole(path, _MAGIC + hashlib.sha256(body).digest() + body)
        except OSError:
            pass  # read-only or full: the next start parses again
    return ranks


def _read_copy(path: str) -> dict[bytes, int] | None:
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError:
        return None
    start = len(_MAGIC) + 32
    body = memoryview(data)[start:]
    # marshal trusts its input, so a damaged copy must not reach it.
    if data[:start] != _MAGIC + hashlib.sha256(body).digest():
        return None
    ranks: dict[bytes, int] = marshal.loads(body)
    return ranks
