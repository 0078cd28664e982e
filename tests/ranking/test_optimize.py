"""``silp optimize``: exact on small spaces, ahead of random and greedy search on large ones, honest about the gain."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy
import pytest
from results import CASES, cases, made_up
from support import silp

from silp_cli.api import equivalent
from silp_cli.bench.candidates import names_of, parse_candidates, plain, shipped, usable
from silp_cli.bench.prepare import drawn_in
from silp_cli.bench.search import enumerate_all, genetic_search, greedy_search, random_search
from silp_cli.bench.space import Gene, Space
from silp_cli.policy.policy import parse_policy
from silp_cli.policy.spelling import conflict, faults


def made_up_space(seed: int, classes: int, names: int, frontends: int = 4) -> Space:
    """Classes that gain from frontends that keep less of the meaning, names that want the same few words."""
    random = numpy.random.default_rng(seed)
    options = tuple("abcdefgh"[:frontends])
    genes = [Gene("class", each, options) for each in ("default", *(f"c{number}" for number in range(classes)))]
    good = random.uniform(0.3, 1, (frontends, classes))
    tokens = 40 + 60 * good**2 * random.uniform(0.6, 1.4, good.shape)
    counts = numpy.stack([tokens, tokens * random.uniform(0.8, 1.2, good.shape)], axis=2)
    changes = {}
    for number in range(names):
        where = numpy.flatnonzero(random.random(classes) < 0.3)
        change = random.uniform(-4, 1.5, (4, frontends, len(where), 2))
        change[0] = 0
        changes[len(genes)] = (where, change)
        words = [f"w{each}" for each in random.permutation(list("pqrstuvx"))[:3]]
        genes.append(Gene("id", f"name{number}z", (f"name{number}z", *words)))
    space = Space(
        genes, options, (), numpy.arange(1, classes + 1), {"task_success": good}, counts,
        numpy.full((classes, 2), 140.0), changes, {"task_success": 0.6, "compression": 0.9, "tokenizer_variance": 0.3},
        0.0, 0.0, "task_success", False,
    )
    space.least = float(space.measure(space.singles())["task_success"].max())
    return space


@pytest.mark.parametrize("seed", range(3))
def test_a_small_space_is_searched_to_its_exact_optimum(seed: int) -> None:
    space = made_up_space(seed, 4, 2, frontends=2)
    every = enumerate_all(space)
    assert len(every.known) <= space.points() == 2**5 * 4**2
    assert genetic_search(space, 400, seed).best_worth == every.best_worth


def test_on_large_spaces_it_is_ahead_of_random_and_of_greedy_search() -> None:
    ahead = []
    for seed in range(4):
        space = made_up_space(seed, 24, 8)
        genetic, greedy, drawn = (
            search(space, 1200, seed) for search in (genetic_search, greedy_search, random_search)
        )
        assert len(genetic.known) == len(greedy.known) == len(drawn.known) == 1200
        assert genetic.best_worth > drawn.best_worth
        ahead.append(genetic.best_worth - greedy.best_worth)
    assert min(ahead) >= 0
    assert sum(each > 0 for each in ahead) > len(ahead) / 2


def test_a_search_that_was_interrupted_ends_like_one_that_was_not() -> None:
    space = made_up_space(5, 10, 4)
    states: list[dict[str, Any]] = []
    whole = genetic_search(space, 800, 3, after=lambda state: states.append(json.loads(json.dumps(state))))
    assert len(states) > 2
    for state in (states[0], states[len(states) // 2]):
        again = genetic_search(space, 800, 3, state=state)
        assert again.best_worth == whole.best_worth
        assert again.best.tolist() == whole.best.tolist()
        assert again.known == whole.known


def test_no_policy_of_a_space_has_spellings_that_could_be_confused() -> None:
    space = made_up_space(0, 5, 12)
    points = numpy.random.default_rng(0).integers(0, space.sizes(), size=(200, len(space.genes)))
    for point in space.repair(points):
        vocabulary = space.policy(point).vocabulary.ids.given
        assert not list(faults({}, vocabulary, [gene.name for gene in space.genes if gene.kind == "id"]))


def test_classes_of_few_cases_are_drawn_to_the_mean() -> None:
    values = numpy.array([[1.0, 0.0, 0.0, 0.0], [0.5, 0.5, 0.5, 0.5]])
    drawn = drawn_in(values, [1, 0, 0, 0])
    assert drawn.mean(axis=1) == pytest.approx(values.mean(axis=1))
    assert 0.25 < drawn[0, 0] < 0.5
    assert drawn[1].tolist() == [0.5] * 4


def test_the_shipped_candidates_could_all_stand_in_some_policy() -> None:
    for name, words in shipped().items():
        for word in words:
            table = {name: word}
            assert not list(faults(table if name[:1] == "!" else {}, {} if name[:1] == "!" else table))
            assert plain(word) != plain(name)


def test_a_candidate_that_begins_like_a_name_in_use_is_left_out() -> None:
    found = usable(parse_candidates("destination to goal\n!SEARCH find\n"), ["!SEARCH", "!BOOK"], ["destination", "topic"])
    assert found == ({"!SEARCH": ["!FIND"]}, {"destination": ["goal"]})
    assert conflict("to", "topic")


def test_names_of() -> None:
    verbs, ids = names_of(case["ir"] for case in cases())
    assert "!NOTIFY" in verbs
    assert "act" in ids


@pytest.fixture(scope="module")
def optimized(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("optimize")
    (where / "results.jsonl").write_text(made_up({"a": 1.0, "b": 0.95}), encoding="utf-8")
    done = silp(
        "optimize", "results.jsonl", "--corpus", str(CASES), "--features", "fallbacks", "--evaluations", "250",
        "--html", "front.html", "--front", "front.jsonl", "--checkpoint", "state.json", "-o", "policy.json", cwd=where,
    )
    assert done.status == 0, done
    (where / "report.txt").write_text(done.err, encoding="utf-8")
    return where


def test_it_finds_the_rule_by_which_the_results_were_made(optimized: Path) -> None:
    policy = parse_policy((optimized / "policy.json").read_text(encoding="utf-8"))
    by_class = {name: policy.classes.get(name, policy.default) for name in ("plain", "fallbacks")}
    assert by_class == {"plain": "code", "fallbacks": "json"}


def test_the_gain_is_reported_on_cases_that_were_not_searched(optimized: Path) -> None:
    search = json.loads((optimized / "policy.json").read_text(encoding="utf-8"))["search"]
    assert (search["tune_cases"], search["final_cases"]) == (60, 60)
    mean, low, high = search["gain"]["fitness"]
    assert 0 < low < mean < high
    assert search["gain"]["verdict"] == "better"
    assert search["searches"]["genetic"]["fitness"] >= max(search["fitness_of_singles"].values())
    report = (optimized / "report.txt").read_text(encoding="utf-8")
    assert re.search(r"on 60 cases not used in the search: fitness \+0\.\d+ \(95% \+0\.\d+ to \+0\.\d+\): better", report)
    assert re.search(r"greedy +\d+ +0\.\d+", report)
    assert re.search(r"random +\d+ +0\.\d+", report)


def test_its_policy_can_be_applied_and_undone(optimized: Path) -> None:
    irs = [case["ir"] for case in cases()]
    policy = str(optimized / "policy.json")
    payloads = silp("compile", "--policy", policy, given="".join(json.dumps(ir) + "\n" for ir in irs))
    assert payloads.status == 0, payloads
    assert {line[:1] == "{" for line in payloads.lines} == {True, False}
    back = silp("decode", "--policy", policy, given=payloads.out)
    assert back.status == 0, back
    assert all(equivalent(json.loads(line), ir) for line, ir in zip(back.lines, irs, strict=True))


def test_each_point_of_the_page_leads_to_its_policy(optimized: Path) -> None:
    page = (optimized / "front.html").read_text(encoding="utf-8")
    front = [json.loads(line) for line in (optimized / "front.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(front) > 1
    targets = set(re.findall(r'href="#(p\d+)"', page))
    assert targets == {f"p{number}" for number in range(len(front))} == set(re.findall(r'id="(p\d+)"', page))
    assert not re.search(r"<script|<img|<link|url\(http", page)
    for one in front:
        parse_policy(json.dumps(one["policy"]))
        assert not any(
            other["quality"] > one["quality"] + 1e-6 and other["tokens"] < one["tokens"] - 1e-6
            and other["tokenizer_variance"] < one["tokenizer_variance"] - 1e-6 for other in front
        )


def test_a_checkpoint_resumes_to_the_same_policy_and_refuses_another_search(optimized: Path) -> None:
    command = ("optimize", "results.jsonl", "--corpus", str(CASES), "--evaluations", "250", "--checkpoint", "state.json")
    again = silp(*command, "--features", "fallbacks", cwd=optimized)
    assert again.out == (optimized / "policy.json").read_text(encoding="utf-8")
    other = silp(*command, "--features", "hard", cwd=optimized)
    assert other.status == 2
    assert "state.json: a checkpoint of another search" in other.err


def test_without_cases_there_is_nothing_to_search_on() -> None:
    assert silp("optimize").err == "silp optimize: --corpus FILE is missing: the cases that the results are of\n"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--features", "nice"], "silp optimize: no feature 'nice'; there are: conditions"),
        (["--frontends", "xml"], "silp optimize: no results of the frontend 'xml'"),
        (["--frontends", "natural"], "silp optimize: natural cannot be decoded"),
        (["--floor", "1"], "silp optimize: no frontend reaches the fidelity floor of 1"),
        (["--weights", "/dev/null"], "silp optimize: /dev/null: not JSON"),
    ],
)
def test_what_cannot_be_is_one_line(options: list[str], said: str) -> None:
    done = silp("optimize", "--corpus", str(CASES), *options, given=made_up({"a": 1.0, "b": 0.9}))
    assert done.status in (1, 2)
    assert done.out == ""
    assert done.err.startswith(said), done.err
    assert done.err.count("\n") == 1
