"""What counts as right: slots, read by the codec."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from strategies import irs
from support import FIXTURES, silp

from evaluation.server import faulty_server
from silp_cli import compile, decode, equivalent, validate
from silp_cli.bench.cases import case_of, select
from silp_cli.bench.prompts import EXAMPLES, answer_schema, prompt_hash, read_answer, read_prompt, write_prompt
from silp_cli.bench.questions import frontends_for, questions
from silp_cli.bench.scoring import score
from silp_cli.bench.verdicts import canonical, read_ir, read_payload
from silp_cli.ir.errors import SilpError

CASES = [case_of(json.loads(line)) for line in (FIXTURES / "eval" / "cases.jsonl").read_text().splitlines()]


def ir(text: str) -> dict[str, Any]:
    """An IR, written as code."""
    return dict(decode(text, "code"))


class TestScoring:
    @given(irs())
    def test_an_ir_is_all_of_itself(self, value: dict[str, Any]) -> None:
        found = score(value, value)
        assert (found.exact, found.f1, found.intent) == (True, 1.0, True)
        assert {found.negation, found.constraints, found.alternatives} <= {None, 1.0}

    @given(irs(), irs())
    def test_agreement_is_the_same_both_ways(self, one: dict[str, Any], other: dict[str, Any]) -> None:
        there, back = score(one, other), score(other, one)
        assert there == back
        assert 0 <= there.f1 <= 1
        if there.exact:
            assert there.f1 == 1

    def test_nothing_is_nothing(self) -> None:
        found = score(ir("if !rain(t+1): start(hike) else: start(cards)"), None)
        assert tuple(found) == (False, 0.0, False, 0.0, 0.0, 0.0)

    @pytest.mark.parametrize(
        ("answer", "f1", "intent", "negation", "constraints"),
        [
            ("if !rain(t+1): start(hike)", 1.0, True, 1.0, 1.0),
            ("if rain(true,time=t+1): start(hike)", 0.8, True, 0.0, 0.0),
            ("start(hike)", 0.571429, True, 0.0, 0.0),
            ("if !rain(t+1): cancel(hike)", 0.6, False, 1.0, 1.0),
            ("if !rain(t+2): start(hike)", 0.8, True, 1.0, 0.0),
        ],
    )
    def test_one_wrong_slot_costs_that_slot(
        self, answer: str, f1: float, intent: bool, negation: float, constraints: float
    ) -> None:
        found = score(ir("if !rain(t+1): start(hike)"), ir(answer))
        assert (found.f1, found.intent, found.negation, found.constraints) == (f1, intent, negation, constraints)
        assert found.exact == (f1 == 1)

    def test_order_counts_for_exact_only(self) -> None:
        found = score(ir("fetch(a); email(b); notify(c)"), ir("fetch(a); notify(c); email(b)"))
        assert (found.exact, found.f1) == (False, 1.0)


class TestAnswers:
    def test_the_answer_in_the_prompt_is_the_answer_that_is_wanted(self) -> None:
        import jsonschema

        for case in CASES:
            text = read_answer(case.ir)
            jsonschema.validate(json.loads(text), answer_schema())
            assert score(case.ir, read_ir(text)).exact
            assert score(case.ir, read_ir(f"```json\n{text}\n```")).exact

    @pytest.mark.parametrize(
        ("text", "rule"),
        [
            ("Sure!", "json.syntax"),
            ('{"intent":"!GO"', "json.truncated"),
            ('{"entities":[]}', "schema.required"),
            ("[1]", "schema.type"),
            ('{"intent":"go"}', "schema.pattern"),
        ],
    )
    def test_what_is_no_ir_is_an_error_of_its_kind(self, text: str, rule: str) -> None:
        with pytest.raises(SilpError) as caught:
            read_ir(text)
        assert caught.value.rule == rule

    @pytest.mark.parametrize("frontend", ["code", "json"])
    def test_a_payload_is_found_in_what_a_model_wrote(self, frontend: str) -> None:
        for case in CASES[:40]:
            payload = compile(case.ir, frontend, bare=True)
            assert score(case.ir, read_payload(f"```\n{payload}\n```", frontend)).exact

    @pytest.mark.parametrize(
        ("text", "frontend", "rule"),
        [
            ("I cannot do that.", "code", "extract.none"),
            ("cancel(flight)\nemail(hanna)", "code", "extract.several"),
            ("cancel(flight)", "json", "extract.form"),
            ('{"intent":"!CANCEL"}', "code", "extract.form"),
        ],
    )
    def test_what_is_no_payload_of_that_form_is_an_error_of_its_kind(self, text: str, frontend: str, rule: str) -> None:
        with pytest.raises(SilpError) as caught:
            read_payload(text, frontend)
        assert caught.value.rule == rule

    def test_canonical_answers_are_equal_where_irs_are_equivalent(self) -> None:
        one = ir("cancel(flight)")
        other = {**one, "entities": [{"value": "flight", "id": "act"}], "meta": {"req_id": "ffff", "priority": 3}}
        assert canonical(one) == canonical(other)
        assert canonical(one) != canonical(ir("cancel(train)"))


class TestCases:
    def test_there_are_enough_and_half_is_kept(self) -> None:
        assert len(CASES) >= 120
        assert len({case.id for case in CASES}) == len(CASES)
        assert set(Counter(case.field for case in CASES).values()) == {12}
        for split in ("tune", "final"):
            irs = [case.ir for case in select(CASES, split)]
            assert len(irs) == 60
            assert sum(bool(each["constraints"]) for each in irs) >= 30
            assert sum(any(one["type"].startswith("!") for one in each["constraints"]) for each in irs) >= 15
            assert sum(bool(each["alternatives"]) for each in irs) >= 19
            assert sum(len({one["action"] for one in each["entities"]}) > 1 for each in irs) >= 16

    def test_each_is_valid_and_survives_both_lossless_frontends(self) -> None:
        for case in CASES:
            assert validate(case.ir) == []
            for frontend in ("code", "json"):
                assert equivalent(decode(compile(case.ir, frontend), frontend), case.ir)

    def test_no_case_is_an_example_of_the_prompts(self) -> None:
        shown = {canonical({**each, "meta": {}}) for _, each in EXAMPLES}
        assert not shown & {canonical(case.ir) for case in CASES}

    def test_a_limit_spreads_over_the_fields(self) -> None:
        assert len({case.field for case in select(CASES, "final", limit=10)}) == 10
        assert [case.id for case in select(CASES, "final", limit=10)] == [
            case.id for case in select(CASES, "final", limit=20) if case in select(CASES, "final", limit=10)
        ]

    def test_a_bare_ir_is_a_case_named_after_its_content(self) -> None:
        one, other = case_of(ir("cancel(flight)")), case_of(ir("cancel(train)"))
        assert one.id.startswith("ir-")
        assert one.id != other.id
        assert one.request == "Cancel flight."


class TestQuestions:
    def test_every_combination_is_asked_once(self) -> None:
        asked = questions(CASES[:3], ["a", "b"], ["read", "write"], repeat=2)
        assert len({each.key for each in asked}) == len(asked) == 2 * 3 * (4 + 2) * 2
        assert frontends_for("write", ["natural", "json"]) == ["json"]

    def test_a_hash_stands_for_a_prompt(self) -> None:
        prompts = [read_prompt("code", "cancel(a)"), read_prompt("json", "cancel(a)"), write_prompt("code", "cancel(a)")]
        assert len({prompt_hash(each) for each in prompts}) == 3
        assert prompt_hash(prompts[0]) == prompt_hash(read_prompt("code", "cancel(a)"))


class TestCommand:
    FILE = str(FIXTURES / "eval" / "cases.jsonl")

    def test_a_dry_run_counts_and_asks_nothing(self) -> None:
        with faulty_server() as server:
            done = silp("eval", "--model", f"a={server.url}", "--model", f"b={server.url}", "--dry-run", "--split", "final",
                        "--price", "a=2,10", "--tokenizers", "gpt-4o", self.FILE)
            assert server.asked.total() == 0
        assert (done.status, done.err) == (0, "")
        rows = [json.loads(line) for line in done.lines]
        assert [(each["model"], each["task"], each["requests"]) for each in rows] == [
            ("a", "read", 240), ("a", "write", 120), ("b", "read", 240), ("b", "write", 120),
        ]
        for each in rows:
            cost = (each["prompt_tokens"] * 2 + each["completion_tokens"] * 10) / 1e6
            assert each["cost_usd"] == (pytest.approx(cost, abs=1e-6) if each["model"] == "a" else None)

    def test_a_judge_grades_explanations_into_the_same_file(self) -> None:
        with faulty_server(lambda *_: "prose") as server, faulty_server(lambda *_: "prose") as judge:
            done = silp("eval", "--model", f"a={server.url}", "--judge", f"j={judge.url}", "-t", "explain", "-f", "natural",
                        "--limit", "2", "--tokenizers", "", self.FILE)
            assert (done.status, done.err) == (0, "")
            for line, asked in zip(done.lines, judge.requests, strict=True):
                result = json.loads(line)
                assert (result["task"], result["judge"], result["verdict"]) == ("explain", "j", None)
                assert result["judge_said"] == result["said"] == "Sure, I can help with that!"
                assert result["said"] in asked["messages"][-1]["content"]

    def test_a_bad_case_is_placed_and_the_rest_is_asked(self) -> None:
        good = json.dumps(ir("cancel(flight)"))
        with faulty_server() as server:
            done = silp("eval", "--model", f"a={server.url}", "-t", "read", "-f", "json", "--tokenizers", "",
                        given=f'{good}\n{{"intent":"go"}}\n{{"id":3,"ir":{good}}}\n')
        assert done.status == 1
        assert len(done.lines) == 1
        assert "stdin:2:1: invalid_syntax: " in done.err
        assert "stdin:3:7: invalid_syntax: a case's id is a string" in done.err

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ((), "no model; add --model NAME=URL[#model-id]"),
            (("--model", "a=http://h/v1", "--model", "a=http://i/v1"), "two models are called 'a'"),
            (("--model", "a=http://h/v1", "-t", "sing"), "no task 'sing'; there are: read, write, explain"),
            (("--model", "a=http://h/v1", "-t", "explain"), "--task explain needs a judge"),
            (("--model", "a=http://h/v1", "-t", "write", "-f", "natural"), "natural cannot be decoded; take code or json"),
            (("--model", "a=http://h/v1", "-f", "jsn"), "no frontend 'jsn'; did you mean 'json'?"),
            (("--model", "a=http://h/v1", "--price", "1,2"), "--price goes with --dry-run"),
            (("--model", "a=http://h/v1", "--dry-run", "--price", "b=1,2"), "no model 'b'"),
            (("--model", "a=http://h/v1", "--dry-run", "--price", "1"), "[NAME=]IN,OUT expected"),
        ],
    )
    def test_mistakes_are_one_line(self, options: tuple[str, ...], message: str) -> None:
        done = silp("eval", *options, self.FILE)
        assert (done.status, done.out) == (2, "")
        assert done.err.startswith("silp eval: ")
        assert message in done.err
        assert done.err.count("\n") == 1
