"""What holds for every text (Hypothesis)."""

from __future__ import annotations

import json
import os
import re
import tempfile
from typing import Any
from unittest import mock

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from silp_cli.text.safe import escape
from silp_cli.text.sanitize import stream
from silp_cli.text.sanitize.classes import CLASSES
from silp_cli.text.sanitize.engine import Policy, apply, clean, find, original_position, sanitize_structure
from silp_cli.text.sanitize.jsonmode import clean_json
from silp_cli.text.sanitize.stream import Cleaner, Line

NASTY = [
    *"aсіԁеfiм_n\\u041—日Ёא𝐚ｃ٥ا٠🙂👩🏽❤#1 \t(){}[],:\"'=é½€",
    *"\u200b\u200c\u200d\ufeff\u202e\ufe0f\ufe0e\u0301\u034f\u180e\u20e3\u00ad\x1b\x00\U000e0067\U000e0100\ue000\ufffe\x85",
    "\r\n", "\n", "\r", "می", "क्", "葛", "ᠠ", "if", "саncel", "else", "\\n", "\\u0441", "\\", "next_аgent", "\u2028",
    "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
]
texts = st.lists(st.sampled_from(NASTY) | st.characters(codec="utf-8"), max_size=25).map("".join)
policies = st.builds(
    Policy,
    st.none() | st.sets(st.sampled_from(sorted(CLASSES))),
    strict=st.booleans(),
    homoglyphs=st.sampled_from(["mixed", "all", "off"]),
)
many = settings(max_examples=700, deadline=None, suppress_health_check=[HealthCheck.too_slow])
some = settings(max_examples=500, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@many
@given(texts, policies)
def test_cleaning_is_idempotent(text: str, policy: Policy) -> None:
    assert find(clean(text, policy), policy) == []


@many
@given(texts, policies)
def test_nothing_outside_the_findings_changes(text: str, policy: Policy) -> None:
    findings = find(text, policy)
    positions = [finding.position for finding in findings]
    assert positions == sorted(set(positions))
    assert all(text[finding.position] == finding.char for finding in findings)
    rest = list(text)
    for finding in findings:
        rest[finding.position] = finding.replacement
    assert "".join(rest) == apply(text, findings) == clean(text, policy)


@many
@given(st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E) | st.sampled_from("\t\n")), policies)
def test_clean_ascii_is_left_alone(text: str, policy: Policy) -> None:
    assert clean(text, policy) == text


@many
@given(texts, policies)
def test_what_compile_escapes_is_stable(text: str, policy: Policy) -> None:
    literal = escape(json.dumps(text, ensure_ascii=False))
    assert find(literal, policy) == []
    assert json.loads(literal) == text
    assert escape(literal) == literal


def piped(data: bytes, policy: Policy) -> bytes:
    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.flush()
        os.lseek(file.fileno(), 0, os.SEEK_SET)
        return b"".join(
            piece.cleaned().encode() if isinstance(piece, Line) else bytes(piece)
            for piece in Cleaner(policy).read(file.fileno())
        )


@many
@given(st.lists(texts, max_size=5).map("\n".join), policies, st.sampled_from([-1, 40, 1 << 17]), st.integers(1, 40))
def test_the_fast_stream_gives_what_line_by_line_gives(text: str, policy: Policy, few: int, block: int) -> None:
    lines = re.findall(r"[^\n]*\n|[^\n]+", text)
    with mock.patch.object(stream, "_FEW", few), mock.patch.object(stream, "_BLOCK", block):
        assert piped(text.encode(), policy) == "".join(clean(line, policy) for line in lines).encode()


@pytest.mark.parametrize("text", ["a\rb\n", "a\r\nb\n", "é\rb\n", "a\r", "a\r\r\n"])
@pytest.mark.parametrize("size", range(1, 6))
def test_a_carriage_return_is_judged_wherever_a_block_ends(text: str, size: int) -> None:
    lines = re.findall(r"[^\n]*\n|[^\n]+", text)
    with mock.patch.object(stream, "_BLOCK", size):
        assert piped(text.encode(), Policy()) == "".join(map(clean, lines)).encode()


documents: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=8,
)


def cleaned_value(value: Any, policy: Policy) -> Any:
    if isinstance(value, str):
        return clean(value, policy)
    if isinstance(value, list):
        return [cleaned_value(item, policy) for item in value]
    if isinstance(value, dict):
        return {clean(key, policy): cleaned_value(item, policy) for key, item in value.items()}
    return value


def collides(value: Any, policy: Policy) -> bool:
    if isinstance(value, list):
        return any(collides(item, policy) for item in value)
    if isinstance(value, dict):
        keys = {clean(key, policy) for key in value}
        return len(keys) < len(value) or any(collides(item, policy) for item in value.values())
    return False


@some
@given(documents, policies, st.booleans(), st.sampled_from([None, 1]))
def test_json_stays_json_and_only_its_strings_are_cleaned(
    value: Any, policy: Policy, ascii_only: bool, indent: int | None
) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    if collides(value, policy):
        return
    cleaned, findings, ends = clean_json(text, policy, 64)
    assert json.loads(cleaned) == cleaned_value(value, policy)
    assert clean_json(cleaned, policy, 64)[1] == []
    assert (cleaned == text) == (not findings)
    assert len(ends) == 1


@many
@given(texts)
def test_structure_cleaning_leaves_literals_alone(text: str) -> None:
    literal = json.dumps(text, ensure_ascii=False)
    payload = f"c\u200bancel({literal})"
    cleaned, findings = sanitize_structure(payload)
    assert cleaned == f"cancel({literal})"
    assert [finding.position for finding in findings] == [1]


@many
@given(texts)
def test_positions_lead_back_to_the_text_as_it_came(text: str) -> None:
    findings = find(text)
    cleaned = apply(text, findings)
    folded = {finding.position: finding.replacement for finding in findings}
    for position, char in enumerate(cleaned):
        original = original_position(findings, position)
        assert folded.get(original, text[original]) == char
