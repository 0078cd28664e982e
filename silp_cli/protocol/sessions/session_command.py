"""``silp session``: begin, count, look at and end sessions, and play one through."""

from __future__ import annotations

import sqlite3
import sys

from silp_cli.ir.errors import SilpError
from silp_cli.protocol.sessions.heartbeats import HEARTBEATS, MAX_TURNS
from silp_cli.protocol.sessions.store import SessionStore, default_state_file
from silp_cli.text.command import CommandError, color_wanted
from silp_cli.text.diagnostics import Reporter
from silp_cli.text.output import write_whole
from silp_cli.text.rows import write_rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from silp_cli.protocol.sessions.store import Session, Turn

COMMAND = "silp session"


def new(*, n: int, ttl: float | None, id: str | None, format: str | None, state: str | None, errors: str) -> int:
    """Begin a session; return the exit status."""
    return _in_store(lambda store: [store.new(n, ttl, id)], format, state, errors)


def turn(*, id: str, count: int, hex: int | None, format: str | None, state: str | None, errors: str) -> int:
    """Count turns; return the exit status."""
    if count > MAX_TURNS:
        raise CommandError(f"{COMMAND} turn: --count: at most {MAX_TURNS} turns can be counted")
    return _in_store(lambda store: [store.turn(id, count, hex)], format, state, errors)


def show(*, id: str | None, format: str | None, state: str | None, errors: str) -> int:
    """Show one session, or all; return the exit status."""
    return _in_store(lambda store: [store.show(id)] if id else store.all(), format, state, errors)


def expire(*, id: str, format: str | None, state: str | None, errors: str) -> int:
    """End a session; return the exit status."""
    return _in_store(lambda store: [store.expire(id)], format, state, errors)


def simulate(*, turns: int, n: str | None, plot: str | None, format: str | None) -> int:
    """Play a session through for each heartbeat interval; return the exit status."""
    from silp_cli.protocol.sessions import simulation

    courses = simulation.simulate(turns, list(HEARTBEATS) if n is None else _intervals(n))
    columns = ("n", "turns", "heartbeats", "mean", "max", "last", "total")
    write_rows([course.to_dict() for course in courses], format, columns)
    if plot is not None:
        write_whole(simulation.plot(courses).rstrip("\n"), plot)
    return 0


def _in_store(
    act: Callable[[SessionStore], Sequence[Session | Turn]], format: str | None, state: str | None, errors: str
) -> int:
    """Do something with the state file and write what became of it."""
    try:
        with SessionStore(state or default_state_file()) as store:
            write_rows([each.to_dict() for each in act(store)], format)
    except SilpError as error:
        Reporter(COMMAND, sys.stderr, errors, color=color_wanted(sys.stderr)).report(error)
        return 1
    except ValueError as error:
        raise CommandError(f"{COMMAND}: {error}") from None
    except sqlite3.Error as error:
        raise CommandError(f"{COMMAND}: {state or default_state_file()}: {error}") from None
    return 0


def _intervals(text: str) -> list[int]:
    known = {str(each): each for each in HEARTBEATS}
    parts = [part.strip() for part in text.split(",")]
    if not all(part in known for part in parts):
        raise CommandError(f"{COMMAND} simulate: --n: N is one of {', '.join(known)}, not '{text}'")
    return list(dict.fromkeys(known[part] for part in parts))
