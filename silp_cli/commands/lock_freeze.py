"""Freezing: compile or take what was compiled, append it to the lock, and only then let it out."""

from __future__ import annotations

from silp_cli import api
from silp_cli.commands import CommandError
from silp_cli.commands.held import Held
from silp_cli.commands.stream import Stream
from silp_cli.commands.verbs import chosen_verbs
from silp_cli.frontends.registry import get_frontend
from silp_cli.ir.check import require_valid
from silp_cli.ir.errors import ErrorCode, SilpError
from silp_cli.ir.resources import read_resource
from silp_cli.protocol.lock_file import Frozen, LockFile
from silp_cli.protocol.lock_format import ir_hash, sha256, surface_hash
from silp_cli.text.diagnostics import render
from silp_cli.text.records import Reader, Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator
    from typing import Any

    from silp_cli.text.records import Record

COMMAND = "silp lock"


def grammar_version(frontend: str) -> str:
    """The start of the hash of a frontend's ABNF, which says what its grammar was; ``none`` without one."""
    try:
        return sha256(read_resource(f"{frontend}.abnf").encode())[:12]
    except FileNotFoundError:
        return "none"


def freeze(options: argparse.Namespace, path: str) -> int:
    """Freeze every IR of the input.

    Args:
        options: the command line.
        path: the lock.

    Returns:
        The exit status.

    Raises:
        CommandError: when the lock does not hold or a name cannot be written.
    """
    verbs = chosen_verbs(options, COMMAND)
    stream = Stream(options, COMMAND)
    surfaces = None if options.surface is None else _surfaces(options.surface, options.max_record_size)
    try:
        with LockFile(path) as lock:

            def settle(items: list[tuple[str, Frozen]]) -> list[str | SilpError]:
                results = lock.append_each(
                    [each for _, each in items], append_revision=options.append_revision
                )
                return [
                    result if isinstance(result, SilpError) else surface
                    for (surface, _), result in zip(items, results, strict=True)
                ]

            def records() -> Iterator[Record]:
                for record in stream.reader.documents():
                    # Taken for a bad record as well: the payloads stand in the order of the records.
                    given.append(None if surfaces is None else next(surfaces, ""))
                    yield record
                if surfaces is not None and next(surfaces, None) is not None:
                    raise CommandError(f"{COMMAND}: {options.surface}: more payloads than IRs", 1)

            given: list[str | None] = []
            return Held(stream, settle).filter(
                records(), lambda record: _frozen(record, given[-1], options, verbs)
            )
    except SilpError as error:
        error.source = path
        raise CommandError(render(error, COMMAND), 1) from None
    except ValueError as error:
        raise CommandError(f"{COMMAND}: {error}") from None


def _surfaces(path: str, limit: int) -> Iterator[str]:
    with open(path, "rb") as file:
        for record in Reader(iter([Source(path, file.fileno())]), limit).payloads():
            if record.error is not None:
                raise CommandError(render(record.place(record.error), COMMAND), 1)
            yield record.text


def _frozen(
    record: Record, given: str | None, options: argparse.Namespace, verbs: frozenset[str] | None
) -> tuple[str, Frozen]:
    """The payload of a record, and what of it goes into the lock.

    Raises:
        SilpError: for an IR that is not valid, or a payload that is not its.
    """
    require_valid(record.value, verbs)
    if given is None:
        frontend = options.frontend or "code"
        surface = get_frontend(frontend).compile(record.value, bare=options.bare)
    else:
        frontend = options.frontend or api.detect(given)
        surface = given
        _require_match(record.value, surface, frontend, bare=options.bare)
    return surface, Frozen(ir_hash(record.value), surface_hash(surface), frontend, grammar_version(frontend))


def _require_match(ir: Any, surface: str, frontend: str, *, bare: bool) -> None:
    """Hold a given payload to its IR, as far as its frontend can be read back."""
    if not surface:
        raise SilpError(
            ErrorCode.DECODE_FAILED, "there is no payload for this IR", rule="lock.surface-missing"
        )
    encoder = get_frontend(frontend)
    if not encoder.lossless:
        return
    meant = encoder.decode(encoder.compile(ir, bare=True)) if bare else ir
    try:
        found = encoder.decode(surface)
    except SilpError as error:
        raise SilpError(
            ErrorCode.DECODE_FAILED,
            f"the payload of this IR cannot be decoded: {error.message}",
            rule="lock.surface",
        ) from None
    if not api.equivalent(found, meant):
        raise SilpError(
            ErrorCode.DECODE_FAILED,
            "the payload does not decode to this IR",
            rule="lock.surface",
            hint="are the payloads in the order of the IRs? were they compiled with --bare?",
        )
