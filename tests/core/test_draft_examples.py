"""The examples of the draft, to the letter."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from support import FIXTURES, read_jsonl, shell

from silp_cli import SilpError, compile, decode, equivalent, validate

from .oracle import meaning, meaning_without_meta

APPENDIX = read_jsonl("draft-ir.jsonl")
PAYLOADS = FIXTURES.joinpath("draft-payloads.txt").read_text(encoding="utf-8").splitlines()
DECODED = read_jsonl("draft-payloads.jsonl")

# Appendix A with `else:` for `else` and no space after the commas between arguments.
CODE = (
    "if !rain(t+1): start(hike) else: start(cards@indoor)",
    "if loc(me,Beijing,t+1am): cancel(flight,t+1pm); email(zhangsan)",
    "translate(src=fr_rev_bold,tgt=shakespeare_en,style=archaic_heavy)",
)
JSON = (
    '{"intent":"!START","act":"hike","constraints":[{"type":"!rain","value":"true","time":"t+1"}],'
    '"alternatives":[{"action":"!START","target":"cards","location":"indoor"}]}',
    '{"intent":"!CANCEL","act":"flight","time":"t+1pm","action_email":["zhangsan"],'
    '"constraints":[{"type":"loc","value":"Beijing","time":"t+1am","subject":"me"}]}',
    '{"intent":"!TRANSLATE","src":"fr_rev_bold","tgt":"shakespeare_en","style":"archaic_heavy"}',
)


@pytest.mark.parametrize(("ir", "text"), list(zip(APPENDIX, CODE, strict=True)))
def test_bare_code_is_the_appendix_text(ir: dict[str, Any], text: str) -> None:
    assert compile(ir, "code", bare=True) == text
    assert compile(ir, "code") == text + " with out=code"


@pytest.mark.parametrize(("ir", "text"), list(zip(APPENDIX, JSON, strict=True)))
def test_bare_json_is_the_appendix_text(ir: dict[str, Any], text: str) -> None:
    assert compile(ir, "json", bare=True) == text
    assert compile(ir, "json") == text[:-1] + ',"meta":{"out":"code"}}'


@pytest.mark.parametrize(("text", "wanted"), list(zip(PAYLOADS, DECODED, strict=True)))
def test_decode_takes_the_examples_to_the_letter(text: str, wanted: dict[str, Any]) -> None:
    assert decode(text) == wanted
    assert wanted["meta"]["req_id"] == hashlib.sha256(text.encode()).hexdigest()[:8]


@pytest.mark.parametrize(("text", "ir"), list(zip(PAYLOADS[:3], APPENDIX, strict=True)))
def test_the_appendix_payloads_decode_to_the_appendix_irs(text: str, ir: dict[str, Any]) -> None:
    assert meaning_without_meta(decode(text)) == meaning_without_meta(ir)


@pytest.mark.parametrize("text", PAYLOADS)
def test_the_examples_survive_another_round_through_both_frontends(text: str) -> None:
    ir = decode(text)
    for frontend in ("code", "json"):
        assert meaning(decode(compile(ir, frontend))) == meaning(ir)
    assert validate(ir) == []


def test_the_examples_pass_from_decode_to_validate_without_a_word() -> None:
    payloads = "\n".join(PAYLOADS) + "\n"
    done = shell("silp decode | silp validate --fail-on warning", payloads)
    assert (done.status, done.err, len(done.lines)) == (0, "", len(PAYLOADS))


@pytest.mark.parametrize(("step", "warned"), [
    ("!PROCESS", False), ("!FETCH", False), ("parallel", False), ("!DELIVER_X", True), ("process", True), ("", True),
])
def test_a_step_of_a_sequence_is_a_verb_or_one_of_four_words(step: str, warned: bool) -> None:
    ir = {"intent": "!FETCH", "meta": {"req_id": "a1b2c3d4", "seq": ["!FETCH", step]}}
    assert [(each.rule, each.path) for each in validate(ir)] == ([("seq.unknown", "/meta/seq/1")] if warned else [])
    assert validate(ir, verbs=None) == [] or not step.startswith("!")


JSON_SECTION = """{ "intent": "!CANCEL", "act": "flight", "action_email": ["zhangsan"], "constraints": [
  {"type": "loc", "value": "Beijing", "time": "t+1am", "subject": "me"} ] }"""
JSON_APPENDIX = """{"intent":"!START", "act":"hike", "constraints":[{"type":"!rain","value":"true","time":"t+1"}],
"alternatives":[{"action":"!START","target":"cards", "location":"indoor"}]}"""


def test_the_json_example_of_layer_2_decodes() -> None:
    ir = decode(JSON_SECTION)
    assert ir["intent"] == "!CANCEL"
    assert ir["entities"] == [
        {"id": "act", "value": "flight", "action": "!CANCEL"}, {"id": "act", "value": "zhangsan", "action": "!EMAIL"},
    ]
    assert ir["constraints"] == APPENDIX[1]["constraints"]
    assert json.loads(compile(ir, "json")) == json.loads(JSON_SECTION)


def test_the_json_example_of_the_appendix_decodes() -> None:
    assert meaning_without_meta(decode(JSON_APPENDIX)) == meaning_without_meta(APPENDIX[0])


def test_the_natural_examples() -> None:
    prose = "If not rain at t+1, start hike otherwise start cards at indoor."
    assert compile(APPENDIX[0], "natural") == prose
    assert json.loads(compile(APPENDIX[0], "nl_json")) == {"task_description": prose}


def test_the_req_id_of_example_2_breaks_the_drafts_own_pattern() -> None:
    printed = json.loads(FIXTURES.joinpath("invalid", "req-id-pattern.json").read_text(encoding="utf-8"))
    assert [(problem.rule, problem.path) for problem in validate(printed)] == [("schema.pattern", "/meta/req_id")]
    with pytest.raises(SilpError, match="e5f6g7h8"):
        compile(printed)
    printed["meta"]["req_id"] = "e5f6a7b8"
    assert equivalent(printed, APPENDIX[1])


# ---------------------------------------------------------------- what the surface tolerates


CANCEL = ({"id": "act", "value": "flight", "action": "!CANCEL"}, {"id": "time", "value": "t+1pm", "action": "!CANCEL"})


@pytest.mark.parametrize(
    "text",
    [
        "if x(y): cancel(flight,t+1pm) else: start(b)",
        "if x(y) then cancel(flight,t+1pm) else start(b)",
        "  if   x( y ) :cancel( flight , t+1pm )  else :  start( b )  ",
        "if x('y'): cancel(\"flight\",'t+1pm') else: start(\"b\")",
        "if x(value=y):cancel(act=flight,time=t+1pm) else start(target=b)",
        "if\tx(y)\tthen\tcancel(flight,\tt+1pm)\telse\tstart(b)",
    ],
)
def test_spellings_of_one_payload(text: str) -> None:
    ir = decode(text)
    assert ir["entities"] == list(CANCEL)
    assert ir["constraints"] == [{"type": "x", "value": "y"}]
    assert ir["alternatives"] == [{"action": "!START", "target": "b"}]


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("cancel(t+1)", ["time"]), ("cancel(t-2)", ["time"]), ("cancel(t+1am)", ["time"]), ("cancel(t)", ["act"]),
        ("cancel(t+)", ["act"]), ("cancel(x+1)", ["act"]), ("cancel(act=t+1)", ["act"]),
        ("cancel(time=noon)", ["time"]),
        ("cancel(a,t+1,b)", ["act", "time", "act"]), ("cancel(id=x)", ["id"]), ('cancel("t+1")', ["time"]),
    ],
)
def test_what_a_position_means(text: str, ids: list[str]) -> None:
    assert [entity["id"] for entity in decode(text)["entities"] or ()] == ids


@pytest.mark.parametrize(
    ("condition", "wanted"),
    [
        ("!rain(t+1)", {"type": "!rain", "value": "true", "time": "t+1"}),
        ("!rain", {"type": "!rain", "value": "true"}),
        ("!rain(t+1,value=heavy)", {"type": "!rain", "value": "heavy", "time": "t+1"}),
        ("loc(me,Beijing,t+1am)", {"type": "loc", "value": "Beijing", "time": "t+1am", "subject": "me"}),
        ("loc(Beijing,t+1)", {"type": "loc", "value": "Beijing", "time": "t+1"}),
        ("loc(me,Beijing)", {"type": "loc", "value": "Beijing", "subject": "me"}),
        ("loc(Beijing)", {"type": "loc", "value": "Beijing"}),
        ("loc(Beijing,time=noon)", {"type": "loc", "value": "Beijing", "time": "noon"}),
        ("budget<=500", {"type": "budget", "value": "500", "operator": "<="}),
        ("budget <= 500, t+1", {"type": "budget", "value": "500", "operator": "<=", "time": "t+1"}),
        ("x(1,operator=~)", {}),
        ('x(1,operator="~")', {"type": "x", "value": "1", "operator": "~"}),
        ("x(1,dim:=[3,4],unit=kg)", {"type": "x", "value": "1", "dim": [3, 4], "unit": "kg"}),
    ],
)
def test_constraints(condition: str, wanted: dict[str, Any]) -> None:
    text = f"if {condition}: start(a)"
    if not wanted:
        with pytest.raises(SilpError):
            decode(text)
    else:
        assert decode(text)["constraints"] == [wanted]


def test_the_order_of_entities_across_actions_is_kept() -> None:
    ir = {
        "intent": "!CANCEL",
        "entities": [{"id": "act", "value": "zhangsan", "action": "!EMAIL"}, {"id": "act", "value": "flight"}],
        "meta": {"req_id": "a1b2c3d4"},
    }
    assert compile(ir) == "cancel(); email(zhangsan); cancel(flight)"
    assert meaning(decode("cancel(); email(zhangsan); cancel(flight)")) == meaning(ir)


def test_a_sequence_is_written_with_arrows_and_read_back_into_seq() -> None:
    ir = decode(PAYLOADS[5])
    assert ir["meta"]["seq"] == ["!FETCH", "!PROCESS", "!EMAIL"]
    assert compile(ir) == "if timeout(true): fetch(data) -> process -> email(result)"


def test_keywords_as_function_names_are_action_codes() -> None:
    ir = {"intent": "!IF", "entities": [{"id": "act", "value": "x"}], "meta": {"req_id": "a1b2c3d4"}}
    assert compile(ir) == "!IF(x)"
    assert decode("!IF(x)")["intent"] == "!IF"
