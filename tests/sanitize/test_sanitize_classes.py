"""Every invisible code point there is, from the Unicode data of the `regex` library and not from a sample."""

from __future__ import annotations

import sys

import pytest
import regex

from silp_cli.text.safe import escape, is_bare
from silp_cli.text.sanitize.classes import CLASSES, DRAFT_FOUR, class_of
from silp_cli.text.sanitize.engine import Policy, clean, find

ALL = "".join(map(chr, (code for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000)))


def having(prop: str) -> set[str]:
    return set(regex.findall(prop, ALL))


def members(*names: str) -> set[str]:
    return {chr(code) for name in names for first, last in CLASSES[name] for code in range(first, last + 1)}


def test_no_character_is_in_two_classes() -> None:
    assert sum(len(members(name)) for name in CLASSES) == len(members(*CLASSES))


def test_class_of_agrees_with_the_ranges() -> None:
    assert {char: class_of(char) for char in ALL if class_of(char)} == {
        char: name for name in CLASSES for char in members(name)
    }


@pytest.mark.parametrize(
    ("names", "prop"),
    [
        (["bidi"], r"\p{Bidi_Control}"),
        (["variation"], r"\p{Variation_Selector}"),
        (["private-use"], r"\p{Co}"),
        (["noncharacter"], r"\p{Noncharacter_Code_Point}"),
        (["tags"], r"[\U000e0000-\U000e007f]"),
        (["annotation"], r"[\ufff9-\ufffb]"),
        (["control"], r"[\p{Cc}--[\t\n]]"),
    ],
)
def test_a_class_is_its_unicode_property(names: list[str], prop: str) -> None:
    assert members(*names) == set(regex.findall("(?V1)" + prop, ALL))


def test_every_default_ignorable_code_point_is_in_a_class() -> None:
    ignorable = having(r"\p{Default_Ignorable_Code_Point}")
    assert not {char for char in ignorable if class_of(char) is None}
    others = members("zero-width", "tags", "variation", "ignorable", "soft-hyphen", "hangul-filler")
    assert others <= ignorable | {"\ufeff"} | members("tags")


def test_every_one_of_them_is_stripped_from_a_word_and_reported_with_its_class() -> None:
    for name in CLASSES:
        for char in members(name):
            text = f"can{char}cel(x)"
            assert clean(text) == "cancel(x)", f"U+{ord(char):04X}"
            assert [(each.position, each.char, each.kind) for each in find(text)] == [(3, char, name)]


def test_every_one_of_them_is_stripped_alone_and_at_either_end() -> None:
    for char in members(*CLASSES):
        assert clean(char) == clean(char + "a") [:-1] == clean("a" + char)[1:] == "", f"U+{ord(char):04X}"


@pytest.mark.parametrize("name", list(CLASSES))
def test_a_class_is_switched_on_and_off(name: str) -> None:
    only = Policy([name])
    without = Policy([other for other in CLASSES if other != name])
    for char in list(members(name))[:200]:
        assert clean(f"a{char}b", only) == "ab"
        assert clean(f"a{char}b", without) == f"a{char}b"
    others = "".join(next(iter(members(other))) for other in CLASSES if other != name)
    assert clean("a" + "b".join(others), only) == "a" + "b".join(others)


def test_tab_and_line_ends_stay_and_a_lone_carriage_return_does_not() -> None:
    assert clean("a\tb\r\nc\n") == "a\tb\r\nc\n"
    assert clean("a\rb\r\r\n") == "ab\r\n"


def test_strict_strips_the_drafts_four_wherever_they_stand() -> None:
    for char in DRAFT_FOUR:
        for text in (f"👩{char}👧", f"می{char}خواهم", f"क्{char}ष", f"a{char}b"):
            assert char not in clean(text, Policy(strict=True))


def test_an_unknown_class_or_mode_is_refused() -> None:
    with pytest.raises(ValueError, match="no class 'zero'"):
        Policy(["zero"])
    with pytest.raises(ValueError, match="no mode 'some'"):
        Policy(homoglyphs="some")


def test_compile_escapes_every_character_of_every_class() -> None:
    for char in members(*CLASSES) - {"\r"}:
        if char > "\x1f":
            escaped = escape(f'"a{char}b"')
            assert escaped.isascii()
            assert not find(escaped)
            assert not is_bare(f"é{char}b")


def test_compile_escapes_surrogates_and_line_separators() -> None:
    assert escape('"\ud83d\u2028\u2029é"') == '"\\ud83d\\u2028\\u2029é"'
    assert escape('"\U000e0041é"') == '"\\udb40\\udc41é"'
