"""The quick test of whole blocks clears nothing that the engine would change."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from silp_cli.text.sanitize.blocks import _LEADS, EXCEPTIONS, BlockTest, _code
from silp_cli.text.sanitize.classes import class_of
from silp_cli.text.sanitize.engine import Policy, find
from silp_cli.text.sanitize.homoglyphs import PROTECTED, table

COVERED = [chr(code) for code in range(0x80, 0x10000) if not 0xD800 <= code < 0xE000 and chr(code).encode()[0] in _LEADS]
EXCEPTED = {each for _, exceptions in EXCEPTIONS for each in exceptions}
ALPHABETS = {"CYRILLIC": 0xD0, "GREEK": 0xCE}
HONEST = ["Москва", "Όνομα", "東京", "カタカナ", "café", "Żółć", "item9", "рейс", "СОН", "оса", "ΑΒ", "x"]
DISGUISED = ["сancel", "Мoсква", "саfé", "іf", "еlse", "еӏѕе", "а_b", "東а", "Αа", "2О", "bıt", "ſo", "a×", "x\u200b", "п\u00ad"]


def is_clean(text: str) -> bool:
    return BlockTest().is_clean(text.encode())


def test_the_kinds_are_what_the_data_of_unicode_says() -> None:
    data = table()
    for char in COVERED:
        if char in EXCEPTED or class_of(char):
            assert not is_clean(char)
            continue
        kind = _code(char.encode()[0]) & 7
        assert class_of(char) is None
        if char in data.fold:
            assert data.script(char) == {2: "CYRILLIC", 4: "GREEK"}[kind], char
        if kind != 1 and data.is_word_char(char):
            assert data.script(char) in ({2: "CYRILLIC", 4: "GREEK"}[kind], "COMMON", "INHERITED", "UNKNOWN"), char


@pytest.mark.parametrize("script", ALPHABETS)
def test_no_reserved_word_can_be_spelled(script: str) -> None:
    """Every spelling of a reserved word in the script's covered look-alikes holds an exception."""
    data = table()
    kind = _code(ALPHABETS[script])
    spelled: dict[str, list[str]] = {}
    for char in COVERED:
        if _code(char.encode()[0]) == kind and char in data.fold:
            spelled.setdefault(data.fold[char], []).append(char)
    strokes = [char for plain in "iIl1" for char in spelled.get(plain, ())]
    rings = [char for plain in "O0o" for char in spelled.get(plain, ())]
    found = 0
    for word in (*PROTECTED, "action_"):
        choices = [strokes if char in "iIl1" else rings if char in "O0o" else spelled.get(char, ()) for char in word]
        for chars in product(*choices):
            found += 1
            text = "".join(chars)
            assert not find(text) or not is_clean(text), text
    assert found


@settings(max_examples=3000, deadline=None)
@given(
    st.lists(
        st.sampled_from([*HONEST, *DISGUISED, " ", " ", "\n", '"', "\\n", "_", "(", "\x1b", "\x7f", "\t"]) | st.sampled_from(COVERED)
        | st.sampled_from("аеіосрАВОСο1aΟ一あé"),
        max_size=12,
    ).map("".join),
    st.booleans(), st.sampled_from(["mixed", "off"]),
)
def test_what_is_cleared_is_clean(text: str, strict: bool, mode: str) -> None:
    if is_clean(text):
        assert find(text, Policy(strict=strict, homoglyphs=mode)) == []


@pytest.mark.parametrize("word", DISGUISED)
def test_a_disguise_anywhere_in_a_block_is_seen(word: str) -> None:
    lines = " ".join(HONEST) + "\n"
    assert is_clean(lines * 100)
    for before, after in ((0, 100), (50, 50), (100, 0)):
        assert not is_clean(lines * before + f'"{word}"' + lines * after)


def test_bytes_that_are_not_utf8_are_not_cleared() -> None:
    test = BlockTest()
    for data in (b"\xd0", b"\x80", b"\xd0\xd0\xb0", b"\xe4\xb8", b"\xc0\xaf", b"a\xbf", b"\xed\xa0\x80", b"\xff"):
        assert not test.is_clean(data)
        assert not test.is_clean(b"ok\n" + data + b"\n")


def test_one_test_serves_blocks_of_any_size() -> None:
    test = BlockTest()
    for size in (1, 1000, 3, 5000):
        assert test.is_clean("Москва ".encode() * size)
        assert not test.is_clean("Москва ".encode() * size + "Мoсква".encode())
