"""Speed and memory of compile, decode and validate; every figure a ratio within one run, on the fixtures' records.

The yardstick is the standard library's ``json.loads`` of the same records' IR text.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support import FIXTURES, ROOT, SILP

from silp_cli import api
from silp_cli.frontends.registry import get_frontend
from silp_cli.ir.check import problems, require_valid
from silp_cli.ir.jsontext import loads, use_fast_codec
from silp_cli.ir.verbs import WHITELIST
from silp_cli.text.output import json_writer
from silp_cli.text.sanitize.engine import sanitize_structure

from .ratios import Table, best_times, over, run_command

LINES = FIXTURES.joinpath("kinds.jsonl").read_text(encoding="utf-8").splitlines()
VERBS = frozenset(WHITELIST)
WRITE = json_writer(pretty=False)


@pytest.fixture(autouse=True, scope="module")
def _fast_codec() -> None:
    use_fast_codec()  # which a stream brings in after its first hundred records


def compiler(name: str) -> Callable[[str], str]:
    """What ``silp compile`` does with a record: JSON text to surface text, schema and rules checked."""
    write = get_frontend(name).compile

    def one(line: str) -> str:
        value = loads(line)
        require_valid(value, VERBS)
        return write(value)

    return one


def decoder(name: str) -> Callable[[str], str]:
    """What ``silp decode`` does with a record: surface text to IR JSON text."""
    read = get_frontend(name).decode
    return lambda text: WRITE(read(text))


def cleaning_decoder(name: str) -> Callable[[str], str]:
    """The same after undoing disguises, which the command does first."""
    one = decoder(name)
    return lambda text: one(sanitize_structure(text)[0])


CASES: dict[str, float | None] = {
    "compile to code": 2.5, "compile to json": 2.5, "decode from json": 2.0, "decode from code": 3.0, "validate": None,
    "api.compile to code": None, "api.decode from code": None,
}


def case(name: str) -> Callable[[], None]:
    """One pass of what a case names over the fixtures."""
    frontend = name.rpartition(" ")[2]
    if name.startswith("validate"):
        return over(lambda line: problems(loads(line), verbs=VERBS), LINES)
    if name.startswith("api.compile"):
        return over(lambda line: api.compile(line, verbs=VERBS), LINES)
    if name.startswith("compile"):
        return over(compiler(frontend), LINES)
    surfaces = [api.compile(line, frontend) for line in LINES]
    return over(api.decode if name.startswith("api") else decoder(frontend), surfaces)


def measure(name: str) -> tuple[float, float]:
    """Seconds that one pass of the yardstick takes, and one of the case."""
    use_fast_codec()
    yardstick, taken = best_times([over(json.loads, LINES), case(name)], seconds=3.0, least=200, repeats=5)
    return yardstick, taken


def test_speed_of_a_record() -> None:
    """Each case has an interpreter of its own, as a filter in a pipe has."""
    table = Table("one record, in units of json.loads")
    for name, goal in CASES.items():
        code = f"from bench.test_bench_core import measure; print(*measure({name!r}))"
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT / "tests", capture_output=True, text=True, check=True
        )
        yardstick, taken = map(float, done.stdout.split())
        table.row(name, taken / yardstick, goal, f"{taken / len(LINES) * 1e6:.2f} µs")
    table.check()


def wide(count: int) -> dict[str, Any]:
    """An IR of so many entities, in two actions, with constraints in proportion."""
    return {
        "intent": "!UPDATE",
        "entities": [{"id": f"field_{n}", "value": "some value" if n % 4 else f"v{n}",
                      "action": "!UPDATE" if n < count // 2 else "!NOTIFY"} for n in range(count)],
        "constraints": [{"type": f"c{n}", "value": "5", "operator": "<="} for n in range(count // 10)],
        "meta": {"req_id": "a1b2c3d4"},
    }


def test_cost_grows_linearly() -> None:
    table = Table("1,000 entities, in units of 100 entities")
    for name in ("code", "json"):
        texts = [json.dumps(wide(count)) for count in (100, 1_000)]
        surfaces = [api.compile(text, name) for text in texts]
        compile_one, decode_one = compiler(name), decoder(name)
        small, large, back, back_large = best_times([
            lambda: compile_one(texts[0]), lambda: compile_one(texts[1]),  # noqa: B023 - called at once
            lambda: decode_one(surfaces[0]), lambda: decode_one(surfaces[1]),  # noqa: B023
        ], seconds=2.0, least=20)
        table.row(f"compile to {name}", large / small, 12)
        table.row(f"decode from {name}", back_large / back, 12)
    one, ten = (wide(100), wide(1_000))
    small, large = best_times([lambda: problems(one), lambda: problems(ten)], seconds=1.0, least=20)
    table.row("validate", large / small, 12)
    table.check()


FEW, MANY = 2_000, 200_000


@pytest.mark.parametrize("command", ["compile", "decode"])
@pytest.mark.parametrize("frontend", ["code", "json"])
def test_streams_of_two_hundred_thousand_records(command: str, frontend: str, tmp_path: Path) -> None:
    records = LINES if command == "compile" else [api.compile(line, frontend) for line in LINES]
    inputs = {}
    for count in (1, FEW, MANY):
        inputs[count] = tmp_path / str(count)
        with inputs[count].open("w", encoding="utf-8") as sink:
            for start in range(0, count, len(records)):
                sink.write("\n".join(records[: count - start]) + "\n")
    arguments = [SILP, command, "-f", frontend]
    one = compiler(frontend) if command == "compile" else cleaning_decoder(frontend)
    # The same records in this process: what the work itself takes, at the same length and with the same luck.
    batch = over(one, [records[n % len(records)] for n in range(MANY)])
    runs: dict[int, list[Any]] = {count: [] for count in inputs}
    inner = float("inf")
    for _ in range(3):
        for count, path in inputs.items():
            runs[count].append(run_command(arguments, path))
        inner = min(inner, *best_times([batch], seconds=0, least=1))
    memory = {count: min(run.memory for run in found) for count, found in runs.items()}
    wall = {count: min(run.wall for run in found) for count, found in runs.items()}
    figures = f"{wall[MANY]:.2f} s, {memory[MANY] / 2**20:.1f} MiB"
    table = Table(f"silp {command} -f {frontend}, {MANY:,} records ({figures})")
    table.row(f"peak memory, in units of {FEW:,} records", memory[MANY] / memory[FEW], 1.2)
    table.row("wall time, in units of in-process + start-up", wall[MANY] / (inner + wall[1]), 1.5)
    table.check()


def test_records_that_all_warn_cost_little_more_than_clean_ones(tmp_path: Path) -> None:
    clean: dict[str, Any] = {
        "intent": "!UPDATE", "entities": [{"id": "a", "value": "x"}, {"id": "b", "value": "y"}],
        "meta": {"req_id": "a1b2c3d4", "session_id": "ab", "seq": ["!UPDATE"]},
    }
    warned: dict[str, Any] = {
        "intent": "!UPDATE", "entities": [{"id": "a", "value": "x"}, {"id": "a", "value": "y"}],
        "meta": {"req_id": "a1b2c3d4", "session_id": "abc", "seq": ["!DELIVER"]},
    }
    paths = [tmp_path / "clean", tmp_path / "warned"]
    for path, ir in zip(paths, (clean, warned), strict=True):
        path.write_text(f"{json.dumps(ir)}\n" * 50_000, encoding="utf-8")
    best = [float("inf")] * len(paths)
    for _ in range(5):
        for index, path in enumerate(paths):
            best[index] = min(best[index], run_command([SILP, "validate"], path).wall)
    table = Table(f"silp validate, 50,000 records with three warnings each ({best[1]:.2f} s)")
    table.row("wall time, in units of clean records", best[1] / best[0], 2.0)
    table.check()
