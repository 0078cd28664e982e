"""Sessions: turns, heartbeats, time limits, several processes, kills."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from silp_cli.ir.errors import ErrorCode, SilpError
from silp_cli.protocol.sessions.heartbeats import HEARTBEATS, MAX_TURNS, context_after, heartbeats_before
from silp_cli.protocol.sessions.store import SessionStore


@pytest.fixture
def store() -> Iterator[SessionStore]:
    with SessionStore(":memory:") as opened:
        yield opened


class Clock:
    def __init__(self) -> None:
        self.now = 1_000_000.0

    def time(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr("silp_cli.protocol.sessions.store.time.time", clock.time)
    return clock


def code_of(store: SessionStore, id: str) -> ErrorCode:
    with pytest.raises(SilpError) as caught:
        store.turn(id)
    return caught.value.code


# ---------------------------------------------------------------- turns and heartbeats


@pytest.mark.parametrize(
    ("n", "contexts"),
    [
        (1, [1] * 12), (5, [1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 1, 2]), (10, [*range(1, 11), 1, 2]),
        (15, [*range(1, 13)]), (9999, [*range(1, 13)]),
    ],
)  # fmt: skip
def test_the_context_is_reset_at_each_heartbeat(store: SessionStore, n: int, contexts: list[int]) -> None:
    id = store.new(n).id
    turns = [store.turn(id) for _ in contexts]
    assert [turn.session.context for turn in turns] == contexts
    assert [turn.session.turns for turn in turns] == [*range(1, 13)]
    assert [turn.reset for turn in turns] == [
        number > 1 and held == 1 for number, held in enumerate(contexts, 1)
    ]


@pytest.mark.parametrize("count", [MAX_TURNS, MAX_TURNS - 1])
def test_turns_that_the_state_file_cannot_hold_are_refused(store: SessionStore, count: int) -> None:
    id = store.new().id
    store.turn(id)
    if count == MAX_TURNS:
        with pytest.raises(SilpError, match="more than"):
            store.turn(id, count)
        assert store.show(id).turns == 1
        return
    assert store.turn(id, count).session.turns == MAX_TURNS
    assert code_of(store, id) == ErrorCode.SESSION_EXPIRED
    assert store.show(id).turns == MAX_TURNS


def test_9999_is_no_heartbeat_at_all() -> None:
    assert context_after(20_000, 9999) == 20_000
    assert heartbeats_before(20_000, 9999) == 0


@given(st.integers(0, 5000), st.sampled_from(HEARTBEATS))
def test_context_and_heartbeats_account_for_every_turn(turns: int, n: int) -> None:
    assert heartbeats_before(turns, n) * n + context_after(turns, n) == turns
    assert 0 <= context_after(turns, n) <= n or n == 9999


@given(st.lists(st.integers(1, 40), max_size=5), st.sampled_from(HEARTBEATS))
def test_turns_may_be_counted_together(counts: list[int], n: int) -> None:
    with SessionStore(":memory:") as store:
        id = store.new(n).id
        for count in counts:
            store.turn(id, count)
        assert store.show(id).turns == sum(counts)
        assert store.show(id).context == context_after(sum(counts), n)


def test_only_the_drafts_intervals_are_allowed(store: SessionStore) -> None:
    for n in (0, -1, 2, 100, 10_000):
        with pytest.raises(ValueError, match="N is one of"):
            store.new(n)


# ---------------------------------------------------------------- ids


def test_ids_are_two_characters_and_unique(store: SessionStore) -> None:
    ids = [store.new().id for _ in range(1296)]
    assert len(set(ids)) == 1296
    assert all(len(id) == 2 and id.isalnum() for id in ids)
    with pytest.raises(ValueError, match="every session id is in use"):
        store.new()
    store.expire(ids[7])
    store.expire(ids[3])
    assert {store.new().id, store.new().id} == {ids[3], ids[7]}


@pytest.mark.parametrize("id", ["", "a", "abc", "a ", "é1", "a\n", "'a", "../"])
def test_other_ids_are_refused(store: SessionStore, id: str) -> None:
    with pytest.raises(ValueError, match="two ASCII letters or digits"):
        store.new(id=id or "-")


def test_an_id_in_use_is_not_taken_over(store: SessionStore) -> None:
    store.new(id="a1")
    store.turn("a1")
    with pytest.raises(ValueError, match="in use"):
        store.new(id="a1")
    store.expire("a1")
    assert store.new(id="a1").turns == 0


def test_request_ids_are_unique_within_a_session(store: SessionStore) -> None:
    id = store.new().id
    drawn = [store.turn(id, digits=4).req_id for _ in range(2000)]
    # 2000 random ids of 16 bits would hold about 30 repeats.
    assert len(set(drawn)) == 2000
    assert all(req_id is not None and len(req_id) == 4 and int(req_id, 16) >= 0 for req_id in drawn)
    with pytest.raises(ValueError, match="4, 6, 8"):
        store.turn(id, digits=5)
    assert store.show(id).turns == 2000, "what failed is not counted"


# ---------------------------------------------------------------- time


def test_a_pause_beyond_the_ttl_is_a_timeout_then_the_session_has_expired(
    store: SessionStore, clock: Clock
) -> None:
    id = store.new(ttl=10).id
    for _ in range(3):
        clock.now += 10
        store.turn(id)
    clock.now += 10.5
    assert store.show(id).status == "timeout"
    assert code_of(store, id) is ErrorCode.TIMEOUT
    assert code_of(store, id) is ErrorCode.SESSION_EXPIRED
    clock.now -= 60
    assert code_of(store, id) is ErrorCode.SESSION_EXPIRED
    assert store.show(id).turns == 3


def test_a_clock_that_goes_back_ends_no_session(store: SessionStore, clock: Clock) -> None:
    id = store.new(ttl=10).id
    store.turn(id)
    clock.now -= 1000
    assert store.turn(id).session.turns == 2
    clock.now += 1005
    assert store.turn(id).session.turns == 3


def test_without_a_ttl_nothing_times_out(store: SessionStore, clock: Clock) -> None:
    id = store.new().id
    clock.now += 1e9
    assert store.turn(id).session.turns == 1


def test_expired_and_unknown_sessions_answer_session_expired(store: SessionStore) -> None:
    id = store.new().id
    store.expire(id)
    assert code_of(store, id) is ErrorCode.SESSION_EXPIRED
    assert code_of(store, "??") is ErrorCode.SESSION_EXPIRED
    for act in (store.expire, store.show):
        with pytest.raises(SilpError) as caught:
            act("??")
        assert caught.value.code is ErrorCode.SESSION_EXPIRED


# ---------------------------------------------------------------- the file


def test_the_file_and_its_directory_are_made_and_kept(tmp_path: Path) -> None:
    path = str(tmp_path / "deep" / "er" / "state.sqlite3")
    with SessionStore(path) as store:
        id = store.new(5, ttl=60).id
        store.turn(id, 7)
    with SessionStore(path) as store:
        assert [(each.id, each.turns, each.context) for each in store.all()] == [(id, 7, 2)]


def test_a_file_of_another_kind_is_left_alone(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("not a database, but long enough to be looked at" * 50)
    with pytest.raises(sqlite3.DatabaseError):
        SessionStore(str(text))
    foreign = tmp_path / "foreign"
    with sqlite3.connect(foreign) as database:
        database.execute("CREATE TABLE sessions (mine)")
    database.close()
    with pytest.raises(sqlite3.DatabaseError, match="another program"):
        SessionStore(str(foreign))


WORKER = """
import sys
from silp_cli.protocol.sessions.store import SessionStore
path, id, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
with SessionStore(path) as store:
    print(*(store.turn(id).session.turns for _ in range(count)))
