"""Where output and diagnostics go, and what happens when nobody takes them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support import SILP, environment, shell, silp


def _valid() -> str:
    """The line of an IR that ``silp validate`` passes."""
    ir = silp("decode", given="cancel(flight)\n").out
    assert silp("validate", given=ir).status == 0
    return ir


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("sink", ["> >(head -1 >/dev/null)", ">/dev/full", "> >(true)", ">&-"])
def test_diagnostics_that_nobody_takes_cost_no_record(tmp_path: Path, sink: str, form: str) -> None:
    good = _valid()
    (tmp_path / "mix.jsonl").write_text((good + "nonsense\n") * 3000)
    result = shell(f"silp validate --errors {form} mix.jsonl 2{sink} >o; echo $?", cwd=tmp_path)
    assert result.out == "1\n"
    assert (tmp_path / "o").read_text() == good * 3000


def test_a_command_line_that_is_wrong_is_status_2_whether_or_not_it_can_be_said() -> None:
    for arguments in ("compile --nonsense", "nonsense", "", "compile missing", "compile -o ''"):
        result = shell(f"silp {arguments} 2>/dev/full; echo $?")
        assert (result.out, result.err) == ("2\n", "")


def test_a_report_that_nobody_takes_costs_no_text(tmp_path: Path) -> None:
    result = shell("silp sanitize --report json 2>/dev/full", given="a\u200bb\n" * 9)
    assert result.out == "ab\n" * 9


@pytest.mark.parametrize("arguments", ["compile --help", "validate", "frontends"])
def test_a_reader_of_stdout_that_has_gone_is_no_error(arguments: str) -> None:
    result = shell(f"{{ sleep 0.3; silp {arguments}; echo $? >&2; }} | true", given=_valid() * 3000)
    assert result.err == "0\n"


@pytest.mark.parametrize("outlet", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_an_open_descriptor_named_as_a_file_is_written_on(tmp_path: Path, outlet: str) -> None:
    script = f"{{ echo before; echo 'cancel(a)' | silp decode | silp compile -o {outlet}; echo after; }} > o"
    assert shell(script, cwd=tmp_path).status == 0
    assert (tmp_path / "o").read_text() == "before\ncancel(a)\nafter\n"
    assert os.listdir(tmp_path) == ["o"]
    assert shell(f"silp schema -o {outlet} | head -1").out == "{\n"


@pytest.mark.parametrize(("outlet", "number"), [("/dev/stderr", 2), ("/dev/fd/5", 5)])
def test_other_descriptors_may_be_named_too(tmp_path: Path, outlet: str, number: int) -> None:
    (tmp_path / "o").write_text("before\n")
    shell(f"echo 'cancel(a)' | silp decode -o {outlet} {number}>>o", cwd=tmp_path)
    assert (tmp_path / "o").read_text().startswith('before\n{"')


def test_a_descriptor_that_is_not_open_is_one_line() -> None:
    result = silp("compile", "-o", "/dev/fd/77")
    assert (result.status, result.err) == (2, "silp: /dev/fd/77: Bad file descriptor\n")


@pytest.mark.parametrize(
    "command", [["compile"], ["decode"], ["schema"], ["explain", "--payload", "cancel(a)"], ["lock"]]
)
def test_an_output_without_a_name_is_refused(tmp_path: Path, command: list[str]) -> None:
    result = silp(*command, "-o", "", cwd=tmp_path)
    assert (result.status, result.out, result.err) == (2, "", "silp: the output file has no name\n")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("command", ["decode", "lock"])
def test_an_output_that_cannot_be_put_in_its_place_leaves_nothing_behind(tmp_path: Path, command: str) -> None:
    given = "cancel(a)\n" if command == "decode" else _valid()
    with subprocess.Popen(
        [SILP, command, "-o", "o"], cwd=tmp_path, env=environment(), text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:
        while not any(name.endswith(".tmp") and name.startswith("o.") for name in os.listdir(tmp_path)):
            assert process.poll() is None
        (tmp_path / "o").mkdir()
        _, error = process.communicate(given)
    assert (process.returncode, error.count("\n")) == (2, 1)
    assert error.startswith("silp: ")
    assert ".tmp" not in error
    assert [name for name in os.listdir(tmp_path) if name.endswith(".tmp")] == []


def test_a_file_that_has_the_name_of_a_temporary_one_is_left_alone(tmp_path: Path) -> None:
    # The shell's own process id is that of the command it becomes.
    script = "echo mine > o.$$.0.tmp; exec silp decode -o o"
    assert shell(script, given="cancel(a)\n", cwd=tmp_path).status == 0
    assert (tmp_path / "o").read_text().startswith("{")
    (left,) = tmp_path.glob("*.tmp")
    assert left.read_text() == "mine\n"


@pytest.mark.parametrize("output", ["lk", "./lk", "link"])
def test_the_lock_is_not_overwritten_by_the_payloads(tmp_path: Path, output: str) -> None:
    ir = _valid()
    assert silp("lock", "-l", "lk", given=ir, cwd=tmp_path).status == 0
    (tmp_path / "link").symlink_to("lk")
    before = (tmp_path / "lk").read_bytes()
    result = silp("lock", "-l", "lk", "-o", output, given=ir, cwd=tmp_path)
    assert (result.status, result.out, result.err.count("\n")) == (2, "", 1)
    assert (tmp_path / "lk").read_bytes() == before


def test_a_lock_that_is_yet_to_be_made_is_no_output_either(tmp_path: Path) -> None:
    assert silp("lock", "-o", "compile.lock", given=_valid(), cwd=tmp_path).status == 2
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "ascii:strict", "utf-8"])
@pytest.mark.parametrize(
    "arguments", [["--help"], ["compile", "--help"], ["lock", "--help"], ["census", "--help"], ["frontends"], []]
)
def test_help_and_tables_fit_every_encoding(arguments: list[str], encoding: str) -> None:
    result = silp(*arguments, env={"PYTHONIOENCODING": encoding})
    assert result.status == (0 if arguments else 2)
    assert "Traceback" not in result.err
    assert result.out or result.err


@pytest.mark.parametrize("command", ["explain", "explain -", "compile", "decode", "validate", "sanitize"])
def test_a_closed_stdin_is_one_line(command: str) -> None:
    result = shell(f"silp {command} <&-")
    assert (result.status, result.out, result.err.count("\n")) == (2, "", 1)
    assert "stdin is closed" in result.err


def test_ctrl_c_while_starting_up_ends_without_a_traceback() -> None:
    code = "import silp_cli.__main__, os; os.kill(os.getpid(), 2); print('went on')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, env=environment(), check=False)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, b"", b"")


def test_ctrl_c_that_was_ignored_stays_ignored() -> None:
    code = "import silp_cli.__main__, os; os.kill(os.getpid(), 2); print('went on')"
    result = shell(f"trap '' INT; exec python -c \"{code}\"")
    assert (result.status, result.out) == (0, "went on\n")


def test_ctrl_c_while_working_is_130_and_leaves_no_half_file(tmp_path: Path) -> None:
    with subprocess.Popen(
        [SILP, "decode", "-o", "o"], cwd=tmp_path, env=environment(),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:
        while not os.listdir(tmp_path):
            assert process.poll() is None
        time.sleep(0.3)  # now it waits for input
        process.send_signal(signal.SIGINT)
        process.wait(20)
        assert process.stderr is not None
        assert process.stderr.read() == b""
    assert process.returncode == 130
    assert os.listdir(tmp_path) == []
