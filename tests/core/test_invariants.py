"""The invariants of DESIGN.md, section 2, each as a property over generated IRs."""

from __future__ import annotations

import copy
import hashlib
import json
import unicodedata
from random import Random
from typing import Any

import pytest
import rfc8785
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import irs, json_values, shuffled
from support import FIXTURES, SILP, read_jsonl, run

from silp_cli import SilpError, compile, decode, equivalent, validate
from silp_cli.ir.jsontext import canonical_bytes, loads
from silp_cli.ir.schema import schema_errors
from silp_cli.text.sanitize.engine import Policy, clean

from .oracle import meaning, meaning_without_meta

LOSSLESS = ("code", "json")
POLICIES = (Policy(), Policy(strict=True), Policy(homoglyphs="all"), Policy(strict=True, homoglyphs="all"))
seeds = st.integers(0, 2**32)
many = settings(max_examples=700)
each_frontend = pytest.mark.parametrize("frontend", LOSSLESS)


# ---------------------------------------------------------------- 1. total round trip


@many
@given(irs())
def test_every_valid_ir_comes_back_equivalent_from_both_lossless_frontends(ir: dict[str, Any]) -> None:
    assert not schema_errors(ir)
    for frontend in LOSSLESS:
        text = compile(ir, frontend)
        back = decode(text)
        assert meaning(back) == meaning(ir), text
        assert not schema_errors(back, strict=True)


@many
@given(irs())
def test_bare_text_keeps_everything_but_meta_and_versions(ir: dict[str, Any]) -> None:
    for frontend in LOSSLESS:
        back = decode(compile(ir, frontend, bare=True))
        assert meaning_without_meta(back) == meaning_without_meta(ir)
        if frontend == "json":
            assert back["meta"].keys() == {"req_id"}


@pytest.mark.parametrize("ir", read_jsonl("kinds.jsonl"), ids=lambda ir: ir["meta"]["req_id"])
@each_frontend
def test_the_nine_kinds_come_back_meta_included(ir: dict[str, Any], frontend: str) -> None:
    assert meaning(decode(compile(ir, frontend))) == meaning(ir)


def test_the_fixtures_are_valid_and_without_warnings() -> None:
    kinds = read_jsonl("kinds.jsonl")
    assert len(kinds) == 27
    assert [validate(ir) for ir in kinds] == [[]] * 27


# ---------------------------------------------------------------- equivalence


@many
@given(irs(), irs(), seeds)
def test_equivalent_says_what_the_specification_says(ir: dict[str, Any], other: dict[str, Any], seed: int) -> None:
    assert equivalent(ir, other) == (meaning(ir) == meaning(other))
    changed = _with_one_change(ir, Random(seed))
    assert equivalent(ir, changed) == (meaning(ir) == meaning(changed))
    assert equivalent(ir, {**shuffled(ir, Random(seed)), "meta": {**ir["meta"], "req_id": "00000000"}})


def _with_one_change(ir: dict[str, Any], random: Random) -> dict[str, Any]:
    """A copy in which one thing that must be told apart is another."""
    changed = copy.deepcopy(ir)
    places: list[tuple[Any, Any]] = []

    def collect(value: Any) -> None:
        for key in value if isinstance(value, dict) else range(len(value)):
            if isinstance(value[key], (dict, list)):
                collect(value[key])
            else:
                places.append((value, key))

    collect(changed)
    owner, key = random.choice(places)
    old = owner[key]
    if isinstance(old, bool):
        owner[key] = int(old)
    elif isinstance(old, int):
        owner[key] = random.choice((old + 1, float(old) if abs(old) < 2**53 else old + 1, old == 1))
    elif isinstance(old, str):
        owner[key] = "!OTHER" if old.startswith("!") and old[1:].isupper() else old + random.choice(" x\u200b")
    else:
        owner[key] = "x"
    if changed["meta"].get("confidence") not in (None, ir["meta"].get("confidence")):
        changed["meta"]["confidence"] = 0.123
    return changed if not schema_errors(changed) else ir


# ---------------------------------------------------------------- 2. one record, one line


