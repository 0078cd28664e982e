"""The events of an API's message: its calls, and what its texts hold, each at its place in the JSON text."""

from __future__ import annotations

import re
from bisect import bisect_right

from silp_cli.dialects import api
from silp_cli.dialects.call import Problem
from silp_cli.ir.locate import locate_all
from silp_cli.ir.pointer import pointer_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from silp_cli.dialects.call import Call, Event

_ESCAPE = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.", re.S)


def events_of(message: Any, source: str, start: int, read: Callable[[str], Iterable[Event]]) -> list[Event]:
    """What a message holds, in its order.

    Args:
        message: the JSON value.
        source: its text.
        start: where that stands in the whole text.
        read: reads a text that the message holds.
    """
    found = list(api.read(message))
    inner = {id(each): list(read(each.text)) for each in found if isinstance(each, api.Text)}
    found = [each for each in found if isinstance(each, api.Found) or inner[id(each)]]
    if not found:
        return []
    calls = [each.call for each in found if isinstance(each, api.Found) and each.call is not None]
    if len(calls) == len(found):
        _spread(calls, source, start)
        return [*calls]
    pointers = {id(each): pointer_of(each.path) for each in found}
    places = locate_all(source, set(pointers.values()))
    events: list[Event] = []
    order = sorted(places.values())
    for each in found:
        place = places.get(pointers[id(each)], 0)
        if isinstance(each, api.Text):
            events += _moved(inner[id(each)], source, place, start)
            continue
        after = bisect_right(order, place)
        end = order[after] if after < len(order) else len(source)
        if each.call is not None:
            each.call.start, each.call.end = start + place, start + end
            events.append(each.call)
        elif each.broken is not None:
            error = each.broken.error()
            error.position = start + place
            events.append(Problem(error, start + place, start + end))
    return events


def _spread(calls: list[Call], source: str, start: int) -> None:
    """Give each call the part of the message from its name to the next one's."""
    at = 0
    for call in calls:
        place = source.find(f'"{call.name}"', at)
        at = max(place, at)
        call.start = start + (at if len(calls) > 1 else 0)
        at += 1
    for call, end in zip(calls, [*(each.start for each in calls[1:]), start + len(source)], strict=True):
        call.end = end


def _moved(events: list[Event], source: str, place: int, start: int) -> list[Event]:
    """The events of a text with their places in the JSON string that holds it."""
    shifts: list[tuple[int, int]] = []  # offset in the text, characters that escapes have taken more until then
    more = 0
    end = _string_end(source, place)
    for match in _ESCAPE.finditer(source, place + 1, end):
        inner = match.start() - place - 1 - more
        more += len(match.group()) - 1
        shifts.append((inner + 1, more))
    offsets = [offset for offset, _ in shifts]

    def moved(position: int) -> int:
        index = bisect_right(offsets, position)
        return start + place + 1 + position + (shifts[index - 1][1] if index else 0)

    for event in events:
        event.start, event.end = moved(event.start), moved(event.end)
        if isinstance(event, Problem):
            for each in event.error.all():
                each.position = moved(each.position or 0)
    return events


def _string_end(source: str, place: int) -> int:
    match = re.compile(r'"(?:[^"\\]++|\\.)*+"', re.S).match(source, place)
    return match.end() if match else len(source)
