"""The three families of tokenizers: tiktoken ranks, sentencepiece models, ``tokenizer.json``.

All count plain text: no special tokens are added, and text that spells one (``<|endoftext|>``, ``<s>``)
counts as the ordinary text it is. Lone surrogates, which no tokenizer can take, count as U+FFFD.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from typing import Any, NamedTuple

from silp_cli.ir.errors import ErrorCode, SilpError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Literal

    from silp_cli.census.vocabularies import Vocabulary

    Normalization = Literal["NFC", "NFKC"]


class Token(NamedTuple):
    """One token of a text.

    Attributes:
        id: number in the vocabulary.
        piece: what it stands for: text, or bytes where they are no whole characters.
        start: offset in bytes into the normalised text.
        end: offset of its end.
        mark: empty, ``"unknown"`` (UNK) or ``"byte"`` (a single byte, for want of a better token).
    """

    id: int
    piece: str | bytes
    start: int
    end: int
    mark: str


class Tokenizer(ABC):
    """What the tokenizers have in common.

    Attributes:
        name: what users call it.
        normalization: Unicode form that text is brought into first, or None.
        shares: whether the library itself shares the texts of ``count_many`` among threads.
    """

    name: str
    normalization: Normalization | None = None
    shares: bool = False

    @abstractmethod
    def encode(self, text: str) -> list[int]:
        """Token ids of a text, without BOS or other special tokens."""

    @abstractmethod
    def tokens(self, text: str) -> list[Token]:
        """The tokens of a text with what they stand for."""

    def count(self, text: str) -> int:
        """Number of tokens of a text."""
        return len(self.encode(text))

    def count_many(self, texts: Sequence[str]) -> list[int]:
        """Number of tokens of each text, as fast as the library can."""
        return [len(self.encode(text)) for text in texts]

    def pieces(self, text: str) -> list[str | bytes]:
        """What each token stands for: text, or bytes where they are no whole characters."""
        return [token.piece for token in self.tokens(text)]

    def unknown(self, text: str) -> int:
        """How many UNK tokens a text takes."""
        return sum(token.mark == "unknown" for token in self.tokens(text))

    def byte_fallback(self, text: str) -> int:
        """How many single-byte fallback tokens a text takes."""
        return sum(token.mark == "byte" for token in self.tokens(text))

    def normalize(self, text: str) -> str:
        """The text as the vocabulary sees it."""
        text = plain(text)
        if self.normalization is None:
            return text
        import unicodedata

        return unicodedata.normalize(self.normalization, text)


def plain(text: str) -> str:
    """The text with every lone surrogate as U+FFFD."""
    return text if text.isascii() else re.sub("[\ud800-\udfff]", "\ufffd", text)


def _piece(data: bytes) -> str | bytes:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data


def _place(parts: Sequence[tuple[int, bytes, str]], text: str) -> list[Token]:
    """Tokens of (id, bytes, mark), whose bytes end where the text does; a dummy prefix falls off."""
    position = len(text.encode()) - sum(len(data) for _, data, _ in parts)
    tokens = []
    for id, data, mark in parts:
        start, position = position, position + len(data)
        tokens.append(Token(id, _piece(data), max(start, 0), max(position, 0), mark))
    return tokens


# ---------------------------------------------------------------- tiktoken

_CONTRACTIONS = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_UPPER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]"
_LOWER = r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
_LEAD = r"[^\r\n\p{L}\p{N}]?"
_BREAKS = r"\s*[\r\n]+|\s+(?!\S)|\s+"

# How each vocabulary splits text before it merges bytes: facts of the vocabularies.
SPLITS: dict[str, str] = {
    "gpt-4o": "|".join((
        f"{_LEAD}{_UPPER}*{_LOWER}+{_CONTRACTIONS}?", f"{_LEAD}{_UPPER}+{_LOWER}*{_CONTRACTIONS}?",
        r"\p{N}{1,3}", r" ?[^\s\p{L}\p{N}]+[\r\n/]*", _BREAKS,
    )),
    "gpt-3.5": "|".join((
        r"'(?i:[sdmt]|ll|ve|re)", r"[^\r\n\p{L}\p{N}]?+\p{L}++", r"\p{N}{1,3}+",
        r" ?[^\s\p{L}\p{N}]++[\r\n]*+", r"\s++$|\s*[\r\n]|\s+(?!\S)|\s",
    )),
    "qwen2.5": "|".join((
        _CONTRACTIONS, rf"{_LEAD}\p{{L}}+", r"\p{N}", r" ?[^\s\p{L}\p{N}]+[\r\n]*", _BREAKS,
    )),
}


# tiktoken's regular expressions give up at a million steps back, which a single run of white space can take.
_LONGEST_BLANK = 900_000


class RanksTokenizer(Tokenizer):
    """Byte pair encoding by tiktoken; every byte has a token, so there is neither UNK nor fallback."""

    def __init__(self, vocabulary: Vocabulary, data: bytes, directory: str) -> None:
        import tiktoken

        from silp_cli.census.ranks import load_ranks

        self.name = vocabulary.name
        self.normalization = "NFC" if vocabulary.rules == "qwen2.5" else None
        self._encoding = tiktoken.Encoding(
            vocabulary.name,
            pat_str=SPLITS[vocabulary.rules or "gpt-3.5"],
            mergeable_ranks=load_ranks(data, vocabulary.sha256, directory),
            special_tokens={},
        )

    def encode(self, text: str) -> list[int]:
        """Token ids of a text.

        Raises:
            SilpError: for a run of white space that is too long for the library.
        """
        text = self.normalize(text)
        if len(text) >= _LONGEST_BLANK and (blank := re.search(rf"\s{{{_LONGEST_BLANK},}}+", text)):
            raise SilpError(
                ErrorCode.INVALID_SYNTAX,
                f"{len(blank.group())} characters of white space in a row cannot be counted",
                rule="census.white-space", position=blank.start(),
                hint=f"{self.name} takes less than {_LONGEST_BLANK} of them",
            )
        return self._encoding.encode_ordinary(text)

    def count_many(self, texts: Sequence[str]) -> list[int]:
        """Number of tokens of each text: a loop, since tiktoken's batches hand each text to a thread."""
        simple = all(map(str.isascii, texts)) and max(map(len, texts), default=0) < _LONGEST_BLANK
        return list(map(len, map(self._encoding.encode_ordinary if simple else self.encode, texts)))

    def tokens(self, text: str) -> list[Token]:
        """The tokens of a text."""
        text = self.normalize(text)
        single = self._encoding.decode_single_token_bytes
        return _place([(id, single(id), "") for id in self.encode(text)], text)


