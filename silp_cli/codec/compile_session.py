"""``silp compile --session`` and ``--degrade``, apart from the plain command, which must not pay for them."""

from __future__ import annotations

import sqlite3

from silp_cli.codec.degrade import Chain
from silp_cli.frontends.registry import get_frontend
from silp_cli.ir.check import require_valid
from silp_cli.ir.errors import ErrorCode, SilpError
from silp_cli.protocol.sessions.store import SessionStore, default_state_file
from silp_cli.text.command import CommandError
from silp_cli.text.held import Held
from silp_cli.text.records import MAX_RECORD, require_size
from silp_cli.text.stream import Stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from typing import Any, Unpack

    from silp_cli.text.records import Record
    from silp_cli.text.stream import StreamOptions


def run(
    command: str, frontend: str, verbs: Collection[str] | None, *, bare: bool, degrade: bool, session: str | None,
    state: str | None, **options: Unpack[StreamOptions],
) -> int:
    """Compile records as turns of a session, down the degradation chain, or both; return the exit status."""
    stream = Stream(command, **options)
    limit = options.get("max_record_size", MAX_RECORD)
    chain = Chain(frontend, stream) if degrade else None
    # The command has looked the frontend up; with a chain, one that is not there is no end.
    write = None if chain is not None else get_frontend(frontend).compile

    def transform(record: Record) -> str:
        ir = record.value if session is None else _stamped(record.value, session)
        require_valid(ir, verbs)
        if chain is not None:
            return require_size(chain.compile(record, ir, bare=bare), limit)
        assert write is not None
        return require_size(write(ir, bare=bare), limit)

    if session is None:
        status = stream.filter(stream.reader.documents(), transform)
    else:
        status = _in_session(session, state, stream, transform)
    if chain is not None:
        stream.reporter.note(chain.summary())
    return status


def _in_session(session: str, state: str | None, stream: Stream, transform: Callable[[Record], str]) -> int:
    """Count a turn for each payload before it goes out: what a receiver saw is always counted."""
    path = state or default_state_file()
    try:
        with SessionStore(path) as store:
            # A session that has ended is noticed even if no record comes.
            if store.show(session).status != "active":
                store.turn(session, 0)

            def settle(lines: list[str]) -> list[str | SilpError]:
                try:
                    store.turn(session, len(lines))
                except SilpError as error:
                    return [_again(error) for _ in lines]
                return [*lines]

            return Held(stream, settle).filter(stream.reader.documents(), transform)
    except SilpError as error:
        stream.output.discard()
        stream.reporter.report(error)
        return 1
    except sqlite3.Error as error:
        raise CommandError(f"{stream.command}: {path}: {error}") from None


def _again(error: SilpError) -> SilpError:
    """The same error for another record, which has a place of its own."""
    return SilpError(error.code, error.message, rule=error.rule, hint=error.hint)


def _stamped(ir: Any, session: str) -> Any:
    """The IR with the session's id in its meta; anything that is no IR is left for the check to diagnose.

    Raises:
        SilpError: when the IR belongs to another session.
    """
    if not isinstance(ir, dict) or not isinstance(ir.get("meta"), dict):
        return ir
    named = ir["meta"].get("session_id")
    if named not in (None, session):
        raise SilpError(
            ErrorCode.INVALID_SYNTAX,
            "the IR belongs to another session",
            rule="session.other",
            path="/meta/session_id",
        )
    return {**ir, "meta": {**ir["meta"], "session_id": session}}
