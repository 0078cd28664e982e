"""``silp compile -f llmlingua2`` and ``silp compare`` as users run them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

from silp_cli.__main__ import main
from silp_cli.frontends.llmlingua2 import LlmLingua2Frontend
from silp_cli.frontends.llmlingua2.encoding import CACHE_NAME
from silp_cli.frontends.llmlingua2.options import DEFAULT_MODEL
from silp_cli.frontends.natural import prose

from .conftest import FIXTURES, irs

ORDERS = str(FIXTURES / "orders.jsonl")
PRECISE = str(FIXTURES / "precise.jsonl")
Capture = pytest.CaptureFixture[str]


def silp(capfd: Capture, *arguments: str) -> tuple[int, list[str], list[str]]:
    """Run in this process, where the model is loaded already: exit status, stdout, stderr."""
    capfd.readouterr()
    status = main(arguments)
    out, err = capfd.readouterr()
    return status, out.splitlines(), err.splitlines()


def compile_(capfd: Capture, *arguments: str) -> tuple[int, list[str], list[str]]:
    return silp(capfd, "compile", "-f", "llmlingua2", *arguments)


def process(*arguments: str, input: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "silp_cli", *arguments], input=input, capture_output=True, text=True,
        env={**os.environ, **environment}, timeout=120, check=False,
    )


def mixed(tmp_path: Path) -> Path:
    """Good records with a bad one, a wrong one and a forbidden one among them."""
    good = Path(ORDERS).read_text().splitlines()
    negated = Path(PRECISE).read_text().splitlines()[0]
    path = tmp_path / "mixed.jsonl"
    path.write_text("\n".join([
        good[0], '{"intent": "!BOOK", ', good[1], '{"intent":"!BOOK"}', negated, good[2],
    ]) + "\n")
    return path


# ---------------------------------------------------------------- streams


def test_a_stream_is_compressed_in_order(capfd: Capture) -> None:
    status, out, err = compile_(capfd, ORDERS)
    assert status == 0
    assert out == [LlmLingua2Frontend().compile(ir) for ir in irs("orders.jsonl")]
    assert any("lost: " in line for line in err)
    assert "tokens of prose" in err[-1]
    assert "rate 0." in err[-1]


def test_batch_size_changes_nothing_but_time(capfd: Capture) -> None:
    outputs = {tuple(compile_(capfd, "--batch-size", size, ORDERS)[1]) for size in ("1", "3", "100")}
    assert len(outputs) == 1


@pytest.mark.parametrize("size", ["1", "2", "50"])
def test_bad_records_are_diagnosed_and_the_rest_goes_on(capfd: Capture, tmp_path: Path, size: str) -> None:
    status, out, err = compile_(capfd, "--batch-size", size, "--errors", "json", str(mixed(tmp_path)))
    assert status == 1
    assert len(out) == 3
    found = [(each["line"], each["code"]) for each in map(json.loads, err) if each["severity"] == "error"]
    assert found == [(2, "invalid_syntax"), (4, "invalid_syntax"), (5, "unsupported_frontend")]


@pytest.mark.parametrize("size", ["1", "2", "50"])
def test_emit_keeps_the_output_aligned(capfd: Capture, tmp_path: Path, size: str) -> None:
    status, out, _ = compile_(capfd, "--batch-size", size, "--on-error", "emit", str(mixed(tmp_path)))
    assert status == 1
    assert [line.startswith('{"error":') for line in out] == [False, True, False, True, True, False]


@pytest.mark.parametrize("size", ["1", "2", "50"])
def test_stop_stops_at_the_first_bad_record(capfd: Capture, tmp_path: Path, size: str) -> None:
    status, out, _ = compile_(capfd, "--batch-size", size, "--on-error", "stop", str(mixed(tmp_path)))
    assert status == 1
    assert len(out) == 1


def test_no_records_need_no_model(capfd: Capture, tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("")
    assert compile_(capfd, "--model", "./nowhere", str(tmp_path / "empty")) == (0, [], [])


def test_rubbish_is_diagnosed(capfd: Capture, tmp_path: Path) -> None:
    (tmp_path / "rubbish").write_bytes(bytes(range(256)) * 50)
    status, out, err = compile_(capfd, str(tmp_path / "rubbish"))
    assert (status, out) == (1, [])
    assert "Traceback" not in "\n".join(err)


def test_a_missing_file_is_status_2(capfd: Capture, tmp_path: Path) -> None:
    status, out, err = compile_(capfd, str(tmp_path / "missing"), ORDERS)
    assert status == 2
    assert len(out) == 4
    assert "No such file" in err[0]


def test_output_file(capfd: Capture, tmp_path: Path) -> None:
    target = tmp_path / "out.txt"
    assert compile_(capfd, "-o", str(target), ORDERS)[:2] == (0, [])
    assert len(target.read_text().splitlines()) == 4


def test_a_sender_need_not_fill_a_batch() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "silp_cli", "compile", "-f", "llmlingua2"], stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    ) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        for line in Path(ORDERS).read_text().splitlines():
            running.stdin.write(line + "\n")
            running.stdin.flush()
            assert running.stdout.readline().strip()
        running.stdin.close()
        assert running.wait(60) == 0


def test_a_closed_pipe_and_a_full_disk() -> None:
    for tail, status in (("| head -n 1 > /dev/null; exit ${PIPESTATUS[0]}", 0), ("> /dev/full", 2)):
        done = subprocess.run(
            ["bash", "-c", f"'{sys.executable}' -m silp_cli compile -f llmlingua2 '{ORDERS}' {tail}"],
            capture_output=True, text=True, timeout=120, check=False,
        )
        assert done.returncode == status, done.stderr
        assert "Traceback" not in done.stderr


# ---------------------------------------------------------------- guards and reports


@pytest.mark.parametrize("record", [0, 1, 2])
def test_what_must_stay_precise_is_refused(capfd: Capture, tmp_path: Path, record: int) -> None:
    path = tmp_path / "one.jsonl"
    path.write_text(Path(PRECISE).read_text().splitlines()[record] + "\n")
    status, out, err = compile_(capfd, str(path))
    reason = ["constraint 0 is negated", "constraint 1 has the operator !=", "there is an else branch"][record]
    assert (status, out) == (1, [])
    assert "unsupported_frontend" in err[0]
    assert reason in err[0]
    assert "--allow-lossy" in err[-1]
    status, out, _ = compile_(capfd, "--allow-lossy", str(path))
    assert (status, len(out)) == (0, 1)


def test_report_is_json_lines_on_stderr(capfd: Capture, tmp_path: Path) -> None:
    status, out, err = compile_(capfd, "--report", str(mixed(tmp_path)))
    assert status == 1
    lines = [json.loads(line) for line in err]
    reports = [line for line in lines if "lost" in line]
    assert [line["line"] for line in reports] == [1, 3, 6]
    assert len(out) == 3
    for report in reports:
        assert report["rate_asked"] == 0.5
        assert report["rate_achieved"] == round(report["tokens_after"] / report["tokens_before"], 4)
        assert all(isinstance(slot, str) for slot in report["lost"])


def test_fail_on_loss_withholds_the_record_and_exits_1(capfd: Capture) -> None:
    status, out, err = compile_(capfd, "--fail-on-loss", "--rate", "0.4", ORDERS)
    assert (status, out) == (1, [])
    assert "lost: " in err[0]
    status, out, _ = compile_(capfd, "--fail-on-loss", "--rate", "1", ORDERS)
    assert status == 0
    assert out == [prose(ir) for ir in irs("orders.jsonl")]


def test_force_tokens_are_a_list(capfd: Capture) -> None:
    _, out, _ = compile_(capfd, "--rate", "0.1", "--force-tokens", "at least, and", "--force-tokens", "of", ORDERS)
    assert "at least" in out[0]
    assert "and" in out[1]
    assert "of" in out[-1].split()


@pytest.mark.parametrize(
    "option", ["--rate=0.5", "--target-tokens=3", "--model=x", "--device=cpu", "--force-tokens=not", "--keep",
               "--allow-lossy", "--report", "--fail-on-loss", "--batch-size=2"]
)
def test_the_options_go_with_llmlingua2_only(capfd: Capture, option: str) -> None:
    status, _, err = silp(capfd, "compile", option, ORDERS)
    assert status == 2
    assert err == [f"silp compile: {option.split('=')[0]} goes with -f llmlingua2 only"]


@pytest.mark.parametrize(
    "wrong", [["--rate", "0"], ["--rate", "1.1"], ["--rate", "x"], ["--rate", "nan"], ["--target-tokens", "0"],
              ["--batch-size", "0"], ["--rate", "0.5", "--target-tokens", "5"]]
)
def test_a_wrong_option_is_status_2_and_one_line(capfd: Capture, wrong: list[str]) -> None:
    status, out, err = compile_(capfd, *wrong, ORDERS)
    assert (status, out, len(err)) == (2, [], 1)


# ---------------------------------------------------------------- what is not there


def test_no_model_and_no_network_is_one_line_soon() -> None:
    start = perf_counter()
    done = process("compile", "-f", "llmlingua2", ORDERS, SILP_LLMLINGUA_MODEL="")
    assert perf_counter() - start < 60
    assert (done.returncode, done.stdout) == (2, "")
    [line] = done.stderr.splitlines()
    assert DEFAULT_MODEL in line
    for word in ("HF_HOME", "SILP_LLMLINGUA_MODEL", "--model"):
        assert word in line


def test_the_default_model_is_found_in_the_hub_cache_without_a_network(model: Path, tmp_path: Path) -> None:
    repository = tmp_path / "hub" / ("models--" + DEFAULT_MODEL.replace("/", "--"))
    shutil.copytree(model, repository / "snapshots" / "0123456789")
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text("0123456789")
    done = process("compile", "-f", "llmlingua2", ORDERS, SILP_LLMLINGUA_MODEL="", HF_HOME=str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [LlmLingua2Frontend().compile(ir) for ir in irs("orders.jsonl")]


def test_no_encoding_and_no_network_is_one_line(tmp_path: Path) -> None:
    nowhere = "http://127.0.0.1:9"
    places = {"SILP_VOCAB_DIR": str(tmp_path), "TIKTOKEN_CACHE_DIR": str(tmp_path)}
    done = process("compile", "-f", "llmlingua2", ORDERS, https_proxy=nowhere, HTTPS_PROXY=nowhere, **places)
    assert (done.returncode, done.stdout) == (2, "")
    assert "silp vocab pull gpt-3.5" in done.stderr.splitlines()[-1]
    assert CACHE_NAME in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr


def test_no_other_frontend_imports_the_model_libraries() -> None:
    heavy = ("torch", "transformers", "llmlingua", "numpy", "huggingface_hub", "tiktoken", "accelerate")
    for name in ("code", "json", "natural", "nl_json"):
        done = subprocess.run(
            [sys.executable, "-X", "importtime", "-m", "silp_cli", "compile", "-f", name, ORDERS],
            capture_output=True, text=True, timeout=60, check=True,
        )
        imported = {line.rpartition("|")[2].strip().split(".")[0] for line in done.stderr.splitlines()}
        assert "silp_cli" in imported
        assert not imported & set(heavy)


# ---------------------------------------------------------------- compare


def test_compare_puts_the_five_side_by_side(capfd: Capture) -> None:
    status, out, _ = silp(capfd, "compare", "--format", "json", "--tokenizers", "gpt-3.5", ORDERS)
    assert status == 0
    assert len(out) == 4
    for line, ir in zip(out, irs("orders.jsonl"), strict=True):
        rows: dict[str, dict[str, Any]] = {row["frontend"]: row for row in json.loads(line)["rows"]}
        assert list(rows) == ["code", "json", "natural", "nl_json", "llmlingua2"]
        for row in rows.values():
            assert row["characters"] == len(row["text"])
            assert row["tokens"]["gpt-3.5"] > 0
        assert [row["lossless"] for row in rows.values()] == [True, True, False, False, False]
        meta = ["meta priority"] if "priority" in ir["meta"] else []
        assert [row["lost"] for row in rows.values()][:4] == [[], [], meta, meta]
        assert rows["llmlingua2"]["lost"]
        assert rows["llmlingua2"]["tokens"]["gpt-3.5"] < rows["natural"]["tokens"]["gpt-3.5"]


def test_compare_says_why_a_frontend_refuses(capfd: Capture) -> None:
    status, out, _ = silp(capfd, "compare", "--format", "json", "-f", "code,llmlingua2", PRECISE)
    assert status == 0
    refused = [json.loads(line)["rows"][1] for line in out]
    assert [row["text"] for row in refused] == [None, None, None]
    assert "negated" in refused[0]["error"]
    _, out, _ = silp(capfd, "compare", "--format", "json", "-f", "code,llmlingua2", "--allow-lossy", PRECISE)
    assert all(json.loads(line)["rows"][1]["text"] for line in out)
