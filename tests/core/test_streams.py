"""Streams through the real command: layouts of input, policies after errors, live output, closed pipes, signals."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest
from support import FIXTURES, ROOT, SILP, environment, read_jsonl, shell, silp

from silp_cli.text.records import Reader, Source

GOOD = '{"intent":"!CANCEL","meta":{"req_id":"a1b2c3d4"}}'
OTHER = '{"intent":"!EMAIL","entities":[{"id":"act","value":"bob"}],"meta":{"req_id":"a1b2c3d4"}}'
KINDS = FIXTURES.joinpath("kinds.jsonl").read_text(encoding="utf-8").splitlines()


def pretty(line: str, indent: int | str = 2) -> str:
    """The same document over several lines."""
    return json.dumps(json.loads(line), indent=indent, ensure_ascii=False)


# ---------------------------------------------------------------- layouts


_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s,:{}\[\]"]+|[,:{}\[\]]')
LAYOUTS = {
    "JSON Lines": "\n".join(KINDS) + "\n",
    "no line end at the end": "\n".join(KINDS),
    "blank lines": "\n\n" + "\n \n\n".join(KINDS) + "\n\n",
    "CRLF": "\r\n".join(KINDS) + "\r\n",
    "indented": "\n".join(map(pretty, KINDS)),
    "indented by tabs, CRLF": "\n".join(pretty(line, "\t") for line in KINDS).replace("\n", "\r\n"),
    "not indented": "\n".join(pretty(line, 0) for line in KINDS),
    "concatenated": "".join(KINDS),
    "concatenated with spaces": "  ".join(KINDS),
    "indented, concatenated": "".join(map(pretty, KINDS)),
    "mixed": "".join(pretty(line) if n % 3 else line + "\n" * (n % 2) for n, line in enumerate(KINDS)),
    "one token a line": "\n".join(_TOKEN.sub(r"\g<0>\n", line) for line in KINDS),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_layout_is_found_by_reading(layout: str) -> None:
    found = silp("compile", given=LAYOUTS[layout])
    assert (found.status, found.err) == (0, "")
    assert found.lines == silp("compile", given="\n".join(KINDS)).lines


def test_a_round_trip_through_a_pipe_keeps_everything() -> None:
    script = (
        "silp validate fixtures/kinds.jsonl | silp compile -f {} | silp decode | silp validate | silp compile -f {}"
    )
    for one, other in (("code", "json"), ("json", "code")):
        found = shell(script.format(one, other))
        assert (found.status, found.err) == (0, "")
        assert found.lines == silp("compile", "-f", other, "fixtures/kinds.jsonl").lines


def test_both_frontends_may_be_mixed_in_one_stream() -> None:
    code, flat = (silp("compile", "-f", name, "fixtures/kinds.jsonl").lines for name in ("code", "json"))
    mixed = "\n".join(line for pair in zip(code, flat, strict=True) for line in pair)
    found = silp("decode", given=mixed)
    assert (found.status, len(found.lines)) == (0, 54)


def test_payloads_may_end_in_crlf_and_have_blank_lines_between() -> None:
    found = silp("decode", given="cancel(a)\r\n\r\n  \n\tcancel(b)  \r\ncancel(c)")
    assert (found.status, [json.loads(line)["entities"][0]["value"] for line in found.lines]) == (0, ["a", "b", "c"])


def test_validate_passes_the_text_on_untouched() -> None:
    odd = '{ "intent" : "!CANCEL" , "meta":{"req_id":"a1b2c3d4","x":1.0e0,"y":"\\u00e9"} }'
    found = silp("validate", given=f"{odd}\n{KINDS[0]}\n")
    assert (found.status, found.lines) == (0, [odd, KINDS[0]])


# ---------------------------------------------------------------- a record that was cut off


@pytest.mark.parametrize("cut", range(1, len(KINDS[0])))
def test_a_record_cut_off_anywhere_costs_no_other_record(cut: int) -> None:
    assert _values(f"{KINDS[1]}\n{KINDS[0][:cut]}\n{KINDS[2]}\n{KINDS[3]}\n") == [1, "bad", 2, 3]


@pytest.mark.parametrize("cut", range(1, len(KINDS[0]), 7))
def test_a_record_cut_off_before_the_last_one_costs_no_other_record(cut: int) -> None:
    assert _values(f"{KINDS[0][:cut]}\n{KINDS[2]}") == ["bad", 2]
    assert _values(f"{KINDS[1]}\n{KINDS[0][:cut]}") == [1, "bad"]


@pytest.mark.parametrize("lines", range(1, len(pretty(KINDS[0]).splitlines()) - 1))
def test_an_indented_record_cut_off_costs_no_other_record(lines: int) -> None:
    cut = "\n".join(pretty(KINDS[0]).splitlines()[:lines])
    assert _values(f"{KINDS[1]}\n{cut}\n{KINDS[2]}\n{pretty(KINDS[3])}\n{KINDS[4]}\n") == [1, "bad", 2, 3, 4]


def _values(text: str) -> list[int | str]:
    """Which of the fixture's records the reader finds in a text, and where it finds bad ones."""
    known = {json.dumps(json.loads(line)): index for index, line in enumerate(KINDS)}
    inner, outer = os.pipe()
    os.write(outer, text.encode())
    os.close(outer)
    records = list(Reader(iter([Source("text", inner)])).documents())
    os.close(inner)
    assert [record.number for record in records] == list(range(1, len(records) + 1))
    return ["bad" if record.error else known[json.dumps(record.value)] for record in records]


