"""A compile lock on disk: appends that are atomic, durable, and safe beside those of other processes.

An append takes the file's lock (``flock``), writes its lines behind the sealed ones, waits for the disk, and
then replaces the seal in place. Whatever dies in between leaves the sealed lines as they were, and behind
them whole lines, which the next append takes over, or a torn one, which ``repair`` cuts off.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from silp_cli.ir.errors import ErrorCode, SilpError
from silp_cli.protocol.lock.format import (
    SEAL_SIZE,
    Entry,
    Seal,
    broken,
    make_entry,
    read_entries,
    read_lock,
    read_seal,
    sha256,
    unsealed,
)
from silp_cli.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

TOOL = f"silp {__version__}"


@dataclass(frozen=True, slots=True)
class Frozen:
    """What an append freezes.

    Attributes:
        ir: hash of the IR (``lock_format.ir_hash``).
        surface: hash of the surface text (``lock_format.surface_hash``).
        frontend: the frontend's name.
        grammar: version of its grammar.
    """

    ir: str
    surface: str
    frontend: str
    grammar: str = "none"


def timestamp() -> str:
    """Now, in UTC to the second; ``SOURCE_DATE_EPOCH`` takes its place for reproducible builds.

    Raises:
        ValueError: when ``SOURCE_DATE_EPOCH`` is not a whole number of seconds.
    """
    named = os.environ.get("SOURCE_DATE_EPOCH")
    try:
        seconds = int(named) if named else int(time.time())
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
    except (ValueError, OverflowError, OSError):
        raise ValueError(f"SOURCE_DATE_EPOCH is not a number of seconds: {named!r}") from None


class LockFile:
    """A lock that entries are appended to. Use it as a context manager, or call ``close``.

    The entries are read and checked once; later appends read only what other processes added since.

    Args:
        path: the file; it is made when missing.

    Raises:
        OSError: when it cannot be opened for writing.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        try:
            self._descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        except FileNotFoundError:
            _create(path)
            self._descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        if not stat.S_ISREG(os.fstat(self._descriptor).st_mode):
            os.close(self._descriptor)
            raise OSError(errno.EINVAL, "not a regular file", path)
        self._seen = Seal()
        # Of each IR and frontend: the surface frozen last, and its revision.
        self._current: dict[tuple[str, str], tuple[str, int]] = {}

    def __enter__(self) -> LockFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        os.close(self._descriptor)

    def append(self, items: Sequence[Frozen], *, append_revision: bool = False) -> list[Entry]:
        """Append entries, all of them or none, in one step that costs one wait for the disk.

        Args:
            items: what to freeze.
            append_revision: let an IR and frontend have another surface than before.

        Returns:
            The new entries; they are on disk when this returns.

        Raises:
            SilpError: for a lock that does not hold (nothing is appended to a broken one), or rule
                ``lock.frozen`` for a different surface of an IR and frontend that has one.
            OSError: when the disk refuses; what it took of the lines is cut off again.
            ValueError: for a name that a lock cannot carry.
        """
        results = self._append(items, append_revision, partly=False)
        return [entry for entry in results if isinstance(entry, Entry)]

    def append_each(
        self, items: Sequence[Frozen], *, append_revision: bool = False
    ) -> list[Entry | SilpError]:
        """Append those entries that may be appended, in one step.

        Args:
            items: what to freeze.
            append_revision: let an IR and frontend have another surface than before.

        Returns:
            For each item its entry, or the error (rule ``lock.frozen``) that kept it out.

        Raises:
            SilpError: for a lock that does not hold.
            OSError: when the disk refuses; what it took of the lines is cut off again.
            ValueError: for a name that a lock cannot carry.
        """
        return self._append(items, append_revision, partly=True)

    def _append(
        self, items: Sequence[Frozen], append_revision: bool, *, partly: bool
    ) -> list[Entry | SilpError]:
        if not items:
            return []
        with self._exclusive():
            self._catch_up()
            results = self._entries(items, append_revision)
            if not partly:
                for result in results:
                    if isinstance(result, SilpError):
                        raise result
            entries = [result for result in results if isinstance(result, Entry)]
            self._write(entries)
        return results

    def _write(self, entries: list[Entry]) -> None:
        data = b"".join(entry.line + b"\n" for entry in entries)
        end = SEAL_SIZE + self._seen.size
        try:
            _write_at(self._descriptor, data, end)
            os.fsync(self._descriptor)
        except OSError:
            os.ftruncate(self._descriptor, end)
            raise
        self._advance(entries)
        self._write_seal(self._seen)

    def repair(self) -> str:
        """Mend what an interrupted append left: cut a torn last line off, seal whole ones; nothing else.

        Returns:
            What was done, or an empty string if there was nothing to do.

        Raises:
            SilpError: when the lock is broken in any other way.
        """
        with self._exclusive():
            data = _read_from(self._descriptor, 0)
            try:
                read_lock(data)
            except SilpError as error:
                if error.rule not in ("lock.torn", "lock.unsealed"):
                    raise
            else:
                return ""
            whole = data[: data.rfind(b"\n") + 1]
            if len(whole) < len(data):
                os.ftruncate(self._descriptor, len(whole))
            seal = read_seal(data)
            added = list(
                read_entries(whole[SEAL_SIZE + seal.size :], seal.entries + 2, seal.entries, seal.head)
            )
            self._write_seal(_advanced(seal, added))
            os.fsync(self._descriptor)
        done = [f"cut off a torn line of {len(data) - len(whole)} bytes"] if len(whole) < len(data) else []
        done += [f"sealed {len(added)} whole entries"] if added else []
        return ", ".join(done)

    @contextmanager
    def _exclusive(self) -> Iterator[None]:
        fcntl.flock(self._descriptor, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(self._descriptor, fcntl.LOCK_UN)

    def _catch_up(self) -> None:
        """Read what was added since the last look; take whole unsealed entries over."""
        size = os.fstat(self._descriptor).st_size
        seal = read_seal(os.pread(self._descriptor, SEAL_SIZE, 0))
        if size < SEAL_SIZE + seal.size or seal.size < self._seen.size:
            raise broken(
                1, "the lock is shorter than its seal says", "lock.cut", "look at it with: silp lock verify"
            )
        added = _read_from(self._descriptor, SEAL_SIZE + self._seen.size)
        sealed = added[: seal.size - self._seen.size]
        self._advance(list(read_entries(sealed, self._seen.entries + 2, self._seen.entries, self._seen.head)))
        if self._seen != seal:
            raise broken(
                1, "the seal is not that of the entries", "lock.seal", "look at it with: silp lock verify"
            )
        rest = added[len(sealed) :]
        if rest:
            error = unsealed(rest, seal)
            if error.rule != "lock.unsealed":
                raise error
            self._advance(list(read_entries(rest, seal.entries + 2, seal.entries, seal.head)))
            os.fsync(self._descriptor)

    def _entries(self, items: Sequence[Frozen], append_revision: bool) -> list[Entry | SilpError]:
        now = timestamp()
        seq, prev = self._seen.entries, self._seen.head
        current: dict[tuple[str, str], tuple[str, int]] = {}
        results: list[Entry | SilpError] = []
        for item in items:
            key = (item.ir, item.frontend)
            before = current.get(key) or self._current.get(key)
            revision = 1 if before is None else before[1]
            if before is not None and before[0] != item.surface:
                if not append_revision:
                    results.append(_frozen(item.frontend, revision))
                    continue
                revision += 1
            seq += 1
            entry = make_entry(
                seq, item.ir, item.surface, item.frontend, revision, TOOL, item.grammar, now, prev
            )
            prev = sha256(entry.line)
            current[key] = (item.surface, revision)
            results.append(entry)
        return results

    def _advance(self, entries: list[Entry]) -> None:
        for entry in entries:
            self._current[entry.ir, entry.frontend] = (entry.surface, entry.revision)
        self._seen = _advanced(self._seen, entries)

    def _write_seal(self, seal: Seal) -> None:
        _write_at(self._descriptor, seal.line(), 0)


def _frozen(frontend: str, revision: int) -> SilpError:
    return SilpError(
        ErrorCode.DECODE_FAILED,
        f"this IR is frozen with another surface for '{frontend}' (revision {revision})",
        rule="lock.frozen",
        hint="to freeze this one too, say --append-revision",
    )


def _advanced(seal: Seal, entries: list[Entry]) -> Seal:
    if not entries:
        return seal
    size = sum(len(entry.line) + 1 for entry in entries)
    return Seal(seal.entries + len(entries), seal.size + size, sha256(entries[-1].line))


def _write_at(descriptor: int, data: bytes, offset: int) -> None:
    view = memoryview(data)
    while view:
        written = os.pwrite(descriptor, view, offset)
        view, offset = view[written:], offset + written


def _read_from(descriptor: int, offset: int) -> bytes:
    parts: list[bytes] = []
    while part := os.pread(descriptor, 1 << 20, offset):
        parts.append(part)
        offset += len(part)
    return b"".join(parts)


def _create(path: str) -> None:
    """Make a lock without entries. It appears whole, so an empty file is never one that was just begun."""
    directory = os.path.dirname(path) or "."
    temporary = f"{path}.{os.getpid()}.tmp"
    try:
        with open(temporary, "wb") as file:
            file.write(Seal().line())
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):  # another process was quicker: theirs is as good
            os.link(temporary, path)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(temporary)
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read_lock_file(path: str) -> list[Entry]:
    """Read and check a lock while no append is under way.

    Args:
        path: the file.

    Returns:
        Its entries.

    Raises:
        OSError: when it cannot be read.
        SilpError: for the first line that does not hold.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        if stat.S_ISREG(os.fstat(descriptor).st_mode):
            fcntl.flock(descriptor, fcntl.LOCK_SH)
        with open(descriptor, "rb", closefd=False) as file:
            start = file.read(SEAL_SIZE)
            read_seal(start)  # whatever is no lock need not be read to its end, which may not come
            data = start + file.read()
    finally:
        os.close(descriptor)
    return read_lock(data)
