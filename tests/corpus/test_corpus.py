"""``silp corpus``: what comes out is what the plain filter gives, byte for byte."""

from __future__ import annotations

import gzip
import json
import lzma
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import zstandard
from corpora import irs
from support import SILP, Result, environment, silp

SMALL = ("--block-size", "50K", "--workers", "2")


def corpus(directory: Path, *arguments: str, **env: str) -> Result:
    """Run ``silp corpus``."""
    return silp("corpus", *arguments, cwd=directory, env=env)


def whole(directory: Path) -> bytes:
    """All outputs, in order."""
    return b"".join(path.read_bytes() for path in sorted(directory.glob("part-*")))


def errors(directory: Path) -> list[dict[str, object]]:
    """All diagnostics, in order."""
    return [
        json.loads(line) for path in sorted(directory.glob("errors-*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]


@pytest.mark.parametrize("command", [
    ("compile", "--frontend", "code"), ("sanitize", "--json"),
], ids=" ".join)
def test_output_and_diagnostics_equal_the_plain_filters(logs: Path, command: tuple[str, ...]) -> None:
    done = corpus(logs, "--in", "logs/*.jsonl", "--out", "out", *SMALL, "--", *command)
    plain = [silp(*command, "--errors", "json", f"logs/{name}.jsonl", cwd=logs) for name in "ab"]
    assert done.status == 1, done
    assert whole(logs / "out") == "".join(each.out for each in plain).encode()
    assert errors(logs / "out") == [line for each in plain for line in each.diagnostics]
    manifest = json.loads((logs / "out" / "manifest.json").read_text())
    assert manifest["records"] == sum(len((logs / "logs" / f"{name}.jsonl").read_text().splitlines()) for name in "ab")
    assert len(manifest["blocks"]) >= 16
    assert sum(manifest["diagnostics"].values()) == sum(len(each.diagnostics) for each in plain)
    assert not (logs / "out" / ".silp").exists()


def test_documents_of_several_lines_are_never_cut(tmp_path: Path) -> None:
    lines = irs()
    documents = [json.dumps(json.loads(next(lines)), indent=2) for _ in range(400)]
    documents[7] = documents[7][:40]  # one that breaks off
    documents[200] = " " + documents[200].replace("\n", "\n{}\n"[:1])  # one that no block may begin with
    (tmp_path / "a.json").write_text("\n".join(documents) + "\n")
    done = corpus(tmp_path, "--in", "a.json", "--out", "out", "--block-size", "8K", "--", "compile")
    plain = silp("compile", "--errors", "json", "a.json", cwd=tmp_path)
    assert whole(tmp_path / "out") == plain.out.encode()
    assert errors(tmp_path / "out") == plain.diagnostics
    assert done.status == plain.status == 1


def test_blocks_that_would_begin_inside_a_document_are_joined(tmp_path: Path) -> None:
    lines = irs()
    inner = ["{\n\"intent\": \"!CANCEL\", \"x\":\n{\"a\":\n" + "[1]" * 1 + "\n}\n}" for _ in range(900)]
    (tmp_path / "a.json").write_text("\n".join([*inner, next(lines)]) + "\n")
    done = corpus(tmp_path, "--in", "a.json", "--out", "out", "--block-size", "4K", "--", "validate")
    plain = silp("validate", "--errors", "json", "a.json", cwd=tmp_path)
    assert done.status == plain.status
    assert whole(tmp_path / "out") == plain.out.encode()
    assert errors(tmp_path / "out") == plain.diagnostics


def test_compressed_files_are_read_by_suffix(logs: Path) -> None:
    data = (logs / "logs" / "a.jsonl").read_bytes()
    (logs / "c.jsonl.gz").write_bytes(gzip.compress(data) + gzip.compress(data))
    (logs / "d.jsonl.xz").write_bytes(lzma.compress(data))
    packer = zstandard.ZstdCompressor()
    (logs / "e.jsonl.zst").write_bytes(packer.compress(data) + packer.compress(data))
    done = corpus(logs, "--in", "*.jsonl.*", "--out", "out", "--workers", "2", "--", "compile")
    assert done.status == 1, done
    assert whole(logs / "out") == silp("compile", given=data).out.encode() * 5


def test_damaged_and_missing_blocks_are_named_and_the_others_finish(logs: Path) -> None:
    data = (logs / "logs" / "b.jsonl").read_bytes()
    packed = gzip.compress(data)
    (logs / "logs" / "c.jsonl.gz").write_bytes(packed[: len(packed) // 2])
    (logs / "logs" / "d.jsonl.zst").write_bytes(zstandard.ZstdCompressor().compress(data)[:-9])
    (logs / "logs" / "e.jsonl.xz").write_bytes(b"no xz at all")
    run = ("--in", "logs/*.jsonl*", "--out", "out", *SMALL, "--", "compile")
    done = corpus(logs, *run)
    assert done.status == 1
    for name in ("c.jsonl.gz", "d.jsonl.zst", "e.jsonl.xz"):
        assert f"logs/{name}: failed: " in done.err
    assert "3 blocks failed" in done.err
    assert "Traceback" not in done.err
    assert whole(logs / "out") == silp("compile", "logs/a.jsonl", "logs/b.jsonl", cwd=logs).out.encode()
    assert not (logs / "out" / "manifest.json").exists()


def test_a_disk_without_room_fails_the_block(logs: Path) -> None:
    (logs / "logs" / "a.jsonl").rename(logs / "big.jsonl")
    done = subprocess.run(
        ["bash", "-c", f"ulimit -f 100; exec {SILP} corpus --in 'b*.jsonl' --in 'logs/*' --out out --workers 1 -- compile"],
        cwd=logs, env=environment(), capture_output=True, text=True, check=False, timeout=60,
    )
    assert done.returncode == 1, done.stderr
    assert "big.jsonl: failed: " in done.stderr
    assert "File too large" in done.stderr
    assert whole(logs / "out") == silp("compile", "logs/b.jsonl", cwd=logs).out.encode()


def test_killed_workers_change_nothing(logs: Path) -> None:
    """``tests/corpus/prove.py`` does the same with more data and twenty kills."""
    from .prove import run_with_kills

    killed = run_with_kills(
        logs, ["--in", "logs/*.jsonl", "--out", "out", "--block-size", "10K", "--workers", "2", "--", "compile"], 3
    )
    assert killed == 3
    assert whole(logs / "out") == silp("compile", "logs/a.jsonl", "logs/b.jsonl", cwd=logs).out.encode()


def test_a_run_that_was_killed_is_resumed_with_the_blocks_that_are_left(logs: Path) -> None:
    run = ["--in", "logs/*.jsonl", "--out", "out", "--block-size", "30K", "--workers", "1", "--", "compile"]
    with subprocess.Popen(
        [SILP, "corpus", *run], cwd=logs, env=environment(), stderr=subprocess.DEVNULL, start_new_session=True
    ) as first:
        done = logs / "out" / ".silp"
        while len(list(done.glob("*-*.json"))) < 5:
            assert first.poll() is None
            time.sleep(0.02)
        os.killpg(first.pid, signal.SIGKILL)
    early = {path.name: path.stat().st_mtime_ns for path in (logs / "out").glob("part-*")}
    assert not (logs / "out" / "manifest.json").exists()
    assert corpus(logs, *run).status == 1
    assert whole(logs / "out") == silp("compile", "logs/a.jsonl", "logs/b.jsonl", cwd=logs).out.encode()
    kept = [name for name, at in early.items() if (logs / "out" / name).stat().st_mtime_ns == at]
    assert len(kept) >= len(early) - 1
    again = corpus(logs, *run)
    assert again.status == 1
    assert "holds the whole result already" in again.err


def test_a_directory_of_another_run_is_refused(logs: Path) -> None:
    corpus(logs, "--in", "logs/b.jsonl", "--out", "out", "--workers", "1", "--", "validate")
    other = corpus(logs, "--in", "logs/b.jsonl", "--out", "out", "--workers", "1", "--", "compile")
    assert other.status == 2
    assert "another directory" in other.err


def test_interrupt_leaves_what_can_be_resumed(logs: Path) -> None:
    run = ["--in", "logs/*.jsonl", "--out", "out", "--block-size", "30K", "--workers", "1", "--", "compile"]
    with subprocess.Popen(
        [SILP, "corpus", *run], cwd=logs, env=environment(), stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as first:
        while not list((logs / "out" / ".silp").glob("*-*.json")):
            time.sleep(0.02)
        os.killpg(first.pid, signal.SIGINT)
        said = first.communicate(timeout=30)[1]
    assert first.returncode == 130, said
    assert "goes on with the blocks that are left" in said
    assert "Traceback" not in said
    assert corpus(logs, *run).status == 1
    assert whole(logs / "out") == silp("compile", "logs/a.jsonl", "logs/b.jsonl", cwd=logs).out.encode()


def test_a_scheduler_that_is_there_already_is_used_and_its_death_survived(logs: Path) -> None:
    run = ["--in", "logs/*.jsonl", "--out", "out", "--block-size", "10K", "--", "compile"]
    address = "tcp://127.0.0.1:18786"
    dask = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--port", "18786", "--no-dashboard"]
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--nthreads", "1", "--no-dashboard"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": environment(), "cwd": logs}
    scheduler = subprocess.Popen(dask, **quiet)  # type: ignore[call-overload]
    helper = subprocess.Popen(worker, **quiet)  # type: ignore[call-overload]
    try:
        with subprocess.Popen(
            [SILP, "corpus", "--scheduler", address, *run], cwd=logs, env=environment(), stderr=subprocess.PIPE,
            text=True,
        ) as first:
            while not list((logs / "out" / ".silp").glob("*-*.json")):
                assert first.poll() is None
                time.sleep(0.02)
            scheduler.kill()
            said = first.communicate(timeout=60)[1]
        assert first.returncode == 1, said
        assert "the scheduler is gone" in said
        assert "Traceback" not in said
    finally:
        for process in (scheduler, helper):
            process.kill()
            process.wait()
    assert corpus(logs, *run).status == 1
    assert whole(logs / "out") == silp("compile", "logs/a.jsonl", "logs/b.jsonl", cwd=logs).out.encode()


@pytest.mark.parametrize("arguments", [
    ["--in", "nothing*.jsonl", "--out", "out", "--", "compile"],
    ["--in", "logs/a.jsonl", "--", "compile"],
    ["--in", "logs/a.jsonl", "--out", "out", "--", "lock"],
    ["--in", "logs/a.jsonl", "--out", "out", "--", "compile", "--frontend", "klingon"],
    ["--in", "logs/a.jsonl", "--out", "out", "--", "compile", "logs/b.jsonl"],
    ["--in", "logs/a.jsonl", "--out", "out", "--", "compile", "--on-error", "stop"],
    ["--in", "logs/a.jsonl", "--out", "out", "--", "compile", "--session", "a1"],
    ["--in", "gopher://logs/a.jsonl", "--out", "out", "--", "compile"],
    ["--in", "logs/a.jsonl", "--out", "out", "--scheduler", "tcp://127.0.0.1:9", "--", "compile"],
], ids=" ".join)
def test_what_cannot_be_is_said_at_once(logs: Path, arguments: list[str]) -> None:
    done = corpus(logs, *arguments)
    assert done.status == 2, done
    assert done.err.startswith("silp ")
    assert "Traceback" not in done.err
    assert not list(logs.glob("out/part-*"))


def test_the_plain_filters_load_nothing_of_dask() -> None:
    script = (
        "import sys; from silp_cli.__main__ import main; status = main(['compile']); "
        "print([name for name in ('dask', 'distributed', 'fsspec', 'multiprocessing') if name in sys.modules]); "
    )
    done = subprocess.run(
        [sys.executable, "-c", script], input="", capture_output=True, text=True, env=environment(), check=True
    )
    assert done.stdout.strip() == "[]"