def test_the_place_of_a_cut_off_record_is_where_it_ends() -> None:
    cut = OTHER[: OTHER.index(",")]
    found = silp("compile", "--errors", "json", given=f"{GOOD}\n{cut}\n{GOOD}\n")
    assert [(e["record"], e["line"], e["column"], e["rule"]) for e in found.diagnostics] == [
        (2, 2, len(cut) + 1, "json.truncated")
    ]


# ---------------------------------------------------------------- policies after an error


MIXED = f"{GOOD}\n{{bad}}\n{OTHER}\n{GOOD[:-1]}\n{GOOD}\n"


def test_skip_is_the_default() -> None:
    for options in ((), ("--on-error", "skip")):
        found = silp("compile", *options, given=MIXED)
        assert (found.status, found.lines) == (1, ["cancel()", "email(bob)", "cancel()"])
        assert found.err.count("silp compile: stdin:") == 2


def test_stop_stops_at_the_first_bad_record() -> None:
    found = silp("compile", "--on-error", "stop", given=MIXED)
    assert (found.status, found.lines) == (1, ["cancel()"])
    assert found.err.count("silp compile: stdin:") == 1


def test_emit_keeps_input_and_output_aligned() -> None:
    found = silp("compile", "--on-error", "emit", "--errors", "json", given=MIXED)
    assert found.status == 1
    assert [line if line[0] != "{" else "error" for line in found.lines] == [
        "cancel()", "error", "email(bob)", "error", "cancel()",
    ]
    emitted = [json.loads(line)["error"] for line in found.lines if line[0] == "{"]
    assert emitted == found.diagnostics
    assert [error["record"] for error in emitted] == [2, 4]


def test_emit_aligns_decode_and_validate_too() -> None:
    found = silp("decode", "--on-error", "emit", given="cancel(a)\ncancel(\ncancel(b)\n")
    assert [next(iter(json.loads(line))) for line in found.lines] == ["silp", "error", "silp"]
    found = silp("validate", "--on-error", "emit", given=MIXED)
    assert [line[:9] for line in found.lines] == ['{"intent"', '{"error":', '{"intent"', '{"error":', '{"intent"']


def test_errors_as_json_are_one_object_a_line_with_the_documented_fields() -> None:
    found = silp("validate", "--errors", "json", given='{"intent":"!ESCALATE","meta":{"req_id":"0a1b2c3d"}}\n')
    (error,) = found.diagnostics
    assert list(error) == ["code", "rule", "severity", "message", "source", "record", "line", "column", "path", "hint"]


def test_all_problems_of_a_record_are_reported() -> None:
    bad = '{"intent":"cancel","entities":[{"id":1,"value":"x"},{"value":"y"}],"meta":{"req_id":"XYZ"},"more":1}'
    found = silp("compile", "--errors", "json", given=bad)
    assert [(each["rule"], each["path"]) for each in found.diagnostics] == [
        ("schema.additionalProperties", "/more"), ("schema.type", "/entities/0/id"), ("schema.required", "/entities/1"),
        ("schema.pattern", "/intent"), ("schema.pattern", "/meta/req_id"),
    ]


