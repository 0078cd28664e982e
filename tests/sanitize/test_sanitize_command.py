"""``silp sanitize`` as users run it."""

from __future__ import annotations

import json
import os
import random
import subprocess
from pathlib import Path

import pytest
from support import FIXTURES, SILP, environment, shell, silp

SUSPICIOUS = FIXTURES / "sanitize" / "suspicious.txt"
ATTACK = "с\u200bаncel(x)\n"


@pytest.mark.parametrize(
    "data",
    [b"", b"a", b"a\n", b"a\r\n\r\nb", b"\n\n", b"cancel(flight)\n" * 100_000, b"x" * 3_000_000, b"a\r\n" * 99_999]
)
def test_clean_input_comes_out_byte_for_byte(data: bytes) -> None:
    done = subprocess.run([SILP, "sanitize"], input=data, capture_output=True, check=True, env=environment())
    assert (done.stdout, done.stderr) == (data, b"")


def test_honest_text_comes_out_byte_for_byte() -> None:
    data = 'email("Москва, Ελλάδα, 日本, می‌خواهم, ❤️ 👩‍👧")\r\n'.encode() * 20_000
    done = subprocess.run([SILP, "sanitize"], input=data, capture_output=True, check=True, env=environment())
    assert done.stdout == data


def test_attacks_are_cleaned_wherever_a_block_ends() -> None:
    draw = random.Random(1)
    kinds = [ATTACK, "cancel(y)\n", "Москва\n"]
    lines = [draw.choice([*kinds, "x" * draw.randrange(300) + "\u202e\n"]) for _ in range(20_000)]
    result = silp("sanitize", given="".join(lines))
    assert result.status == 0
    want = "".join(lines).replace(ATTACK, "cancel(x)\n").replace("\u202e", "")
    assert result.out == want


def test_a_line_without_end_is_cleaned_in_constant_memory() -> None:
    script = (
        "python3 -c \"import sys\nfor i in range(60): sys.stdout.write('Москва ' * 19999 + 'с\\u200bаncel ')\" | "
        "( ulimit -v 600000; silp sanitize ) | python3 -c \"import sys\nd = sys.stdin.read()\n"
        "print(len(d), d == ('Москва ' * 19999 + 'cancel ') * 60)\""
    )
    result = shell(script)
    assert result.out == f"{7 * 1_200_000} True\n", result


def test_what_was_done_is_said_on_stderr() -> None:
    assert silp("sanitize", given=ATTACK).err == "silp sanitize: cleaned 3 characters: homoglyph 2, zero-width 1\n"


def test_check_writes_the_report_and_fails() -> None:
    result = silp("sanitize", "--check", str(SUSPICIOUS))
    assert result.status == 1
    places = [line.split(": ")[0].removeprefix(str(SUSPICIOUS)) for line in result.lines]
    assert places == [":2:1", ":2:2", ":2:3", ":3:29"]
    assert "U+0441 CYRILLIC SMALL LETTER ES read as 'c', in \"с<U+200B>аncel\"" in result.lines[0]
    assert silp("sanitize", "--check", given="cancel(x)\n").status == 0


