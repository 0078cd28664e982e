"""Appends to a lock: durable, atomic, safe beside other writers, and mended after a kill."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from silp_cli.ir.errors import SilpError
from silp_cli.protocol.lock import file as lock_file
from silp_cli.protocol.lock.file import Frozen, LockFile, read_lock_file, timestamp
from silp_cli.protocol.lock.format import SEAL_SIZE, read_seal, sha256


def item(name: str, surface: str = "s", frontend: str = "code") -> Frozen:
    return Frozen(sha256(name.encode()), sha256(surface.encode()), frontend)


def start(script: str, *arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", script, *arguments], stdout=subprocess.PIPE)


def rule_of(path: Path) -> str:
    try:
        read_lock_file(str(path))
    except SilpError as error:
        return error.rule
    return ""


def test_a_second_surface_is_refused_until_it_is_a_revision(tmp_path: Path) -> None:
    path = tmp_path / "compile.lock"
    with LockFile(str(path)) as lock:
        lock.append([item("a", "one"), item("a", "one", "json")])
        before = path.read_bytes()
        with pytest.raises(SilpError) as caught:
            lock.append([item("b"), item("a", "two")])
        assert caught.value.rule == "lock.frozen"
        assert path.read_bytes() == before, "all or none"
        revised = lock.append([item("a", "two"), item("a", "two")], append_revision=True)
        assert [entry.revision for entry in revised] == [2, 2]
        with pytest.raises(SilpError):
            lock.append([item("a", "one")])
        assert lock.append([item("a", "one")], append_revision=True)[0].revision == 3
    # Another process knows it as well.
    with LockFile(str(path)) as lock, pytest.raises(SilpError):
        lock.append([item("a", "two")])


def test_append_each_leaves_only_the_refused_ones_out(tmp_path: Path) -> None:
    with LockFile(str(tmp_path / "l")) as lock:
        results = lock.append_each([item("a", "1"), item("a", "2"), item("b")])
        assert [isinstance(result, SilpError) for result in results] == [False, True, False]
    assert len(read_lock_file(str(tmp_path / "l"))) == 2


def test_nothing_is_appended_to_a_broken_lock(tmp_path: Path) -> None:
    path = tmp_path / "l"
    with LockFile(str(path)) as lock:
        lock.append([item("a"), item("b")])
    data = bytearray(path.read_bytes())
    data[SEAL_SIZE + 20] ^= 1
    path.write_bytes(data)
    with LockFile(str(path)) as lock:
        with pytest.raises(SilpError) as caught:
            lock.append([item("c")])
        assert caught.value.line == 2
        with pytest.raises(SilpError) as caught:
            lock.repair()
        assert caught.value.line == 2
    assert path.read_bytes() == data


def test_an_emptied_lock_is_no_new_lock(tmp_path: Path) -> None:
    path = tmp_path / "l"
    path.write_bytes(b"")
    with LockFile(str(path)) as lock, pytest.raises(SilpError):
        lock.append([item("a")])
    with LockFile(str(path)) as lock, pytest.raises(SilpError):
        lock.repair()


def test_source_date_epoch_sets_the_time(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    for name in ("one", "two"):
        with LockFile(str(tmp_path / name)) as lock:
            assert lock.append([item("a")])[0].time == "1970-01-02T00:00:00Z"
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "soon")
    with pytest.raises(ValueError, match="SOURCE_DATE_EPOCH"):
        timestamp()


def test_a_name_that_the_format_cannot_carry_is_refused(tmp_path: Path) -> None:
    with LockFile(str(tmp_path / "l")) as lock:
        for name in ('co"de', "", "x" * 101, "é", "a\nb"):
            with pytest.raises(ValueError, match="cannot carry"):
                lock.append([item("a", frontend=name)])
    assert read_lock_file(str(tmp_path / "l")) == []


# ---------------------------------------------------------------- several writers

WRITER = """
import sys
from silp_cli.protocol.lock.file import Frozen, LockFile
from silp_cli.protocol.lock.format import sha256
path, who, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
with LockFile(path) as lock:
    for number in range(count):
        lock.append([Frozen(sha256(f"{who}:{number}".encode()), sha256(b"s"), "code")])
"""


def test_eight_processes_append_a_thousand_lines_each(tmp_path: Path) -> None:
    path = tmp_path / "compile.lock"
    writers = [start(WRITER, str(path), str(who), "1000") for who in range(8)]
    for writer in writers:
        writer.communicate(timeout=300)
        assert writer.returncode == 0
    entries = read_lock_file(str(path))
    assert {entry.ir for entry in entries} == {
        sha256(f"{who}:{number}".encode()) for who in range(8) for number in range(1000)
    }
    assert len(entries) == 8000
    # Nobody's own lines changed places.
    for who in range(8):
        mine = [sha256(f"{who}:{number}".encode()) for number in range(1000)]
        order = {ir: place for place, ir in enumerate(mine)}
        assert [order[entry.ir] for entry in entries if entry.ir in order] == list(range(1000))


# ---------------------------------------------------------------- kills

# Forks writers that never stop by themselves, kills each at a random moment, and looks at the lock after every few.
KILLER = """
import os, random, signal, sys, time
from silp_cli.ir.errors import SilpError
from silp_cli.protocol.lock.file import Frozen, LockFile, read_lock_file
from silp_cli.protocol.lock.format import sha256
path, kills, together = sys.argv[1], int(sys.argv[2]), 4