def test_warnings_pass_unless_the_gate_says_otherwise() -> None:
    given = '{"intent":"!CANCEL","meta":{"req_id":"a1b2"}}\n'
    found = silp("validate", "--errors", "json", given=given)
    assert (found.status, found.out) == (0, given)
    assert [(each["severity"], each["rule"]) for each in found.diagnostics] == [("warning", "req-id.short")]
    assert silp("validate", "--fail-on", "warning", given=given).status == 1
    assert silp("validate", "--fail-on", "warning", given=given).out == ""
    assert silp("validate", "--no-warnings", given=given).err == ""
    assert silp("validate", "--quiet", given=given).out == ""


def test_strict_holds_to_the_schema_to_the_letter() -> None:
    published = KINDS[0]
    assert silp("validate", given=published).status == 0
    found = silp("validate", "--strict", "--errors", "json", given=published)
    assert found.status == 1
    assert {(each["rule"], each["path"]) for each in found.diagnostics} == {
        ("schema.type", "/meta/next_agent"), ("schema.type", "/meta/session_id"),
    }


def test_the_verb_list_can_be_replaced_or_dropped(tmp_path: Path) -> None:
    given = '{"intent":"!DEPLOY","meta":{"req_id":"a1b2c3d4"}}\n'
    verbs = tmp_path / "verbs.txt"
    verbs.write_text("# ours\nDEPLOY\n!rollback  # and back\n")
    assert silp("compile", given=given).status == 1
    assert silp("compile", "--any-verb", given=given).out == "deploy()\n"
    assert silp("compile", "--verbs", str(verbs), given=given).out == "deploy()\n"
    assert silp("compile", "--verbs", str(verbs), given=GOOD).status == 1
    verbs.write_text("DEPLOY\nroll back\n")
    found = silp("compile", "--verbs", str(verbs), given=given)
    assert (found.status, found.err.count("\n")) == (2, 1)
    assert "line 2" in found.err


# ---------------------------------------------------------------- FILE arguments


def test_files_and_stdin_in_the_order_given(tmp_path: Path) -> None:
    tmp_path.joinpath("a").write_text(GOOD)
    tmp_path.joinpath("b").write_text(OTHER + "\n{bad}\n")
    found = silp("compile", "--errors", "json", "b", "-", "a", "b", cwd=tmp_path,
        given='{"intent":"!BOOK","meta":{"req_id":"a1b2c3d4"}}')
    assert (found.status, found.lines) == (1, ["email(bob)", "book()", "cancel()", "email(bob)"])
    assert [(each["source"], each["record"], each["line"]) for each in found.diagnostics] == [("b", 2, 2), ("b", 6, 2)]


def test_a_missing_file_costs_the_status_and_no_other_file(tmp_path: Path) -> None:
    tmp_path.joinpath("a").write_text(GOOD)
    for command, wanted in (("compile", "cancel()\n"), ("validate", GOOD + "\n")):
        found = silp(command, "gone", "a", "also-gone", cwd=tmp_path)
        assert (found.status, found.out) == (2, wanted)
        assert found.err.splitlines() == [
            f"silp {command}: gone: No such file or directory", f"silp {command}: also-gone: No such file or directory",
        ]


def test_a_directory_or_an_unreadable_file_is_named(tmp_path: Path) -> None:
    found = silp("decode", str(tmp_path))
    assert (found.status, found.err) == (2, f"silp decode: {tmp_path}: Is a directory\n")


def test_options_may_stand_between_files(tmp_path: Path) -> None:
    tmp_path.joinpath("a").write_text(GOOD)
    assert silp("compile", "a", "-f", "json", "a", cwd=tmp_path).lines == ['{"intent":"!CANCEL"}'] * 2
    tmp_path.joinpath("-x").write_text(GOOD)
    assert silp("compile", "--", "-x", cwd=tmp_path).lines == ["cancel()"]


# ---------------------------------------------------------------- pipes, live and closed


