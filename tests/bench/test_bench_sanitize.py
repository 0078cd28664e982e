"""``silp sanitize`` against GNU sed deleting the draft's four characters in a UTF-8 locale: CPU time in one run."""

from __future__ import annotations

import random
import resource
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from support import SILP, environment, shell

SIZE = 100_000_000
ROUNDS = 5
SED = ["sed", "s/[\u200b\u200c\u200d\ufeff]//g"]
DISTINCT = 20_000
_WORDS = {
    "ru": ["рейс", "билет", "отель", "завтра", "встреча", "погода", "Москва", "вокзал", "письмо", "перевод", "маршрут",
           "заказ", "поиск", "обновить"],
    "el": ["Αθήνα", "ξενοδοχείο", "αύριο", "ταξίδι", "μήνυμα", "καιρός"],
    "ja": ["東京", "予約", "飛行機", "明日", "会議", "天気", "手紙"],
    "fa": ["می‌خواهم", "کتاب‌ها", "پرواز", "فردا"],
}


def payloads(draw: random.Random, words: list[str] | None) -> list[str]:
    """Distinct payloads of the kinds in the fixtures; with words of other scripts as values where some are given."""
    lines = []
    for _ in range(DISTINCT):
        first, second, third = (draw.choice(words) if words else f"item{draw.randrange(999)}" for _ in range(3))
        lines.append(
            f'if loc(me,"{first} {second}",t+{draw.randrange(9)}am): cancel("{third} {draw.randrange(10**6)}"); '
            f'email("{second} {first} {third}") else: start("{third}")\n'
        )
    return lines


def write(path: Path, lines: list[str]) -> Path:
    block = "".join(lines).encode()
    data = (block * (SIZE // len(block) + 1))[:SIZE]
    path.write_bytes(data[: data.rfind(b"\n") + 1])
    return path


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    fixtures = shell("silp compile fixtures/kinds.jsonl; silp compile -f json fixtures/kinds.jsonl").out
    lines = [*fixtures.splitlines(keepends=True), *payloads(random.Random(1), None)]
    return write(tmp_path_factory.mktemp("sanitize") / "ascii.txt", [line for line in lines if line.isascii()])


@pytest.fixture(scope="module")
def third(tmp_path_factory: pytest.TempPathFactory) -> Path:
    draw = random.Random(2)
    lines = payloads(draw, [word for words in _WORDS.values() for word in words])
    text = "".join(lines)
    assert 0.3 < sum(char > "\x7f" for char in text) / len(text) < 0.45
    return write(tmp_path_factory.mktemp("sanitize") / "third.txt", lines)


def cpu_seconds(command: list[str], path: Path) -> float:
    """CPU time of a filter over a file, the best of some rounds: what the machine does beside it does not count."""
    best = float("inf")
    for _ in range(ROUNDS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        with open(path, "rb") as file:
            subprocess.run(command, stdin=file, stdout=subprocess.DEVNULL, check=True, env=environment())
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return best


def wall_seconds(command: list[str], path: Path) -> float:
    best = float("inf")
    for _ in range(ROUNDS):
        with open(path, "rb") as file:
            start = time.perf_counter()
            subprocess.run(command, stdin=file, stdout=subprocess.DEVNULL, check=True, env=environment())
            best = min(best, time.perf_counter() - start)
    return best


def compare(name: str, path: Path, capsys: pytest.CaptureFixture[str]) -> float:
    """sed's CPU time over ours: our rate as a multiple of sed's."""
    sed, ours = cpu_seconds(SED, path), cpu_seconds([SILP, "sanitize"], path)
    walls = wall_seconds(SED, path), wall_seconds([SILP, "sanitize"], path)
    with capsys.disabled():
        print(
            f"\nsanitize, {name}: {SIZE / ours / 1e6:.0f} MB/s, sed {SIZE / sed / 1e6:.0f} MB/s, "
            f"ratio {sed / ours:.2f} (wall: {walls[1]:.2f} s, sed {walls[0]:.2f} s)"
        )
    return sed / ours


def test_clean_ascii_is_at_least_as_fast_as_sed(
    plain: Path, capsys: pytest.CaptureFixture[str], benchmark: Any
) -> None:
    assert compare("clean ASCII", plain, capsys) >= 1.0
    benchmark.pedantic(lambda: wall_seconds([SILP, "sanitize"], plain), rounds=1)


def test_one_third_beyond_ascii_has_a_fifth_of_that_rate(
    third: Path, capsys: pytest.CaptureFixture[str], benchmark: Any
) -> None:
    assert compare("one third non-ASCII", third, capsys) >= 0.2
    benchmark.pedantic(lambda: wall_seconds([SILP, "sanitize"], third), rounds=1)
