"""Audit of words: alone, as a call, inside a payload; and replacements for a verb."""

from __future__ import annotations

import pytest
from census_helpers import FIXTURES, six
from hypothesis import given, settings
from hypothesis import strategies as st

from silp_cli.census.suggest import parse_groups, shipped_list, suggest
from silp_cli.census.tokenizers import load
from silp_cli.census.words import FORMS, Word, WordSummary, audit, read
from silp_cli.ir.verbs import WHITELIST, function_name


def verdict_of(text: str, form: str = "bare"):  # type: ignore[no-untyped-def]
    (verdict,) = audit([Word(text, "test", 1)], six(), form)
    return verdict


def test_a_word_that_is_one_token_alone_may_be_several_in_place_and_the_other_way_round() -> None:
    alone, placed = verdict_of("escalate"), verdict_of("escalate", "context")
    assert alone.counts["gpt-4o"] == 3
    assert placed.counts["gpt-4o"] == 1
    assert [token.piece for token in placed.readings["gpt-4o"].tokens] == [" escalate"]
    assert placed.counts["llama-2"] == 3


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("code", WHITELIST)
def test_the_whitelist_is_one_token_in_every_form(code: str, form: str) -> None:
    assert verdict_of(function_name(code), form).single_token


def test_a_token_that_runs_into_what_follows_is_no_single_token() -> None:
    reading = read(load("gpt-4o"), "(", "call")  # "((" is one token
    assert (reading.count, reading.merged, reading.single) == (1, True, False)
    verdict = verdict_of("(", "call")
    assert verdict.to_dict()["merged"] == ["gpt-4o", "gpt-3.5", "llama-2", "qwen2.5", "claude", "gemini"]


@settings(max_examples=200, deadline=None)
@given(word=st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=12))
def test_in_every_form_the_tokens_cover_the_word(word: str) -> None:
    for tokenizer in six():
        for form, places in FORMS.items():
            reading = read(tokenizer, word, form)
            assert reading.count == len(reading.tokens) >= 1
            spelled = b"".join(
                token.piece if isinstance(token.piece, bytes) else token.piece.encode()
                for token in reading.tokens
            )
            seen = tokenizer.normalize(word).encode()
            assert seen in spelled
            whole = max(len((before + word + after).encode()) for before, after in places)
            assert len(spelled) <= max(whole, len(seen) + 4) + 1


def test_the_verdict_holds_range_and_deviation() -> None:
    verdict = verdict_of("switch_tool")
    assert verdict.counts == {"gpt-4o": 2, "gpt-3.5": 2, "llama-2": 3, "qwen2.5": 2, "claude": 3, "gemini": 3}
    assert (verdict.range, verdict.stdev) == (1, 0.5)
    fields = verdict.to_dict()
    assert fields["tokens"] == {
        "gpt-4o": ["switch", "_tool"], "gpt-3.5": ["switch", "_tool"], "llama-2": [" switch", "_", "tool"],
        "qwen2.5": ["switch", "_tool"], "claude": ["switch", "_", "tool"], "gemini": ["switch", "_", "tool"],
    }


def test_bytes_are_shown_as_bytes_and_fallback_is_marked() -> None:
    fields = verdict_of("😀").to_dict()
    assert fields["byte_fallback"] is True
    assert fields["byte_tokens"] == {"llama-2": 4}
    tokens = fields["tokens"]
    assert isinstance(tokens, dict)
    assert tokens["gpt-3.5"] == [{"bytes": "f09f98"}, {"bytes": "80"}]


def test_the_summary_counts() -> None:
    summary = WordSummary()
    for text in ("cancel", "escalate", "switch_tool"):
        summary.add(verdict_of(text))
    assert summary.to_dict() == {"strings": 3, "single_token": 1, "unk_free": 3, "largest_range": 1}


# ---------------------------------------------------------------- suggestions


def test_replacements_are_single_token_everywhere_and_near_ones_come_first() -> None:
    found = suggest("escalate", parse_groups(shipped_list()), six())
    assert len(found) > 100
    assert all(each.audit.single_token and each.audit.unk_free for each in found)
    assert [each.related for each in found] == sorted((each.related for each in found), reverse=True)
    best = [each.audit.word.text for each in found[:8]]
    assert {"notify", "route", "raise", "alert", "forward"} <= set(best)
    assert "escalate" not in {each.audit.word.text for each in found}
    assert found[0].approved


def test_the_form_is_the_one_that_was_asked_for() -> None:
    groups = parse_groups("escalate notify\nzxqvbn")
    assert [each.audit.word.text for each in suggest("raise", groups, [load("gpt-4o")], "bare")] == ["notify"]
    in_place = suggest("raise", groups, [load("gpt-4o")], "context")
    assert [each.audit.word.text for each in in_place] == ["notify", "escalate"]


def test_the_shipped_list_is_of_plain_verbs() -> None:
    groups = parse_groups(shipped_list())
    words = {word for group in groups for word in group}
    assert all(word.isascii() and word.isalpha() and word.islower() for word in words)
    assert {function_name(code) for code in WHITELIST} <= words
    assert len(words) > 400


def test_a_word_list_takes_comments_and_action_codes() -> None:
    text = (FIXTURES / "verbs.txt").read_text()
    assert parse_groups(text) == [("cancel",), ("notify",), ("escalate",)]