@many
@given(irs())
def test_a_payload_is_one_line_of_plain_utf8(ir: dict[str, Any]) -> None:
    for frontend in (*LOSSLESS, "natural", "nl_json"):
        text = compile(ir, frontend)
        assert [char for char in text if unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp")] == []
        assert text.splitlines() == [text]
        assert text.encode()


# ---------------------------------------------------------------- 4. deterministic


@many
@given(irs(), seeds)
def test_the_same_ir_gives_the_same_bytes_whatever_the_order_of_its_keys(ir: dict[str, Any], seed: int) -> None:
    before = copy.deepcopy(ir)
    for frontend in (*LOSSLESS, "natural", "nl_json"):
        assert compile(shuffled(ir, Random(seed)), frontend) == compile(ir, frontend)
    assert ir == before
    assert canonical_bytes(shuffled(ir, Random(seed))) == canonical_bytes(ir)


@settings(max_examples=300)
@given(irs())
def test_req_id_is_the_start_of_the_hash_of_the_text(ir: dict[str, Any]) -> None:
    for frontend in LOSSLESS:
        text = compile(ir, frontend)
        wanted = hashlib.sha256(text.encode()).hexdigest()[:8]
        assert decode(text)["meta"]["req_id"] == wanted
        assert decode(f"  {text} ", frontend)["meta"]["req_id"] != ""
        assert decode(text) == decode(text)


@pytest.mark.parametrize("frontend", ["code", "json", "natural", "nl_json"])
def test_the_bytes_do_not_depend_on_the_hash_seed(frontend: str, tmp_path: Any) -> None:
    records = [{**ir, "meta": {**ir["meta"], "zeta": 1, "alpha": [{"b": 1, "a": 2}], "mu": "x"}}
               for ir in read_jsonl("kinds.jsonl")]
    file = tmp_path / "ir.jsonl"
    file.write_text("".join(json.dumps(ir) + "\n" for ir in records))
    outputs = {
        run([SILP, "compile", "-f", frontend, str(file)], "", None, {"PYTHONHASHSEED": seed}).out
        for seed in ("0", "1", "4242")
    }
    assert len(outputs) == 1
    assert outputs.pop().count("\n") == 27


@many
@given(json_values)
def test_canonical_bytes_say_the_value_and_follow_rfc_8785_wherever_it_applies(value: Any) -> None:
    found = canonical_bytes(value)
    try:
        wanted = rfc8785.dumps(value)
    except (rfc8785.CanonicalizationError, UnicodeEncodeError):
        assert meaning_of(loads(found.decode())) == meaning_of(value)
    else:
        assert found == wanted
        # for RFC 8785 all numbers are doubles
        assert meaning_of(json.loads(found, parse_int=float)) == meaning_of(value)


def meaning_of(value: Any) -> Any:
    """A JSON value for comparison: a boolean is no number."""
    return meaning({"intent": "!A", "meta": {"req_id": "0000", "x": value}})


# ---------------------------------------------------------------- 5. never silently wrong


@many
@given(irs())
def test_what_was_accepted_compiles_again_to_an_equivalent_payload(ir: dict[str, Any]) -> None:
    for frontend in LOSSLESS:
        once = decode(compile(ir, frontend))
        again = compile(once, frontend)
        assert meaning(decode(again)) == meaning(once)
        other = "json" if frontend == "code" else "code"
        assert meaning(decode(compile(once, other))) == meaning(ir)


def test_every_line_of_the_fixtures_is_found_by_reading() -> None:
    for line in FIXTURES.joinpath("kinds.jsonl").read_text(encoding="utf-8").splitlines():
        for frontend in LOSSLESS:
            assert decode(compile(line, frontend)) == decode(compile(line, frontend), frontend)


@pytest.mark.parametrize("frontend", ["natural", "nl_json"])
def test_prose_is_refused_not_guessed(frontend: str) -> None:
    text = compile(read_jsonl("draft-ir.jsonl")[0], frontend)
    with pytest.raises(SilpError) as caught:
        decode(text, frontend)
    assert caught.value.code == "decode_failed"


# ---------------------------------------------------------------- 3. sanitize-stable


@many
@given(irs())
def test_no_sanitizer_touches_what_compile_wrote(ir: dict[str, Any]) -> None:
    for frontend in LOSSLESS:
        text = compile(ir, frontend)
        for policy in POLICIES:
            assert clean(text, policy) == text
