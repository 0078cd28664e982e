"""``silp lock`` as people run it."""

from __future__ import annotations

import json
from pathlib import Path

from .shell import FIXTURES, shell, silp

IR = str(FIXTURES / "ir.jsonl")
LINES = (FIXTURES / "ir.jsonl").read_text().splitlines()


def test_lock_freezes_what_it_writes(tmp_path: Path) -> None:
    done = silp("lock", IR, cwd=tmp_path, SOURCE_DATE_EPOCH="0")
    assert done.returncode == 0
    assert done.stdout == silp("compile", IR).stdout
    seal, *entries = [json.loads(line) for line in (tmp_path / "compile.lock").read_text().splitlines()]
    assert seal["entries"] == len(entries) == 3
    assert {entry["time"] for entry in entries} == {"1970-01-01T00:00:00Z"}
    verified = silp("lock", "verify", cwd=tmp_path)
    assert (verified.returncode, json.loads(verified.stdout)["entries"]) == (0, 3)


def test_verify_against_irs_and_payloads(tmp_path: Path) -> None:
    payloads = silp("lock", IR, cwd=tmp_path).stdout
    (tmp_path / "p.txt").write_text(payloads)
    ok = silp("lock", "verify", "--ir", IR, "--surface", "p.txt", "compile.lock", cwd=tmp_path)
    assert (ok.returncode, ok.stderr) == (0, "")
    assert silp("lock", "verify", "--surface", "p.txt", cwd=tmp_path).returncode == 0

    changed = payloads.splitlines()
    changed[1] = changed[1].replace("2", "3")
    (tmp_path / "p.txt").write_text("\n".join(changed) + "\n")
    for options in (("--ir", IR, "--surface", "p.txt"), ("--surface", "p.txt")):
        done = silp("lock", "verify", *options, cwd=tmp_path)
        assert (done.returncode, done.stdout) == (1, "")
        assert "silp lock verify: p.txt:2:" in done.stderr
    (tmp_path / "ir.jsonl").write_text("\n".join([LINES[0], LINES[1], LINES[2].replace("night", "day")]))
    done = silp("lock", "verify", "--ir", "ir.jsonl", cwd=tmp_path)
    assert "silp lock verify: ir.jsonl:3: decode_failed: this IR is not frozen" in done.stderr
    (tmp_path / "p.txt").write_text(payloads.splitlines()[0] + "\n")
    done = silp("lock", "verify", "--ir", IR, "--surface", "p.txt", cwd=tmp_path)
    assert "there is no payload for this IR" in done.stderr


def test_verify_names_the_first_line_that_does_not_hold(tmp_path: Path) -> None:
    silp("lock", IR, cwd=tmp_path)
    lock = tmp_path / "compile.lock"
    lines = lock.read_text().splitlines(keepends=True)
    lock.write_text("".join([lines[0], lines[1], lines[3], lines[2]]))
    done = silp("lock", "verify", "--errors", "json", cwd=tmp_path)
    assert done.returncode == 1
    error = json.loads(done.stderr)
    assert (error["source"], error["line"], error["rule"]) == ("compile.lock", 3, "lock.order")
    refused = silp("lock", IR, cwd=tmp_path)
    assert (refused.returncode, refused.stdout) == (1, "")


def test_a_second_surface_needs_append_revision(tmp_path: Path) -> None:
    silp("lock", IR, cwd=tmp_path)
    bare = silp("compile", "--bare", IR).stdout
    (tmp_path / "bare.txt").write_text(bare)
    # Only the third IR has a meta that --bare leaves out.
    done = silp("lock", "--bare", "--surface", "bare.txt", IR, cwd=tmp_path)
    assert done.returncode == 1
    assert done.stdout.splitlines() == bare.splitlines()[:2]
    assert "ir.jsonl:3: decode_failed: this IR is frozen with another surface" in done.stderr
    done = silp("lock", "--bare", "--append-revision", "--on-error", "stop", IR, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, bare)
    entries = [json.loads(line) for line in (tmp_path / "compile.lock").read_text().splitlines()[1:]]
    assert [entry["revision"] for entry in entries] == [1] * 7 + [2]


def test_a_payload_that_is_not_the_irs_is_not_frozen(tmp_path: Path) -> None:
    payloads = silp("compile", IR).stdout.splitlines()
    (tmp_path / "p.txt").write_text("\n".join([payloads[0], "book(hotel)", "book(", "cancel()"]))
    done = silp("lock", "--surface", "p.txt", IR, cwd=tmp_path)
    assert done.returncode == 1
    assert "does not decode to this IR" in done.stderr
    assert "cannot be decoded" in done.stderr
    assert "more payloads than IRs" in done.stderr
    (tmp_path / "p.txt").write_text(payloads[0])
    done = silp("lock", "--surface", "p.txt", IR, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, payloads[0] + "\n")
    assert "there is no payload for this IR" in done.stderr


def test_repair_and_head_from_the_shell(tmp_path: Path) -> None:
    silp("lock", IR, cwd=tmp_path)
    head = json.loads(silp("lock", "verify", cwd=tmp_path).stdout)["head"]
    lock = tmp_path / "compile.lock"
    with lock.open("a") as file:
        file.write('{"seq":4,"ir":"00')
    torn = silp("lock", "verify", cwd=tmp_path)
    assert torn.returncode == 1
    assert "compile.lock:5: invalid_syntax: a torn last line" in torn.stderr
    mended = silp("lock", "verify", "--repair", cwd=tmp_path)
    assert json.loads(mended.stdout)["repaired"] == "cut off a torn line of 17 bytes"
    silp("lock", "-f", "json", IR, cwd=tmp_path)
    assert silp("lock", "verify", "--head", head, cwd=tmp_path).returncode == 0
    lock.unlink()
    silp("lock", "-f", "json", IR, cwd=tmp_path)
    assert "does not go on from that head" in silp("lock", "verify", "--head", head, cwd=tmp_path).stderr


def test_two_commands_at_once_lose_nothing(tmp_path: Path) -> None:
    many = "\n".join(LINES * 50)
    (tmp_path / "many.jsonl").write_text(many)
    done = shell(
        "for i in 1 2 3 4; do silp lock many.jsonl >/dev/null & done; wait; silp lock verify", cwd=tmp_path
    )
    assert json.loads(done.stdout)["entries"] == 600


def test_emit_keeps_input_and_output_aligned(tmp_path: Path) -> None:
    stream = "\n".join(
        [LINES[0], '{"intent":"!ERASE","meta":{"req_id":"0a1b2c3d"}}', LINES[1], "{bad}", LINES[2]]
    )
    done = silp("lock", "--on-error", "emit", input=stream, cwd=tmp_path)
    kinds = ["error" if line.startswith('{"error"') else "payload" for line in done.stdout.splitlines()]
    assert kinds == ["payload", "error", "payload", "error", "payload"]


def test_missing_and_unwritable_locks(tmp_path: Path) -> None:
    assert silp("lock", "verify", "nowhere.lock", cwd=tmp_path).returncode == 2
    assert silp("lock", "verify", "--repair", "nowhere.lock", cwd=tmp_path).returncode == 2
    assert not list(tmp_path.iterdir())
    for target in ("/dev/full", "/dev/null", str(tmp_path), "/nowhere/at/all"):
        done = silp("lock", "-l", target, IR)
        assert (done.returncode, done.stdout) == (2, "")
        assert "Traceback" not in done.stderr
