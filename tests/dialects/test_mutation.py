"""Texts that came in broken: cut off anywhere, or with one character gone or doubled. No call may come of that.

``SILP_MUTATIONS=all`` takes every given text, every cut and every character; without it a fixed sample is taken.
``SILP_MUTATIONS=own`` takes every cut and every character of our own pairs besides.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from typing import Any

from dialects.judge import Pair, compact, outcome, pairs

Record = dict[str, Any]

GIVEN = pairs("model-output.jsonl")
PLACES = 2000
# One character can mend these: 1e99 is a number, and "su" beside "sum" is no duplicate.
MENDABLE = ("infinite number", "duplicate key")


def cuts(pair: Pair, step: int = 1, first: int = 0) -> Iterator[tuple[int, str]]:
    text: str = pair["text"]
    return ((at, text[:at]) for at in range(first, len(text), step))


def edits(text: str, at: int) -> tuple[str, str]:
    """The text without the character, and with two of it."""
    return text[:at] + text[at + 1 :], text[: at + 1] + text[at:]


def plain(calls: list[Record], typed: bool) -> list[tuple[str, dict[str, str]]]:
    def show(value: Any) -> str:
        return json.dumps(value, ensure_ascii=False) if typed else compact(value)

    return [(call["name"], {key: show(value) for key, value in call["arguments"].items()}) for call in calls]


def near(one: str, two: str) -> bool:
    """Whether one differs from the other in one place, by as little as one character of the source can make."""
    shorter, longer = sorted((one, two), key=len)
    start = 0
    while start < len(shorter) and shorter[start] == longer[start]:
        start += 1
    end = 0
    while end < len(shorter) - start and shorter[-1 - end] == longer[-1 - end]:
        end += 1
    return len(longer) - start - end <= 4


def one_change(got: tuple[str, dict[str, str]], want: tuple[str, dict[str, str]]) -> bool:
    """Whether a call is the other with its name, one key or one value changed, and nothing lost or gained."""
    name, arguments = got
    if len(arguments) != len(want[1]):
        return False
    if name.endswith(f".{want[0]}") and name[0].isalpha():  # a damaged namespace is a part of the name
        name = want[0]
    parts = [(name, want[0])]
    for (key, value), (key_wanted, value_wanted) in zip(arguments.items(), want[1].items(), strict=True):
        parts += [(key, key_wanted), (value, value_wanted)]
    differing = [part for part in parts if part[0] != part[1]]
    return len(differing) <= 1 and all(near(*part) for part in differing)


def intruders(got: list[tuple[str, dict[str, str]]], want: list[tuple[str, dict[str, str]]], changes: int) -> bool:
    """Whether ``got`` is no part of ``want``, in its order, with at most so many calls changed in one place."""
    rest = iter(want)
    for call in got:
        for original in rest:
            if list(call[1]) == list(original[1]) and call == original:
                break
            if changes and one_change(call, original):
                changes -= 1
                break
        else:
            return True
    return False


def faults(pair: Pair, mutant: str, changes: int) -> str | None:
    """What is wrong with what a mutant of a pair's text gives."""
    if changes and pair["kind"] in MENDABLE:
        return None
    found = outcome(mutant)
    got, want = plain(found.calls, pair["typed"]), plain(pair["calls"], pair["typed"])
    if intruders(got, want, changes):
        return f"{pair['dialect']} / {pair['kind']}: {mutant!r} gives {got}"
    if not changes and 0 < len(got) < len(want) and not found.problems:
        name = want[len(got)][0]
        rest = mutant[mutant.rindex(want[len(got) - 1][0]) :]
        if name in rest[len(want[len(got) - 1][0]) :]:
            return f"{pair['dialect']} / {pair['kind']}: {mutant!r} loses {name} without a word"
    return None


def check(mutants: Iterator[tuple[Pair, str, int]]) -> None:
    wrong = [fault for pair, mutant, changes in mutants if (fault := faults(pair, mutant, changes))]
    assert not wrong, f"{len(wrong)} mutants\n" + "\n".join(wrong)


def everything(texts: list[Pair]) -> Iterator[tuple[Pair, str, int]]:
    for pair in texts:
        for at, mutant in cuts(pair):
            yield pair, mutant, 0
            for edited in edits(pair["text"], at):
                yield pair, edited, 1


def sample() -> Iterator[tuple[Pair, str, int]]:
    draw = random.Random(18)
    for number, pair in enumerate(GIVEN):
        for _, mutant in cuts(pair, 12, number % 12):
            yield pair, mutant, 0
    for _ in range(PLACES):
        pair = draw.choice(GIVEN)
        at = draw.randrange(len(pair["text"]))
        yield pair, draw.choice(edits(pair["text"], at)), 1


def test_a_broken_text_gives_its_own_calls_or_an_error() -> None:
    scale = os.environ.get("SILP_MUTATIONS", "")
    check(everything(GIVEN) if scale else sample())
    if scale == "own":
        check(everything([pair for pair in pairs("own-pairs.jsonl") if pair["calls"] and not pair["status"]]))
