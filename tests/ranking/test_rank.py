"""``silp rank`` against the published figures, and against results whose ranking is known."""

from __future__ import annotations

import csv
import json
import re
import sys
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from support import FIXTURES, silp

from silp_cli.bench import extras
from silp_cli.bench.rank_command import rank_files
from silp_cli.bench.rank_html import html_report
from silp_cli.bench.ranking import Ranking
from silp_cli.bench.results import of_task, parse_rows, score_column, score_of, scores
from silp_cli.bench.statistics import correlation, holm, kappa, mcnemar
from silp_cli.text.command import CommandError

VERDICTS = FIXTURES / "eval" / "published-verdicts.csv"


def table(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))


@pytest.fixture(scope="module")
def published() -> Ranking:
    return rank_files([str(VERDICTS)], resamples=999)


def test_the_ten_published_coefficients_come_out_to_four_places(published: Ranking) -> None:
    found = {(each.first, each.second): each for each in published.agreements}
    wanted = table(FIXTURES / "eval" / "published-spearman.csv")
    assert len(wanted) == len(found) == 10
    for row in wanted:
        each = found[row["model_a"], row["model_b"]]
        assert each.points_spearman.value is not None
        assert f"{each.points_spearman.value:.4f}" == f"{float(row['rho']):.4f}"
        assert each.points_spearman.p == pytest.approx(float(row["p"]), rel=1e-6)
        assert each.points == int(row["points"])


def test_the_two_published_judges_disagree_on_173_rows(published: Ranking) -> None:
    (judges,) = published.judges
    assert (judges["rows"], judges["no_opinion"], judges["disagree"]) == (672, 3, 173)
    # by hand: 409 + 90 agree, and what agrees by chance follows from the margins
    rows = [(row["llm_verdict"], row["rule_verdict"]) for row in table(VERDICTS)]
    both = [pair for pair in rows if "error" not in pair]
    chance = sum(
        sum(a == said for a, _ in both) * sum(b == said for _, b in both) for said in ("pass", "fail")
    ) / len(both) ** 2
    assert judges["kappa"] == pytest.approx((499 / 672 - chance) / (1 - chance))
    assert judges["low"] < judges["kappa"] < judges["high"]


def test_means_are_the_published_pass_rates_less_what_the_judge_failed_to_judge(published: Ranking) -> None:
    passes = {}
    for name in ("code", "json", "natural", "nl_json", "llmlingua2"):
        means = [each.mean for model in published.models for each in model.means if each.frontend == name]
        passes[name] = round(135 * sum(means) / len(means))
    # Published: 85.9, 84.4, 83.0, 67.4 and 25.9 in 100, with the three rows where the judge broke down as passes.
    errors = {row["frontend"]: 1 for row in table(VERDICTS) if row["llm_verdict"] == "error"}
    rates = {name: round(100 * (count + errors.get(name, 0)) / 135, 1) for name, count in passes.items()}
    assert rates == {"code": 85.9, "json": 84.4, "natural": 83.0, "nl_json": 67.4, "llmlingua2": 25.9}
    assert all(each.low <= each.mean <= each.high for model in published.models for each in model.means)


def test_of_five_frontends_all_orders_are_gone_through() -> None:
    one, other = [0.1, 0.2, 0.3, 0.4, 0.5], [0.2, 0.1, 0.3, 0.5, 0.4]
    found = correlation("spearman", one, other, permute=True)

    def rho(order: tuple[int, ...]) -> float:
        return 1 - 6 * sum((a - b) ** 2 for a, b in zip(order, (2, 1, 3, 5, 4), strict=True)) / 120

    above = sum(rho(order) >= rho((1, 2, 3, 4, 5)) - 1e-9 for order in permutations(range(1, 6)))
    assert found.value == pytest.approx(0.8)
    assert found.exact
    assert found.p == pytest.approx(2 * above / 120)


def test_a_constant_series_has_no_coefficient() -> None:
    assert correlation("kendall", [1, 1, 1], [1, 2, 3], permute=True).value is None


def test_mcnemar_and_holm() -> None:
    only_first, only_second, p = mcnemar([True] * 8 + [False] * 2, [False] * 6 + [True] * 4)
    assert (only_first, only_second) == (6, 2)
    assert p == pytest.approx(2 * (1 + 8 + 28) / 256)
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([]) == []


def test_kappa_of_judges_of_one_opinion_is_none() -> None:
    found = kappa(["pass", "pass", None], ["pass", "pass", "fail"])
    assert (found["rows"], found["agreement"], found["kappa"]) == (2, 1.0, None)


def results(means: dict[str, dict[str, int]], cases: int = 40) -> str:
    """Results in which a frontend passes the first so many cases under a model."""
    return "".join(
        json.dumps({"model": model, "frontend": frontend, "case": f"c{case}", "exact": case < passed}) + "\n"
        for model, each in means.items() for frontend, passed in each.items() for case in range(cases)
    )


SAME = {"code": 10, "json": 38, "natural": 25, "nl_json": 18}


