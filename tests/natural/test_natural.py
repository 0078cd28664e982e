"""The prose frontends, ``natural`` and ``nl_json``: what they say, and that they say it in one line."""

from __future__ import annotations

import json
import unicodedata
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from silp_cli.frontends.natural import NaturalFrontend, phrase, pieces, prose
from silp_cli.frontends.nl_json import NlJsonFrontend
from silp_cli.frontends.registry import get_frontend
from silp_cli.ir.errors import ErrorCode, SilpError


def ir(intent: str = "!START", **fields: Any) -> dict[str, Any]:
    return {"intent": intent, "meta": {"req_id": "a1b2c3d4"}, **fields}


HIKE = {
    "silp": "v1",
    "intent": "!START",
    "entities": [{"id": "act", "value": "hike", "action": "!START"}],
    "constraints": [{"type": "!rain", "value": "true", "time": "t+1"}],
    "alternatives": [{"action": "!START", "target": "cards", "location": "indoor"}],
    "meta": {"req_id": "a1b2c3d4", "out": "code"},
}


def test_appendix_example_1_reads_as_in_the_draft() -> None:
    assert prose(HIKE) == "If not rain at t+1, start hike otherwise start cards at indoor."


def test_nl_json_wraps_the_same_prose_as_compact_json() -> None:
    text = get_frontend("nl_json").compile(HIKE)
    assert text == '{"task_description":"If not rain at t+1, start hike otherwise start cards at indoor."}'


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, "Start."),
        ({"entities": [{"id": "act", "value": "hike"}]}, "Start hike."),
        (
            {"entities": [{"id": "src", "value": "fr_rev_bold"}, {"id": "tgt", "value": "shakespeare_en"}]},
            "Start with src fr_rev_bold, tgt shakespeare_en.",
        ),
        (
            {"entities": [{"id": "act", "value": "flight"}, {"id": "time", "value": "t+1pm"}]},
            "Start flight at t+1pm.",
        ),
        ({"entities": [{"id": "time", "value": "noon"}]}, "Start with time noon."),
        ({"entities": [{"id": "location", "value": "Beijing"}]}, "Start with location Beijing."),
        (
            {"entities": [{"id": "act", "value": "a"}, {"id": "act", "value": "b"}]},
            "Start a, b.",
        ),
        (
            {"entities": [{"id": "act", "value": "lisi", "action": "!EMAIL"}, {"id": "act", "value": "run"}]},
            "Start run and email lisi.",
        ),
        (
            {"entities": [{"id": "cc", "value": "lisi", "action": "!EMAIL"}]},
            "Start and email with cc lisi.",
        ),
        (
            {"entities": [{"id": "weight", "value": "5", "unit": "kg", "dim": [3], "frozen": True}]},
            "Start with weight 5 (dim [3], frozen true, unit kg).",
        ),
        ({"alternatives": [{"action": "!START"}]}, "Start otherwise start."),
        ({"alternatives": [{"action": "!BOOK", "location": "indoor"}]}, "Start otherwise book at indoor."),
        (
            {"alternatives": [{"action": "!BOOK", "target": "a"},
                              {"action": "!FETCH", "target": "b", "n": 1}]},
            "Start otherwise book a and fetch b (n 1).",
        ),
        ({"constraints": [{"type": "rain", "value": "true"}]}, "If rain is true, start."),
        ({"constraints": [{"type": "!rain", "value": "heavy"}]}, "If not rain is heavy, start."),
        (
            {"constraints": [{"type": "loc", "value": "Beijing", "time": "t+1am", "subject": "me"}]},
            "If loc of me is Beijing at t+1am, start.",
        ),
        (
            {"constraints": [{"type": "timeout", "value": "30s", "retries": 2, "note": None}]},
            "If timeout is 30s (note null, retries 2), start.",
        ),
        (
            {"constraints": [{"type": "budget", "value": "500", "subject": {"id": 7}}]},
            'If budget is 500 (subject {"id":7}), start.',
        ),
    ],
)
def test_every_slot_is_named(fields: dict[str, Any], expected: str) -> None:
    assert prose(ir(**fields)) == expected


@pytest.mark.parametrize(
    ("operator", "words"),
    [
        ("==", "is equal to"), ("!=", "is not equal to"), ("<", "is less than"), ("<=", "is at most"),
        (">", "is greater than"), (">=", "is at least"), ("contains", "contains"),
        ("starts with", "starts with"), ("not in", "not in"),
        ("~=", "is related by ~= to"), ("", 'is related by "" to'), ("x and y", 'is related by "x and y" to'),
    ],
)
def test_operators_are_words(operator: str, words: str) -> None:
    constraint = {"type": "rating", "value": "4.0", "operator": operator}
    assert prose(ir(constraints=[constraint])) == f"If rating {words} 4.0, start."


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("red shoes", "red shoes"), ("a, b", '"a, b"'), ("x and y", '"x and y"'), ("", '""'), (" x", '" x"'),
        ('say "hi"', r'"say \"hi\""'), ("back\\slash", r'"back\\slash"'),
        ("a\nb", r'"a\nb"'), ("\0", r'"\u0000"'),
        ("a\u2028b", r'"a\u2028b"'), ("\u202eabc", r'"\u202eabc"'), ("a\u200bb", r'"a\u200bb"'),
        ("\ud800", r'"\ud800"'), ("\U000e0041", r'"\udb40\udc41"'), ("北京", "北京"), ("12:30", "12:30"),
        ("Stop.", '"Stop."'),
    ],
)
def test_values_that_could_be_misread_are_quoted(value: str, shown: str) -> None:
    assert prose(ir(entities=[{"id": "act", "value": value}])) == f"Start {shown}."
    if shown.startswith('"'):
        assert json.loads(shown) == value


