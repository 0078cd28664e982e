"""``silp census`` as a filter: streams, bad input, full disks, closed pipes, wrong command lines."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from census_helpers import FIXTURES, silp
from hypothesis import given, settings
from hypothesis import strategies as st

ONE = ("--tokenizers", "llama-2")
CODE = ("--ir", "--frontends", "code")
IR = (FIXTURES / "ir.jsonl").read_text()


def strings(text: str) -> list[str]:
    return [json.loads(line)["string"] for line in text.splitlines()]


def test_strings_come_from_stdin_from_files_and_from_both() -> None:
    assert strings(silp("census", *ONE, stdin="cancel\nbook\n").stdout) == ["cancel", "book"]
    file = str(FIXTURES / "payloads.txt")
    assert len(strings(silp("census", *ONE, file).stdout)) == 4
    assert strings(silp("census", *ONE, file, "-", stdin="last\n").stdout)[-1] == "last"
    named = silp("census", *ONE, "--structural", "-", stdin="last\n").stdout
    assert strings(named)[:2] + strings(named)[-1:] == ["if", "else", "last"]


def test_a_line_is_a_string_to_the_letter() -> None:
    done = silp("census", *ONE, stdin="  padded  \n# no comment\n!CANCEL\n\n\ttab\r\nno line end")
    assert strings(done.stdout) == ["  padded  ", "# no comment", "!CANCEL", "\ttab", "no line end"]


def test_verbs_are_read_as_the_whitelist_has_them(tmp_path: Path) -> None:
    file = tmp_path / "verbs"
    file.write_text("# comment\nCANCEL\n!CANCEL\ncancel # all the same\n\nswitch_tool\n")
    done = silp("census", *ONE, "--verbs", str(file))
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(row["string"], row["line"]) for row in rows] == [
        ("cancel", 2), ("cancel", 3), ("cancel", 4), ("switch_tool", 6)
    ]


def test_what_is_no_verb_stops_the_command_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "verbs"
    file.write_text("cancel\nnot a verb\n")
    done = silp("census", *ONE, "--verbs", str(file), "--check")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"silp census: {file}:2: ")


def test_a_bad_line_does_not_stop_the_rest() -> None:
    done = silp("census", *ONE, stdin=b"cancel\n\xff\xfe\nbook\n")
    assert (done.returncode, strings(done.stdout)) == (1, ["cancel", "book"])
    assert "stdin:2" in done.stderr
    assert "not UTF-8 at byte offset 7" in done.stderr
    stopped = silp("census", *ONE, "--on-error", "stop", stdin=b"cancel\n\xff\xfe\nbook\n")
    assert (stopped.returncode, strings(stopped.stdout)) == (1, ["cancel"])


def test_a_bad_ir_does_not_stop_the_rest_and_emit_keeps_the_places() -> None:
    first, second, third = IR.splitlines()
    stream = "\n".join([first, "nonsense", '{"intent":"!START"}', second, third])
    done = silp("census", *ONE, *CODE, stdin=stream)
    assert done.returncode == 1
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row.get("record") for row in rows] == [1, 4, 5, None]
    assert rows[-1]["summary"]["records"] == 3
    emitted = silp("census", *ONE, *CODE, "--on-error", "emit", stdin=stream)
    kinds = [next(iter(json.loads(line))) for line in emitted.stdout.splitlines()]
    assert kinds == ["record", "error", "error", "record", "record", "summary"]
    table = silp("census", *ONE, *CODE, "--on-error", "emit", "--format", "table", stdin=stream)
    assert (table.returncode, table.stdout) == (2, "")


@pytest.mark.parametrize("verb", ["!ESCALATE", "!FOO"])
def test_an_excluded_or_unknown_verb_in_an_ir_is_counted(verb: str) -> None:
    ir = json.dumps({"intent": verb, "meta": {"req_id": "0a1b2c3d"}})
    done = silp("census", *ONE, *CODE, stdin=ir)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout.splitlines()[-1])["summary"]["records"] == 1


@settings(max_examples=5, deadline=None)
@given(st.binary(max_size=400))
def test_rubbish_never_ends_in_a_traceback(data: bytes) -> None:
    for mode in ((), ("--payloads",), CODE):
        done = silp("census", *ONE, *mode, stdin=data)
        assert done.returncode in (0, 1)
        assert "Traceback" not in done.stderr
        assert "panicked" not in done.stderr


@pytest.mark.parametrize("mode", [(), ("--payloads",), CODE])
def test_empty_input_is_no_error(mode: tuple[str, ...]) -> None:
    done = silp("census", *ONE, *mode, stdin="")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_missing_file_is_named_and_the_others_are_read() -> None:
    done = silp("census", *ONE, "/nonexistent", str(FIXTURES / "payloads.txt"))
    assert done.returncode == 2
    assert done.stderr == "silp census: /nonexistent: No such file or directory\n"
    assert len(strings(done.stdout)) == 4


def test_a_full_disk_is_one_line() -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "silp_cli", "census", *ONE], input=b"cancel\n", stdout=full,
            stderr=subprocess.PIPE, timeout=60,
        )
    assert done.returncode == 2
    assert done.stderr.decode().count("\n") == 1
    assert b"No space left on device" in done.stderr
    assert silp("census", *ONE, "-o", "/dev/full", stdin="cancel\n").returncode == 2


@pytest.mark.parametrize("mode", ["", "--payloads"])
def test_a_closed_pipe_ends_quietly(mode: str) -> None:
    command = f"yes 'cancel(flight)' | {sys.executable} -m silp_cli census {' '.join(ONE)} {mode} | head -1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60)
    assert done.stdout.count("\n") == 1
    assert done.stderr == ""


def test_output_is_live_on_a_live_pipe() -> None:
    command = [sys.executable, "-m", "silp_cli", "census", "--payloads", *ONE]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number in (1, 2):
            process.stdin.write(b"cancel(flight)\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["record"] == number
        process.stdin.close()
        assert "summary" in json.loads(process.stdout.readline())


def test_a_record_over_the_limit_and_white_space_over_tiktokens_are_diagnosed() -> None:
    stream = "cancel()\n" + "x" * 3000 + "\n" + "book()\n"
    done = silp("census", "--payloads", *ONE, "--max-record-size", "2K", stdin=stream)
    assert done.returncode == 1
    assert "record longer than 2048 bytes" in done.stderr
    blank = silp("census", "--payloads", "--tokenizers", "gpt-4o", stdin="a\n" + " " * 1_000_000 + "b\nc\n")
    assert blank.returncode == 1
    assert "white space" in blank.stderr
    assert [json.loads(line).get("record") for line in blank.stdout.splitlines()] == [1, 3, None]


@pytest.mark.parametrize("arguments", [
    ("--payloads", "--ir"), ("--payloads", "--check"), ("--ir", "--as", "call"), ("--bare",),
    ("--structural", "--as", "call"), ("--update-baseline",), ("--word-list", "x"), ("--frontends", "code"),
    ("--suggest", "x", "--check"), ("--suggest", "not a verb"), ("--tokenizers", ","), ("--max-tokens", "0"),
    ("--ir", "--frontends", "cod"), ("--ir", "--frontends", ","), ("--format", "xml"), ("--plot", "x.jpg"),
    ("--suggest", "x", "file"), ("--max-range", "-1"), ("--payloads", "--whitelist"), ("--verbs", "/nonexistent"),
])
def test_a_wrong_command_line_is_one_line_and_status_2(arguments: tuple[str, ...]) -> None:
    done = silp("census", *ONE, *arguments, stdin="cancel\n") if "--tokenizers" not in arguments else silp(
        "census", *arguments, stdin="cancel\n"
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("silp census: ")


def test_suggest_ranks_replacements() -> None:
    done = silp("census", "--suggest", "!ESCALATE", "--top", "3")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert (done.returncode, len(rows)) == (0, 3)
    assert {row["verb"] for row in rows[:2]} == {"notify", "route"}
    assert all(set(row["counts"].values()) == {1} for row in rows)


def test_suggest_from_a_list_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "list"
    file.write_text("notify\nswitch_tool\n")
    done = silp("census", "--suggest", "escalate", "--word-list", str(file))
    assert [json.loads(line)["verb"] for line in done.stdout.splitlines()] == ["notify"]
    file.write_text("switch_tool\n")
    assert silp("census", "--suggest", "escalate", "--word-list", str(file)).returncode == 1


def test_memory_does_not_grow_with_the_stream(tmp_path: Path) -> None:
    def peak(records: int, *mode: str) -> int:
        file = tmp_path / "stream"
        with open(file, "w") as out:
            for number in range(records):
                out.write(f"if rain(t+{number}): cancel(flight{number}); email(zhangsan{number})\n")
        script = (
            "import resource, sys; from silp_cli.__main__ import main; status = main(sys.argv[1:]); "
            "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr); sys.exit(status)"
        )
        command = [sys.executable, "-c", script, "census", *ONE, *mode, str(file)]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=120, check=True)
        return int(done.stderr)

    for mode, records in ((("--payloads",), 12_000), (("--format", "csv"), 6_000), (("--format", "table"), 6_000)):
        assert peak(records, *mode) <= 1.2 * peak(1_500, *mode), mode


def test_environment_variables_move_the_cache(tmp_path: Path) -> None:
    done = silp("census", *ONE, stdin="cancel\n", env={"SILP_VOCAB_DIR": str(tmp_path)})
    assert done.returncode == 2
    assert str(tmp_path) in done.stderr
    assert os.listdir(tmp_path) == []