def test_a_closed_pipe_ends_quietly() -> None:
    many = "for i in $(seq 400); do cat fixtures/kinds.jsonl; done"
    for command in ("silp validate", "silp compile", "silp compile -f json"):
        found = shell(f"{many} | {command} | head -1; echo ${{PIPESTATUS[1]}}")
        assert (found.lines[1:], found.err) == (["0"], ""), command
    for command in ("silp --help", "silp compile --help", "silp schema", "silp --version"):
        found = shell(f"{command} | true; echo ${{PIPESTATUS[0]}}")
        assert (found.out, found.err) == ("0\n", ""), command


def test_an_endless_producer_is_stopped_by_head() -> None:
    found = shell("yes 'cancel(x)' | silp decode | silp compile | head -2")
    assert (found.lines, found.err) == (["cancel(x)", "cancel(x)"], "")


def test_a_full_disk_is_one_line_and_status_2() -> None:
    for command in ("compile fixtures/kinds.jsonl", "validate fixtures/kinds.jsonl",
        "decode fixtures/draft-payloads.txt", "schema",
                    "frontends", "--help", "compile --help", "--version"):
        found = shell(f"silp {command} > /dev/full")
        assert (found.status, found.err.count("\n")) == (2, 1), (command, found)
        assert "No space left on device" in found.err
    found = silp("compile", "fixtures/kinds.jsonl", "-o", "/dev/full")
    assert (found.status, found.err) == (2, "silp: /dev/full: No space left on device\n")


def test_closed_standard_streams_are_answered_in_one_line() -> None:
    found = shell("silp compile <&-")
    assert (found.status, found.err) == (2, "silp compile: stdin is closed\n")
    assert shell("silp compile fixtures/draft-ir.jsonl <&-").status == 0
    found = shell("silp compile fixtures/draft-ir.jsonl >&-")
    assert (found.status, found.err) == (2, "silp: stdout is closed\n")
    found = shell("echo '{bad}' | silp compile 2>&-")
    assert (found.status, found.out, found.err) == (1, "", "")


@pytest.fixture
def live() -> Iterator[subprocess.Popen[bytes]]:
    """``silp compile`` with pipes on both sides."""
    process = subprocess.Popen(
        [SILP, "compile"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(),
        cwd=ROOT
    )
    yield process
    process.kill()
    process.communicate()


def _streams(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes]]:
    assert process.stdin is not None
    assert process.stdout is not None
    return process.stdin, process.stdout


def test_a_record_appears_before_the_next_one_is_sent(live: subprocess.Popen[bytes]) -> None:
    to, back = _streams(live)
    for line, wanted in ((GOOD, b"cancel()\n"), (OTHER, b"email(bob)\n"), (pretty(GOOD), b"cancel()\n"),
        (GOOD, b"cancel()\n")):
        to.write(line.encode() + b"\n")
        to.flush()
        assert back.readline() == wanted


def test_a_record_that_arrives_in_pieces_is_one_record(live: subprocess.Popen[bytes]) -> None:
    to, back = _streams(live)
    for piece in (GOOD[:10], GOOD[10:30], GOOD[30:] + "\n"):
        to.write(piece.encode())
        to.flush()
        time.sleep(0.05)
    assert back.readline() == b"cancel()\n"


def test_a_character_cut_in_two_by_the_buffer_is_whole(live: subprocess.Popen[bytes]) -> None:
    data = OTHER.replace("bob", "日本").encode() + b"\n"
    split = data.index("日".encode()) + 1
    to, back = _streams(live)
    to.write(data[:split])
    to.flush()
    time.sleep(0.1)
    to.write(data[split:])
    to.flush()
    assert back.readline().decode() == "email(日本)\n"