# ---------------------------------------------------------------- sentencepiece

# Gemma's model matches its turn marks inside text; what a user wrote must not open a turn.
_TURN_MARKS = ("<mask>", "<2mass>", "[@BOS@]", "<start_of_turn>", "<end_of_turn>")
_CONTROL = b"\x18\x03"
_USER_DEFINED = b"\x18\x04"


def _disarm(model: bytes) -> bytes:
    """The serialized model with its turn marks as control symbols, which text never matches."""
    for mark in _TURN_MARKS:
        # ModelProto.SentencePiece: field 1 the piece, field 2 its score (4 bytes), field 3 its type.
        entry = b"\x0a" + bytes([len(mark)]) + mark.encode() + b"\x15"
        at = model.find(entry)
        kind = at + len(entry) + 4
        if at >= 0 and model[kind : kind + 2] == _USER_DEFINED:
            model = model[:kind] + _CONTROL + model[kind + 2 :]
    return model


class SentencePieceTokenizer(Tokenizer):
    """A sentencepiece model (Llama 2, Gemma, or a user's)."""

    shares = True

    def __init__(self, vocabulary: Vocabulary, data: bytes) -> None:
        from sentencepiece import SentencePieceProcessor

        self.name = vocabulary.name
        self._processor = SentencePieceProcessor()
        self._processor.LoadFromSerializedProto(_disarm(data))

    def encode(self, text: str) -> list[int]:
        """Token ids of a text."""
        ids: list[int] = self._processor.encode(plain(text))
        return ids

    def count_many(self, texts: Sequence[str]) -> list[int]:
        """Number of tokens of each text; the library's own threads share the work."""
        return [len(ids) for ids in self._processor.encode([plain(text) for text in texts])]

    def tokens(self, text: str) -> list[Token]:
        """The tokens of a text."""
        processor = self._processor
        text = plain(text)
        parts = []
        # Beside the ids, the library gives pieces in which an unknown one is the text that it hides.
        for id, piece in zip(processor.encode(text), processor.encode(text, out_type=str), strict=True):
            if processor.is_byte(id):
                parts.append((id, bytes([int(piece[3:-1], 16)]), "byte"))
            else:
                mark = "unknown" if processor.is_unknown(id) else ""
                parts.append((id, piece.replace("\u2581", " ").encode(), mark))
        return _place(parts, text)


