"""``silp compare``, and what ``llmlingua2`` says where its extra is not installed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from silp_cli.census.compare import compare, differences
from silp_cli.frontends.base import Frontend
from silp_cli.frontends.llmlingua2 import LlmLingua2Frontend
from silp_cli.frontends.llmlingua2.guard import refuse_precise
from silp_cli.frontends.registry import get_frontend
from silp_cli.ir.errors import ErrorCode, SilpError

FIXTURES = Path(__file__).parents[2] / "fixtures" / "ml"
IR: dict[str, Any] = {
    "intent": "!START",
    "entities": [{"id": "act", "value": "hike"}],
    "constraints": [{"type": "!rain", "value": "true", "time": "t+1"}],
    "meta": {"req_id": "a1b2c3d4", "priority": 2, "note": "x|y"},
}

# The command in a process that cannot find llmlingua, installed or not.
ABSENT = "import sys; sys.modules['llmlingua'] = None; from silp_cli.__main__ import main; sys.exit(main())"


def silp(*arguments: str, text: str = "", absent: bool = True) -> subprocess.CompletedProcess[str]:
    start = ["-c", ABSENT] if absent else ["-m", "silp_cli"]
    return subprocess.run(
        [sys.executable, *start, *arguments], input=text, capture_output=True, text=True, timeout=60, check=False
    )


def test_without_the_extra_compile_is_one_line_that_says_how_to_install_it() -> None:
    for text in ("", json.dumps(IR), json.dumps(IR) * 3, "rubbish"):
        done = silp("compile", "-f", "llmlingua2", text=text)
        assert (done.returncode, done.stdout) == (2, "")
        [line] = done.stderr.splitlines()
        assert "unsupported_frontend" in line
        assert "pip install 'silp-cli[llmlingua2]'" in line


def test_without_the_extra_the_name_is_still_known() -> None:
    done = silp("frontends", "--format", "json")
    rows = {row["name"]: row for row in map(json.loads, done.stdout.splitlines())}
    assert rows["llmlingua2"]["installed"] is False
    assert "silp-cli[llmlingua2]" in rows["llmlingua2"]["summary"]
    assert rows["llmlingua2"]["lossless"] is False


def test_decode_says_why_not_without_the_extra() -> None:
    done = silp("decode", "-f", "llmlingua2", text="start hike\n")
    assert done.returncode == 1
    assert "decode_failed" in done.stderr
    assert "dropped words" in done.stderr


@pytest.mark.parametrize("option", ["--rate=0.5", "--keep", "--report", "--model=x"])
def test_options_of_llmlingua2_are_wrong_elsewhere(option: str) -> None:
    done = silp("compile", option, text=json.dumps(IR))
    assert (done.returncode, done.stdout) == (2, "")
    assert "-f llmlingua2 only" in done.stderr


# ---------------------------------------------------------------- the guard


def ir(**fields: Any) -> dict[str, Any]:
    return {"intent": "!START", "meta": {"req_id": "abcd"}, **fields}


@pytest.mark.parametrize(
    ("fields", "path", "reason"),
    [
        ({"constraints": [{"type": "!rain", "value": "true"}]}, "/constraints/0/type", "constraint 0 is negated"),
        ({"constraints": [{"type": "a", "value": "b"}, {"type": "c", "value": "d", "operator": "!="}]},
         "/constraints/1/operator", "constraint 1 has the operator !="),
        ({"constraints": [{"type": "a", "value": "b", "operator": "not in"}]}, "/constraints/0/operator", "not in"),
        ({"constraints": [{"type": "a", "value": "b", "operator": "≠"}]}, "/constraints/0/operator", "≠"),
        ({"alternatives": [{"action": "!START"}]}, "/alternatives", "else branch"),
    ],
)
def test_the_guard_refuses_with_the_place_and_the_reason(fields: dict[str, Any], path: str, reason: str) -> None:
    error = refuse_precise(ir(**fields))
    assert error is not None
    assert error.code is ErrorCode.UNSUPPORTED_FRONTEND
    assert error.path == path
    assert reason in error.message


def test_the_guard_names_every_reason() -> None:
    error = refuse_precise(ir(constraints=[{"type": "!a", "value": "b", "operator": "!="}],
                              alternatives=[{"action": "!START"}]))
    assert error is not None
    assert [each.path for each in error.all()] == ["/constraints/0/type", "/constraints/0/operator", "/alternatives"]


@pytest.mark.parametrize(
    "fields",
    [
        {}, {"constraints": None, "alternatives": None}, {"alternatives": []},
        {"constraints": [{"type": "rain", "value": "!true", "operator": "<="}]},
        {"constraints": [{"type": "rain", "value": "x", "operator": 5}]},
        {"constraints": [{"type": "knot", "value": "x", "operator": "knots"}]},
    ],
)
def test_the_guard_lets_the_rest_pass(fields: dict[str, Any]) -> None:
    assert refuse_precise(ir(**fields)) is None


# ---------------------------------------------------------------- compare


class Letters:
    """Counts letters, to stand in for a vocabulary."""

    name = "letters"

    def count(self, text: str) -> int:
        return len(text)


def rows(value: dict[str, Any], *names: str, bare: bool = False) -> dict[str, dict[str, Any]]:
    frontends = [get_frontend(name) for name in names]
    found = compare(value, frontends, [Letters()], bare=bare)  # type: ignore[list-item]
    return {row.frontend: row.to_dict() for row in found}


def test_lossless_is_tried_and_losses_are_named() -> None:
    found = rows(IR, "code", "json", "natural", "nl_json")
    assert [row["lossless"] for row in found.values()] == [True, True, False, False]
    meta = ["meta priority", "meta note"]
    assert [row["lost"] for row in found.values()] == [[], [], meta, meta]
    assert [row["decodes"] for row in found.values()] == [True, True, False, False]
    assert found["natural"]["text"] == "If not rain at t+1, start hike."
    assert found["natural"]["characters"] == 31 == found["natural"]["tokens"]["letters"]


def test_bare_loses_meta() -> None:
    found = rows(IR, "code", "json", bare=True)
    assert [row["lossless"] for row in found.values()] == [False, False]
    assert [row["lost"] for row in found.values()] == [["meta priority", "meta note"]] * 2


class Forgetful(Frontend):
    """Claims to be lossless, and is not."""

    name = "forgetful"
    lossless = True

    def compile(self, ir: dict[str, Any], *, bare: bool = False) -> str:
        return "start"

    def decode(self, text: str) -> dict[str, Any]:
        return {"intent": "!START", "meta": {"req_id": "abcd"}}


def test_a_frontends_own_word_is_not_believed() -> None:
    [row] = compare(IR, [Forgetful()], [])
    assert not row.lossless
    assert row.lost == ["entity 0", "constraint 0", "meta priority", "meta note"]


def test_a_refusal_stands_in_its_row() -> None:
    class Refusing(Frontend):
        name = "refusing"

        def compile(self, ir: dict[str, Any], *, bare: bool = False) -> str:
            raise SilpError(ErrorCode.UNSUPPORTED_FRONTEND, "no", others=[SilpError(ErrorCode.TIMEOUT, "never")])

    [row] = compare(IR, [Refusing()], [])
    assert row.to_dict() == {"frontend": "refusing", "text": None, "error": "no; never"}


def test_differences_of_equivalent_irs_are_none() -> None:
    other = {**IR, "silp": "v1", "alternatives": None, "meta": {**IR["meta"], "req_id": "ffff", "seq": []}}
    assert differences(IR, other) == []
    assert differences(IR, {**IR, "intent": "!BOOK"}) == ["intent", "entity 0"]
    assert differences(IR, {**IR, "meta": {**IR["meta"], "note": None}}) == ["meta note"]
    assert differences(IR, {**IR, "silp": "v2"}) == ["silp"]


def test_the_command_writes_json_lines_a_table_and_markdown() -> None:
    text = (FIXTURES / "orders.jsonl").read_text()
    done = silp("compare", "--tokenizers", "gpt-3.5", text=text)
    assert done.returncode == 0, done.stderr
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert [record["record"] for record in records] == [1, 2, 3, 4]
    assert [row["frontend"] for row in records[0]["rows"]] == ["code", "json", "natural", "nl_json", "llmlingua2"]
    assert "pip install" in records[0]["rows"][-1]["error"]
    code = records[0]["rows"][0]
    assert code["text"] == "if budget<=500 and rating>=4.0: book(hotel,city=beijing,nights=3)"
    assert code["tokens"]["gpt-3.5"] > 10
    table = silp("compare", "--format", "table", "--tokenizers", "gpt-3.5", text=text)
    assert table.returncode == 0
    assert "lossless" in table.stdout
    assert "the way back" in table.stdout
    assert "\x1b" not in table.stdout
    markdown = silp("compare", "--format", "markdown", "-f", "code,natural", "--tokenizers", "gpt-3.5", text=text)
    lines = markdown.stdout.splitlines()
    assert lines[2] == "| frontend | text | chars | gpt-3.5 | lossless | lost |"
    assert lines[3] == "| --- | --- | ---: | ---: | --- | --- |"
    assert lines[4].startswith(f"| code | `{code['text']}` | {code['characters']} | ")


def test_markdown_survives_pipes_and_backticks() -> None:
    value = {**IR, "entities": [{"id": "act", "value": "a|b `c` ``d``"}]}
    done = silp("compare", "--format", "markdown", "-f", "natural", text=json.dumps(value))
    row = done.stdout.splitlines()[4]
    assert row.startswith("| natural | ```If not rain at t+1, start a\\|b `c` ``d``.``` | ")
    assert row.replace("\\|", "").count("|") == done.stdout.splitlines()[2].count("|")


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["-f", "cod"], 2), (["-f", ","], 2), (["--tokenizers", "gpt-9"], 2), (["--format", "yaml"], 2),
        (["no-such-file"], 2), ([], 1),
    ],
)
def test_what_is_wrong_is_said_in_a_line(arguments: list[str], status: int) -> None:
    done = silp("compare", *arguments, text='{"intent":"!START"}')
    assert done.returncode == status
    assert done.stdout == ""
    assert done.stderr
    assert "Traceback" not in done.stderr


def test_the_frontend_imports_nothing_heavy_before_it_is_used() -> None:
    code = "import sys; from silp_cli.frontends.llmlingua2 import LlmLingua2Frontend as F; F(); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert not {"torch", "transformers", "llmlingua", "numpy", "tiktoken"} & set(done.stdout.split())
    assert not LlmLingua2Frontend.lossless
