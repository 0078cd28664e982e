"""What the commands do can be had from Python: records in, results out, and nothing read, written or ended on the way."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from silp_cli import SilpError
from silp_cli.census.named_words import structural_words, verb_words, whitelist_words
from silp_cli.census.words import STRUCTURAL
from silp_cli.codec.validate_command import validate_records
from silp_cli.ir.verbs import EXCLUDED, WHITELIST
from silp_cli.protocol.error_command import described
from silp_cli.protocol.lock.format import Entry, ir_hash
from silp_cli.protocol.lock.freeze import freeze
from silp_cli.protocol.lock.verify import require_irs, require_surfaces
from silp_cli.protocol.negotiation.negotiate_command import settle
from silp_cli.protocol.negotiation.pong_command import answers
from silp_cli.text.records import Record

IR = {"intent": "!BOOK", "entities": [{"id": "act", "value": "hotel"}], "meta": {"req_id": "a1b2c3d4"}}


@pytest.fixture(autouse=True)
def silent(capfd: pytest.CaptureFixture[str]) -> Iterator[None]:
    yield
    assert capfd.readouterr() == ("", "")


def records(*texts: str) -> list[Record]:
    return [Record("memory", number, number, text) for number, text in enumerate(texts, 1)]


def ir_record(ir: object) -> Record:
    return Record("memory", 1, 1, json.dumps(ir), ir)


def test_a_ping_is_answered_and_what_is_none_gets_an_error_behind_its_answer() -> None:
    lines = records("//ping v1 frontends=code", "hello")
    found = [(record.number, outcome) for record, outcome, _ in answers(lines, ["code"])]
    assert found[0] == (1, "//pong v1 frontends=code prefer=code")
    assert [number for number, _ in found] == [1, 2, 2]
    assert str(found[1][1]).startswith("//error ")
    assert isinstance(found[2][1], SilpError)


def test_exchanges_settle_and_a_ping_without_an_answer_is_a_timeout() -> None:
    lines = records("//ping v1 frontends=code,json", "//pong v1 frontends=json", "//ping v1 frontends=code")
    outcomes = [outcome for _, outcome, _ in settle(lines)]
    assert outcomes[:3] == [None, "json", None]
    assert isinstance(outcomes[3], SilpError)
    assert outcomes[3].code == "timeout"


def test_frozen_is_what_the_lock_then_holds() -> None:
    surface, frozen = freeze(IR)
    assert surface.startswith("book(hotel)")
    assert freeze(IR, surface) == (surface, frozen)
    with pytest.raises(SilpError, match="does not decode to this IR"):
        freeze(IR, "cancel(hotel)")
    entry = Entry(1, frozen.ir, frozen.surface, frozen.frontend, 1, "silp", frozen.grammar, "", "", b"")
    require_irs([entry], [ir_record(IR)], records(surface))
    require_surfaces([entry], records(surface))
    with pytest.raises(SilpError, match="not frozen"):
        require_irs([entry], [ir_record({**IR, "intent": "!CANCEL"})])
    assert frozen.ir == ir_hash(IR)


def test_the_words_of_an_audit_have_places() -> None:
    assert [word.text for word in structural_words()] == list(STRUCTURAL)
    assert [word.excluded for word in whitelist_words()] == [False] * len(WHITELIST) + [True] * len(EXCLUDED)
    assert [(word.text, word.line) for word in verb_words("# ours\nCANCEL\n\n!BOOK # x\n", "v")] == [
        ("cancel", 2), ("book", 4),
    ]
    with pytest.raises(ValueError, match=r"^v:2: "):
        list(verb_words("CANCEL\n12 34", "v"))


@pytest.mark.parametrize("value", [
    {"code": "timeout", "message": "late"}, {"error": {"code": "timeout", "message": "late"}},
])
def test_a_diagnostic_is_read_back_as_the_error_it_describes(value: object) -> None:
    error = described(value)
    assert (error.code, error.message) == ("timeout", "late")


def test_irs_are_validated_one_by_one() -> None:
    outcomes = [outcome for _, outcome, _ in validate_records([ir_record(IR), ir_record({"intent": 1})])]
    assert outcomes[0] == json.dumps(IR)
    assert isinstance(outcomes[1], SilpError)
