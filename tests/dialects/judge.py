"""What a text gives: the calls as ``--as calls`` prints them, whatever else was found, and the exit status."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from support import FIXTURES

from silp_cli.dialects.call import Call, Payload, Problem
from silp_cli.dialects.extracting import Extraction
from silp_cli.dialects.reader import read

if TYPE_CHECKING:
    from silp_cli.dialects.call import Event

Pair = dict[str, Any]
Shape = tuple[str, tuple[tuple[str, str], ...]]


def pairs(name: str) -> list[Pair]:
    with open(FIXTURES / "dialects" / name, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@dataclass
class Outcome:
    """``calls`` are records; ``actions`` counts every event that is one, refused as a plain call or not."""

    calls: list[dict[str, Any]]
    problems: list[str]
    actions: int

    @property
    def status(self) -> int:
        return int(bool(self.problems) or not self.calls)


def outcome(text: str) -> Outcome:
    return judge(list(read(text)), text)


def judge(events: Sequence[Event], source: str) -> Outcome:
    extraction = Extraction(calls=True)
    calls, problems = [], []
    for event in events:
        assert 0 <= event.start <= event.end <= len(source), event
        found = extraction.found(event, lambda start, end: source[start:end])
        if found is None:
            continue
        if found.error:
            position = found.error.position
            assert position is None or 0 <= position <= len(source), (event, position)
            problems.append(str(found.error))
        else:
            assert found.value is not None
            calls.append(found.value)
    nameless = sum(isinstance(event, Call) and bool(event.positional) for event in events)
    return Outcome(calls, problems, sum(isinstance(event, (Call, Payload)) for event in events) - nameless)


def compact(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def shape(calls: Iterable[dict[str, Any]], *, typed: bool) -> list[Shape]:
    """Calls as they are compared: values by JSON where the dialect has types, else as text; order counts."""

    def shown(value: Any) -> str:
        return json.dumps(value, sort_keys=True) if typed else compact(value)

    return [
        (call["name"], tuple((key, shown(value)) for key, value in call["arguments"].items())) for call in calls
    ]


def problems(events: Iterable[Event]) -> Iterator[Problem]:
    return (event for event in events if isinstance(event, Problem))
