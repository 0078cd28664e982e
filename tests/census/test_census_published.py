"""The published figures, and what the draft says of its vocabulary."""

from __future__ import annotations

import pytest
from census_helpers import published, six

from silp_cli.census.tokenizers import TOKENIZERS
from silp_cli.census.words import STRUCTURAL, Word, audit
from silp_cli.ir.verbs import EXCLUDED, WHITELIST, function_name


def test_every_published_count_is_reproduced() -> None:
    figures = [(text, name, count) for text, row in published().items() for name, count in row.items()]
    assert len(figures) == 240
    ours = {tokenizer.name: tokenizer for tokenizer in six()}
    wrong = [
        (text, name, count, ours[name].count(text))
        for text, name, count in figures if ours[name].count(text) != count
    ]
    assert wrong == []


def test_the_tokenizers_are_the_drafts_six_in_its_order() -> None:
    assert TOKENIZERS == ("gpt-4o", "gpt-3.5", "llama-2", "qwen2.5", "claude", "gemini")


@pytest.mark.parametrize("text", [*map(function_name, WHITELIST), *STRUCTURAL])
def test_approved_verbs_and_structural_tokens_are_one_token_without_unk_everywhere(text: str) -> None:
    (verdict,) = audit([Word(text, "draft", 1)], six())
    assert verdict.single_token
    assert verdict.unk_free
    assert verdict.range == 0
    assert verdict.stdev == 0


def test_there_are_13_verbs_and_12_structural_tokens() -> None:
    assert (len(WHITELIST), len(set(STRUCTURAL))) == (13, 12)


@pytest.mark.parametrize(("code", "counts"), [
    ("!SWITCH_TOOL", [2, 2, 3, 2, 3, 3]),
    ("!ESCALATE", [3, 2, 3, 2, 3, 2]),
])
def test_excluded_verbs_have_the_counts_of_the_draft(code: str, counts: list[int]) -> None:
    assert code in EXCLUDED
    (verdict,) = audit([Word(function_name(code), "draft", 1)], six())
    assert list(verdict.counts.values()) == counts
    assert not verdict.single_token