@pytest.mark.parametrize("command", [["compile"], ["decode"], ["validate"], ["decode", "--extract"]])
def test_ctrl_c_exits_130_and_says_nothing(command: list[str]) -> None:
    process = subprocess.Popen(
        [SILP, *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    )
    to, back = _streams(process)
    if command != ["decode", "--extract"]:
        to.write({"decode": b"cancel()\n"}.get(command[0], GOOD.encode() + b"\n"))
        to.flush()
        assert back.readline()  # it is up and running
    else:
        time.sleep(0.7)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (130, b"", b"")


# ---------------------------------------------------------------- -o


def test_output_may_be_the_input_file(tmp_path: Path) -> None:
    file = tmp_path / "ir.jsonl"
    file.write_text("\n".join(KINDS) + "\n", encoding="utf-8")
    file.chmod(0o600)
    found = silp("validate", str(file), "-o", str(file))
    assert (found.status, found.out) == (0, "")
    assert file.read_text(encoding="utf-8") == "\n".join(KINDS) + "\n"
    assert file.stat().st_mode & 0o777 == 0o600
    silp("compile", str(file), "-o", str(file))
    assert file.read_text(encoding="utf-8").splitlines() == silp("compile", "fixtures/kinds.jsonl").lines
    assert list(tmp_path.iterdir()) == [file]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    tmp_path.joinpath("real").write_text("old")
    tmp_path.joinpath("link").symlink_to("real")
    silp("compile", "-o", "link", cwd=tmp_path, given=GOOD)
    assert tmp_path.joinpath("link").is_symlink()
    assert tmp_path.joinpath("real").read_text() == "cancel()\n"


def test_the_file_appears_whole(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [SILP, "compile", "-o", "out"], stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(), cwd=tmp_path
    )
    assert process.stdin is not None
    process.stdin.write(GOOD.encode() + b"\n")
    process.stdin.flush()
    time.sleep(0.5)
    assert not tmp_path.joinpath("out").exists()
    process.communicate(timeout=20)
    assert tmp_path.joinpath("out").read_text() == "cancel()\n"


def test_an_interrupted_run_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    tmp_path.joinpath("out").write_text("old\n")
    process = subprocess.Popen(
        [SILP, "compile", "-o", "out"], stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(), cwd=tmp_path
    )
    assert process.stdin is not None
    process.stdin.write(GOOD.encode() + b"\n")
    process.stdin.flush()
    time.sleep(0.7)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=20)
    assert process.returncode == 130
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("out", "old\n")]


def test_an_unwritable_output_is_status_2(tmp_path: Path) -> None:
    for target in (str(tmp_path / "no" / "such"), str(tmp_path)):
        found = silp("compile", "-o", target, given=GOOD)
        assert (found.status, found.out, found.err.count("\n")) == (2, "", 1)
        assert f"{target}: " in found.err


def test_a_dash_is_stdout() -> None:
    assert silp("compile", "-o", "-", given=GOOD).out == "cancel()\n"


def test_pretty_output_is_json_and_reads_back() -> None:
    found = silp("decode", "--pretty", "fixtures/draft-payloads.txt")
    assert "\n  \"intent\"" in found.out
    compact = silp("decode", "fixtures/draft-payloads.txt")
    assert silp("compile", given=found.out).lines == silp("compile", given=compact.out).lines


def test_what_is_written_never_reaches_for_the_terminal() -> None:
    """Decoded JSON spells hidden characters as escapes, so that every later filter and terminal is safe."""
    hostile = {"intent": "!CANCEL", "entities": [{"id": "act", "value": "a\u202eb\u200bc\x1b[31m\u2028\x7f\ud800"}],
               "meta": {"req_id": "a1b2c3d4"}}
    for options in ((), ("--pretty",)):
        for frontend in ("code", "json"):
            text = silp("compile", "-f", frontend, given=json.dumps(hostile)).out
            found = silp("decode", *options, given=text)
            assert not set(found.out) & set("\u202e\u200b\x1b\u2028\x7f")
            assert json.loads(found.out)["entities"][0]["value"] == hostile["entities"][0]["value"]  # type: ignore[index]


def test_all_27_fixtures_decode_to_what_was_compiled_through_files(tmp_path: Path) -> None:
    assert silp("compile", "fixtures/kinds.jsonl", "-o", str(tmp_path / "p")).status == 0
    assert silp("decode", str(tmp_path / "p"), "-o", str(tmp_path / "ir")).status == 0
    back = [json.loads(line) for line in tmp_path.joinpath("ir").read_text(encoding="utf-8").splitlines()]
    assert [ir["intent"] for ir in back] == [ir["intent"] for ir in read_jsonl("kinds.jsonl")]
