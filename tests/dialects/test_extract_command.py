"""``silp decode --extract`` as users run it."""

from __future__ import annotations

import json
import subprocess
import time
from pathlib import Path

import pytest
from support import SILP, environment, silp

HERMES = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo", "days": 3}}\n</tool_call>\n'
XML = "<tool_call>\n<function=get_weather>\n<parameter=days>\n3\n</parameter>\n</function>\n</tool_call>\n"
TOOLS = json.dumps([{
    "type": "function",
    "function": {
        "name": "get_weather",
        "parameters": {
            "type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
            "required": ["days"],
        },
    },
}])


def extract(text: str, *options: str) -> list[object]:
    found = silp("decode", "--extract", *options, given=text)
    assert (found.status, found.err) == (0, "")
    return [json.loads(line) for line in found.lines]


def test_a_call_is_an_ir_or_a_call() -> None:
    (call,) = extract(HERMES, "--as", "calls")
    assert call == {"name": "get_weather", "arguments": {"city": "Oslo", "days": 3}, "dialect": "hermes"}
    (ir,) = extract(HERMES)
    assert isinstance(ir, dict)
    assert (ir["intent"], [(each["id"], each["value"]) for each in ir["entities"]]) == (
        "!GET_WEATHER", [("city", "Oslo"), ("days", "3")],
    )
    (typed,) = extract(HERMES, "--typed")
    assert isinstance(typed, dict)
    assert [each["type"] for each in typed["entities"]] == ["string", "number"]


def test_tools_type_what_the_dialect_cannot(tmp_path: Path) -> None:
    file = tmp_path / "tools.json"
    file.write_text(TOOLS)
    assert [each["arguments"] for each in extract(XML, "--as", "calls")] == [{"days": "3"}]  # type: ignore[index]
    assert [each["arguments"] for each in extract(XML, "--as", "calls", "--tools", str(file))] == [{"days": 3}]  # type: ignore[index]
    found = silp(
        "decode", "--extract", "--as", "calls", "--tools", str(file), "--errors", "json",
        given=HERMES.replace("days", "day"),
    )
    assert (found.status, found.out) == (1, "")
    assert [(each["rule"], each["path"], each["line"]) for each in found.diagnostics] == [
        ("tool.extra", "/arguments/day", 2), ("tool.missing", "/arguments/days", 2),
    ]


@pytest.mark.parametrize("text", ["if rain(t+1): cancel(x)", "cancel(x); email(y)", "fetch(x) -> process"])
def test_a_payload_that_is_no_plain_call_is_sent_to_ir(text: str) -> None:
    found = silp("decode", "--extract", "--as", "calls", given=f"```\n{text}\n```\n")
    assert (found.status, found.out) == (1, "")
    assert "--as ir" in found.err
    assert silp("decode", "--extract", given=f"```\n{text}\n```\n").status == 0


def test_a_name_with_digits_needs_a_map(tmp_path: Path) -> None:
    text = HERMES.replace("get_weather", "search2")
    found = silp("decode", "--extract", given=text)
    assert (found.status, "--map" in found.err) == (1, True)
    file = tmp_path / "map"
    file.write_text("search2 = SEARCH_TWO\n")
    (ir,) = extract(text, "--map", str(file))
    assert isinstance(ir, dict)
    assert (ir["intent"], ir["meta"]["tool"]) == ("!SEARCH_TWO", "search2")
    back = silp("compile", "--any-verb", "--as", "hermes", "--map", str(file), given=json.dumps(ir))
    assert json.loads(back.out.split("\n")[1])["name"] == "search2"


def test_a_line_a_list() -> None:
    texts = [HERMES, "Hello.", HERMES + HERMES + "<tool_call>\n{\"name\": \n</tool_call>", XML]
    lines = [json.dumps(text) for text in texts]
    lines.insert(2, '{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f",'
                    '"arguments":"{}"}}]}')
    lines += ["", "no JSON"]
    found = silp(
        "decode", "--extract", "--lines", "--as", "calls", "--on-error", "emit", "--errors", "json",
        given="\n".join(lines) + "\n",
    )
    lists = [json.loads(line) for line in found.lines]
    assert [[each.get("name", "error") for each in one] for one in lists] == [
        ["get_weather"], ["error"], ["f"], ["get_weather", "get_weather", "error"], ["get_weather"], [], ["error"],
    ]
    assert found.status == 1
    assert lists[2][0]["id"] == "c"
    assert [each["line"] for each in found.diagnostics] == [2, 4, 7]
    skipped = silp("decode", "--extract", "--lines", "--as", "calls", given="\n".join(lines) + "\n")
    assert [json.loads(line)["name"] for line in skipped.lines] == ["get_weather", "f", *["get_weather"] * 3]


def test_a_call_is_printed_when_it_ends() -> None:
    process = subprocess.Popen(
        [SILP, "decode", "--extract", "--as", "calls"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        env=environment(),
    )
    assert process.stdin is not None
    assert process.stdout is not None
    for text in (HERMES, "[get_weather(city='Lima')]\n", '{"name": "f", "arguments": {}}\n'):
        for part in (text[: len(text) // 2], text[len(text) // 2 :]):
            process.stdin.write(part.encode())
            process.stdin.flush()
            time.sleep(0.02)
        assert b'"arguments"' in process.stdout.readline()  # waits for ever if it is held back
    process.stdin.close()
    assert process.stdout.read() == b""
    assert process.wait(10) == 0
    process.stdout.close()


def test_several_files_are_several_texts(tmp_path: Path) -> None:
    for name, content in (("a", HERMES), ("b", "nothing\n"), ("c", XML)):
        tmp_path.joinpath(name).write_text(content)
    found = silp("decode", "--extract", "--on-error", "emit", "--errors", "json", "a", "b", "c", cwd=tmp_path)
    assert [json.loads(line).get("intent", "error") for line in found.lines] == [
        "!GET_WEATHER", "error", "!GET_WEATHER",
    ]
    assert [(each["source"], each["rule"]) for each in found.diagnostics] == [("b", "extract.none")]


@pytest.mark.parametrize("options", [
    ["--as", "calls"], ["--lines"], ["--typed"], ["--tools", "x"], ["--map", "x"], ["--dialect", "hermes"],
    ["--dialects", "x"], ["--reasoning"], ["--prose"],
])
def test_options_that_need_extract(options: list[str]) -> None:
    found = silp("decode", *options, given="cancel(x)")
    assert (found.status, found.out) == (2, "")
    assert f"{options[0]} is for --extract" in found.err


@pytest.mark.parametrize(("options", "message"), [
    (["--tools", "missing.json"], "missing.json: No such file"),
    (["--tools", "pyproject.toml"], "pyproject.toml: "),
    (["--map", "pyproject.toml"], "pyproject.toml: line 1"),
    (["--dialects", "README.md"], "README.md: "),
    (["--dialect", "hermis"], "hermes"),
    (["--as", "calls", "--typed"], "--typed is for --as ir"),
])
def test_options_that_cannot_be(options: list[str], message: str) -> None:
    found = silp("decode", "--extract", *options, given=HERMES)
    assert (found.status, found.out, found.err.count("\n")) == (2, "", 1)
    assert message in found.err


def test_a_text_is_never_parted_among_jobs(tmp_path: Path) -> None:
    tmp_path.joinpath("long").write_text(("Well.\n" * 500 + HERMES) * 20)
    one, many = (silp("decode", "--extract", "--jobs", jobs, "long", cwd=tmp_path) for jobs in ("1", "2"))
    assert (one.status, len(one.lines)) == (0, 20)
    assert (many.status, many.out) == (one.status, one.out)
