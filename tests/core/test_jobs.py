"""``--jobs``: output, diagnostics and exit status are those of one process, to the byte."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from itertools import islice
from pathlib import Path

import pytest
from corpora import irs
from support import SILP, Result, environment, run, shell, silp

# The real command with blocks so small that a test has many of them.
_SMALL = """
import sys
from silp_cli.__main__ import main
from silp_cli.text import cutter
cutter.BLOCK, cutter._READ = 3000, 1000
sys.exit(main())
"""


def small(*arguments: str, given: bytes, cwd: Path | None = None) -> Result:
    """``silp`` with three processes and small blocks."""
    return run([sys.executable, "-c", _SMALL, *arguments, "--jobs", "3"], given, cwd, None)


def same(given: bytes, *arguments: str) -> Result:
    """Compare with one process; give what both did."""
    one = silp(*arguments, given=given)
    several = small(*arguments, given=given)
    assert several.out == one.out
    assert several.err == one.err
    assert several.status == one.status
    return one


LINES = list(islice(irs(5, bad=13), 200))
JSON_LINES = "".join(line + "\n" for line in LINES).encode()
PAYLOADS = b"\n\xe3\x80\x80\n".join(silp("compile", given=JSON_LINES).out.encode().splitlines()) + b"\nnot ( one\n\xff\n"


@pytest.mark.parametrize("arguments", [
    ["compile"], ["compile", "--errors", "json"], ["compile", "--on-error", "emit"], ["compile", "--on-error", "stop"],
    ["compile", "-f", "json", "--all"], ["compile", "--max-record-size", "270"], ["validate", "--fail-on", "warning"],
    ["sanitize", "--json"], ["sanitize", "--json", "--check", "--report", "json"],
    ["census", "--ir", "--tokenizers", "gpt-3.5"], ["census", "--ir", "--tokenizers", "gpt-3.5", "--format", "table"],
], ids=" ".join)
def test_json_lines(arguments: list[str]) -> None:
    done = same(JSON_LINES, *arguments)
    assert done.status == 1


@pytest.mark.parametrize("arguments", [
    ["decode"], ["decode", "--errors", "json"], ["decode", "--extract"], ["sanitize"],
    ["sanitize", "--encoding-errors", "replace", "--diff"], ["sanitize", "--check", "--report", "sarif"],
    ["census", "--payloads", "--tokenizers", "gpt-3.5", "--errors", "json"],
    ["census", "--payloads", "--tokenizers", "gpt-3.5", "--format", "csv"],
    ["census", "--payloads", "--tokenizers", "gpt-3.5", "--format", "json", "--max-tokens", "30"],
], ids=" ".join)
def test_lines_of_text(arguments: list[str]) -> None:
    same(PAYLOADS, *arguments)


@pytest.mark.parametrize("given", [
    b"", b"\n\n", b"\xef\xbb\xbf" + JSON_LINES, JSON_LINES.removesuffix(b"\n"), JSON_LINES.replace(b"\n", b"\r\n"),
    JSON_LINES.replace(b"\n", b" ", 5),
    "\n".join(json.dumps(json.loads(line), indent=2) for line in LINES if "oops" not in line).encode(),
    "\n".join(json.dumps(json.loads(line), indent=2)[: 500 if index % 7 else 90]
              for index, line in enumerate(LINES) if "oops" not in line).encode(),
    b"".join(line.encode().replace(b",", b"\n,") + b"\n" for line in LINES),
    b'{"a":\n' + b"[1,\n" * 4000 + JSON_LINES,
    b"words\n" * 2000 + JSON_LINES, JSON_LINES + b'{"x":"' + b"y" * 2_000_000 + b'"}\n' + JSON_LINES + b"\xff\n",
], ids=["nothing", "blank", "bom", "no end", "crlf", "several a line", "pretty", "cut off", "lines begin oddly", "open",
        "words", "very long"])
@pytest.mark.parametrize("command", ["validate", "compile"])
def test_documents_of_any_layout(given: bytes, command: str) -> None:
    same(given, command, "--errors", "json")


def test_files_count_on_and_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_bytes(JSON_LINES)
    arguments = ["compile", "--errors", "json", "a", "missing", "b", "-o", "out"]
    one = silp(*arguments, cwd=tmp_path)
    first = (tmp_path / "out").read_bytes()
    several = small(*arguments, given=b"", cwd=tmp_path)
    assert (several.status, several.err) == (one.status, one.err)
    assert several.status == 2
    assert (tmp_path / "out").read_bytes() == first


def test_what_is_no_command_is_refused_as_ever() -> None:
    same(b"", "compile", "--frontend", "klingon")
    assert silp("compile", "--jobs", "-1").status == 2


def test_a_live_sender_gets_each_answer() -> None:
    with subprocess.Popen(
        [SILP, "compile", "--jobs", "2"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(), text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for line in LINES[:3]:
            process.stdin.write(line + "\n")
            process.stdin.flush()
            assert process.stdout.readline().strip()
        process.stdin.close()


def test_a_closed_pipe_is_quiet() -> None:
    done = shell("head -1 fixtures/kinds.jsonl | (read -r line; yes \"$line\") | silp validate --jobs 2 | head -1; true")
    assert (done.out.count("\n"), done.err) == (1, "")


def _children(parent: int) -> list[int]:
    return [int(pid) for pid in Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]


def test_a_killed_worker_is_an_error_that_names_the_lines(tmp_path: Path) -> None:
    with subprocess.Popen(
        [SILP, "compile", "--jobs", "2", "--errors", "json"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, env=environment(),
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(LINES[0].encode() + b"\n")
        process.stdin.flush()
        process.stdout.readline()
        workers = _children(process.pid)
        assert len(workers) == 2
        for worker in workers:
            os.kill(worker, signal.SIGSTOP)  # so that it holds a block when it dies
        process.stdin.write(LINES[1].encode() + b"\n" + LINES[2].encode() + b"\n")
        process.stdin.flush()
        time.sleep(0.3)
        for worker in workers:
            os.kill(worker, signal.SIGKILL)
        out, err = process.communicate(LINES[3].encode() + b"\n", timeout=30)
    found = [json.loads(line) for line in err.splitlines()]
    assert [each["rule"] for each in found] == ["jobs.worker-lost"]
    assert found[0]["message"] == "lines 2 to 3 are lost: a worker was killed by signal 9"
    assert process.returncode == 1
    assert out.count(b"\n") == 1


def test_interrupt_ends_it_with_its_workers() -> None:
    with subprocess.Popen(
        [SILP, "compile", "--jobs", "2"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=environment(), start_new_session=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(LINES[0].encode() + b"\n")
        process.stdin.flush()
        process.stdout.readline()
        workers = _children(process.pid)
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (130, b"")
    assert not any(Path(f"/proc/{worker}").exists() for worker in workers)