# ---------------------------------------------------------------- tokenizer.json


def _byte_alphabet() -> dict[str, int]:
    """The printable stand-ins that byte-level vocabularies write for bytes, and the bytes they stand for."""
    shown = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    alphabet = {chr(byte): byte for byte in shown}
    hidden = [byte for byte in range(256) if byte not in shown]
    return alphabet | {chr(0x100 + rank): byte for rank, byte in enumerate(hidden)}


class JsonTokenizer(Tokenizer):
    """A ``tokenizer.json`` of the tokenizers library (Claude's published vocabulary, or a user's)."""

    shares = True

    def __init__(self, vocabulary: Vocabulary, data: bytes) -> None:
        from tokenizers import Tokenizer as Library

        self.name = vocabulary.name
        try:
            self._library = Library.from_buffer(data)
        except Exception as error:  # the library raises Exception itself
            raise ValueError(str(error)) from None
        self._library.encode_special_tokens = True
        self._library.no_truncation()
        self._library.no_padding()
        self._unknown = getattr(self._library.model, "unk_token", None)
        self._bytes_of: Callable[[str], bytes] | None = _byte_level if _is_byte_level(self._library) else None

    def _encode(self, text: str) -> Any:
        return self._library.encode(text, add_special_tokens=False)

    def encode(self, text: str) -> list[int]:
        """Token ids of a text."""
        ids: list[int] = self._encode(plain(text)).ids
        return ids

    def count_many(self, texts: Sequence[str]) -> list[int]:
        """Number of tokens of each text; the library's own threads share the work."""
        batch = self._library.encode_batch_fast([plain(text) for text in texts], add_special_tokens=False)
        return [len(encoding) for encoding in batch]

    def normalize(self, text: str) -> str:
        """The text after the vocabulary's own normalizer."""
        normalizer = self._library.normalizer
        text = plain(text)
        return str(normalizer.normalize_str(text)) if normalizer is not None else text

    def tokens(self, text: str) -> list[Token]:
        """The tokens of a text."""
        text = self.normalize(text)
        encoding = self._encode(text)
        if self._bytes_of is not None:
            pairs = zip(encoding.ids, encoding.tokens, strict=True)
            return _place([(id, self._bytes_of(token), "") for id, token in pairs], text)
        tokens = []
        for id, token, (start, end) in zip(encoding.ids, encoding.tokens, encoding.offsets, strict=True):
            at = len(text[:start].encode())
            mark = "unknown" if token == self._unknown else "byte" if re.fullmatch("<0x[0-9A-F]{2}>", token) else ""
            tokens.append(Token(id, text[start:end] or token, at, at + len(text[start:end].encode()), mark))
        return tokens


_ALPHABET: dict[str, int] = {}


def _byte_level(token: str) -> bytes:
    if not _ALPHABET:
        _ALPHABET.update(_byte_alphabet())
    try:
        return bytes(_ALPHABET[char] for char in token)
    except KeyError:
        return token.encode()  # an entry added to the vocabulary as it is


def _is_byte_level(library: Any) -> bool:
    return "ByteLevel" in type(library.decoder).__name__
