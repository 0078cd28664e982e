"""Decode fuzzing (invariants 5 and 6): whatever comes is decoded or refused at a place; what is decoded is kept."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import NAMES, NASTY, irs

from silp_cli import IR, SilpError, compile, decode
from silp_cli.api import decode_all
from silp_cli.ir.accept import conforms

from .oracle import meaning
from .test_fast_paths import edited

PIECES = (
    *"()[]{},;:=!<>@\"'\\ \t\n.-+", "if ", " and ", " else: ", " else ", " then ", " with ", "->", " -> ", ":=", "==",
    "!=", "<=", ">=",
    "t+1", "=x", "(x)", "[a=1]", "[a:=1]", "a=b", "null", "true", '"x"', "'x'", "\\u0041", "\\ud800", "\\x", "!IF",
    "loc=", "value=",
    "time=", "type=", "operator=", "id=", "act=", "action=", "target=", "subject=", "silp=v1", "silp=v9", "version=x",
    "priority=1",
    "priority=x", "confidence=2", "seq:=[]", 'seq:=["!A"]', "req_id=a1b2", "é", "\u200b", "\x00", "\ud800", "٣", "²",
    "1e999", "{}",
    ",\"intent\":\"!A\"", '"entities":[]', '"act":"x",', '"action_email":[]', '"meta":null', '"silp":"v9"', "null,",
    "call(", "a",
)
FRONTENDS = ("code", "json")


def attempt(text: str, frontend: str | None) -> tuple[IR | None, SilpError | None]:
    """What decode gives: an IR or an error."""
    try:
        return decode(text, frontend), None
    except SilpError as error:
        return None, error


def check(text: str, frontend: str | None) -> bool:
    """Decode; True if it was accepted. Whatever happens has to be proper."""
    ir, error = attempt(text, frontend)
    if error is not None:
        assert error.message
        assert "\n" not in error.message + error.hint
        if error.position is None:
            assert error.path is not None, (text, error)
            assert text.lstrip().startswith("{")
        else:
            assert 0 <= error.position <= len(text), (text, error)
            assert error.line is not None
            assert error.column is not None
            assert error.excerpt is not None
        return False
    assert ir is not None
    assert conforms(ir), text
    for again in FRONTENDS:
        assert meaning(decode(compile(ir, again))) == meaning(ir), text
    return True


@settings(max_examples=700)
@given(irs(), st.integers(0, 2**32))
def test_edited_payloads_are_decoded_or_refused_at_a_place(ir: dict[str, Any], seed: int) -> None:
    """2,000 examples of 18 edits each."""
    random = Random(seed)
    for frontend in FRONTENDS:
        text = compile(ir, frontend)
        for _ in range(9):
            check(edited(text, random, PIECES), frontend)


def test_edited_example_payloads_are_decoded_or_refused_at_a_place() -> None:
    """12,000 edits of short payloads, of which many are still in the language."""
    random = Random(2)
    short = (
        "if !rain(t+1): start(hike) else: start(cards@indoor)", "cancel(flight,t+1pm); email(zhangsan)",
        "if budget<=500 and rating>=4.0, t+1: book(hotel,at=downtown[km:=2,by=foot])",
        "fetch(data) -> process -> email(x) with timeout",
        "notify(a) with priority=2,confidence=0.5,out=code,x:={\"a\":[1]}",
        "if loc(me,Beijing,t+1): a('x, y') else b(loc=c); d(e,f=g)",
    )
    accepted = sum(check(edited(random.choice(short), random, PIECES), "code") for _ in range(12_000))
    assert 1_000 < accepted < 11_000


@pytest.mark.parametrize("seed", range(4))
def test_random_text_is_decoded_or_refused_at_a_place(seed: int) -> None:
    """Four times 6,000 inputs: pieces of the languages, nasty strings, characters of all of Unicode."""
    random = Random(seed)
    bag = (*PIECES, *NASTY, *NAMES)
    accepted = 0
    for _ in range(6_000):
        parts = [
            chr(random.randrange(0x110000)) if random.random() < 0.1 else random.choice(bag)
            for _ in range(random.randrange(12))
        ]
        head = random.choice(("", "a(", "if ", "{", '{"intent":"!A",', "a() with ", "a(x) else: ", "if x: "))
        text = head + "".join(parts)
        for frontend in (None, *FRONTENDS):
            accepted += check(text, frontend)
    assert accepted


def test_extraction_answers_any_text() -> None:
    random = Random(5)
    bag = (*PIECES, *NASTY, "cancel(x)", "email(", '{"intent":"!EMAIL"}', '{"intent":', "```\n", "\n```\n", "\n", "[",
        "]", "[cancel(a=1)]",
           "<|tool_call_start|>", "<|tool_call_end|>", "<tool_call>", "</tool_call>", "Then ", ". ", "if ", "- ", "1. ",
           "`")
    found = 0
    for _ in range(8_000):
        text = "".join(random.choice(bag) for _ in range(random.randrange(1, 14)))
        caught: SilpError | None = None
        payloads: list[IR] = []
        try:
            payloads = decode_all(text, prose=True)
        except SilpError as error:
            caught = error
        if caught is not None:
            assert caught.position is not None, (text, caught)
            assert 0 <= caught.position <= len(text)
        else:
            assert payloads
            assert all(map(conforms, payloads)), text
            found += len(payloads)
    assert found > 500
