"""grammars/code.abnf, the pyparsing grammar and the scanner are one language with one meaning."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from silp_cli.api import compile, equivalent
from silp_cli.frontends.code.grammar import WITHIN_LEXICAL, explain_failure, grammar, parse
from silp_cli.frontends.code.scanner import decode
from silp_cli.ir.errors import ErrorCode, SilpError
from silp_cli.ir.resources import read_resource

from .sentences import CORE_RULES, Walk, accepts, edited, load, names

ABNF = load("code")

# A rule that other rules name in comments only, because ABNF has no "but not".
_ONLY_IN_NOTES = {"keyword"}

# Words that mean something in some place, so that sentences run into the notes at the end of the ABNF.
_WORDS = (
    "flight", "t+1", "t-20pm", "t", "t+1é", "if", "then", "else", "and", "with", "loc", "act", "time",
    "value", "type", "subject", "operator", "target", "location", "action", "id", "silp", "version",
    "priority", "confidence",
    "seq", "req_id", "out", "v1", "2", "0.5", "-1e3", "true", "null", "é中٣", "90%", "a-", "-",
)


def _bare(walk: Walk) -> str | None:
    return walk.random.choice(_WORDS) if walk.random.random() < 0.5 else None


def _literal(walk: Walk) -> str | None:
    word = walk.random.choice((*_WORDS, "", "a, b", "x and y", "!rain", "t+1am"))
    return walk.random.choice("'\"").join(("", word, "")) if walk.random.random() < 0.3 else None


def _letter(walk: Walk) -> str:
    return walk.random.choice("éЖ中ٱ٣²ⅷ𝒳ª")


def _space(walk: Walk) -> str | None:
    return "" if walk.random.random() < 0.7 else None


def walk(seed: int) -> Walk:
    special = {"bare": _bare, "literal": _literal, "LETTER-BEYOND-ASCII": _letter, "ows": _space}
    return Walk(ABNF, Random(seed), special)


def outcome(read: Any, text: str) -> dict[str, Any] | str:
    """The IR, or the code of the error."""
    try:
        ir: dict[str, Any] = read(text)
    except SilpError as error:
        return str(error.code) if _is_proper(error, text) else f"improper: {error!r}"
    return ir


def _is_proper(error: SilpError, text: str) -> bool:
    return bool(error.message) and error.position is not None and 0 <= error.position <= len(text)


def test_sentences_of_the_abnf_have_one_meaning() -> None:
    source = walk(7)
    refused = 0
    for _ in range(2000):
        text = source.sentence()
        assert accepts(ABNF, text), text
        scanned = outcome(decode, text)
        assert outcome(parse, text) == scanned, text
        if isinstance(scanned, str):
            assert scanned in (ErrorCode.INVALID_SYNTAX, ErrorCode.UNSUPPORTED_VERSION), text
            refused += 1
    assert 0 < refused < 1400, "the notes refuse some sentences, and far from all"
    assert names(ABNF) - set(source.used) == _ONLY_IN_NOTES, "every other rule is tried"


def test_what_is_compiled_is_in_the_abnf() -> None:
    source = walk(13)
    count = 0
    while count < 500:
        ir = outcome(decode, source.sentence())
        if isinstance(ir, str):
            continue
        count += 1
        compiled = compile(ir)
        assert accepts(ABNF, compiled), compiled
        again = parse(compiled)
        assert again == decode(compiled), compiled
        assert equivalent(again, ir), compiled


def test_edited_sentences_are_refused_alike() -> None:
    source = walk(11)
    taken = 0
    for _ in range(3000):
        text = edited(source.sentence(room=18), source.random)
        scanned = outcome(decode, text)
        assert outcome(parse, text) == scanned, text
        if not isinstance(scanned, str):
            taken += 1
            assert accepts(ABNF, text), text
        else:
            assert scanned in (ErrorCode.INVALID_SYNTAX, ErrorCode.UNSUPPORTED_VERSION), text
    assert 200 < taken < 2800


_PIECES = st.lists(
    st.sampled_from([
        "if ", " and ", ": ", " then ", " else ", " else: ", " with ", "f", "f(", "g(", ")", "(", ",", "; ",
        " -> ", "[", "]", "=", ":=", "@", "!", "<=", ">", "a", "t+1", "loc", "time", "value", "silp",
        "priority", "v1", "2", '"a b"', "'c'", "{}", "[1]", "null", "-", "é", " ", "\n",
    ]),
    max_size=14,
)


@settings(max_examples=700, deadline=None)
@given(_PIECES)
@example(["f(", "a", "-", ">", "b", ")"])
@example(["if ", "a", "-", ">", "2", ": ", "f(", ")"])
@example(["f(", ")", " with ", "if", "=", "2"])
def test_arrangements_of_tokens_are_read_alike(pieces: list[str]) -> None:
    text = "".join(pieces)
    scanned = outcome(decode, text)
    assert outcome(parse, text) == scanned
    assert not str(scanned).startswith("improper")


@settings(max_examples=500, deadline=None)
@given(st.text(max_size=30))
def test_any_text_is_read_alike(text: str) -> None:
    assert outcome(parse, text) == outcome(decode, text)


def test_rules_have_the_same_names_in_both_grammars() -> None:
    rules = set(grammar().rules)
    assert not rules & WITHIN_LEXICAL
    assert rules | WITHIN_LEXICAL == names(ABNF)


@pytest.mark.parametrize(("name", "unused"), [("code", _ONLY_IN_NOTES), ("json", set())])
def test_every_rule_of_the_abnf_is_defined_once_and_used(name: str, unused: set[str]) -> None:
    text = re.sub(r'"[^"\n]*"|;.*|%[sx][0-9A-F-]*', "", read_resource(f"{name}.abnf"))
    defined = re.findall(r"^([A-Za-z][A-Za-z0-9-]*)\s+=", text, re.M)
    used = set(re.findall(r"[A-Za-z][A-Za-z0-9-]*", re.sub(r"^[A-Za-z][A-Za-z0-9-]*\s+=", "", text, flags=re.M)))
    assert len(defined) == len(set(defined))
    assert used - CORE_RULES == set(defined) - {"payload"} - unused
    assert set(defined) == names(load(name))


@pytest.mark.parametrize(
    ("text", "position", "expected"),
    [
        ("", 0, "an action such as cancel"),
        ("cancel(flight", 13, "')'"),
        ("cancel(flight t+1pm)", 14, "','"),
        ("cancel(", 7, "a value (a word or a quoted literal)"),
        ('cancel("fli', 11, 'a closing "'),
        ("cancel('fli", 11, "a closing '"),
        (r'cancel("a\qb")', 9, 'a closing "'),
        ("cancel(flight[unit", 18, "':='"),
        ("cancel(flight[unit:=", 20, "a JSON value"),
        ("cancel(flight[unit:=[1", 22, "']'"),
        ("if rain", 7, "an operator (== != < <= > >=)"),
        ("if rain>", 8, "a value (a word or a quoted literal)"),
        ("if rain cancel()", 8, "'then'"),
        ("if then: cancel()", 3, "a value (a word or a quoted literal)"),
        ("cancel() else", 13, "white space"),
        ("cancel() else start(cards@)", 26, "a value (a word or a quoted literal)"),
        ("cancel() please", 9, "the end of the payload"),
        ("fetch(a) -> ", 12, "an action such as cancel"),
        ("“cancel()”", 0, "'if'"),
    ],
)
def test_failures_are_explained(text: str, position: int, expected: str) -> None:
    at, alternatives = explain_failure(text)
    assert at == position
    assert expected in alternatives
    assert len(alternatives) == len(set(alternatives))


def test_a_payload_without_failure_is_said_to_have_none() -> None:
    assert explain_failure("cancel(flight)") == (14, [])


@pytest.mark.parametrize("depth", [64, 300, 2000])
@pytest.mark.parametrize("closed", [True, False])
def test_deep_nesting_is_followed_or_answered(depth: int, closed: bool) -> None:
    import sys

    before = sys.getrecursionlimit()
    text = "f(x[a:=" + "[" * depth + ("]" * depth + "])" if closed else "")
    at, alternatives = explain_failure(text)
    assert at == len(text)
    assert bool(alternatives) is not closed
    assert sys.getrecursionlimit() == before


def test_nesting_beyond_every_stack_is_answered() -> None:
    text = "f(x[a:=" + "[" * 20_000
    assert explain_failure(text) == (len(text) - 1, ["less nesting"])


def test_threads_do_not_mix_their_failures() -> None:
    from concurrent.futures import ThreadPoolExecutor

    texts = [f"{'a' * size}({'b' * size}" for size in range(1, 60)]
    with ThreadPoolExecutor(8) as pool:
        for text, (at, alternatives) in zip(texts, pool.map(explain_failure, texts), strict=True):
            assert at == len(text)
            assert "')'" in alternatives
