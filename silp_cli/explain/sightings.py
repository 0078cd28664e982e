"""What a reader saw in a text, span by span: calls, payloads, problems, and what was passed over and why."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from silp_cli.dialects.call import Call, Passed, Payload, Problem
from silp_cli.dialects.extracting import call_record
from silp_cli.ir.errors import SilpError, line_and_column
from silp_cli.ir.jsontext import dumps

if TYPE_CHECKING:
    from collections.abc import Iterable

    from silp_cli.dialects.call import Event
    from silp_cli.dialects.checking import Tools

# What there is, and what it is called.
WHATS: dict[str, str] = {"call": "call", "payload": "SILP payload", "problem": "broken", "passed": "passed over"}
REASONS: dict[str, str] = {
    "reasoning": "reasoning; --reasoning reads it too",
    "prose": "running text; --prose reads whitelisted calls in it",
    "fence": "a fence of another language",
    "code": "source code that is more than calls",
    "data": "JSON that is no call",
    "rest": "what stands behind a failure whose end is unknown",
}


@dataclass(frozen=True, slots=True)
class Sighting:
    """A span of the text, and what it was taken for.

    Attributes:
        start: offset of its first character.
        end: offset behind its last one.
        what: one of ``WHATS``.
        kind: the dialect or the frontend that read it, the rule that failed, or why it was passed over.
        meaning: the same in words.
        value: the call or the IR; None for the others.
    """

    start: int
    end: int
    what: str
    kind: str
    meaning: str
    value: dict[str, Any] | None = None

    def to_dict(self, text: str) -> dict[str, Any]:
        """The sighting as JSON."""
        line, column = line_and_column(text, self.start)
        fields: dict[str, Any] = {
            "start": self.start, "end": self.end, "line": line, "column": column, "what": self.what, "kind": self.kind,
            "meaning": self.meaning,
        }
        if self.value is not None:
            fields["call" if self.what == "call" else "ir"] = self.value
        return fields


@dataclass(frozen=True, slots=True)
class Sighted:
    """A text and what was seen in it, in order, none overlapping another."""

    text: str
    sightings: tuple[Sighting, ...]

    @property
    def well(self) -> bool:
        """Whether anything was found, and nothing was broken."""
        whats = {each.what for each in self.sightings}
        return "problem" not in whats and bool(whats & {"call", "payload"})


def sighted(text: str, events: Iterable[Event], tools: Tools | None = None) -> Sighted:
    """Put what a reader found into words.

    Args:
        text: the text that was read.
        events: what the reader found.
        tools: definitions to hold the calls against.
    """
    found: list[Sighting] = []
    place = 0
    for event in sorted(events, key=lambda each: (each.start, each.end)):
        sighting = _sighting(event, tools)
        start = max(sighting.start, place)
        if start < sighting.end or start == sighting.start:
            place = max(start, sighting.end)
            found.append(replace(sighting, start=start, end=place))
    return Sighted(text, tuple(found))


def _sighting(event: Event, tools: Tools | None) -> Sighting:
    start, end = event.start, event.end
    if isinstance(event, Passed):
        meaning = REASONS.get(event.reason, event.reason)
        return Sighting(
            start, end, "passed", event.reason, f"{meaning} ({event.note})" if event.note else meaning
        )
    if isinstance(event, Problem):
        return _problem(start, end, event.error)
    if isinstance(event, Payload):
        return Sighting(start, end, "payload", event.frontend, f"{event.ir['intent']}, one record", event.ir)
    try:
        call: Call = event if tools is None else tools.checked(event)
    except SilpError as error:
        return _problem(start, end, error)
    value = call_record(call)
    if call.positional:
        value["positional"] = list(call.positional)
    meaning = f"{call.name}({', '.join([*map(_brief, call.positional), *map(_named, call.arguments.items())])})"
    return Sighting(start, end, "call", call.dialect, meaning, value)


def _problem(start: int, end: int, error: SilpError) -> Sighting:
    words = "; ".join(
        f"{each.message} at {each.path}" if each.path else each.message for each in error.all()
    )
    return Sighting(start, end, "problem", error.rule, f"{words} ({error.hint})" if error.hint else words)


def _named(argument: tuple[str, Any]) -> str:
    return f"{argument[0]}={_brief(argument[1])}"


def _brief(value: Any) -> str:
    text = dumps(value)
    return text if len(text) <= 40 else text[:39] + "…"
