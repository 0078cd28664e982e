"""Look-alikes: every one that Unicode TR39 knows, and the words in which they are left alone."""

from __future__ import annotations

import json
import os
import string
import unicodedata
from pathlib import Path

import confusable_homoglyphs  # type: ignore[import-untyped]
import pytest

from silp_cli.ir.verbs import EXCLUDED, WHITELIST, function_name
from silp_cli.text.safe import escape, is_bare
from silp_cli.text.sanitize.engine import Policy, clean, find
from silp_cli.text.sanitize.homoglyphs import PROTECTED, lookalikes, table

ALNUM = string.ascii_letters + string.digits
ALL = Policy(homoglyphs="all")
OFF = Policy(homoglyphs="off")
# TR39 merges these on purpose, so a form of one may be folded to another of its class.
SAME = {"I": "l", "1": "l", "0": "O"}


def confusables() -> dict[str, str]:
    """TR39: every character whose prototype is one ASCII letter or digit, straight from the library's file."""
    file = Path(os.path.dirname(confusable_homoglyphs.__file__)) / "confusables.json"
    data = json.loads(file.read_text(encoding="utf-8"))
    return {
        entry["c"].strip("\u200e"): target
        for target in ALNUM for entry in data.get(target, ())
        if len(entry["c"].strip("\u200e")) == 1 and not entry["c"].isascii()
    }


def skeleton(char: str) -> str:
    return SAME.get(char, char)


def test_every_confusable_is_folded_to_its_target() -> None:
    known = confusables()
    assert len(known) > 1300
    for char, target in known.items():
        folded = clean(char, ALL)
        assert folded in ALNUM, f"U+{ord(char):04X}"
        assert skeleton(folded) == skeleton(target), f"U+{ord(char):04X} {char}: {folded}, not {target}"


def test_every_confusable_is_folded_in_a_word_of_ascii_letters_unless_it_is_a_digit_or_common() -> None:
    for char, target in confusables().items():
        if unicodedata.category(char) == "Nd" or table().script(char) in ("COMMON", "INHERITED", "LATIN", "HAN"):
            continue
        assert clean(f"zq{char}zq") == f"zq{lookalikes()[char]}zq", f"U+{ord(char):04X} for {target}"


def test_every_verb_in_disguise_is_unmasked() -> None:
    """Each letter of each verb replaced by each character that looks like it."""
    alike: dict[str, list[str]] = {}
    for char, target in lookalikes().items():
        alike.setdefault(target, []).append(char)
    for verb in (*WHITELIST, *EXCLUDED):
        for name in (function_name(verb), verb[1:]):
            for i, letter in enumerate(name):
                for char in alike.get(letter, ()):
                    assert clean(name[:i] + char + name[i + 1 :] + "(x)") == f"{name}(x)"


def test_a_word_spelled_wholly_in_look_alikes_is_unmasked_if_it_is_reserved() -> None:
    alike = {target: char for char, target in lookalikes().items()}
    for word in PROTECTED:
        disguised = "".join(alike.get(char, char) for char in word)
        assert clean(disguised) == word
        assert clean(f'"{disguised}":1') == f'"{word}":1'


@pytest.mark.parametrize(
    "word", ["Москва", "Ελλάδα", "日本", "сору", "МЕТА", "АСТ", "السلام", "שלום", "ısı", "Հայաստան"]
)
def test_a_word_wholly_in_its_own_script_stays(word: str) -> None:
    assert find(word) == []
    assert escape(f'"{word}"') == f'"{word}"'


@pytest.mark.parametrize(
    "text",
    [
        "二〇二五年Q1", "卡拉OK", "T恤",
        "あいうカナ漢字ABC", "한글ABC漢字", "order_сумма", "USB-кабель", "5ℓ of μm and kΩ",
        "الـGPS", "٣٥ ۵۰", "naïve façade Łódź", "x² ½ №5", "ｈｅｌｌｏ", "𝐀𝐁", "α-helix", r"\nМосква", r"\u041cосква",
    ],
)
def test_honest_mixtures_stay(text: str) -> None:
    assert find(text) == []


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("саncel", "cancel"), ("іf", "if"), ("раураl", "paypal"), ("NОTІFУ", "NOTIFY"), ("ｃancel", "cancel"),
        ("ｃａｎｃｅｌ", "cancel"), ("𝗰𝗮𝗻𝗰𝗲𝗹", "cancel"), ("𝔦𝔣", "if"), ("еӏѕе", "else"), ("аnd", "and"),
        ("next_аgent", "next_agent"), ("req_іԁ", "req_id"), ("f𝘭ight", "flight"), ("hｅllo", "hello"),
        (r"\\nсаncel", r"\\ncancel"), ("lіst1", "list1"), ("аction_emаil", "action_email"),
    ],
)
def test_disguises_are_folded(text: str, cleaned: str) -> None:
    assert clean(text) == cleaned


def test_modes() -> None:
    text = 'book(Москва,"Москва",саncel)'
    assert clean(text, OFF) == text
    assert clean(text) == 'book(Москва,"Москва",cancel)'
    assert clean(text, ALL) == 'book(Mocквa,"Москва",cancel)'


def test_forms_of_i_and_one_stay_what_they_are() -> None:
    assert [lookalikes()[char] for char in "ІΙⅠ𝐈Ｉ𝟏１𝟎０ⅼ"] == list("IIIII11") + list("00l")


def test_a_bare_word_holds_no_look_alike_and_nothing_invisible() -> None:
    assert [word for word in ("日本", "naïve", "東京+1", "ж") if not is_bare(word)] == []
    assert [word for word in ("Москва", "é\u200b", "a b", "é(", "", "é😀", "\u0301é") if is_bare(word)] == []
    for char in lookalikes():
        assert not is_bare(f"日{char}")


def test_no_escape_is_stable_under_any_interpreters_idea_of_unicode() -> None:
    """What is decided comes from pinned data: a letter newer than it is not bare, wherever it is assigned."""
    assert not is_bare("\U0001e030")
    assert not is_bare("\U00010d50")
