"""The commands of the meta-protocol as people run them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from silp_cli import api

from .shell import FIXTURES, shell, silp

IR = str(FIXTURES / "ir.jsonl")
LINES = (FIXTURES / "ir.jsonl").read_text().splitlines()


# ---------------------------------------------------------------- pipelines


@pytest.mark.parametrize(
    "wrapping",
    [
        "mcp --tool plan", "mcp --tool plan --replace instruction", "mcp --answer",
        f"mcp --into {FIXTURES}/mcp-request.json",
        "a2a", "a2a --artifact", "a2a --rpc", "a2a --answer", f"a2a --into {FIXTURES}/a2a-message.json",
        "aidip", "aidip --answer", "aidip --plain", f"aidip --into {FIXTURES}/aidip-invoke.json",
    ],
)  # fmt: skip
@pytest.mark.parametrize("frontend", ["code", "json"])
def test_compile_wrap_unwrap_decode(wrapping: str, frontend: str) -> None:
    done = shell(f"silp compile -f {frontend} {IR} | silp wrap {wrapping} | silp unwrap | silp decode")
    assert (done.returncode, done.stderr) == (0, "")
    for before, after in zip(LINES, done.stdout.splitlines(), strict=True):
        assert api.equivalent(json.loads(before), json.loads(after))


def test_ping_pong_negotiate() -> None:
    done = shell(
        "silp ping --frontends code,json | silp pong --frontends json,natural --echo | silp negotiate"
    )
    assert (done.returncode, done.stdout) == (0, "json\n")
    done = shell("silp ping --frontends code | silp pong --frontends json --echo | silp negotiate")
    assert (done.returncode, done.stdout) == (1, "")
    assert "unsupported_frontend: no frontend in common" in done.stderr
    done = shell("silp ping | silp pong --echo | silp negotiate")
    assert done.stdout == "code\n"


def test_diagnostics_become_error_objects() -> None:
    done = shell(
        "printf 'cancel(\\nbook(x)\\n' | silp decode --errors json 2>&1 >/dev/null"
        " | silp error --req-id 0a1b2c3d || true"
    )
    (line,) = done.stdout.splitlines()
    error = json.loads(line)["silp_error"]
    assert (error["code"], error["req_id"], error["line"]) == ("invalid_syntax", "0a1b2c3d", 1)
    done = shell(
        "echo 'cancel(' | silp decode --on-error emit 2>/dev/null | silp error | silp wrap mcp --answer"
    )
    assert json.loads(done.stdout)["result"]["isError"] is True
    back = silp("unwrap", input=done.stdout)
    assert (back.returncode, back.stdout) == (1, "")
    assert "invalid_syntax" in back.stderr


# ---------------------------------------------------------------- negotiation


def test_pong_answers_every_line_and_diagnoses_garbage() -> None:
    lines = "//ping v1 frontends=code id=7\ngarbage\n//ping v9 x=y\n//pong v1 frontends=code\n"
    done = silp("pong", "--frontends", "code,json", input=lines)
    assert done.returncode == 1
    first, second, third, fourth = done.stdout.splitlines()
    assert first == "//pong v1 frontends=code,json prefer=code id=7"
    assert second.startswith("//error v1 code=invalid_syntax ")
    assert third.startswith("//error v1 code=unsupported_version ")
    assert fourth.startswith("//error v1 code=invalid_syntax ")
    assert "stdin:2:1: invalid_syntax" in done.stderr


def test_negotiate_reads_a_transcript_of_many_exchanges(tmp_path: Path) -> None:
    (tmp_path / "ping").write_text("//ping v1 frontends=code,json\n")
    (tmp_path / "pong").write_text(
        "//pong v1 frontends=json new=thing\n//ping v1 frontends=code\n//ping v1 frontends=code\n"
    )
    done = silp("negotiate", str(tmp_path / "ping"), str(tmp_path / "pong"))
    assert (done.returncode, done.stdout) == (1, "json\n")
    assert "out of order: a second ping" in done.stderr
    assert "timeout: the ping was never answered" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("ping", "--frontends", "cod"), "did you mean 'code'?"), (("ping", "--frontends", ""), "not a frontend name"),
        (("ping", "--frontends", "code,math"), "no frontend 'math'"), (("ping", "--prefer", "natural"), "not among"),
        (("pong", "--frontends", "code", "--prefer", "json"), "not among"), (("wrap", "mcp"), "--tool"),
        (("wrap", "smtp"), "not one of"), (("wrap", "a2a", "--tool", "x"), "no meaning for a2a"),
        (("wrap", "mcp", "--tool", "x", "--arguments", "[1]"), "not a JSON object"),
        (("wrap", "mcp", "--tool", "x", "--id", "abc"), "is a number"),
        (("wrap", "mcp", "--into", "/none"), "No such file"),
        (("wrap", "mcp", "--tool", "x", "-f", "nope"), "no frontend 'nope'"),
        (("wrap", "aidip", "--plain", "--replace", "x"), "exclude"),
        (("error", "--message", "x"), "--code"), (("error", "--code", "oops"), "not one of"),
        (("req-id", "--hex", "0"), "1 to 16"), (("req-id", "--trials", "0"), "invalid"), (("session",), "missing command"),
        (("session", "new", "--n", "7"), "not one of"), (("session", "new", "--ttl", "-1"), "invalid"),
        (("session", "simulate", "--n", "3"), "N is one of"), (("lock", "verify", "--bare"), "no such option: --bare"),
        (("lock", "--repair"), "no such option: --repair"),
        (("lock", "-f", "nope"), "no frontend"), (("compile", "-f", "nope"), "no frontend"),
    ],
)  # fmt: skip
def test_a_wrong_command_line_is_one_line_and_status_2(arguments: tuple[str, ...], words: str) -> None:
    done = silp(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert "Traceback" not in done.stderr


COMMANDS = ("ping", "pong", "negotiate", "session", "lock", "req-id", "wrap", "unwrap", "error")


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_examples(command: str) -> None:
    done = silp(command, "--help")
    assert done.returncode == 0
    assert "Examples:\n   silp " in done.stdout
    if command == "session":
        for action in ("new", "turn", "show", "expire", "simulate"):
            assert f"Examples:\n   silp session {action}" in silp("session", action, "--help").stdout


# ---------------------------------------------------------------- sessions


def test_a_session_from_the_shell(tmp_path: Path) -> None:
    state = str(tmp_path / "state")
    begun = silp("session", "new", "--n", "5", "--id", "a1", "--state", state)
    assert json.loads(begun.stdout)["session_id"] == "a1"
    turns = [
        json.loads(silp("session", "turn", "a1", "--hex", "4", SILP_STATE=state).stdout) for _ in range(6)
    ]
    assert [turn["context"] for turn in turns] == [1, 2, 3, 4, 5, 1]
    assert [turn["reset"] for turn in turns] == [False] * 5 + [True]
    assert len({turn["req_id"] for turn in turns}) == 6
    assert json.loads(silp("session", "show", SILP_STATE=state).stdout)["turns"] == 6
    table = silp("session", "show", "a1", "--format", "table", SILP_STATE=state).stdout
    assert "session id" in table
    assert silp("session", "expire", "a1", SILP_STATE=state).returncode == 0
    late = silp("session", "turn", "a1", "--errors", "json", SILP_STATE=state)
    assert (late.returncode, late.stdout) == (1, "")
    assert json.loads(late.stderr)["code"] == "session_expired"


def test_a_session_times_out(tmp_path: Path) -> None:
    state = str(tmp_path / "state")
    silp("session", "new", "--id", "a1", "--ttl", "0", SILP_STATE=state)
    codes = [
        json.loads(silp("session", "turn", "a1", "--errors", "json", SILP_STATE=state).stderr)["code"]
        for _ in "12"
    ]
    assert codes == ["timeout", "session_expired"]


def test_compile_stamps_and_counts(tmp_path: Path) -> None:
    state = str(tmp_path / "state")
    silp("session", "new", "--n", "5", "--id", "a1", SILP_STATE=state)
    bad = '{"intent":"!ERASE","meta":{"req_id":"0a1b2c3d"}}'
    other = '{"intent":"!BOOK","meta":{"req_id":"0a1b2c3d","session_id":"b2"}}'
    done = silp(
        "compile", "--session", "a1", input="\n".join([*LINES, bad, other, "{", *LINES]), SILP_STATE=state
    )
    assert done.returncode == 1
    assert len(done.stdout.splitlines()) == 6
    for line in done.stdout.splitlines():
        assert api.decode(line)["meta"]["session_id"] == "a1"
    assert "!ERASE" in done.stderr
    assert "belongs to another session" in done.stderr
    shown = json.loads(silp("session", "show", "a1", SILP_STATE=state).stdout)
    assert (shown["turns"], shown["context"]) == (6, 1)


def test_compile_in_a_session_that_ended_writes_nothing(tmp_path: Path) -> None:
    state = str(tmp_path / "state")
    silp("session", "new", "--id", "a1", SILP_STATE=state)
    silp("session", "expire", "a1", SILP_STATE=state)
    for id in ("a1", "zz"):
        done = silp("compile", "--session", id, IR, SILP_STATE=state)
        assert (done.returncode, done.stdout) == (1, "")
        assert "session_expired" in done.stderr


def test_a_live_reader_gets_each_payload_when_it_was_counted(tmp_path: Path) -> None:
    state = str(tmp_path / "state")
    silp("session", "new", "--id", "a1", SILP_STATE=state)
    with subprocess.Popen(
        [sys.executable, "-m", "silp_cli", "compile", "--session", "a1", "--state", state],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        for number, line in enumerate(LINES, 1):
            process.stdin.write(line + "\n")
            process.stdin.flush()
            assert "session_id=a1" in process.stdout.readline()
            assert json.loads(silp("session", "show", "a1", "--state", state).stdout)["turns"] == number
        process.stdin.close()
    assert process.returncode == 0


def test_a_state_file_that_is_something_else(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("x" * 5000)
    for arguments in (("session", "show"), ("compile", "--session", "a1")):
        done = silp(*arguments, "--state", str(tmp_path / "text"), input=LINES[0])
        assert done.returncode == 2
        assert "not a database" in done.stderr
    assert silp("session", "new", "--state", "/dev/full").returncode == 2


def test_simulate_in_numbers_and_as_a_picture(tmp_path: Path) -> None:
    done = silp("session", "simulate", "--turns", "60", "--plot", str(tmp_path / "c.svg"))
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(row["n"], row["heartbeats"], row["mean"], row["max"], row["total"]) for row in rows] == [
        (1, 59, 1, 1, 60), (5, 11, 3, 5, 180), (10, 5, 5.5, 10, 330), (15, 3, 8, 15, 480), (20, 2, 10.5, 20, 630),
        (9999, 0, 30.5, 60, 1830),
    ]  # fmt: skip
    picture = (tmp_path / "c.svg").read_text()
    assert picture.startswith("<svg ")
    assert picture.count("<path ") == 6
    table = silp("session", "simulate", "--turns", "7", "--n", "5,1", "--format", "table").stdout
    assert len(table.splitlines()) == 4


# ---------------------------------------------------------------- degradation

PLUGIN = """
from silp_cli.frontends.base import Frontend
from silp_cli.ir.errors import ErrorCode, SilpError

