"""Verifying: whether a lock holds, alone or against IRs and payloads."""

from __future__ import annotations

import os

from silp_cli.commands import CommandError
from silp_cli.commands.rows import write_rows
from silp_cli.ir.errors import ErrorCode, SilpError
from silp_cli.protocol.lock_file import LockFile, read_lock_file
from silp_cli.protocol.lock_format import NO_HASH, ir_hash, sha256, surface_hash
from silp_cli.text.records import Reader, Source
from silp_cli.text.stream import reporter

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from silp_cli.protocol.lock_format import Entry
    from silp_cli.text.records import Record

COMMAND = "silp lock verify"


def verify(options: argparse.Namespace, paths: list[str]) -> int:
    """Verify locks, and report the first line of each that does not hold.

    Args:
        options: the command line.
        paths: the locks.

    Returns:
        The exit status: 0 when all hold, 1 otherwise.
    """
    diagnostics = reporter(
        COMMAND, errors=options.errors, all=options.all, max_diagnostics=options.max_diagnostics
    )
    rows: list[dict[str, object]] = []
    for path in paths:
        try:
            rows.append(_verify_one(options, path))
        except SilpError as error:
            error.source = error.source or path
            diagnostics.report(error)
    diagnostics.finish()
    write_rows(rows, options.format)
    return 0 if len(rows) == len(paths) else 1


def _verify_one(options: argparse.Namespace, path: str) -> dict[str, object]:
    repaired = ""
    if options.repair:
        if not os.path.exists(path):
            raise CommandError(f"{COMMAND}: {path}: No such file or directory")
        with LockFile(path) as lock:
            repaired = lock.repair()
    entries = read_lock_file(path)
    heads = [NO_HASH, *(sha256(entry.line) for entry in entries)]
    if options.head is not None and options.head not in heads:
        raise SilpError(
            ErrorCode.DECODE_FAILED,
            "the lock does not go on from that head",
            rule="lock.head",
            line=1,
            hint="the whole lock was replaced, or the head is of another one",
        )
    if options.ir is not None:
        _check_irs(entries, options)
    elif options.surface is not None:
        _check_surfaces(entries, options)
    row: dict[str, object] = {"lock": path, "entries": len(entries), "head": heads[-1]}
    return {**row, "repaired": repaired} if options.repair else row


def _records(path: str, limit: int, *, documents: bool) -> Iterator[Record]:
    with open(path, "rb") as file:
        reader = Reader(iter([Source(path, file.fileno())]), limit)
        for record in reader.documents() if documents else reader.payloads():
            if record.error is not None:
                raise record.place(record.error)
            yield record


def _check_irs(entries: list[Entry], options: argparse.Namespace) -> None:
    """Every IR has to be frozen, and with its payload, if there are payloads."""
    by_ir: dict[str, dict[str, Entry]] = {}
    for entry in entries:
        by_ir.setdefault(entry.ir, {})[entry.frontend] = entry
    limit = options.max_record_size
    payloads = None if options.surface is None else _records(options.surface, limit, documents=False)
    for record in _records(options.ir, limit, documents=True):
        frozen = by_ir.get(ir_hash(record.value))
        if frozen is None:
            raise _unfrozen(record, "this IR is not frozen in the lock")
        if payloads is None:
            continue
        payload = next(payloads, None)
        if payload is None:
            raise _unfrozen(record, "there is no payload for this IR")
        surface = surface_hash(payload.text)
        if all(entry.surface != surface for entry in frozen.values()):
            lines = ", ".join(str(entry.seq + 1) for entry in frozen.values())
            raise _unfrozen(payload, f"another payload is frozen for this IR (line {lines} of the lock)")
    if payloads is not None and (payload := next(payloads, None)) is not None:
        raise _unfrozen(payload, "there is no IR for this payload")


def _check_surfaces(entries: list[Entry], options: argparse.Namespace) -> None:
    frozen = {entry.surface for entry in entries}
    for record in _records(options.surface, options.max_record_size, documents=False):
        if surface_hash(record.text) not in frozen:
            raise _unfrozen(record, "this payload is not frozen in the lock")


def _unfrozen(record: Record, message: str) -> SilpError:
    return record.place(SilpError(ErrorCode.DECODE_FAILED, message, rule="lock.unfrozen"))