def write_forever(who, pipe):
    with LockFile(path) as lock:
        number = 0
        while True:
            lock.append([Frozen(sha256(f"{who}:{number}:{part}".encode()), sha256(b"s"), "code") for part in range(3)])
            os.write(pipe, b".")
            number += 1

chance, acknowledged, mended = random.Random(6), 0, 0
for first in range(0, kills, together):
    children = []
    for who in range(first, first + together):
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                write_forever(who, writer)
            finally:
                os._exit(1)
        os.close(writer)
        children.append((child, reader))
    for child, reader in children:
        acknowledged += len(os.read(reader, 1))
        time.sleep(chance.uniform(0, 0.004))
        os.kill(child, signal.SIGKILL)
    for child, reader in children:
        assert os.waitpid(child, 0)[1] == signal.SIGKILL
        while done := os.read(reader, 1 << 16):
            acknowledged += len(done)
        os.close(reader)
    try:
        entries = read_lock_file(path)
    except SilpError as error:
        assert error.rule in ("lock.torn", "lock.unsealed"), error.rule
        mended += 1
        with LockFile(path) as lock:
            assert lock.repair()
        entries = read_lock_file(path)
    assert len(entries) >= 3 * acknowledged, (len(entries), acknowledged)
print(acknowledged, mended)
"""


def test_two_hundred_kills_in_the_middle_lose_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    killer = start(KILLER, str(tmp_path / "compile.lock"), "200")
    output, _ = killer.communicate(timeout=300)
    assert killer.returncode == 0
    assert int(output.split()[0]) >= 200


# Dies at one chosen point of an append, half a line written if need be.
DYING = """
import os, signal, sys
from silp_cli.protocol.lock import file as lock_file
from silp_cli.protocol.lock.format import sha256
path, point = sys.argv[1], sys.argv[2]
def die(): os.kill(os.getpid(), signal.SIGKILL)
write, sync = lock_file._write_at, os.fsync
def dying_write(descriptor, data, offset):
    if point == "torn" and offset: os.pwrite(descriptor, data[: len(data) * 2 // 3], offset); die()
    if point == "second" and offset: os.pwrite(descriptor, data[: data.index(b"\\n") + 9], offset); die()
    if point == "sealing" and not offset: die()
    write(descriptor, data, offset)
    if point == "written" and offset: die()
    if point == "sealed" and not offset: die()
def dying_sync(descriptor):
    sync(descriptor)
    if point == "synced": die()
with lock_file.LockFile(path) as lock:
    lock_file._write_at, os.fsync = dying_write, dying_sync
    lock.append([lock_file.Frozen(sha256(name.encode()), sha256(b"s"), "code") for name in ("x", "y")])
"""


@pytest.mark.parametrize(
    ("point", "rule", "kept"),
    [
        ("torn", "lock.torn", 2), ("second", "lock.torn", 2), ("written", "lock.unsealed", 2),
        ("synced", "lock.unsealed", 2), ("sealing", "lock.unsealed", 2), ("sealed", "", 2),
    ],
)  # fmt: skip
def test_a_kill_at_each_point_of_an_append(tmp_path: Path, point: str, rule: str, kept: int) -> None:
    path = tmp_path / "l"
    with LockFile(str(path)) as lock:
        lock.append([item("a"), item("b")])
    before = path.read_bytes()
    victim = start(DYING, str(path), point)
    victim.communicate(timeout=30)
    assert victim.returncode == -signal.SIGKILL
    assert rule_of(path) == rule
    assert path.read_bytes()[SEAL_SIZE:].startswith(before[SEAL_SIZE:])
    if rule == "lock.torn":
        with LockFile(str(path)) as lock, pytest.raises(SilpError) as caught:
            lock.append([item("c")])
        assert caught.value.rule == "lock.torn"
        assert caught.value.line == 3 + kept, "the line that is torn is named"
    else:
        with LockFile(str(path)) as lock:
            lock.append([item("c")])
        assert [entry.ir for entry in read_lock_file(str(path))][2:] == [
            sha256(name.encode()) for name in ("x", "y", "c")
        ]


def test_repair_mends_a_lock_torn_at_any_byte_of_its_last_append(tmp_path: Path) -> None:
    path = tmp_path / "l"
    with LockFile(str(path)) as lock:
        lock.append([item("a"), item("b")])
        sealed = path.read_bytes()
        lock.append([item("x"), item("y")])
    whole = path.read_bytes()
    first = whole.index(b"\n", len(sealed)) + 1
    for end in range(len(sealed), len(whole) + 1):
        # What a crash leaves before the seal is replaced.
        path.write_bytes(sealed[:SEAL_SIZE] + whole[SEAL_SIZE:end])
        torn = end not in (len(sealed), first, len(whole))
        with LockFile(str(path)) as lock:
            done = lock.repair()
        assert ("torn" in done) == torn
        assert len(read_lock_file(str(path))) == 2 + (end >= first) + (end == len(whole))
        with LockFile(str(path)) as lock:
            assert lock.repair() == ""


def test_a_full_disk_leaves_the_lock_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "l"
    with LockFile(str(path)) as lock:
        lock.append([item("a")])
        before = path.read_bytes()

        def full(descriptor: int, data: bytes, offset: int) -> None:
            os.pwrite(descriptor, data[:100], offset)
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as patch:
            patch.setattr(lock_file, "_write_at", full)
            with pytest.raises(OSError, match="No space"):
                lock.append([item("b")])
        assert path.read_bytes() == before
        lock.append([item("b")])
    assert read_seal(path.read_bytes()).entries == 2