class Math(Frontend):
    name = "math"
    lossless = False
    summary = "carries bookings only"
    def compile(self, ir, *, bare=False):
        if ir["intent"] != "!BOOK":
            raise SilpError(ErrorCode.UNSUPPORTED_FRONTEND, "no bookings here")
        return "BOOK"

class Broken(Frontend):
    name = "broken"
    summary = "fails always"
    def compile(self, ir, *, bare=False):
        raise SilpError(ErrorCode.UNSUPPORTED_FRONTEND, "cannot carry this")
"""


@pytest.fixture
def plugin(tmp_path: Path) -> dict[str, str]:
    """Two frontends of another distribution, as an installer would leave them."""
    (tmp_path / "silp_test_plugin.py").write_text(PLUGIN)
    info = tmp_path / "silp_test_plugin-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: silp-test-plugin\nVersion: 1\n")
    (info / "entry_points.txt").write_text(
        "[silp.frontends]\nmath = silp_test_plugin:Math\nbroken = silp_test_plugin:Broken\n"
    )
    return {"PYTHONPATH": str(tmp_path)}


def test_degrade_walks_the_chain_and_says_which_frontend_it_used(plugin: dict[str, str]) -> None:
    done = silp("compile", "-f", "math", "--degrade", IR, env=plugin)
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[1] == "BOOK"
    assert [json.loads(lines[at])["intent"] for at in (0, 2)] == ["!CANCEL", "!NOTIFY"]
    assert (
        "ir.jsonl:1: warning: frontend.degraded: compiled with 'json', since 'math' failed" in done.stderr
    )
    assert done.stderr.splitlines()[-1] == "silp compile: compiled with json (2), math (1)"


def test_degrade_starts_the_whole_chain_for_a_frontend_outside_it(plugin: dict[str, str]) -> None:
    done = silp("compile", "-f", "broken", "--degrade", IR, env=plugin)
    assert done.returncode == 0
    assert done.stdout == silp("compile", IR).stdout
    assert "compiled with code (3)" in done.stderr
    unknown = silp("compile", "-f", "nowhere", "--degrade", IR)
    assert unknown.stdout == done.stdout
    assert "since 'nowhere' failed" in unknown.stderr


def test_degrade_with_errors_as_json_and_in_a_session(plugin: dict[str, str], tmp_path: Path) -> None:
    state = str(tmp_path / "state")
    silp("session", "new", "--id", "a1", "--state", state)
    done = silp(
        "compile",
        "-f",
        "broken",
        "--degrade",
        "--session",
        "a1",
        "--state",
        state,
        "--errors",
        "json",
        IR,
        env=plugin,
    )
    assert [json.loads(line)["rule"] for line in done.stderr.splitlines()] == ["frontend.degraded"] * 3
    assert all("session_id=a1" in line for line in done.stdout.splitlines())


def test_without_trouble_degrade_changes_nothing() -> None:
    done = silp("compile", "--degrade", IR)
    assert done.stdout == silp("compile", IR).stdout
    assert done.stderr == "silp compile: compiled with code (3)\n"


# ---------------------------------------------------------------- rubbish and edges

FILTERS: list[tuple[str, ...]] = [
    ("pong",), ("negotiate",), ("wrap", "mcp", "--tool", "t"), ("wrap", "a2a"), ("wrap", "aidip"), ("unwrap",),
    ("error",),
    ("lock", "-l", "/dev/shm/silp-test-never.lock"),
]  # fmt: skip


@pytest.mark.parametrize("arguments", FILTERS, ids=" ".join)
class TestEveryFilter:
    @pytest.fixture(autouse=True)
    def _own_lock(self, tmp_path: Path, arguments: tuple[str, ...]) -> None:
        self.arguments = tuple(
            str(tmp_path / "l") if each.startswith("/dev/shm") else each for each in arguments
        )

    def test_empty_input_is_no_error(self, arguments: tuple[str, ...]) -> None:
        done = silp(*self.arguments)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")

    def test_binary_rubbish_is_diagnosed(self, arguments: tuple[str, ...]) -> None:
        done = silp(*self.arguments, input=bytes(range(256)) * 8 + b"\n\xff\xfe\x00\n")
        assert done.returncode == 1
        assert "Traceback" not in done.stderr
        assert done.stderr

    def test_a_missing_file_is_named(self, arguments: tuple[str, ...]) -> None:
        done = silp(*self.arguments, "nowhere.txt")
        assert done.returncode == 2
        assert "nowhere.txt: No such file or directory" in done.stderr

    def test_a_record_over_the_limit_is_refused(self, arguments: tuple[str, ...]) -> None:
        done = silp(*self.arguments, "--max-record-size", "1K", input="x" * 5000 + "\n")
        assert done.returncode == 1
        assert "longer than 1024 bytes" in done.stderr

    def test_deep_nesting_is_refused_quickly(self, arguments: tuple[str, ...]) -> None:
        done = silp(*self.arguments, input='{"a":' * 100_000 + "1" + "}" * 100_000 + "\n")
        assert done.returncode == 1
        assert "Traceback" not in done.stderr


def good(command: str) -> Any:
    return {
        "pong": "//ping v1 frontends=code\n", "negotiate": "//ping v1 frontends=code\n//pong v1 frontends=code\n",
        "wrap": "cancel(ferry)\n", "unwrap": '{"inputs":"cancel(ferry)"}\n', "error": '{"code":"timeout"}\n',
        "lock": LINES[0] + "\n",
    }[command]  # fmt: skip


@pytest.mark.parametrize("arguments", FILTERS, ids=" ".join)
def test_a_full_disk_and_a_closed_pipe(arguments: tuple[str, ...], tmp_path: Path) -> None:
    own = [str(tmp_path / "l") if each.startswith("/dev/shm") else each for each in arguments]
    (tmp_path / "in").write_text(good(arguments[0]) * 3000)
    line = "silp " + " ".join(own)
    full = shell(f"{line} < in > /dev/full", cwd=tmp_path)
    assert full.returncode == 2
    assert "No space left on device" in full.stderr
    piped = shell(f"set +o pipefail; {line} < in | head -1", cwd=tmp_path)
    assert (piped.returncode, piped.stderr) == (0, "")
    assert len(piped.stdout.splitlines()) == 1


def test_unwrap_reads_documents_of_any_layout() -> None:
    envelope = silp(
        "wrap", "mcp", "--into", str(FIXTURES / "mcp-request.json"), input="cancel(a)\ncancel(b)\n"
    ).stdout
    assert envelope.count("\n") > 4
    done = silp("unwrap", "--json", input=envelope + '{"inputs":"//ping v1 frontends=code"}')
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        {"encoding": "code", "payload": "cancel(a)"}, {"encoding": "code", "payload": "cancel(b)"},
        {"encoding": "negotiation", "payload": "//ping v1 frontends=code"},
    ]  # fmt: skip


def test_wrap_into_changes_nothing_else() -> None:
    text = (FIXTURES / "mcp-request.json").read_text()
    done = silp("wrap", "mcp", "--into", str(FIXTURES / "mcp-request.json"), input="cancel(ferry)\n")
    added = ',"silp_encoding":"code","silp_payload":"cancel(ferry)"'
    assert done.stdout.count(added) == 1
    assert done.stdout.replace(added, "") == text


def test_req_id_reports_measured_beside_calculated() -> None:
    done = silp("req-id", "--n", "1000", "--hex", "4,8", "--trials", "50")
    four, eight = [json.loads(line) for line in done.stdout.splitlines()]
    assert (four["bits"], four["p_birthday"]) == (16, 0.999529)
    assert four["p_collision"] > 0.9
    assert 6 < four["collisions"] < 9.5
    assert eight["collisions"] == 0
    assert "p birthday" in silp("req-id", "--trials", "1", "--format", "table").stdout


def test_plain_compile_loads_nothing_of_all_this() -> None:
    script = (
        "import sys; from silp_cli.__main__ import main; main(['compile', sys.argv[1]]);"
        "sys.stderr.write(' '.join(sorted(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script, IR], capture_output=True, text=True, timeout=60)
    assert not {"sqlite3", "silp_cli.protocol", "fcntl"} & set(done.stderr.split())
