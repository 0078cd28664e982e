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
VOCABULARY = 4000
_ALPHABETS = (
    ("абвгдеёжзийклмнопрстуфхцчшщъыьэюя", 7), ("абвгдеёжзийклмнопрстуфхцчшщъыьэюя", 8), ("αβγδεζηθικλμνξοπρστυφχψως", 7),
    ("abcdefghilmnoprstuvéèêàçôüñ", 8), ("".join(map(chr, range(0x4E00, 0x5400))), 3),
    ("あいうえおかきくけこさしすせそたちつてとアイウエオカキクケコ", 4),
)
_OTHERS = ["می\u200cخواهم", "کتاب\u200cها", "«всё»", "नमस्ते", "สวัสดี", "ok👍🏽", "Київ", "—"]


def vocabulary(draw: random.Random) -> list[str]:
    """Words in Cyrillic, Greek, accented Latin, Han and kana, one in five with a capital."""
    words = []
    for _ in range(VOCABULARY):
        alphabet, length = draw.choice(_ALPHABETS)
        word = "".join(draw.choices(alphabet, k=length + draw.randrange(-1, 3)))
        words.append(word.capitalize() if draw.random() < 0.2 else word)
    return words


def payloads(draw: random.Random, words: list[str] | None, size: int) -> list[str]:
    """Distinct payloads of the kinds in the fixtures; with words of other scripts as values where some are given."""
    lines = []
    while size > 0:
        first, second, third = draw.choices(words, k=3) if words else (f"item{draw.randrange(999)}" for _ in range(3))
        lines.append(
            f'if loc(me,"{first} {second}",t+{draw.randrange(9)}am): cancel("{third} {draw.randrange(10**6)}"); '
            f'email("{second} {first} {third}") else: start("{third} {first}")\n'
        )
        size -= len(lines[-1].encode())
    return lines


def write(path: Path, lines: list[str]) -> Path:
    block = "".join(lines).encode()
    data = (block * (SIZE // len(block) + 1))[:SIZE]
    path.write_bytes(data[: data.rfind(b"\n") + 1])
    return path


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    fixtures = shell("silp compile fixtures/kinds.jsonl; silp compile -f json fixtures/kinds.jsonl").out
    lines = [*fixtures.splitlines(keepends=True), *payloads(random.Random(1), None, 2_000_000)]
    return write(tmp_path_factory.mktemp("sanitize") / "ascii.txt", [line for line in lines if line.isascii()])


def beyond_ascii(path: Path, seed: int, others: list[str]) -> Path:
    """A file of which a third is not ASCII, and in which hardly a line is there twice."""
    draw = random.Random(seed)
    lines = payloads(draw, [*vocabulary(draw), *others * 10], SIZE)
    assert len(set(lines)) > 0.99 * len(lines)
    sample = "".join(lines[:20_000])
    assert 0.3 < sum(char > "\x7f" for char in sample) / len(sample) < 0.45
    return write(path, lines)


@pytest.fixture(scope="module")
def third(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return beyond_ascii(tmp_path_factory.mktemp("sanitize") / "third.txt", 2, [])


@pytest.fixture(scope="module")
def wild(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return beyond_ascii(tmp_path_factory.mktemp("sanitize") / "wild.txt", 3, _OTHERS)


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


def test_one_third_beyond_ascii_in_distinct_lines(
    third: Path, capsys: pytest.CaptureFixture[str], benchmark: Any
) -> None:
    """The goal is a fifth of sed's rate, with no line repeated."""
    assert compare("one third non-ASCII, distinct lines", third, capsys) >= 0.2
    benchmark.pedantic(lambda: wall_seconds([SILP, "sanitize"], third), rounds=1)


def test_joiners_emoji_and_more_scripts_in_every_block(
    wild: Path, capsys: pytest.CaptureFixture[str], benchmark: Any
) -> None:
    assert compare("the same with joiners, emoji and other scripts", wild, capsys) >= 0.2
    benchmark.pedantic(lambda: wall_seconds([SILP, "sanitize"], wild), rounds=1)
