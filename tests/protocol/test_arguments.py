"""Arguments no command can use: bytes that are not UTF-8, numbers that are too large."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .shell import FIXTURES, silp

RUBBISH = "\udcff"  # how Python takes the byte FF from the command line
IR = str(FIXTURES / "ir.jsonl")


@pytest.mark.parametrize(
    ("arguments", "number"),
    [
        (("wrap", "mcp", "--tool", "x", "--arguments", f'{{"a":"{RUBBISH}"}}'), 5),
        (("wrap", "mcp", "--tool", RUBBISH), 3), (("wrap", "mcp", f"--tool={RUBBISH}"), 2),
        (("wrap", "aidip", "--replace", RUBBISH), 3), (("compile", "--session", RUBBISH), 2),
        (("session", "show", RUBBISH), 2), (("session", "new", "--id", RUBBISH), 3), (("ping", "--id", RUBBISH), 2),
        (("error", "--code", "timeout", "--message", RUBBISH), 4), (("decode", "-f", "é" + RUBBISH), 2),
        (("probe", RUBBISH), 1), (("req-id", RUBBISH), 1), (("decode", "missing" + RUBBISH), 1),
    ],
)  # fmt: skip
def test_an_argument_that_is_not_utf_8_is_named_by_its_place(
    arguments: tuple[str, ...], number: int, tmp_path: Path
) -> None:
    done = silp(*arguments, cwd=tmp_path)
    expected = f"silp {arguments[0]}: argument {number} is not UTF-8\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", expected)


def test_a_command_that_is_not_utf_8_is_none() -> None:
    done = silp(RUBBISH)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("silp: no such command '\\udcff'")


def test_names_of_files_may_be_any_bytes(tmp_path: Path) -> None:
    (tmp_path / RUBBISH).write_text("cancel(\ncancel(ferry)\n")
    done = silp("decode", RUBBISH, "--on-error", "emit", "--errors", "json", cwd=tmp_path)
    assert done.returncode == 1
    assert json.loads(done.stderr)["source"] == RUBBISH
    assert [json.loads(line).get("intent") for line in done.stdout.splitlines()] == [None, "!CANCEL"]
    text = silp("decode", RUBBISH, cwd=tmp_path)
    assert text.stderr.startswith("silp decode: \\udcff:1:8: invalid_syntax")
    for number, option in enumerate((["-o", "{}"], ["-o{}"], ["--output", "{}"], ["--output={}"])):
        name = f"{number}{RUBBISH}"
        done = silp("compile", IR, *(part.format(name) for part in option), cwd=tmp_path)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        assert (tmp_path / name).read_text().count("\n") == 3
    into = silp("wrap", "aidip", f"--into={RUBBISH}", cwd=tmp_path)
    assert into.returncode == 2
    assert into.stderr.startswith("silp wrap: \\udcff:1:1: invalid_syntax")


@pytest.mark.parametrize("form", ["table", "json"])
def test_such_names_do_not_break_a_report(tmp_path: Path, form: str) -> None:
    (tmp_path / RUBBISH).write_bytes((FIXTURES / "ir.jsonl").read_bytes())
    done = silp("compare", "--format", form, RUBBISH, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "\\udcff" in done.stdout


@pytest.mark.parametrize("count", ["9223372036854775808", "99999999999999999999", "9" * 5000, "0", "-1", "1e3"])
def test_a_count_of_turns_out_of_range_is_a_wrong_command_line(tmp_path: Path, count: str) -> None:
    done = silp("session", "turn", "t1", f"--count={count}", SILP_STATE=str(tmp_path / "state"))
    assert (done.returncode, done.stdout) == (2, "")
    assert "--count" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("ttl", ["99999999999999999999", "1e308"])
def test_a_long_ttl_is_kept(tmp_path: Path, ttl: str) -> None:
    state = str(tmp_path / "state")
    assert silp("session", "new", "--id", "t1", "--ttl", ttl, SILP_STATE=state).returncode == 0
    assert json.loads(silp("session", "show", "t1", SILP_STATE=state).stdout)["ttl"] == float(ttl)


@pytest.mark.parametrize("ttl", ["1e309", "inf", "nan", "-1", "9" * 400])
def test_a_ttl_that_is_no_time_is_a_wrong_command_line(tmp_path: Path, ttl: str) -> None:
    done = silp("session", "new", f"--ttl={ttl}", SILP_STATE=str(tmp_path / "state"))
    assert (done.returncode, done.stdout) == (2, "")
    assert "--ttl" in done.stderr


def test_a_session_full_of_turns_takes_no_more(tmp_path: Path) -> None:
    state = str(tmp_path / "state")
    silp("session", "new", "--id", "t1", SILP_STATE=state)
    assert silp("session", "turn", "t1", "--count", str(2**63 - 1), SILP_STATE=state).returncode == 0
    for done in (silp("session", "turn", "t1", SILP_STATE=state), silp("compile", "--session", "t1", IR, SILP_STATE=state)):
        assert (done.returncode, done.stdout) == (1, "")
        assert "session_expired: session t1 would have more than" in done.stderr
