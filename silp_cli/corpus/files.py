"""The files of a corpus, through fsspec: finding them, reading them, writing them whole or not at all."""

from __future__ import annotations

import contextlib
import os
import tempfile
import uuid
from dataclasses import dataclass
from typing import IO, Any, cast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_CHUNK = 1 << 20
# A few bytes of a compressed file may stand for very many.
_ZSTD_CHUNK = 1 << 14

# What a suffix says of a file's contents.
COMPRESSED = {".gz": "gzip", ".zst": "zstd", ".xz": "xz"}


class CorpusError(Exception):
    """A corpus cannot be read or written; the message is one line."""


@dataclass(frozen=True)
class Input:
    """One file.

    Attributes:
        url: its name, as the user would write it.
        size: bytes, as stored; None where the server does not say.
        version: what changes when the file does: its time of change, its ETag.
    """

    url: str
    size: int | None
    version: str

    @property
    def compression(self) -> str | None:
        """How the contents are packed, by suffix."""
        return COMPRESSED.get(os.path.splitext(self.url)[1].lower())


def filesystem(url: str) -> tuple[Any, str]:
    """The file system of a URL, and the path in it.

    Raises:
        CorpusError: when what speaks the URL's protocol is not installed or does not let us in.
    """
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise CorpusError("fsspec is not installed; install it with: pip install 'silp-cli[corpus]'") from None
    try:
        system, path = url_to_fs(url)
    except ImportError as error:
        raise CorpusError(f"{url}: {str(error).splitlines()[0]}") from None
    except ValueError as error:
        raise CorpusError(f"{url}: {error}") from None
    return system, path


def is_local(url: str) -> bool:
    """Whether a URL stands for a path of this machine."""
    return "://" not in url or url.startswith("file://")


def find(patterns: Sequence[str]) -> list[Input]:
    """The files that patterns stand for, each once, in the order of the patterns and of the names.

    Args:
        patterns: paths or URLs, with ``*``, ``?``, ``[…]`` and ``**``.

    Returns:
        The files.

    Raises:
        CorpusError: when a pattern stands for none.
    """
    found: dict[str, Input] = {}
    for pattern in patterns:
        system, path = filesystem(pattern)
        wild = any(mark in path for mark in "*?[")
        try:
            entries = system.glob(path, detail=True) if wild else {path: system.info(path)}
        except OSError as error:
            raise CorpusError(f"{pattern}: {error.strerror or error}") from None
        names = sorted(name for name, entry in entries.items() if entry.get("type") != "directory")
        if not names:
            raise CorpusError(f"{pattern}: no such file")
        for name in names:
            url = _spelled(name, pattern, system)
            entry = entries[name]
            version = next((str(entry[key]) for key in ("ETag", "etag", "mtime", "LastModified") if entry.get(key)), "")
            found.setdefault(url, Input(url, entry.get("size"), version))
    return list(found.values())


def _spelled(name: str, pattern: str, system: Any) -> str:
    """The name of a file in the manner of the pattern that found it."""
    if "://" in pattern:
        return str(system.unstrip_protocol(name))
    return name if os.path.isabs(pattern) else os.path.relpath(name)


def read(url: str, start: int = 0, compression: str | None = None) -> Iterator[bytes]:
    """Yield the contents of a file in chunks.

    Args:
        url: the file.
        start: where to begin, for a file that is not compressed.
        compression: ``gzip``, ``zstd``, ``xz`` or None.

    Raises:
        OSError: when it cannot be read, also when what is compressed is damaged or cut off.
    """
    system, path = filesystem(url)
    with system.open(path, "rb") as raw:
        if start:
            raw.seek(start)
        if compression == "zstd":
            yield from _zstd(raw)
            return
        file = _unpacked(raw, compression)
        while True:
            try:
                chunk = file.read(_CHUNK)
            except OSError:
                raise
            except Exception as error:  # each library has its own family
                if compression is None:
                    raise
                raise OSError(f"damaged {compression} data: {error}") from None
            if not chunk:
                return
            yield chunk


def _unpacked(raw: IO[bytes], compression: str | None) -> IO[bytes]:
    if compression == "gzip":
        import gzip

        return cast("IO[bytes]", gzip.GzipFile(fileobj=raw))
    if compression == "xz":
        import lzma

        return lzma.LZMAFile(raw)
    return raw


def _zstd(raw: IO[bytes]) -> Iterator[bytes]:
    """Like its library's own reader, which takes a file that was cut off for a whole one."""
    try:
        import zstandard
    except ImportError:
        raise OSError("zstandard is not installed; install it with: pip install 'silp-cli[corpus]'") from None
    frame = zstandard.ZstdDecompressor().decompressobj()
    begun = False
    while data := raw.read(_ZSTD_CHUNK):
        while data:
            try:
                chunk = frame.decompress(data)
            except zstandard.ZstdError as error:
                raise OSError(f"damaged zstd data: {error}") from None
            if chunk:
                yield chunk
            begun, data = True, b""
            if frame.eof:
                begun, data = False, frame.unused_data
                frame = zstandard.ZstdDecompressor().decompressobj()
    if begun:
        raise OSError("damaged zstd data: cut off before its end")


@contextlib.contextmanager
def written_whole(url: str) -> Iterator[str]:
    """Give the path of a new local file; when the block ends well, it stands at ``url``, whole, else nothing does."""
    system, path = filesystem(url)
    if is_local(url):
        directory, name = os.path.split(path)
        temporary = os.path.join(directory, f".{name}.{uuid.uuid4().hex}.tmp")
    else:
        descriptor, temporary = tempfile.mkstemp(prefix="silp-")
        os.close(descriptor)
    try:
        yield temporary
        if is_local(url):
            os.replace(temporary, path)
        else:
            system.put_file(temporary, path)  # on an object store a file appears whole
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)


def write_text(url: str, text: str) -> None:
    """Write a small file, whole or not at all."""
    with written_whole(url) as path, open(path, "w", encoding="utf-8") as file:
        file.write(text)


def join(directory: str, name: str) -> str:
    """The URL of a file in a directory."""
    return f"{directory.rstrip('/')}/{name}" if directory != "/" else f"/{name}"


def make_directory(url: str) -> None:
    """Make a directory with those above it; nothing to do where there are only names of objects."""
    system, path = filesystem(url)
    if is_local(url):
        os.makedirs(path, exist_ok=True)
    else:
        with contextlib.suppress(FileExistsError):
            system.makedirs(path, exist_ok=True)


def read_all(directory: str, suffix: str) -> dict[str, bytes]:
    """The contents of the files of a directory whose names end so, by name; none where there is no directory."""
    system, path = filesystem(directory)
    system.invalidate_cache()
    try:
        names = [name for name in system.ls(path, detail=False) if name.endswith(suffix)]
    except FileNotFoundError:
        return {}
    contents = system.cat(names) if names else {}
    return {os.path.basename(name): data for name, data in contents.items()}


def sizes(directory: str) -> dict[str, int]:
    """The sizes of the files of a directory, by name."""
    system, path = filesystem(directory)
    system.invalidate_cache()
    try:
        return {os.path.basename(entry["name"]): entry["size"] for entry in system.ls(path, detail=True)}
    except FileNotFoundError:
        return {}


def remove(url: str, *, recursive: bool = False) -> None:
    """Remove a file or directory that may be there."""
    system, path = filesystem(url)
    with contextlib.suppress(FileNotFoundError):
        system.rm(path, recursive=recursive)