@pytest.mark.parametrize(
    ("small", "said"),
    [
        (SAME, "small for large: use it;"),
        ({"code": 38, "json": 10, "natural": 18, "nl_json": 12}, "small for large: do not;"),
        ({"code": 14, "json": 15, "natural": 12, "nl_json": 14}, r"small for large: too few cases: \d+ more needed;"),
    ],
)
def test_the_last_line_is_a_plain_sentence(small: dict[str, int], said: str) -> None:
    given = results({"small": small, "large": SAME})
    done = silp("rank", "--proxy", "small", "--target", "large", "--resamples", "999", given=given)
    assert done.status == 0, done
    assert re.match(said, done.lines[-1]), done.lines[-1]
    assert done.err == ""


def test_a_handful_of_cases_settles_nothing() -> None:
    given = results({"small": {"code": 0, "json": 6}, "large": {"code": 0, "json": 6}}, cases=6)
    done = silp("rank", "--proxy", "small", "--target", "large", "--resamples", "99", given=given)
    assert "too few cases: 14 more needed" in done.lines[-1]


def test_json_and_page(tmp_path: Path) -> None:
    given = results({"small": SAME, "large": SAME})
    done = silp("rank", "--json", "--resamples", "99", "--html", str(tmp_path / "a.html"), given=given)
    found = json.loads(done.out)
    assert {each["choice"] for each in found["verdicts"]} == {"use"}
    assert found["models"][0]["means"][0]["frontend"] == "json"
    text = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert text.count("<svg") == 3
    assert not re.search(r"<script|<img|<link|@import|url\(http", text)


def test_the_page_is_the_same_every_time(published: Ranking) -> None:
    assert html_report(published) == html_report(published)
    assert not re.search(r"\b20\d\d-\d\d-\d\d", html_report(published))


def test_any_csv_will_do() -> None:
    rows = list(parse_rows("case;frontend;model;verdict\n1;code;m;pass\n1;json;m;PARTIAL\n2;code;m;\n"))
    found = scores(rows, score_column(rows, None, "x"), "x")
    assert found.values == {"m": {"code": {"1": 1.0}, "json": {"1": 0.5}}}
    assert found.left_out == 1


def test_repeats_are_averaged_and_tasks_kept_apart() -> None:
    line = '{"model":"m","frontend":"code","case":"c","task":"%s","repeat":%d,"f1":%s}\n'
    rows = list(parse_rows(line % ("write", 0, "1") + line % ("read", 0, "0.25") + line % ("read", 1, "0.75")))
    chosen, task = of_task(rows, None, "x")
    assert task == "read"
    assert scores(chosen, "f1", "x").values == {"m": {"code": {"c": 0.5}}}


@pytest.mark.parametrize("word", ["maybe", [1], {}])
def test_what_is_no_score_is_none(word: Any) -> None:
    with pytest.raises(ValueError, match=r"not a score|could not convert"):
        score_of(word)


@pytest.mark.parametrize(
    ("given", "options", "said"),
    [
        ("", [], "silp rank: no results in the input"),
        ("a,b\n1,2\n", [], "silp rank: stdin:1: no column model, frontend, case"),
        ("model,frontend,case,verdict\nm,code,1,maybe\n", [], "silp rank: stdin:2: 'maybe' in the column verdict"),
        ("model,frontend,case,verdict\nm,code,1\n", [], "silp rank: stdin:2: 4 columns expected"),
        ('{"model":"m","frontend":"code","case":"1"\n{"model":1}\n', [], "silp rank: stdin:1: "),
        ('{"model":"m","frontend":"code","case":"1","score":7}\n', [], "silp rank: stdin:1: the score 7 in the column score"),
        ('{"model":"m","frontend":"code","case":"1","text":"x"}\n', [], "silp rank: no score in the results"),
        ('{"model":"m","frontend":"code","case":"1","f1":1}\n', ["--score", "f2"], "silp rank: no column 'f2'"),
        ('{"model":"m","frontend":"code","case":"1","f1":1}\n', ["--proxy", "n"], "silp rank: no results of the model 'n'"),
        ('{"model":"m","frontend":"code","f1":1}\n', [], "silp rank: stdin:1: no case"),
        ("", ["nowhere.csv"], "silp rank: nowhere.csv: No such file or directory"),
    ],
)
def test_bad_input_is_one_line(given: str, options: list[str], said: str) -> None:
    done = silp("rank", *options, given=given)
    assert done.status in (1, 2)
    assert done.out == ""
    assert done.err.startswith(said), done.err
    assert done.err.count("\n") == 1


def test_a_last_line_that_was_cut_off_is_left_out() -> None:
    given = results({"m": SAME}) + '{"model":"m","fro'
    done = silp("rank", "--resamples", "99", given=given)
    assert done.status == 0
    assert done.err == "silp rank: stdin:161: warning: the last line is cut off, it is left out\n"


def test_a_missing_extra_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.stats", None)
    with pytest.raises(CommandError, match=r"^silp: this needs scipy; install it with: pip install 'silp-cli\[bench\]'$"):
        extras.require("scipy.stats")
