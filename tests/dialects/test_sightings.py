"""``silp explain --extract``: what was seen, in a listing and on a page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from silp_cli import SilpError, decode
from silp_cli.dialects.call import Call, Passed, Payload, Problem
from silp_cli.dialects.checking import Tools
from silp_cli.explain.sightings import REASONS, sighted
from silp_cli.explain.sightings_listing import listing
from silp_cli.explain.sightings_page import page
from silp_cli.ir.errors import ErrorCode

if TYPE_CHECKING:
    from silp_cli.dialects.call import Event

TEXT = "<think>\nwell\n</think>\nf{1}\ncancel(x)\n<b>\u200b&bad\nrest"
EVENTS: list[Event] = [
    Call("f", {"a": 1, "b": "x" * 60}, dialect="toy", start=22, end=26),
    Passed("reasoning", 0, 21),
    Payload(dict(decode("cancel(x)")), "code", 27, 36),
    Problem(SilpError(ErrorCode.INVALID_SYNTAX, "no end", rule="toy.end", hint="close it", position=37), 37, 45),
    Passed("rest", 45, len(TEXT), "a note"),
]
SEEN = sighted(TEXT, EVENTS)


def test_everything_is_seen_in_order() -> None:
    assert [(each.what, each.kind, TEXT[each.start : each.end]) for each in SEEN.sightings] == [
        ("passed", "reasoning", "<think>\nwell\n</think>"),
        ("call", "toy", "f{1}"),
        ("payload", "code", "cancel(x)"),
        ("problem", "toy.end", "<b>\u200b&bad"),
        ("passed", "rest", "\nrest"),
    ]
    assert SEEN.sightings[0].meaning == REASONS["reasoning"]
    assert SEEN.sightings[3].meaning == "no end (close it)"
    assert SEEN.sightings[4].meaning.endswith("(a note)")
    assert SEEN.sightings[1].to_dict(TEXT) == {
        "start": 22, "end": 26, "line": 4, "column": 1, "what": "call", "kind": "toy",
        "meaning": f'f(a=1, b="{"x" * 38}…)', "call": {"name": "f", "arguments": {"a": 1, "b": "x" * 60}, "dialect": "toy"},
    }


def test_it_is_well_when_there_is_a_call_and_nothing_broken() -> None:
    assert not SEEN.well
    assert sighted(TEXT, EVENTS[:3]).well
    assert not sighted(TEXT, EVENTS[1:2]).well
    assert not sighted(TEXT, EVENTS[:2], Tools.parse('{"name":"g"}')).well


def test_spans_never_overlap() -> None:
    seen = sighted("abcdef", [Passed("data", 0, 4), Call("f", {}, start=2, end=3), Call("g", {}, start=3, end=6)])
    assert [(each.start, each.end) for each in seen.sightings] == [(0, 4), (4, 6)]


def test_the_listing() -> None:
    lines = listing(SEEN, 60).split("\n")
    assert lines[:7] == [
        "1 | <think>", "1 | well", "1 | </think>", "2 | f{1}", "3 | cancel(x)", "4 | <b>\\u200b&bad", "5 | rest",
    ]
    assert lines[8].split() == ["place", "what", "kind", "meaning"]
    assert [line.split()[1] for line in lines[9:]] == ["1:1-3:8", "4:1-4", "5:1-9", "6:1-8", "6:9-7:4"]
    assert all(len(line) <= 60 for line in listing(sighted("x" * 300, []), 60).split("\n")[:1])
    painted = listing(SEEN, 60, color=True)
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted) == listing(SEEN, 60)


def test_the_page_is_whole_and_escapes_the_text() -> None:
    written = page(SEEN)
    assert "&lt;b&gt;\\u200b&amp;bad" in written
    assert "<b>" not in written
    assert "src=" not in written
    assert written.count("<mark ") == written.count("</mark>") == written.count("<tr id=") == 5
