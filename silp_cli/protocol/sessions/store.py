"""Sessions (draft, section "Session Management"): turns are counted, and the context is reset every N.

The state is one SQLite file. Its journal is a write-ahead log with an fsync for each commit, so a turn that
was counted stays counted whatever dies afterwards, and every change is one transaction that takes the write
lock first, so processes that use one file wait for each other and never count from the same number.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import sqlite3
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from silp_cli.ir.errors import ErrorCode, SilpError
from silp_cli.protocol.sessions.heartbeats import (
    DEFAULT_N,
    HEARTBEATS,
    MAX_TURNS,
    REQ_ID_DIGITS,
    context_after,
    heartbeats_before,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

_ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789"
_ID = re.compile(r"[A-Za-z0-9]{2}")
_WAIT = 60.0
_ATTEMPTS = 1000
_APPLICATION = 0x53494C50  # "SILP"
_SCHEMA = """
CREATE TABLE sessions (
  id TEXT PRIMARY KEY, n INTEGER NOT NULL, ttl REAL, turns INTEGER NOT NULL DEFAULT 0, status TEXT NOT NULL,
  created REAL NOT NULL, touched REAL NOT NULL, salt TEXT NOT NULL
);
CREATE TABLE req_ids (
  session TEXT NOT NULL, req_id TEXT NOT NULL, PRIMARY KEY (session, req_id)
) WITHOUT ROWID;
"""


@dataclass(frozen=True)
class Session:
    """What is known of one session.

    Attributes:
        id: two ASCII letters or digits.
        n: the heartbeat interval in turns, one of ``HEARTBEATS``.
        ttl: seconds that may pass between two turns, or None for no limit.
        turns: how many turns were counted.
        status: ``"active"``, ``"timeout"`` or ``"expired"``.
        created: when it began, in seconds since the epoch.
        touched: when its last turn was counted, likewise.
    """

    id: str
    n: int
    ttl: float | None
    turns: int
    status: str
    created: float
    touched: float

    @property
    def context(self) -> int:
        """Turns of context the receiver holds now."""
        return context_after(self.turns, self.n)

    def to_dict(self) -> dict[str, object]:
        """The session as the JSON object that ``silp session`` prints."""
        return {
            "session_id": self.id,
            "n": self.n,
            "status": self.status,
            "turns": self.turns,
            "context": self.context,
            "heartbeats": heartbeats_before(self.turns, self.n),
            "ttl": self.ttl,
        }


@dataclass(frozen=True)
class Turn:
    """A turn that was just counted.

    Attributes:
        session: the session after it.
        reset: whether a heartbeat reset the context right before it (or before one of several turns).
        req_id: a request id that no other turn of the session has, if one was asked for.
    """

    session: Session
    reset: bool
    req_id: str | None = None

    def to_dict(self) -> dict[str, object]:
        """The turn as the JSON object that ``silp session turn`` prints."""
        fields: dict[str, object] = {
            "session_id": self.session.id,
            "turn": self.session.turns,
            "context": self.session.context,
            "reset": self.reset,
        }
        return fields if self.req_id is None else {**fields, "req_id": self.req_id}


def default_state_file() -> str:
    """Where sessions are kept by default: in ``$SILP_STATE``, else in the user's state directory."""
    if named := os.environ.get("SILP_STATE"):
        return named
    base = os.environ.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local", "state")
    return os.path.join(base, "silp", "sessions.sqlite3")


