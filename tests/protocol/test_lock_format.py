"""The bytes of a lock: whatever is changed in them shows."""

from __future__ import annotations

import json
from itertools import combinations

import pytest

from silp_cli.ir.errors import SilpError
from silp_cli.protocol.lock.format import (
    NO_HASH,
    SEAL_SIZE,
    Seal,
    ir_hash,
    make_entry,
    read_lock,
    sha256,
    surface_hash,
)

ENTRIES = 50


def build(entries: int) -> bytes:
    lines: list[bytes] = []
    prev = NO_HASH
    for seq in range(1, entries + 1):
        ir, surface = sha256(b"ir%d" % seq), sha256(b"surface%d" % seq)
        entry = make_entry(seq, ir, surface, "code", 1, "silp 0.1.0", "none", "2025-01-01T00:00:00Z", prev)
        prev = sha256(entry.line)
        lines.append(entry.line + b"\n")
    body = b"".join(lines)
    return Seal(entries, len(body), prev).line() + body


LOCK = build(ENTRIES)


def complaint(data: bytes) -> SilpError | None:
    try:
        read_lock(data)
    except SilpError as error:
        return error
    return None


def line_of(position: int) -> int:
    return LOCK.count(b"\n", 0, position) + 1


def test_an_untouched_lock_holds() -> None:
    assert [entry.seq for entry in read_lock(LOCK)] == list(range(1, ENTRIES + 1))
    assert read_lock(build(0)) == []


def test_every_line_is_json() -> None:
    for line in LOCK.splitlines():
        assert isinstance(json.loads(line), dict)


def test_every_changed_character_is_detected_and_its_line_named() -> None:
    for position, byte in enumerate(LOCK):
        changed = bytearray(LOCK)
        # A digit becomes another digit and a letter another letter, so that the change is as plausible as it can be.
        mark = chr(byte)
        changed[position] = ord("7" if mark.isdigit() and mark != "7" else "b" if mark != "b" else "a")
        error = complaint(bytes(changed))
        assert error is not None, position
        if position >= SEAL_SIZE:
            assert error.line == line_of(position), (position, error)


def test_every_deleted_character_is_detected_and_its_line_named() -> None:
    for position in range(len(LOCK)):
        error = complaint(LOCK[:position] + LOCK[position + 1 :])
        assert error is not None, position
        if position >= SEAL_SIZE:
            assert error.line == line_of(position), (position, error)


def test_every_swap_of_neighbouring_characters_is_detected() -> None:
    for position in range(len(LOCK) - 1):
        one, other = LOCK[position : position + 1], LOCK[position + 1 : position + 2]
        if one != other:
            swapped = LOCK[:position] + other + one + LOCK[position + 2 :]
            assert complaint(swapped) is not None, position


def test_every_truncation_is_detected() -> None:
    for length in range(len(LOCK)):
        error = complaint(LOCK[:length])
        assert error is not None, length
        if length >= SEAL_SIZE:
            assert error.rule == "lock.cut"
            assert error.line == line_of(length), (length, error)


def test_every_swap_of_two_lines_is_detected() -> None:
    lines = LOCK.splitlines(keepends=True)
    for one, other in combinations(range(len(lines)), 2):
        changed = lines.copy()
        changed[one], changed[other] = changed[other], changed[one]
        error = complaint(b"".join(changed))
        assert error is not None, (one, other)
        assert error.line == one + 1


def test_every_removed_and_every_doubled_line_is_detected() -> None:
    lines = LOCK.splitlines(keepends=True)
    for number in range(len(lines)):
        assert complaint(b"".join(lines[:number] + lines[number + 1 :])) is not None, number
        doubled = b"".join([*lines[: number + 1], *lines[number:]])
        assert complaint(doubled) is not None, number


@pytest.mark.parametrize("extra", [b"x", b"\n", b"{}\n", b'{"seq":51}\n', b" "])
def test_whatever_is_added_is_detected(extra: bytes) -> None:
    for position in (0, SEAL_SIZE, len(LOCK) // 2, len(LOCK)):
        assert complaint(LOCK[:position] + extra + LOCK[position:]) is not None


def test_a_rewritten_last_entry_is_detected_by_the_seal() -> None:
    body = LOCK[SEAL_SIZE:].splitlines(keepends=True)
    prev = sha256(body[-2].rstrip(b"\n"))
    forged = make_entry(
        ENTRIES,
        sha256(b"ir50"),
        sha256(b"forged"),
        "code",
        1,
        "silp 0.1.0",
        "none",
        "2025-01-01T00:00:00Z",
        prev,
    )
    error = complaint(LOCK[:SEAL_SIZE] + b"".join(body[:-1]) + forged.line + b"\n")
    assert error is not None
    assert error.rule == "lock.seal"


@pytest.mark.parametrize("data", [b"", b"{}\n", b"\x00" * 4096, b"\xff\xfe", bytes(range(256)) * 20])
def test_what_is_no_lock_is_told_apart(data: bytes) -> None:
    error = complaint(data)
    assert error is not None
    assert (error.rule, error.line) == ("lock.seal", 1)


def test_the_hash_of_an_ir_does_not_depend_on_its_spelling() -> None:
    one = json.loads('{"intent":"!CANCEL","meta":{"req_id":"a1b2c3d4","priority":1}}')
    other = json.loads('{ "meta": {"priority": 1.0, "req_id": "a1b2c3d4"}, "intent": "!CANCEL" }')
    assert ir_hash(one) == ir_hash(other)
    assert ir_hash(one) == sha256(b'{"intent":"!CANCEL","meta":{"priority":1,"req_id":"a1b2c3d4"}}')
    assert surface_hash("é") == sha256("é".encode())