def test_nulls_of_optional_fields_are_absent() -> None:
    nulls = ir(
        entities=[{"id": "act", "value": "hike", "action": None}],
        constraints=[{"type": "rain", "value": "no", "time": None, "subject": None, "operator": None}],
        alternatives=[{"action": "!BOOK", "target": None, "location": None}],
    )
    assert prose(nulls) == "If rain is no, start hike otherwise book."
    assert prose(ir(entities=None, constraints=None, alternatives=None)) == "Start."


@pytest.mark.parametrize("name", ["natural", "nl_json"])
def test_decode_answers_decode_failed_with_the_reason(name: str) -> None:
    frontend = get_frontend(name)
    with pytest.raises(SilpError) as caught:
        frontend.decode(frontend.compile(HIKE))
    assert caught.value.code is ErrorCode.DECODE_FAILED
    assert "no grammar" in caught.value.message
    assert not frontend.lossless


TEXT = st.text() | st.text(st.characters(codec=None)) | st.sampled_from(
    [
        "a, b", "else: z", '"', "\\", "\n", "\r\n", "\x85", "\u2028", "\u202e", "\u200b", "\ufeff", "\ud800",
        "👩\u200d🚀", "Привет", "مرحبا",
    ]
)
ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXT, inner, max_size=2),
    max_leaves=4,
)
ACTION = st.sampled_from(["!START", "!EMAIL", "!SWITCH_TOOL", "!A_"])


def part(required: dict[str, Any], optional: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    nullable = {key: st.none() | value for key, value in optional.items()}
    known = st.fixed_dictionaries(required, optional=nullable)
    # The schema knows nothing of subject and operator, so these may be anything.
    free = TEXT.filter(lambda key: key not in {*required, *optional} - {"subject", "operator"})
    extras = st.dictionaries(free | st.sampled_from(["subject", "operator", "x"]), ANY, max_size=2)
    return st.builds(lambda extra, fields: {**extra, **fields}, extras, known)


IRS = st.fixed_dictionaries(
    {"intent": ACTION, "meta": st.just({"req_id": "a1b2c3d4"})},
    optional={
        "entities": st.lists(part({"id": TEXT, "value": TEXT}, {"action": ACTION}), max_size=3),
        "constraints": st.lists(
            part({"type": TEXT, "value": TEXT}, {"time": TEXT, "subject": TEXT, "operator": TEXT}), max_size=3
        ),
        "alternatives": st.lists(part({"action": ACTION}, {"target": TEXT, "location": TEXT}), max_size=3),
    },
)


# Format characters by category, but marks that are seen: Arabic and Syriac number and verse signs.
SEEN = {*map(chr, range(0x600, 0x606)), "\u06dd", "\u070f", "\u0890", "\u0891", "\u08e2", "\U000110bd", "\U000110cd"}
HIDDEN = ("Cc", "Cf", "Cs", "Zl", "Zp")


def test_every_hidden_character_is_escaped() -> None:
    for char in map(chr, range(0x110000)):
        if unicodedata.category(char) in HIDDEN and char not in SEEN:
            assert char not in phrase(f"a{char}b"), hex(ord(char))


@settings(max_examples=500, deadline=None)
@given(IRS)
@example(ir(entities=[{"id": "\n", "value": "\u2029", "\x1b[2J": "\x07"}]))
def test_prose_is_one_visible_line_and_the_same_each_time(value: dict[str, Any]) -> None:
    before = json.dumps(value)
    text = prose(value)
    assert text == prose(json.loads(before))
    assert json.dumps(value) == before
    assert text.encode().decode() == text
    assert len(text.splitlines()) == 1
    assert not [char for char in text if unicodedata.category(char) in HIDDEN and char not in SEEN]
    assert text.endswith(".")


@settings(max_examples=500, deadline=None)
@given(IRS)
def test_every_string_of_the_ir_stands_in_the_prose(value: dict[str, Any]) -> None:
    text = prose(value)
    for entity in value.get("entities") or ():
        assert phrase(entity["value"]) in text
    for constraint in value.get("constraints") or ():
        assert phrase(constraint["type"].removeprefix("!")) in text
        for name in ("time", "subject"):
            if constraint.get(name) is not None:
                shown = constraint[name]
                assert not isinstance(shown, str) or phrase(shown) in text
    for alternative in value.get("alternatives") or ():
        for name in ("target", "location"):
            if alternative.get(name) is not None:
                assert phrase(alternative[name]) in text


@settings(max_examples=500, deadline=None)
@given(IRS)
def test_nl_json_holds_exactly_the_prose(value: dict[str, Any]) -> None:
    text = NlJsonFrontend().compile(value)
    assert json.loads(text) == {"task_description": NaturalFrontend().compile(value, bare=True)}
    assert len(text.splitlines()) == 1
    assert text.encode().decode() == text


@settings(max_examples=300, deadline=None)
@given(IRS)
def test_pieces_name_each_slot_that_the_ir_fills(value: dict[str, Any]) -> None:
    slots = {slot for _, slot in pieces(value)}
    for index, entity in enumerate(value.get("entities") or ()):
        assert f"entity {index} value" in slots
        if (entity.get("action") or value["intent"]) == value["intent"]:
            assert f"entity {index} action" not in slots
    for index, constraint in enumerate(value.get("constraints") or ()):
        assert (f"constraint {index} negation" in slots) == constraint["type"].startswith("!")
        assert (f"constraint {index} time" in slots) == (constraint.get("time") is not None)
    assert ("else" in slots) == bool(value.get("alternatives"))
