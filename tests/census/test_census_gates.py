"""Gates: limits and baselines, through the real command, as CI runs it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from census_helpers import FIXTURES, silp

from silp_cli.census.gates import Baseline, BaselineError

if TYPE_CHECKING:
    from pathlib import Path

ONE = ("--tokenizers", "llama-2")
FOUR = ("--frontends", "code,json,natural,nl_json")


def test_check_passes_the_whitelist_and_the_structural_tokens() -> None:
    done = silp("census", "--whitelist", "--structural", "--check")
    assert (done.returncode, done.stderr) == (0, "")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(rows) == 12 + 13 + 2
    assert [row["string"] for row in rows if row.get("excluded")] == ["switch_tool", "escalate"]


def test_check_fails_with_the_offending_line_of_a_verb_file() -> None:
    done = silp("census", "--verbs", str(FIXTURES / "verbs.txt"), "--check")
    assert done.returncode == 1
    assert [json.loads(line)["string"] for line in done.stdout.splitlines()] == ["cancel", "notify", "escalate"]
    assert done.stderr == (
        f"silp census: {FIXTURES / 'verbs.txt'}:4: single-token: 'escalate': 3 tokens in gpt-4o, "
        "2 tokens in gpt-3.5, 3 tokens in llama-2, 2 tokens in qwen2.5, 3 tokens in claude, 2 tokens in gemini\n"
    )


def test_gates_speak_json_where_errors_do() -> None:
    done = silp("census", *ONE, "--check", "--max-tokens", "2", "--errors", "json", stdin="cancel\nescalate\n")
    assert done.returncode == 1
    assert [json.loads(line) for line in done.stderr.splitlines()] == [
        {"rule": "census.single-token", "severity": "error", "source": "stdin", "line": 2,
         "message": "'escalate': 3 tokens in llama-2"},
        {"rule": "census.max-tokens", "severity": "error", "source": "stdin", "line": 2,
         "message": "'escalate': 3 tokens in llama-2, more than 2"},
    ]


def test_max_tokens_and_max_range_of_words() -> None:
    words = "cancel\nescalate\nswitch_tool\n"
    assert silp("census", "--max-tokens", "3", "--max-range", "1", stdin=words).returncode == 0
    done = silp("census", "--max-tokens", "2", "--max-range", "0", stdin=words)
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert [line.split(": ")[1:3] for line in lines] == [
        ["stdin:2", "max-tokens"], ["stdin:2", "max-range"], ["stdin:3", "max-tokens"], ["stdin:3", "max-range"],
    ]


def test_max_tokens_of_payloads_names_the_record(tmp_path: Path) -> None:
    done = silp("census", "--payloads", *ONE, "--max-tokens", "20", str(FIXTURES / "payloads.txt"))
    assert done.returncode == 1
    counts = [json.loads(line)["counts"]["llama-2"] for line in done.stdout.splitlines()[:-1]]
    over = [number for number, count in enumerate(counts, 1) if count > 20]
    assert 0 < len(over) < len(counts)
    assert [line.split(":")[2] for line in done.stderr.splitlines()] == [str(number) for number in over]


def test_gates_over_irs_judge_the_lossless_frontends() -> None:
    file = str(FIXTURES / "ir.jsonl")
    done = silp("census", "--ir", *ONE, *FOUR, "--max-tokens", "10", file)
    assert done.returncode == 1
    assert "(code)" in done.stderr
    assert "(json)" in done.stderr
    assert "(natural)" not in done.stderr
    prose = silp("census", "--ir", *ONE, "--frontends", "natural", "--max-tokens", "5", file)
    assert prose.returncode == 1
    assert prose.stderr.count("max-tokens") == 3


# ---------------------------------------------------------------- baselines


@pytest.mark.parametrize("arguments", [
    (str(FIXTURES / "verbs.txt"),), ("--payloads", str(FIXTURES / "payloads.txt")),
    ("--ir", *FOUR, str(FIXTURES / "ir.jsonl")),
])
def test_a_baseline_fails_where_a_count_grew(arguments: tuple[str, ...], tmp_path: Path) -> None:
    file = tmp_path / "baseline.json"
    options = ("census", *ONE, "--baseline", str(file))
    assert silp(*options, "--update-baseline", *arguments).returncode == 0
    written = file.read_bytes()
    assert silp(*options, *arguments).returncode == 0
    value = json.loads(written)
    shrunk = 0
    for encodings in value["counts"].values():
        for counts in encodings.values():
            counts["llama-2"] -= 1
            shrunk += 1
            break
        break
    file.write_text(json.dumps(value))
    done = silp(*options, *arguments)
    assert done.returncode == 1
    assert done.stderr.count(": baseline: ") == shrunk == 1
    assert "in the baseline" in done.stderr
    assert silp(*options, "--update-baseline", *arguments).returncode == 0
    assert file.read_bytes() == written


def test_what_shrank_or_is_new_passes() -> None:
    baseline = Baseline("words:bare", {"a": {"": {"x": 5}}})
    assert baseline.add("a", {"": {"x": 4}}) == []
    assert baseline.add("a", {"": {"x": 6}}) == ["6 tokens in x, 5 in the baseline"]
    assert baseline.add("new", {"": {"x": 9}}) == []
    assert baseline.add("a", {"": {"another tokenizer": 9}}) == []


def test_the_records_of_an_ir_baseline_are_known_by_their_content(tmp_path: Path) -> None:
    file = tmp_path / "baseline.json"
    options = ("census", "--ir", *ONE, "--frontends", "code", "--baseline", str(file))
    lines = (FIXTURES / "ir.jsonl").read_text().splitlines(keepends=True)
    silp(*options, "--update-baseline", stdin="".join(lines))
    moved = silp(*options, stdin="".join(reversed(lines)))
    assert (moved.returncode, moved.stderr) == (0, "")


@pytest.mark.parametrize("text", [
    "", "[]", "{}", "null", '{"format":"silp-census-baseline/1","mode":"words:bare","counts":{"a":1}}',
    '{"format":"silp-census-baseline/1","mode":"words:bare","counts":{"a":{"":{"x":"1"}}}}',
])
def test_what_is_no_baseline_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(BaselineError, match="--update-baseline"):
        Baseline.parse(text, "words:bare")
    file = tmp_path / "baseline.json"
    file.write_text(text)
    done = silp("census", *ONE, "--baseline", str(file), stdin="cancel\n")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)


def test_a_baseline_of_another_kind_of_run_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "baseline.json"
    silp("census", *ONE, "--baseline", str(file), "--update-baseline", stdin="cancel\n")
    done = silp("census", *ONE, "--as", "call", "--baseline", str(file), stdin="cancel\n")
    assert done.returncode == 2
    assert "a baseline of words:bare, and this run is words:call" in done.stderr


def test_a_baseline_that_is_not_there_is_refused() -> None:
    done = silp("census", *ONE, "--baseline", "/nonexistent/b.json", stdin="cancel\n")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