def test_sarif_is_one_document_with_places_and_rules() -> None:
    log = json.loads(silp("sanitize", "--check", "--report", "sarif", str(SUSPICIOUS)).out)
    run = log["runs"][0]
    assert log["version"] == "2.1.0"
    rules = {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    assert {each["ruleId"] for each in run["results"]} <= rules
    regions = [each["locations"][0]["physicalLocation"]["region"] for each in run["results"]]
    assert [(each["startLine"], each["startColumn"]) for each in regions] == [(2, 1), (2, 2), (2, 3), (3, 29)]
    assert json.loads(silp("sanitize", "--check", "--report", "sarif", given="ok\n").out)["runs"][0]["results"] == []


def test_reports_go_to_a_file_beside_the_cleaned_text(tmp_path: Path) -> None:
    report, clean = tmp_path / "report.jsonl", tmp_path / "clean.txt"
    result = silp("sanitize", "--report", "json", "--report-file", str(report), "-o", str(clean), given=ATTACK)
    assert (result.status, clean.read_text()) == (0, "cancel(x)\n")
    kinds = [json.loads(line)["class"] for line in report.read_text().splitlines()]
    assert kinds == ["homoglyph", "zero-width", "homoglyph"]


def test_diff_and_show_make_the_invisible_visible() -> None:
    assert silp("sanitize", "--diff", given="ok\n" + ATTACK).out == (
        "@@ stdin:2 @@\n-<U+0441=c><U+200B><U+0430=a>ncel(x)\n+cancel(x)\n"
    )
    shown = silp("sanitize", "--show", given="ok\t\r\n❤️ \x1b[1m" + ATTACK)
    assert shown.out == "ok\t\r\n❤<U+FE0F> <U+001B>[1m<U+0441=c><U+200B><U+0430=a>ncel(x)\n"


def test_classes_are_chosen_by_name() -> None:
    given = "a\u200b\u202e\u00adb\n"
    assert silp("sanitize", "--classes", "bidi", given=given).out == "a\u200b\u00adb\n"
    assert silp("sanitize", "--keep", "bidi,soft-hyphen", given=given).out == "a\u202e\u00adb\n"
    assert silp("sanitize", "--classes", "none", "--homoglyphs", "off", given=given + ATTACK).out == given + ATTACK
    wrong = silp("sanitize", "--classes", "bid", given=given)
    assert (wrong.status, wrong.err.count("\n")) == (2, 1)
    assert "there are: zero-width" in wrong.err


def test_bytes_that_are_not_utf8_are_an_error_with_their_offset() -> None:
    given = b"ok\n" * 100_000 + b"caf\xe9\n" + ATTACK.encode()
    straight = silp("sanitize", "--errors", "json", given=given)
    for result in (straight, shell("cat | silp sanitize --errors json", given)):
        assert result.status == 1
        assert result.out == "ok\n" * 100_000 + "cancel(x)\n"
        assert result.diagnostics[0]["message"] == "not UTF-8 at byte offset 300003 (0xe9)"
        assert (result.diagnostics[0]["line"], result.diagnostics[0]["column"]) == (100_001, 4)
    replaced = silp("sanitize", "--encoding-errors", "replace", given=given[-30:])
    assert (replaced.status, "caf\ufffd\n" in replaced.out) == (0, True)
    assert silp("sanitize", "--on-error", "stop", given=b"a\n\xff\nb\n").out == "a\n"


def test_binary_rubbish_is_answered_without_a_traceback() -> None:
    for options in ((), ("--json",), ("--check",), ("--show",), ("--encoding-errors", "replace")):
        result = silp("sanitize", *options, given=random.Random(3).randbytes(50_000))
        assert result.status in (0, 1)
        assert "Traceback" not in result.err


def test_files_pipes_and_full_disks() -> None:
    assert silp("sanitize", "no-such-file").status == 2
    assert shell("yes 'cancel(x)' | silp sanitize | head -1 ; true").out == "cancel(x)\n"
    full = shell("yes | head -100000 | silp sanitize > /dev/full")
    assert full.status == 2
    assert "Traceback" not in full.err
    assert "No space left" in full.err


def test_a_file_is_cleaned_onto_itself(tmp_path: Path) -> None:
    file = tmp_path / "payloads.txt"
    file.write_text(ATTACK)
    assert silp("sanitize", "-o", str(file), str(file)).status == 0
    assert file.read_text() == "cancel(x)\n"
    assert os.listdir(tmp_path) == ["payloads.txt"]


def test_output_is_live_on_a_live_pipe() -> None:
    pipe = subprocess.PIPE
    with subprocess.Popen([SILP, "sanitize"], stdin=pipe, stdout=pipe, env=environment()) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for line in ("cancel(x)\n", ATTACK):
            process.stdin.write(line.encode())
            process.stdin.flush()
            assert process.stdout.readline() == b"cancel(x)\n"
        process.stdin.close()


def test_options_that_exclude_one_another() -> None:
    assert silp("sanitize", "--check", "--diff").status == 2


def test_what_compile_writes_passes_untouched_in_every_mode() -> None:
    for frontend in ("code", "json"):
        payloads = shell(f"silp compile -f {frontend} fixtures/kinds.jsonl").out
        for options in ((), ("--strict",), ("--homoglyphs", "all"), ("--strict", "--homoglyphs", "all")):
            result = silp("sanitize", *options, given=payloads)
            assert (result.out, result.err) == (payloads, "")
