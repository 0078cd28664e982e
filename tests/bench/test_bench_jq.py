"""The filters against ``jq -c .`` of the same 50,000 records: CPU time (user and system), the best of three runs in turn."""

from __future__ import annotations

import itertools
import json
import os
import random
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support import FIXTURES, ROOT, SILP, run

from .ratios import Table

RECORDS = 50_000
ROUNDS = 3
_VALUES = ("flight", "zhangsan", "paris_hotel", "report", "t+1pm", "q3_invoice", "Zürich")

# What a filter reads (the records, or what they compile to), how it is run, and what it may take in units of jq.
CASES: dict[str, tuple[str, tuple[str, ...], float]] = {
    "compile to code": ("ir", ("compile", "--any-verb"), 1.0),
    "compile to json": ("ir", ("compile", "-f", "json", "--any-verb"), 1.0),
    "validate": ("ir", ("validate", "--any-verb"), 0.8),
    "validate --no-warnings": ("ir", ("validate", "--any-verb", "--no-warnings"), 0.8),
    "decode from json": ("json", ("decode",), 1.2),
    "decode from code": ("code", ("decode",), 1.5),
    "decode --extract --lines": ("answers", ("decode", "--extract", "--lines", "--any-verb"), 3.0),
    "sanitize": ("ir", ("sanitize",), 0.5),
}


def published_like(draw: random.Random) -> Iterator[dict[str, Any]]:
    """The fixtures' records with other words and identifiers, all optional fields of meta in place."""
    lines = FIXTURES.joinpath("draft-ir.jsonl").read_text(encoding="utf-8").splitlines()
    for line in itertools.cycle(lines):
        ir = json.loads(line)
        for entity in ir.get("entities", ()):
            entity["value"] = draw.choice(_VALUES) if draw.random() < 0.3 else entity["value"]
        ir["meta"] = {
            "priority": draw.randrange(1, 4), "confidence": 0.9, "seq": [], "out": "natural", "next_agent": None,
            **ir["meta"], "req_id": f"{draw.getrandbits(32):08x}", "session_id": None,
        }
        yield ir


def long_text(draw: random.Random) -> Iterator[dict[str, Any]]:
    """Mails with 100 to 600 characters of the manual as their body; one in four ends in Cyrillic."""
    pages = sorted((ROOT / "silp_cli/manual").glob("*.md"))
    prose = " ".join(" ".join(page.read_text(encoding="utf-8").split()) for page in pages)
    prose = prose.replace("<", "")  # the manual shows markers of models, which mails do not have
    for number in itertools.count():
        start = draw.randrange(len(prose) - 600)
        body = prose[start : start + draw.randrange(100, 600)]
        if number % 4 == 0:
            body += " Погода в Осло сегодня хорошая, но завтра обещают дождь и ветер; возьмите зонт."
        yield {
            "silp": "v1", "intent": "!EMAIL",
            "entities": [
                {"id": "to", "value": f"user{number}@example.org", "action": "!EMAIL"},
                {"id": "body", "value": body, "action": "!EMAIL"},
            ],
            "constraints": [{"type": "loc", "value": "Oslo", "subject": "me"}],
            "meta": {"req_id": f"{draw.getrandbits(32):08x}", "priority": 2},
        }


def cpu_time(command: list[str]) -> float:
    """Seconds of user and system time that a command takes, its output thrown away."""
    null = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0), (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0)]
    _, status, usage = os.wait4(os.posix_spawn(command[0], command, os.environ, file_actions=null), 0)
    assert os.waitstatus_to_exitcode(status) == 0, command
    return usage.ru_utime + usage.ru_stime


@pytest.mark.parametrize("records", [published_like, long_text])
def test_filters_in_units_of_jq(
    records: Callable[[random.Random], Iterator[dict[str, Any]]], tmp_path: Path
) -> None:
    jq = shutil.which("jq")
    if jq is None:
        pytest.fail("this benchmark compares with jq, which is not there: apt-get install jq", pytrace=False)
    paths = {name: tmp_path / name for name in ("ir", "code", "json")}
    with paths["ir"].open("w", encoding="utf-8") as sink:
        for ir in itertools.islice(records(random.Random(1)), RECORDS):
            sink.write(json.dumps(ir, ensure_ascii=False) + "\n")
    for name in ("code", "json"):
        made = run([SILP, "compile", "-f", name, "--any-verb", "-o", str(paths[name]), str(paths["ir"])], b"", None, None)
        assert made.status == 0, made.err[:500]
    paths["answers"] = tmp_path / "answers"
    with paths["code"].open(encoding="utf-8") as payloads, paths["answers"].open("w", encoding="utf-8") as sink:
        for payload in payloads:
            sink.write(json.dumps(f"Here is the payload:\n\n```silp\n{payload}```\n", ensure_ascii=False) + "\n")
    commands = {"jq": [jq, "-c", ".", str(paths["ir"])]}
    for name, (given, arguments, _) in CASES.items():
        commands[name] = [SILP, *arguments, str(paths[given])]
    best = dict.fromkeys(commands, float("inf"))
    for _ in range(ROUNDS):
        for name, command in commands.items():
            best[name] = min(best[name], cpu_time(command))
    size = paths["ir"].stat().st_size / 1e6
    table = Table(f"{records.__name__}: {RECORDS:,} records, {size:.0f} MB, in units of jq -c . ({best['jq']:.2f} s)")
    for name, (_, _, goal) in CASES.items():
        table.row(name, best[name] / best["jq"], goal, f"{best[name]:.2f} s")
    sys.stdout.flush()
    table.check()
