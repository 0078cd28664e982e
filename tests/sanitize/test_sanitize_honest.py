"""Legitimate text that is spelled with invisible characters survives, and hides nothing."""

from __future__ import annotations

import pytest
import regex

from silp_cli.text.sanitize.context import styled_emoji
from silp_cli.text.sanitize.engine import Policy, clean

HONEST = [
    "👩‍👩‍👧‍👦", "👩🏽‍💻", "🏳️‍🌈", "❤️", "☎︎", "1️⃣ #️⃣", "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "می‌خواهم", "خانه‌ای", "کتاب‌ها", "۱۴۰۲ ه‍.", "क्‍ष", "क्‌ष", "ക്‍", "ශ්‍රී", "葛\U000e0100", "神︀", "ᠠ᠋", "ᠠ\u180eᠠ",
    "ب\u034fَّ"[:1] + "\u064b\u034f\u064e", "עברית (אנגלית)", "العربية 123", "e\u0301o\u0308", "กำลัง", "ﷺ", "≨︀",
]


@pytest.mark.parametrize("text", HONEST)
def test_it_survives_alone_and_in_a_sentence(text: str) -> None:
    assert clean(text) == text
    assert clean(f'note("so: {text}", ok)') == f'note("so: {text}", ok)'


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("👩‍‍👩", "👩‍👩"), ("👩‍x", "👩x"), ("می‌‌خواهم", "می‌خواهم"), ("a‌b", "ab"), ("می‌b", "میb"),
        ("❤️️️", "❤️"), ("a️", "a"), ("1️", "1"), ("葛\U000e0100\U000e0101", "葛\U000e0100"), ("😀\U000e0100", "😀"),
        ("🏴\U000e0041\U000e0042\U000e007f", "🏴"), ("x\u034fy", "xy"), ("a\u180eb", "ab"), ("‍👩", "👩"),
    ],
)
def test_the_same_characters_elsewhere_do_not(text: str, cleaned: str) -> None:
    assert clean(text) == cleaned


def test_strict_keeps_what_is_not_of_the_drafts_four() -> None:
    assert clean("❤️ 👩‍👧 می‌خواهم", Policy(strict=True)) == "❤️ 👩👧 میخواهم"


def test_all_pictographs_are_known() -> None:
    pattern = regex.compile(r"(?=\p{Extended_Pictographic})\p{Emoji}")
    every = [chr(code) for code in (*range(0x80, 0xD800), *range(0xE000, 0x110000))]
    assert styled_emoji() == [char for char in every if pattern.match(char)]