class SessionStore:
    """The sessions in one state file. Use it as a context manager, or call ``close``.

    Args:
        path: the file; it and its directory are made when missing.

    Raises:
        OSError: when the directory cannot be made.
        sqlite3.Error: when the file cannot be opened or is something else.
    """

    def __init__(self, path: str) -> None:
        directory = os.path.dirname(path)
        if directory:
            os.makedirs(directory, exist_ok=True)
        self.path = path
        self._database = sqlite3.connect(path, timeout=_WAIT, isolation_level=None)
        try:
            self._prepare()
        except BaseException:
            self._database.close()
            raise

    def __enter__(self) -> SessionStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()

    def _prepare(self) -> None:
        deadline = time.monotonic() + _WAIT
        while True:
            try:
                # The switch to WAL does not wait for other processes by itself.
                self._database.execute("PRAGMA journal_mode=WAL")
                break
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                    raise
                time.sleep(0.01)
        self._database.execute("PRAGMA synchronous=FULL")
        if self._number("application_id") == _APPLICATION:
            return
        with self._transaction():
            if self._number("application_id") == _APPLICATION:
                return
            if self._database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                raise sqlite3.DatabaseError("the database belongs to another program")
            for statement in _SCHEMA.split(";"):
                self._database.execute(statement)
            self._database.execute(f"PRAGMA application_id={_APPLICATION}")

    def _number(self, pragma: str) -> int:
        return int(self._database.execute(f"PRAGMA {pragma}").fetchone()[0])

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._database.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._database.execute("ROLLBACK")
            raise
        self._database.execute("COMMIT")

    def _read(self, id: str) -> Session | None:
        row = self._database.execute(
            "SELECT id, n, ttl, turns, status, created, touched FROM sessions WHERE id = ?", (id,)
        ).fetchone()
        return None if row is None else Session(*row)

    def new(self, n: int = DEFAULT_N, ttl: float | None = None, id: str | None = None) -> Session:
        """Begin a session.

        Args:
            n: the heartbeat interval in turns, one of ``HEARTBEATS``.
            ttl: seconds that may pass between two turns.
            id: a wish; by default an id that was never used here, or the one expired longest.

        Returns:
            The new session.

        Raises:
            ValueError: for an ``n``, a ``ttl`` or an ``id`` that cannot be, an id in use, or no id left.
        """
        if n not in HEARTBEATS:
            raise ValueError(f"N is one of {', '.join(map(str, HEARTBEATS))}, not {n}")
        if ttl is not None and not 0 <= ttl < float("inf"):
            raise ValueError("the ttl is a number of seconds from 0 up")
        if id is not None and not _ID.fullmatch(id):
            raise ValueError(f"a session id is two ASCII letters or digits, not {id!r}")
        now = time.time()
        with self._transaction():
            id = id or self._free_id(now)
            known = self._read(id)
            if known is not None and _status(known, now) == "active":
                raise ValueError(f"session {id} is in use; end it first with: silp session expire {id}")
            self._database.execute("DELETE FROM req_ids WHERE session = ?", (id,))
            self._database.execute(
                "INSERT OR REPLACE INTO sessions (id, n, ttl, turns, status, created, touched, salt)"
                " VALUES (?, ?, ?, 0, 'active', ?, ?, ?)",
                (id, n, ttl, now, now, secrets.token_hex(8)),
            )
        return Session(id, n, ttl, 0, "active", now, now)

    def _free_id(self, now: float) -> str:
        known = {session.id: session for session in self._all()}
        unused = [a + b for a in _ALPHABET for b in _ALPHABET if a + b not in known]
        if unused:
            return secrets.choice(unused)
        ended = [session for session in known.values() if _status(session, now) != "active"]
        if not ended:
            raise ValueError("every session id is in use; end some with: silp session expire")
        return min(ended, key=lambda session: session.touched).id

    def turn(self, id: str, count: int = 1, digits: int | None = None) -> Turn:
        """Count turns of a session.

        Args:
            id: the session.
            count: how many, for callers that send several payloads at once.
            digits: length of the request id to give out, one of ``REQ_ID_DIGITS``; none by default.

        Returns:
            The last of them; it is on disk when this returns.

        Raises:
            SilpError: ``timeout`` when the ttl ran out since the last turn (which ends the session),
                ``session_expired`` when there is no such session, it has ended, or it would have more turns
                than ``MAX_TURNS``.
            ValueError: when the request ids of that length are used up.
        """
        now = time.time()
        timed_out = False
        with self._transaction():
            session = self._read(id)
            status = "unknown" if session is None else session.status
            if session is not None and status == "active":
                timed_out = _status(session, now) == "timeout"
                if timed_out:
                    self._database.execute("UPDATE sessions SET status = 'timeout' WHERE id = ?", (id,))
                else:
                    if session.turns + count > MAX_TURNS:
                        raise _full(id)
                    after = Session(
                        session.id,
                        session.n,
                        session.ttl,
                        session.turns + count,
                        "active",
                        session.created,
                        max(now, session.touched),
                    )
                    self._database.execute(
                        "UPDATE sessions SET turns = ?, touched = ? WHERE id = ?",
                        (after.turns, after.touched, id),
                    )
                    req_id = None if digits is None else self._new_req_id(after, digits)
        if timed_out and session is not None:
            raise SilpError(
                ErrorCode.TIMEOUT,
                f"session {id} had no turn for more than {session.ttl:g} s",
                rule="session.timeout",
                hint="begin a new one with: silp session new",
            )
        if session is None or status != "active":
            raise _expired(id, status)
        passed = heartbeats_before(after.turns, after.n) - heartbeats_before(session.turns, session.n)
        return Turn(after, passed > 0, req_id)

    def _new_req_id(self, session: Session, digits: int) -> str:
        """A request id that the session has not given out."""
        if digits not in REQ_ID_DIGITS:
            raise ValueError(f"a req_id has {', '.join(map(str, REQ_ID_DIGITS))} digits, not {digits}")
        salt = self._database.execute("SELECT salt FROM sessions WHERE id = ?", (session.id,)).fetchone()[0]
        for attempt in range(_ATTEMPTS):
            text = f"{salt}:{session.turns}:{attempt}"
            req_id = hashlib.sha256(text.encode()).hexdigest()[:digits]
            cursor = self._database.execute(
                "INSERT OR IGNORE INTO req_ids VALUES (?, ?)", (session.id, req_id)
            )
            if cursor.rowcount:
                return req_id
        raise ValueError(
            f"the req_ids of {digits} digits are used up in session {session.id}; take more digits"
        )

    def show(self, id: str) -> Session:
        """What is known of a session, ended or not; changes nothing.

        Raises:
            SilpError: ``session_expired`` when there is no such session.
        """
        session = self._read(id)
        if session is None:
            raise _expired(id, "unknown")
        return _seen(session, time.time())

    def all(self) -> list[Session]:
        """Every session, by id; changes nothing."""
        now = time.time()
        return [_seen(session, now) for session in self._all()]

    def _all(self) -> list[Session]:
        rows = self._database.execute(
            "SELECT id, n, ttl, turns, status, created, touched FROM sessions ORDER BY id"
        )
        return [Session(*row) for row in rows]

    def expire(self, id: str) -> Session:
        """End a session.

        Returns:
            The session as it ended.

        Raises:
            SilpError: ``session_expired`` when there is no such session or it has ended before.
        """
        with self._transaction():
            session = self._read(id)
            if session is None or session.status != "active":
                raise _expired(id, "unknown" if session is None else session.status)
            self._database.execute("UPDATE sessions SET status = 'expired' WHERE id = ?", (id,))
        return Session(**{**session.__dict__, "status": "expired"})


def _status(session: Session, now: float) -> str:
    overdue = session.ttl is not None and now - session.touched > session.ttl
    return "timeout" if session.status == "active" and overdue else session.status


def _seen(session: Session, now: float) -> Session:
    return Session(**{**session.__dict__, "status": _status(session, now)})


def _full(id: str) -> SilpError:
    return SilpError(
        ErrorCode.SESSION_EXPIRED,
        f"session {id} would have more than {MAX_TURNS} turns",
        rule="session.turns",
        hint="begin a new one with: silp session new",
    )


def _expired(id: str, status: str) -> SilpError:
    if status == "unknown":
        return SilpError(
            ErrorCode.SESSION_EXPIRED,
            f"there is no session {id[:20]!r}",
            rule="session.unknown",
            hint="begin one with: silp session new",
        )
    how = "timed out" if status == "timeout" else "was ended"
    return SilpError(
        ErrorCode.SESSION_EXPIRED,
        f"session {id} {how}",
        rule="session.expired",
        hint="begin a new one with: silp session new",
    )
