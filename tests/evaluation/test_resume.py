"""A run that is stopped, however, goes on where it was: nothing is lost, nothing is asked or written twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from support import FIXTURES, ROOT, SILP, environment, shell, silp

from evaluation.server import faulty_server

CASES = FIXTURES / "eval" / "cases.jsonl"


def facts(path: Path) -> list[dict[str, Any]]:
    """The results in an order of their own, without what differs from run to run."""
    results = [json.loads(line) for line in path.read_text().splitlines()]
    for each in results:
        del each["latency_s"]
    return sorted(results, key=lambda each: json.dumps(each))


def test_a_run_that_was_killed_fifty_times_equals_one_left_alone(tmp_path: Path) -> None:
    cases = tmp_path / "cases.jsonl"
    cases.write_text("".join(CASES.read_text().splitlines(keepends=True)[:30]))
    options = ("--jobs", "4", "--repeat", "2", "--tokenizers", "", "-f", "code", "-f", "json")
    with faulty_server(delay=0.015) as server:
        alone = silp("eval", "--model", f"m={server.url}", *options, "-o", str(tmp_path / "alone"), str(cases))
        assert (alone.status, alone.out, alone.err) == (0, "", "")
        wanted = server.asked.copy()
        server.asked.clear()
        done = subprocess.run(
            [sys.executable, str(ROOT / "tests/evaluation/killed_runs.py"),
             server.url, str(cases), str(tmp_path / "killed"), "7", "50"],
            capture_output=True, text=True, timeout=120, env=environment(), cwd=ROOT,
        )
        assert done.returncode == 0, done.stderr
        killed = int(done.stdout)
        asked = server.asked
    assert killed >= 25
    assert facts(tmp_path / "killed") == facts(tmp_path / "alone")
    # lost with each kill: at most the requests in flight
    assert wanted.total() <= asked.total() - 1 <= wanted.total() + 4 * killed  # one was asked to warm up


def test_a_torn_last_line_is_mended(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    with faulty_server() as server:
        command = ("eval", "--model", f"m={server.url}", "-t", "read", "--limit", "3", "-f", "code", "--tokenizers", "")
        silp(*command, "-o", str(path), str(CASES))
        whole = path.read_bytes()
        path.write_bytes(whole[:-20])
        mended = silp(*command, "-o", str(path), str(CASES))
        assert mended.status == 0
        assert mended.err == f"silp eval: {path}: the last line was cut off; it is asked again\n"
        assert server.asked.total() == 4
        assert len(facts(path)) == 3
        again = silp(*command, "-o", str(path), str(CASES))
        assert (again.status, again.err) == (0, "")
        assert server.asked.total() == 4


def test_what_was_asked_otherwise_is_not_taken_for_an_answer(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    with faulty_server() as server:
        command = ("eval", "--model", f"m={server.url}", "-t", "read", "--limit", "1", "-f", "code", "--tokenizers", "",
                   "-o", str(path), str(CASES))
        assert silp(*command).status == 0
        before = path.read_bytes()
        for option, what in (("--temperature=0.5", "temperature"), ("--seed=3", "seed")):
            refused = silp(*command, option)
            assert refused.status == 2
            assert refused.err == (
                f"silp eval: {path}: m read code travel-01 0 was asked with another {what}; write to a new file\n"
            )
        assert path.read_bytes() == before
        path.write_text('{"no":"result"}\n')
        refused = silp(*command)
        assert refused.status == 2
        assert f"{path}:1: not a result" in refused.err
        assert path.read_text() == '{"no":"result"}\n'


def test_an_interrupt_leaves_a_valid_file_and_one_that_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    with faulty_server(delay=0.05) as server:
        command = [SILP, "eval", "--model", f"m={server.url}", "-t", "read", "-f", "code", "--tokenizers", "", "-o", str(path), str(CASES)]
        with subprocess.Popen(command, stderr=subprocess.PIPE, env=environment()) as process:
            while not path.exists() or path.read_bytes().count(b"\n") < 3:
                time.sleep(0.01)
            other = subprocess.run(command, capture_output=True, text=True, env=environment())
            assert (other.returncode, other.stderr) == (2, f"silp eval: {path}: another run is writing it\n")
            os.kill(process.pid, signal.SIGINT)
            assert process.wait(10) == 130
            assert process.stderr is not None
            assert b"Traceback" not in process.stderr.read()
        assert 3 <= len(facts(path)) < 120


def test_a_closed_pipe_ends_a_run_quietly_and_a_full_disk_in_one_line() -> None:
    with faulty_server(delay=0.01) as server:
        command = f"{SILP} eval --model m={server.url} -t read -f code --tokenizers '' {CASES}"
        closed = shell(f"{command} | head -n 1")
        assert closed.out.count("\n") == 1
        assert closed.err == ""
        full = shell(f"{command} > /dev/full")
        assert full.status == 2
        assert full.err.count("\n") == 1
        assert "No space left on device" in full.err
        assert server.asked.total() < 120
