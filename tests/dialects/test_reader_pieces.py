"""A text that comes in pieces holds what the same text holds at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from silp_cli.dialects.call import Call, Passed
from silp_cli.dialects.reader import Reader, read
from silp_cli.dialects.write import writable, write

if TYPE_CHECKING:
    from silp_cli.dialects.call import Event

FIRST = Call("get_weather", {"city": "Oslo, Norway", "note": "say \"hi\", it's (new) [1] {2}"})
SECOND = Call("book", {"hotel": "Ritz\n[cancel(flight='BA1')]"})


def in_pieces(text: str, size: int) -> list[tuple[str, int, int]]:
    reader = Reader()
    found: list[Event] = []
    for start in range(0, len(text), size):
        found += reader.feed(text[start : start + size])
    return facts([*found, *reader.close()])


def facts(events: list[Event]) -> list[tuple[str, int, int]]:
    return [
        (each.name if isinstance(each, Call) else type(each).__name__, each.start, each.end)
        for each in events
        if not isinstance(each, Passed)
    ]


@pytest.mark.parametrize("size", [1, 2, 7])
@pytest.mark.parametrize("dialect", sorted(writable()))
def test_every_dialect(dialect: str, size: int) -> None:
    text = f"I will look.\n\n{write(FIRST, dialect)}\nThen:\n{write(SECOND, dialect)}\n"
    assert [name for name, *_ in in_pieces(text, size)] == ["get_weather", "book"]
    assert in_pieces(text, size) == facts([*read(text)])


@pytest.mark.parametrize("size", [1, 3])
@pytest.mark.parametrize("text", [
    "<think>\n[cancel(flight='BA1')]\n</think>\n[book(a='b'), await book(a='c')]",
    "~~~sh\ncancel(flight='BA1')\n~~~\ncancel(flight)\n",
    "```bash\ncancel(flight='BA1')\n```",
    '<|python_tag|>{"name": "f", "parameters": {}}; {"name": "g", "parameters": {}}',
    'Action: f\nAction Input: {"a": 1}\nThought: so\nAction: g\nAction Input: {"b": "unfini',
    "if rain(t+1): cancel(flight) else: book(train)\n",
    "process(cmd='line\ncancel(flight)\nend",
])
def test_what_is_hard_to_see_from_its_beginning(text: str, size: int) -> None:
    assert in_pieces(text, size) == facts([*read(text)])
