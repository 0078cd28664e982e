"""``silp fitness``: every term as it is defined, the formula, the floor, and nothing missing taken as zero."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from results import CASES, made_up
from support import ROOT, shell, silp

from silp_cli.bench.fitness import fitness_of, fitness_table
from silp_cli.bench.measures import Measures, ambiguity, compression, fidelity, measure, perplexity, variation
from silp_cli.bench.results import Row, parse_rows
from silp_cli.bench.terms import BY_NAME, LEAST_MEANING, TERMS, default_weights, read_weights
from silp_cli.bench.unreadability import unreadability
from silp_cli.text.command import CommandError

IR = {"intent": "!BOOK", "entities": [{"id": "act", "value": "hotel", "action": "!BOOK"}]}
OTHER = {"intent": "!BOOK", "entities": [{"id": "act", "value": "train", "action": "!BOOK"}]}


def row(model: str = "m", frontend: str = "code", **fields: Any) -> Row:
    return Row(model, frontend, "1", fields, "x:1")


def answer(ir: dict[str, Any] | None) -> str | None:
    return None if ir is None else json.dumps(ir)


def test_the_weights_are_the_drafts_and_add_up() -> None:
    assert [term.symbol for term in TERMS] == ["alpha", "alpha_prime", "beta", "gamma", "delta", "epsilon", "zeta"]
    assert [term.sign for term in TERMS] == [1, 1, 1, -1, -1, -1, -1]
    assert sum(default_weights().values()) == pytest.approx(1)
    assert TERMS[0].weight + TERMS[1].weight >= LEAST_MEANING - 1e-9


def test_fidelity_is_the_agreement_of_different_models() -> None:
    same = [row("a", answer=answer(IR)), row("b", answer=answer(IR))]
    assert fidelity(same) == 1
    apart = [row("a", answer=answer(IR)), row("b", answer=answer(OTHER))]
    assert fidelity(apart) == pytest.approx(0.5)  # the intent is shared, the value is not
    assert fidelity([*same, row("c", answer=None)]) == pytest.approx(1 / 3)
    assert fidelity([row("a", answer=answer(IR)), row("a", answer=answer(IR))]) is None
    assert fidelity([row("a"), row("b")]) is None


def test_ambiguity_is_the_entropy_of_the_answers() -> None:
    assert ambiguity([row("a", answer="x"), row("b", answer="x")]) == 0
    assert ambiguity([row("a", answer="x"), row("b", answer="y")]) == pytest.approx(1)
    assert ambiguity([row("a", answer=None), row("b", answer=None)]) == pytest.approx(1)
    two_one = [row("a", answer="x"), row("b", answer="x"), row("c", answer="y")]
    entropy = -(2 / 3 * math.log(2 / 3) + 1 / 3 * math.log(1 / 3))
    assert ambiguity(two_one) == pytest.approx(entropy / math.log(3))
    assert ambiguity([row("a", answer="x")]) is None


def test_perplexity_lies_between_certain_and_one() -> None:
    assert perplexity([row(logprob={"sum": 0.0, "tokens": 9})]) == 0
    assert perplexity([row(logprob={"sum": -math.log(4) * 9, "tokens": 9})]) == pytest.approx(1 - 1 / 4)
    assert perplexity([row(logprob=None), row()]) is None


def test_compression_and_variance() -> None:
    assert compression({"a": 5, "b": 30}, {"a": 10, "b": 20}) == pytest.approx((0.5 + 0) / 2)
    assert compression({"a": 5}, None) is None
    assert variation({"a": 10, "b": 10}) == 0
    assert variation({"a": 5, "b": 15}) == pytest.approx(0.5)
    assert variation({"a": 5}) is None


def test_prose_is_easier_to_read_than_code_and_code_than_json() -> None:
    prose = unreadability("If not rain at t+1, start hike otherwise start cards at indoor.")
    code = unreadability("if !rain(t+1): start(hike) else: start(cards@indoor)")
    data = unreadability('{"intent":"!START","act":"hike","constraints":[{"type":"!rain","value":"true"}]}')
    assert 0 <= prose < code < data <= 1


def test_people_know_better() -> None:
    ratings = [Row("", "code", "", {"rating": "0.2"}, "r:1"), Row("", "code", "", {"rating": "0.4"}, "r:2")]
    found = measure([row(f1=1.0)], "f1", texts={"code": {"1": "a(b)"}}, ratings=ratings)
    assert found.mean("human_unreadability", "code", ["1"]) == pytest.approx(0.7)


def test_the_formula() -> None:
    values = dict.fromkeys(BY_NAME, 0.5)
    assert fitness_of(values, default_weights()) == pytest.approx(0.5 * (0.4 + 0.2 + 0.2 - 4 * 0.05))
    assert fitness_of({"task_success": 1.0}, default_weights()) == pytest.approx(0.4)


def test_a_term_that_one_frontend_lacks_counts_for_none_and_is_named() -> None:
    measures = Measures()
    for frontend, success in (("code", 0.5), ("json", 0.4)):
        measures.put("task_success", frontend, "1", success)
    measures.put("compression", "json", "1", 1.0)
    table = fitness_table(measures, default_weights(), 0.5)
    assert [each.frontend for each in table.rows] == ["code", "json"]
    assert "for code" in table.missing["compression"]
    assert set(table.missing) == set(BY_NAME) - {"task_success"}


def test_what_lies_under_the_floor_is_listed_and_never_ranked() -> None:
    measures = Measures()
    for frontend, fidelity_ in (("code", 0.49), ("json", 0.5)):
        measures.put("task_success", frontend, "1", 1.0 if frontend == "code" else 0.1)
        measures.put("cross_model_fidelity", frontend, "1", fidelity_)
    table = fitness_table(measures, default_weights(), 0.5)
    assert [(each.frontend, each.feasible) for each in table.rows] == [("json", True), ("code", False)]
    assert table.rows[1].fitness is None


def test_rows_sort_in_a_pipe() -> None:
    done = shell("silp fitness --corpus fixtures/eval/cases.jsonl | sort -k2 -nr", made_up({"a": 1.0, "b": 0.9}), ROOT)
    assert done.status == 0, done
    rows = [line.split("\t") for line in done.lines]
    assert {each[0] for each in rows} == {"code", "json", "natural"}
    assert [float(each[1]) for each in rows] == sorted((float(each[1]) for each in rows), reverse=True)
    assert all(len(each) == 2 + len(TERMS) for each in rows)
    assert all(0 <= float(term) <= 1 for each in rows for term in each[2:])
    assert done.err == ""


def test_missing_terms_are_named_on_stderr() -> None:
    done = silp("fitness", "fixtures/eval/published-verdicts.csv")
    assert done.lines[0].split("\t") == ["code", "0.3437", "0.8593", "-", "-", "-", "-", "-", "-"]
    for term in TERMS[1:]:
        assert f"silp fitness: note: {term.name} ({term.symbol}) is left out: not measured" in done.err
    assert "the fidelity floor is not applied" in done.err


def test_all_infeasible_is_status_1() -> None:
    done = silp("fitness", "--floor", "1", given=made_up({"a": 1.0, "b": 0.5}))
    assert done.status == 1
    assert {line.split("\t")[1] for line in done.lines} == {"infeasible"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"alpha":0.3}', r"alpha \+ alpha_prime is 0.5; the draft asks for at least 0.6"),
        ('{"alfa":0.3}', "no term 'alfa'"),
        ('{"beta":-1}', "the weight beta is a number from 0 up"),
        ('{"beta":true}', "the weight beta"),
        ("[]", "an object of weights"),
        ("{", "not JSON"),
    ],
)
def test_weights_that_are_refused(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "w.json").write_text(text, encoding="utf-8")
    with pytest.raises(CommandError, match=said):
        read_weights(str(tmp_path / "w.json"), "silp fitness")


def test_weights_by_symbol_or_term(tmp_path: Path) -> None:
    (tmp_path / "w.json").write_text('{"alpha":0.5,"compression":0}', encoding="utf-8")
    weights = read_weights(str(tmp_path / "w.json"), "x")
    assert (weights["task_success"], weights["compression"], weights["PPL"]) == (0.5, 0, 0.05)


def test_a_rating_outside_its_range_is_refused(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text("frontend,rating\ncode,4\n", encoding="utf-8")
    done = silp("fitness", "--human", str(tmp_path / "r.csv"), given=made_up({"a": 1.0}))
    assert done.status == 2
    assert "r.csv:2: a rating is a number from 0 (unreadable) to 1 (like prose)" in done.err


def test_the_manual_defines_each_term_as_the_code_does() -> None:
    text = (ROOT / "silp_cli" / "manual" / "optimize.md").read_text(encoding="utf-8")
    for term in TERMS:
        assert f"| `{term.name}` | {term.symbol} | {term.sign * term.weight:+g} | {term.unit} | {term.meaning} | {term.source} |" in text


def test_results_without_answers_still_have_success() -> None:
    rows = list(parse_rows("model,frontend,case,verdict\nm,code,1,pass\n"))
    assert measure(rows, "verdict").values == {"task_success": {"code": {"1": 1.0}}}
    assert CASES.exists()