"""


def test_eight_processes_count_a_thousand_turns_each(tmp_path: Path) -> None:
    path = str(tmp_path / "state")
    with SessionStore(path) as store:
        id = store.new(5).id
    workers = [
        subprocess.Popen([sys.executable, "-c", WORKER, path, id, "1000"], stdout=subprocess.PIPE)
        for _ in range(8)
    ]
    seen: list[int] = []
    for worker in workers:
        output, _ = worker.communicate(timeout=300)
        assert worker.returncode == 0
        mine = [int(number) for number in output.split()]
        assert mine == sorted(mine)
        seen += mine
    assert sorted(seen) == [*range(1, 8001)], "every number was given out once"
    with SessionStore(path) as store:
        assert store.show(id).turns == 8000


def test_eight_processes_begin_with_one_new_file(tmp_path: Path) -> None:
    script = (
        "import sys; from silp_cli.protocol.sessions.store import SessionStore; print(SessionStore(sys.argv[1]).new().id)"
    )
    workers = [
        subprocess.Popen([sys.executable, "-c", script, str(tmp_path / "state")], stdout=subprocess.PIPE)
        for _ in range(8)
    ]
    ids = [worker.communicate(timeout=60)[0] for worker in workers]
    assert [worker.returncode for worker in workers] == [0] * 8
    assert len(set(ids)) == 8


KILLER = """
import os, random, signal, sys, time
from silp_cli.protocol.sessions.store import SessionStore
path, id, kills = sys.argv[1], sys.argv[2], int(sys.argv[3])
chance, told, before = random.Random(6), 0, 0
for _ in range(kills):
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            with SessionStore(path) as store:
                while True:
                    os.write(writer, store.turn(id).session.turns.to_bytes(4, "big"))
        finally:
            os._exit(1)
    os.close(writer)
    heard = os.read(reader, 4)
    time.sleep(chance.uniform(0, 0.004))
    os.kill(child, signal.SIGKILL)
    assert os.waitpid(child, 0)[1] == signal.SIGKILL
    while more := os.read(reader, 1 << 16):
        heard += more
    os.close(reader)
    numbers = [int.from_bytes(heard[at : at + 4], "big") for at in range(0, len(heard) // 4 * 4, 4)]
    assert numbers == [*range(numbers[0], numbers[0] + len(numbers))]
    with SessionStore(path) as store:
        turns = store.show(id).turns
    assert turns >= max(numbers) and numbers[0] > before, "a session never goes backwards"
    assert turns <= max(numbers) + 1, "and never runs ahead of what was asked for"
    before = turns
print(before)
"""


def test_two_hundred_kills_never_set_a_session_back(tmp_path: Path) -> None:
    path = str(tmp_path / "state")
    with SessionStore(path) as store:
        id = store.new(20).id
    done = subprocess.run(
        [sys.executable, "-c", KILLER, path, id, "200"], capture_output=True, timeout=300, check=True
    )
    assert int(done.stdout) >= 200
    with sqlite3.connect(path) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    database.close()


def test_a_kill_between_two_statements_of_a_turn_leaves_the_turn_uncounted(tmp_path: Path) -> None:
    path = str(tmp_path / "state")
    with SessionStore(path) as store:
        id = store.new().id
        store.turn(id)
    script = """
import os, signal, sys
from silp_cli.protocol.sessions.store import SessionStore
store = SessionStore(sys.argv[1])
store._new_req_id = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
store.turn(sys.argv[2], digits=4)
"""
    victim = subprocess.run([sys.executable, "-c", script, path, id], timeout=60)
    assert victim.returncode == -signal.SIGKILL
    with SessionStore(path) as store:
        assert store.turn(id).session.turns == 2
