"""``silp lock``: compile or take what was compiled, append it to the lock, and only then let it out."""

from __future__ import annotations

import os

from silp_cli.frontends.chosen import chosen_frontend
from silp_cli.ir.errors import SilpError
from silp_cli.protocol.lock.file import LockFile
from silp_cli.protocol.lock.freeze import freeze
from silp_cli.text.command import CommandError
from silp_cli.text.diagnostics import render
from silp_cli.text.held import Held
from silp_cli.text.records import Reader, Source
from silp_cli.text.stream import Stream
from silp_cli.text.verb_list import chosen_verbs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Unpack

    from silp_cli.protocol.lock.file import Frozen
    from silp_cli.text.records import Record
    from silp_cli.text.stream import StreamOptions

COMMAND = "silp lock"


def run(
    *, lock: str, frontend: str | None, surface: str | None, bare: bool, append_revision: bool,
    verbs: str | None, any_verb: bool, **stream: Unpack[StreamOptions],
) -> int:
    """Freeze every IR of the input; return the exit status.

    Raises:
        CommandError: when the lock does not hold or a name cannot be written.
    """
    output = stream.get("output")
    if output and os.path.realpath(output) == os.path.realpath(lock):
        raise CommandError(f"{COMMAND}: {output}: is the lock; the payloads need a file of their own")
    if frontend is not None:
        chosen_frontend(frontend, COMMAND)
    allowed = chosen_verbs(verbs, any_verb, COMMAND)
    filter = Stream(COMMAND, **stream)
    surfaces = None if surface is None else _surfaces(surface, stream["max_record_size"])
    given: list[str | None] = [None]

    def records() -> Iterator[Record]:
        for record in filter.reader.documents():
            # Taken for a bad record as well: the payloads stand in the order of the records.
            given[0] = None if surfaces is None else next(surfaces, "")
            yield record
        if surfaces is not None and next(surfaces, None) is not None:
            raise CommandError(f"{COMMAND}: {surface}: more payloads than IRs", 1)

    try:
        with LockFile(lock) as file:

            def settle(items: list[tuple[str, Frozen]]) -> list[str | SilpError]:
                outcomes = file.append_each([each for _, each in items], append_revision=append_revision)
                return [
                    outcome if isinstance(outcome, SilpError) else payload
                    for (payload, _), outcome in zip(items, outcomes, strict=True)
                ]

            return Held(filter, settle).filter(
                records(), lambda record: freeze(record.value, given[0], frontend, bare=bare, verbs=allowed)
            )
    except SilpError as error:
        error.source = lock
        raise CommandError(render(error, COMMAND), 1) from None
    except ValueError as error:
        raise CommandError(f"{COMMAND}: {error}") from None


def _surfaces(path: str, limit: int) -> Iterator[str]:
    with open(path, "rb") as file:
        for record in Reader(iter([Source(path, file.fileno())]), limit).payloads():
            if record.error is not None:
                raise CommandError(render(record.place(record.error), COMMAND), 1)
            yield record.text
