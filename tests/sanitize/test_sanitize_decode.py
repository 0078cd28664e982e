"""``silp decode`` reads structure without disguises, says so, and leaves literals alone."""

from __future__ import annotations

import json

import pytest
from support import silp

from silp_cli.text.sanitize.engine import original_position, sanitize_structure

ATTACKS = [
    ("с\u200bаncel(flight)", "!CANCEL"), ("𝗰𝗮𝗻𝗰𝗲𝗹(flight)", "!CANCEL"), ("can\ufeffcel(flight)", "!CANCEL"),
    ('{"intent":"!СANCEL","аct":"flight"}', "!CANCEL"), ('{"in\u200btent":"!CANCEL","act":"flight"}', "!CANCEL"),
    ("іf rain(t+1): cancel(flight) el\u2060se: start(cards)", "!CANCEL"),
]


@pytest.mark.parametrize(("payload", "intent"), ATTACKS)
def test_a_disguise_decodes_to_the_plain_verb_with_a_warning(payload: str, intent: str) -> None:
    result = silp("decode", "--errors", "json", given=payload + "\n")
    assert result.status == 0
    ir = json.loads(result.out)
    assert (ir["intent"], ir["entities"][0]["value"]) == (intent, "flight")
    assert result.diagnostics[0]["severity"] == "warning"
    assert result.diagnostics[0]["rule"].startswith("sanitize.")


@pytest.mark.parametrize(("payload", "intent"), ATTACKS)
def test_refuse_makes_it_an_error_and_no_sanitize_lets_the_decoder_judge(payload: str, intent: str) -> None:
    refused = silp("decode", "--sanitize", "refuse", "--errors", "json", given=payload + "\n")
    assert (refused.status, refused.out) == (1, "")
    assert refused.diagnostics[0]["severity"] == "error"
    raw = silp("decode", "--no-sanitize", given=payload + "\n")
    assert "sanitize" not in raw.err
    assert raw.status == 1 or "аct" in payload, raw  # an entity may have any name


def test_literals_are_content() -> None:
    payload = "email(\"a\u200bb\",'c\u202ed',\"сancel\")\n"
    for options in ((), ("--sanitize", "refuse")):
        result = silp("decode", *options, given=payload)
        assert result.err == ""
        assert [each["value"] for each in json.loads(result.out)["entities"]] == ["a\u200bb", "c\u202ed", "сancel"]


def test_errors_keep_their_place_in_the_text_as_it_came() -> None:
    result = silp("decode", "--errors", "json", given="can\u200bcel(x y)\n")
    warning, error = result.diagnostics
    assert (warning["column"], error["column"]) == (4, 11)


def test_extract_finds_disguised_payloads() -> None:
    result = silp("decode", "--extract", given="Sure:\n```\nс\u200bаncel(x)\n```\n")
    assert json.loads(result.out)["intent"] == "!CANCEL"
    assert "warning" in result.err
    assert silp("decode", "--extract", "--sanitize", "refuse", given="Sure:\n```\nс\u200bаncel(x)\n```\n").status == 1


def test_positions_lead_back() -> None:
    text, findings = sanitize_structure("\u200bif\u200b x")
    assert text == "if x"
    assert [original_position(findings, i) for i in range(4)] == [1, 2, 4, 5]


def test_ascii_costs_nothing() -> None:
    payload = "cancel(flight)"
    assert sanitize_structure(payload) == (payload, [])
