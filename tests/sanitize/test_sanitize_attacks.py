"""Attacks from the literature: each changes what a naive parser reads, and each is caught."""

from __future__ import annotations

import re
from typing import Any

import pytest
from support import read_jsonl, silp

from silp_cli.text.sanitize.engine import Policy, clean, find

ATTACKS = read_jsonl("sanitize", "attacks.jsonl")


def naive(text: str) -> list[str]:
    """What a parser reads that splits at ASCII structure and trusts the rest."""
    return [part for part in re.split(r"[ (),;:\"]+", text) if part]


@pytest.mark.parametrize("sample", ATTACKS, ids=[sample["name"] for sample in ATTACKS])
def test_an_attack_misleads_a_naive_parser_and_is_undone(sample: dict[str, Any]) -> None:
    assert naive(sample["attack"]) != naive(sample["cleaned"])
    assert clean(sample["attack"]) == sample["cleaned"]
    assert clean(sample["attack"], Policy(strict=True)) == sample["cleaned"]
    assert silp("sanitize", "--check", given=sample["attack"] + "\n").status == 1


def test_hidden_text_is_gone_to_the_last_bit() -> None:
    for sample in ATTACKS:
        assert not find(clean(sample["attack"]))


@pytest.mark.parametrize("word", ["if", "else", "and", "then", "with", "not", "cancel", "start"])
def test_no_invisible_character_hides_a_keyword(word: str) -> None:
    for char in "\u200b\u200c\u200d\ufeff\u2060\u00ad\u202e\u2066\U000e0041\ufe0f\u034f\u115f\x08":
        for place in range(len(word) + 1):
            assert clean(word[:place] + char + word[place:]) == word
