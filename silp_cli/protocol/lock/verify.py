"""Verifying: whether a lock still holds, alone or against IRs and payloads."""

from __future__ import annotations

from silp_cli.ir.errors import ErrorCode, SilpError
from silp_cli.protocol.lock.format import NO_HASH, ir_hash, sha256, surface_hash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from silp_cli.protocol.lock.format import Entry
    from silp_cli.text.records import Record


def last_head(entries: Sequence[Entry]) -> str:
    """The hash of the last line of a lock, which stands for all of it."""
    return sha256(entries[-1].line) if entries else NO_HASH


def require_head(entries: Sequence[Entry], head: str) -> None:
    """Raise ``SilpError`` unless a lock goes on from a head that somebody kept."""
    if head not in (NO_HASH, *(sha256(entry.line) for entry in entries)):
        raise SilpError(
            ErrorCode.DECODE_FAILED,
            "the lock does not go on from that head",
            rule="lock.head",
            line=1,
            hint="the whole lock was replaced, or the head is of another one",
        )


def require_irs(entries: Iterable[Entry], irs: Iterable[Record], surfaces: Iterable[Record] | None = None) -> None:
    """Every IR has to be frozen, and with its payload, if there are payloads.

    Args:
        entries: the lines of the lock.
        irs: the IRs.
        surfaces: their payloads, in the same order.

    Raises:
        SilpError: for the first record that is not frozen, with its place.
    """
    by_ir: dict[str, dict[str, Entry]] = {}
    for entry in entries:
        by_ir.setdefault(entry.ir, {})[entry.frontend] = entry
    payloads = None if surfaces is None else iter(surfaces)
    for record in irs:
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


def require_surfaces(entries: Iterable[Entry], surfaces: Iterable[Record]) -> None:
    """Every payload has to be frozen.

    Raises:
        SilpError: for the first that is not, with its place.
    """
    frozen = {entry.surface for entry in entries}
    for record in surfaces:
        if surface_hash(record.text) not in frozen:
            raise _unfrozen(record, "this payload is not frozen in the lock")


def _unfrozen(record: Record, message: str) -> SilpError:
    return record.place(SilpError(ErrorCode.DECODE_FAILED, message, rule="lock.unfrozen"))
