"""Each kind of bad input through the real command: exit status, code, rule, place, and never a traceback."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support import FIXTURES, silp

OTHER = '{"intent":"!EMAIL","entities":[{"id":"act","value":"bob"}],"meta":{"req_id":"a1b2c3d4"}}'
GOOD = '{"intent":"!CANCEL","meta":{"req_id":"a1b2c3d4"}}'
INVALID = FIXTURES / "invalid"

# file in fixtures/invalid -> code, rule, line, column, JSON Pointer
KINDS: dict[str, tuple[str, str, int, int, str | None]] = {
    "array.json": ("invalid_syntax", "schema.type", 1, 1, ""),
    "duplicate-key.json": ("invalid_syntax", "json.duplicate-key", 1, 62, "/meta/out"),
    "excluded-verb.json": ("decode_failed", "verb.excluded", 1, 66, "/entities/0/action"),
    "missing-intent.json": ("invalid_syntax", "schema.required", 1, 1, ""),
    "missing-meta.json": ("invalid_syntax", "schema.required", 1, 1, ""),
    "nan.json": ("invalid_syntax", "json.number", 1, 62, None),
    "not-json.json": ("invalid_syntax", "json.syntax", 1, 2, None),
    "not-utf8.json": ("invalid_syntax", "encoding.utf-8", 1, 57, None),
    "null-intent.json": ("invalid_syntax", "schema.type", 1, 11, "/intent"),
    "pretty-wrong-type.json": ("invalid_syntax", "schema.type", 6, 16, "/constraints/0/value"),
    "req-id-pattern.json": ("invalid_syntax", "schema.pattern", 1, 308, "/meta/req_id"),
    "truncated.json": ("invalid_syntax", "json.truncated", 1, 53, None),
    "unknown-root-field.json": ("invalid_syntax", "schema.additionalProperties", 1, 31, "/entites"),
    "unknown-verb.json": ("decode_failed", "verb.unknown", 1, 11, "/intent"),
    "version-v9.json": ("unsupported_version", "version.silp", 1, 9, "/silp"),
    "wrong-type.json": ("invalid_syntax", "schema.type", 1, 54, "/entities/0/value"),
}


def test_every_invalid_fixture_is_listed() -> None:
    assert {path.name for path in INVALID.iterdir()} == {*KINDS, "utf-16.json"}


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("command", ["compile", "validate"])
def test_bad_ir(command: str, name: str) -> None:
    code, rule, line, column, path = KINDS[name]
    found = silp(command, "--errors", "json", name, cwd=INVALID)
    assert (found.status, found.out) == (1, "")
    (error,) = found.diagnostics
    assert (error["code"], error["rule"], error["line"], error["column"]) == (code, rule, line, column)
    assert (error["source"], error["record"], error.get("path")) == (name, 1, path)
    assert error["severity"] == "error"
    text = silp(command, name, cwd=INVALID)
    first = text.err.splitlines()[0]
    assert first.startswith(f"silp {command}: {name}:{line}:{column}: {code}: {error['message']}")
    assert text.status == 1


@pytest.mark.parametrize("name", KINDS)
def test_a_bad_record_does_not_stop_the_rest(name: str) -> None:
    """Between two good records, on stdin, the one bad record is one diagnostic, in its place."""
    bad = INVALID.joinpath(name).read_bytes().rstrip(b"\n")
    given = b"\n".join((GOOD.encode(), bad, GOOD.encode(), b""))
    found = silp("compile", "--errors", "json", given=given)
    assert (found.status, found.lines) == (1, ["cancel()", "cancel()"])
    assert [(error["record"], error["rule"]) for error in found.diagnostics] == [(2, KINDS[name][1])]
    assert found.diagnostics[0]["line"] == 1 + KINDS[name][2]


def test_utf_16_is_named() -> None:
    found = silp("validate", "utf-16.json", cwd=INVALID)
    assert found.status == 1
    assert "utf-16.json:1:1: invalid_syntax: not UTF-8 at byte offset 0 (0xff)" in found.err
    assert "iconv -f UTF-16 -t UTF-8" in found.err


def test_the_byte_offset_counts_from_the_start_of_the_input() -> None:
    given = GOOD.encode() + b"\n\n" + b'{"a":"\xc3\x28"}\n'
    found = silp("compile", "--errors", "json", given=given)
    assert found.diagnostics[0]["message"] == f"not UTF-8 at byte offset {len(GOOD) + 2 + 6} (0xc3)"
    assert (found.diagnostics[0]["line"], found.diagnostics[0]["column"]) == (3, 7)


def test_invalid_utf_8_in_a_payload() -> None:
    found = silp("decode", "--errors", "json", given=b"cancel(a)\ncancel(\xff)\ncancel(b)\n")
    assert (found.status, len(found.lines)) == (1, 2)
    assert [(each["rule"], each["line"], each["column"]) for each in found.diagnostics] == [("encoding.utf-8", 2, 8)]


# payload -> rule, column
PAYLOADS: dict[str, tuple[str, int]] = {
    "cancel(flight t+1pm)": ("code.syntax", 15),
    "cancel(flight": ("code.syntax", 14),
    'cancel("flight)': ("code.syntax", 8),
    "cancel('it's')": ("code.syntax", 12),
    "cancel(x) else": ("code.syntax", 11),
    "if : cancel(x)": ("code.syntax", 4),
    "if a or b: cancel(x)": ("code.syntax", 5),
    "if a=b: cancel(x)": ("code.syntax", 5),
    "cancel(x))": ("code.syntax", 10),
    "cancel(x).": ("code.syntax", 10),
    "Cancel(x)": ("code.syntax", 1),
    "hello world": ("code.syntax", 6),
    "cancel(bob@x.io)": ("code.syntax", 11),
    "cancel(a: b)": ("code.syntax", 9),
    "cancel(“x”)": ("code.syntax", 8),
    'cancel("\\x41")': ("code.syntax", 9),
    "cancel(a=1,b)(": ("code.syntax", 14),
    "cancel(x) with priority=high": ("code.syntax", 25),
    "cancel(x) with confidence=2": ("code.syntax", 27),
    "cancel(x) with req_id=a1b2c3d4": ("code.syntax", 16),
    "cancel(x) with silp=v9": ("version.silp", 21),
    "cancel(x[a:=nope])": ("json.syntax", 13),
    "cancel(x[a:=1e999])": ("json.number", 13),
    '{"intent":"!CANCEL"': ("json.truncated", 20),
    '{"intent":"!CANCEL","intent":"!EMAIL"}': ("json.duplicate-key", 21),
    '{"act":"x"}': ("json.intent", 1),
    '{"intent":"!CANCEL","act":5}': ("json.slot", 27),
    '{"intent":"!CANCEL","silp":"v9"}': ("version.silp", 28),
    '{"intent":"cancel"}': ("schema.pattern", 11),
    '{"intent":"!CANCEL","meta":{"priority":"high"}}': ("schema.type", 40),
    '{"intent":"!CANCEL","action_email":"bob"}': ("json.action", 36),
    '{"task_description":"Cancel flight."}': ("json.intent", 1),
}


@pytest.mark.parametrize("payload", PAYLOADS)
def test_bad_payload(payload: str) -> None:
    rule, column = PAYLOADS[payload]
    found = silp("decode", "--errors", "json", given=f"cancel(a)\n{payload}\ncancel(b)\n")
    assert (found.status, len(found.lines)) == (1, 2)
    (error,) = found.diagnostics
    assert (error["rule"], error["line"], error["column"]) == (rule, 2, column)
    assert error["code"] == ("unsupported_version" if rule == "version.silp" else "invalid_syntax")


def test_a_text_diagnostic_is_one_line_the_source_a_caret_and_a_hint() -> None:
    found = silp("decode", given="cancel(a)\n\ncancel(flight t+1pm)\n")
    assert found.err == (
        "silp decode: stdin:3:15: invalid_syntax: expected ',' or ')' after argument\n"
        "  cancel(flight t+1pm)\n"
        "                ^\n"
        "  hint: put text with spaces in double quotes\n"
    )


def test_the_caret_stands_under_wide_and_hidden_characters_too() -> None:
    found = silp("decode", given="cancel(日本\u200b 語)\n")
    _, source, caret, *_ = found.err.splitlines()
    assert source == "  cancel(日本\\u200b 語)"
    assert caret == " " * (2 + 7 + 4) + "^"


def test_nothing_hostile_reaches_the_terminal() -> None:
    for text in ("cancel(\x1b[31mred)", "cancel(a \u202edesrever)", "cancel(a \x07b)", '{"intent":"\\u001b[31m"}'):
        for command in ("decode", "validate", "compile"):
            found = silp(command, given=text + "\n")
            assert found.err
            assert not set(found.out + found.err) & set("\x1b\u202e\x07"), found


# ---------------------------------------------------------------- limits


@pytest.mark.parametrize("given",
    ["[" * 100_000, '{"a":' * 100_000, '{"intent":"!A","meta":' + "[" * 100_000 + "]" * 100_000 + "}"])
def test_nesting_of_one_hundred_thousand(given: str) -> None:
    for command in ("compile", "validate", "decode"):
        found = silp(command, "--errors", "json", given=f"{given}\n")
        assert (found.status, found.out) == (1, "")
        wanted = "code.syntax" if command == "decode" and given[0] == "[" else "limit.depth"
        assert [error["rule"] for error in found.diagnostics] == [wanted]


@pytest.mark.parametrize("payload", ["cancel(x) with a:=" + "[" * 100_000, "cancel(" * 100_000, "(" * 100_000])
def test_a_deep_payload(payload: str) -> None:
    found = silp("decode", "--errors", "json", given=payload)
    assert (found.status, found.out, len(found.diagnostics)) == (1, "", 1)


def test_the_depth_limit_is_an_option() -> None:
    ir = '{"intent":"!A","meta":{"req_id":"a1b2c3d4","x":[[[1]]]}}'
    assert silp("compile", "--any-verb", "--max-depth", "5", given=ir).status == 0
    found = silp("compile", "--any-verb", "--max-depth", "4", "--errors", "json", given=ir)
    assert (found.status, found.diagnostics[0]["rule"], found.diagnostics[0]["column"]) == (1, "limit.depth", 50)
    deep = f'{{"intent":"!A","meta":{{"req_id":"a1b2c3d4","x":{"[" * 200}{"]" * 200}}}}}'
    found = silp("compile", "--any-verb", "--max-depth", "256", given=deep)
    assert found.out == f"a() with x:={'[' * 200}{']' * 200}\n"


def test_a_record_over_the_limit_is_reported_and_the_rest_goes_on() -> None:
    long = OTHER.replace("bob", "x" * 1_100_000)
    given = f"{GOOD}\n{long}\n{GOOD}\n"
    for options in (("compile",), ("validate",), ("decode", "-f", "json")):
        found = silp(*options, "--errors", "json", given=given)
        assert found.status == 1
        second = [(error["rule"], error["line"]) for error in found.diagnostics if error["record"] == 2]
        assert second == [("limit.record-size", 2)]
    assert silp("compile", given=given).lines == ["cancel()", "cancel()"]
    found = silp("compile", "--max-record-size", "2M", given=given)
    assert (found.status, len(found.lines), found.err) == (0, 3, "")


def test_the_size_limit_counts_bytes_and_takes_units() -> None:
    payload = "cancel(" + "é" * 100 + ")"
    size = len(payload.encode())
    assert silp("decode", "--max-record-size", str(size), given=payload).status == 0
    assert silp("decode", "--max-record-size", str(size - 1), given=payload).status == 1
    assert silp("decode", "--max-record-size", "1K", given=payload).status == 0
    pretty = json.dumps(json.loads(GOOD), indent=2)
    assert silp("compile", "--max-record-size", "30", given=pretty).status == 1


def test_a_record_without_an_end_does_not_fill_the_memory() -> None:
    found = silp("compile", "--errors", "json", given='{"a":\n' + " \n" * 2_000_000)
    assert (found.status, [error["rule"] for error in found.diagnostics]) == (1, ["limit.record-size"])


# ---------------------------------------------------------------- what is no error


def test_a_byte_order_mark_at_the_start_of_a_file_is_dropped(tmp_path: Path) -> None:
    for name in ("a", "b"):
        tmp_path.joinpath(name).write_bytes(b"\xef\xbb\xbf" + GOOD.encode() + b"\n")
    found = silp("compile", "a", "b", cwd=tmp_path)
    assert (found.status, found.lines, found.err) == (0, ["cancel()", "cancel()"], "")
    assert silp("decode", given=b"\xef\xbb\xbfcancel(x)\n").status == 0


def test_a_byte_order_mark_anywhere_else_is_an_error() -> None:
    found = silp("compile", "--errors", "json", given=f"{GOOD}\n\ufeff{GOOD}\n")
    assert (found.status, found.lines) == (1, ["cancel()", "cancel()"])  # the record behind it is whole
    assert (found.diagnostics[0]["line"], found.diagnostics[0]["column"]) == (2, 1)
    assert "byte order mark" in found.diagnostics[0]["message"]


@pytest.mark.parametrize("given", ["", "\n", "  \n\t\n", "\r\n"])
@pytest.mark.parametrize("command", ["compile", "decode", "validate"])
def test_empty_input_gives_empty_output(command: str, given: str) -> None:
    found = silp(command, given=given)
    assert (found.status, found.out, found.err) == (0, "", "")


@pytest.mark.parametrize("seed", range(3))
def test_binary_rubbish_gives_diagnostics_and_no_traceback(seed: int) -> None:
    from random import Random

    rubbish = Random(seed).randbytes(20_000)
    for command in (["compile"], ["decode"], ["validate"], ["decode", "--extract"]):
        found = silp(*command, given=rubbish)
        assert found.status == 1
        assert found.err.startswith(f"silp {command[0]}: stdin:")
        assert "Traceback" not in found.err
