"""``silp optimize``: find a policy, and say what it gains on cases that were not used to find it."""

from __future__ import annotations

import os
import sys

from silp_cli.bench.optimize_text import text_report
from silp_cli.policy.features import FEATURES
from silp_cli.text.command import CommandError
from silp_cli.text.output import read_whole, write_whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from silp_cli.bench.cases import Case
    from silp_cli.bench.measures import Measures
    from silp_cli.bench.optimize import Found
    from silp_cli.census.families import Tokenizer

COMMAND = "silp optimize"
SPACES = ("both", "policy", "vocabulary")


def run(
    *, files: Sequence[str], corpus: str | None, score: str | None, task: str | None, space: str, frontends: str | None,
    lossy: bool, features: str | None, min_cases: int, candidates: str | None, weights: str | None, human: str | None,
    floor: float, evaluations: int, seed: int, checkpoint: str | None, html: str | None, front: str | None,
    output: str | None,
) -> int:
    """Search, write the policy, report; return the exit status."""
    from silp_cli.bench.fitness_command import read_ratings
    from silp_cli.bench.terms import read_weights

    if corpus is None:
        raise CommandError(f"{COMMAND}: --corpus FILE is missing: the cases that the results are of")
    chosen = read_weights(weights, COMMAND)
    by = _features(features)
    names = None if frontends is None else [name.strip() for name in frontends.split(",")]
    ratings = None if human is None else read_ratings(human)
    cases, able, measures, counters = gather(
        files, corpus, score=score, task=task, frontends=names, lossy=lossy, ratings=ratings
    )
    settings: dict[str, Any] = {
        "features": by, "least_cases": min_cases, "classes": space != "vocabulary",
        "spellings": ({}, {}) if space == "policy" else _spellings(cases, candidates), "weights": chosen,
        "floor": floor, "evaluations": evaluations, "seed": seed,
    }
    found = _search(cases, able, measures, counters, settings, checkpoint)
    from silp_cli.ir.jsontext import dumps_pretty
    from silp_cli.text.output import json_writer

    if front is not None:
        line = json_writer(pretty=False)
        write_whole("\n".join(line(each) for each in found.front), front)
    if html is not None:
        from silp_cli.bench.optimize_html import html_report

        write_whole(html_report(found), html)
    write_whole(dumps_pretty(found.to_dict()), output)
    sys.stderr.write(text_report(found))
    return 0


def gather(
    files: Sequence[str], corpus: str, *, score: str | None = None, task: str | None = None,
    frontends: Sequence[str] | None = None, lossy: bool = False, ratings: Any = None,
) -> tuple[list[Case], list[str], Measures, list[Tokenizer]]:
    """Read results and cases, and measure.

    Returns:
        The cases that have results under all frontends, the frontends that a policy may choose, what was measured,
        and the tokenizers.

    Raises:
        CommandError: when something cannot be read, or too little is left.
    """
    from silp_cli.bench.corpus_cases import count, payloads, read_corpus, tokenizers
    from silp_cli.bench.measures import measure
    from silp_cli.bench.results import of_task, read_rows, score_column, scores

    rows, _ = of_task(read_rows(files, COMMAND), task, COMMAND)
    column = score_column(rows, score, COMMAND)
    scores(rows, column, COMMAND)
    able = _able(list(dict.fromkeys(row.frontend for row in rows)), frontends, lossy)
    counters = tokenizers()
    if not counters:
        raise CommandError(f"{COMMAND}: no tokenizer's vocabulary is there; run: silp vocab pull")
    every = read_corpus(corpus, COMMAND)
    texts = payloads(every, [*able, *(["natural"] if "natural" not in able else [])])
    measures = measure(rows, column, texts=texts, tokens=count(texts, counters), ratings=ratings)
    success = measures.values.get("task_success", {})
    cases = [case for case in every if all(case.id in success[each] and case.id in texts[each] for each in able)]
    if len(cases) < 2:
        raise CommandError(
            f"{COMMAND}: {len(cases)} of the {len(every)} cases of {corpus} have results under all of "
            f"{', '.join(able)}; are these the cases that the results are of?", 1,
        )
    if len(cases) < len(every):
        without = len(every) - len(cases)
        sys.stderr.write(f"{COMMAND}: note: {without} cases of {corpus} have no results, they are not used\n")
    return cases, able, measures, counters


def _able(measured: Sequence[str], named: Sequence[str] | None, lossy: bool) -> list[str]:
    """The frontends that a policy may choose: with results, installed, and able to be decoded unless ``lossy``."""
    from silp_cli.frontends.registry import get_frontend
    from silp_cli.ir.errors import SilpError

    able = []
    for name in measured if named is None else named:
        if name not in measured:
            raise CommandError(f"{COMMAND}: no results of the frontend '{name}'; there are: {', '.join(measured)}")
        try:
            frontend = get_frontend(name)
        except SilpError as error:
            if named is None:
                continue
            raise CommandError(f"{COMMAND}: {error.message}") from None
        if frontend.slow or not (frontend.lossless or lossy):
            if named is not None:
                raise CommandError(
                    f"{COMMAND}: {name} cannot be decoded, so a policy with it could not be undone; --lossy allows it"
                    if not frontend.slow else f"{COMMAND}: {name} has to load a model for each payload; leave it out"
                )
            continue
        able.append(name)
    if not able:
        raise CommandError(f"{COMMAND}: none of {', '.join(measured)} can be decoded; --lossy allows them", 1)
    return able


def _features(named: str | None) -> list[str]:
    chosen = list(FEATURES) if named is None else [name.strip() for name in named.split(",") if name.strip()]
    for name in chosen:
        if name not in FEATURES:
            raise CommandError(f"{COMMAND}: no feature '{name}'; there are: {', '.join(FEATURES)}")
    return chosen


def _spellings(cases: Sequence[Case], path: str | None) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    from silp_cli.bench.candidates import names_of, read_candidates, shipped, usable

    verbs, ids = names_of(case.ir for case in cases)
    return usable(shipped() if path is None else read_candidates(path, COMMAND), verbs, ids)


def _search(
    cases: Sequence[Case], frontends: Sequence[str], measures: Measures, counters: Sequence[Tokenizer],
    settings: dict[str, Any], checkpoint: str | None,
) -> Found:
    from silp_cli.bench.extras import require

    require("scipy.stats")
    require("pymoo.core.problem")
    from silp_cli.bench.optimize import optimize

    mark = _mark(cases, frontends, settings)
    try:
        return optimize(
            cases, frontends, measures, counters, **settings, state=_resume(checkpoint, mark),
            after=_note(checkpoint, mark, settings["evaluations"]),
        )
    except ValueError as error:
        raise CommandError(f"{COMMAND}: {error}", 1) from None
    finally:
        if sys.stderr.isatty():
            sys.stderr.write("\r\x1b[K")


def _mark(cases: Sequence[Case], frontends: Sequence[str], settings: dict[str, Any]) -> str:
    """What must be the same for a search to go on: a hash of all that it depends on."""
    import hashlib

    from silp_cli.ir.jsontext import canonical_bytes

    known = {key: value for key, value in settings.items() if key != "evaluations"}
    whole = [[[case.id, case.ir, case.split] for case in cases], list(frontends), known]
    return hashlib.sha256(canonical_bytes(whole)).hexdigest()


def _resume(path: str | None, mark: str) -> dict[str, Any] | None:
    if path is None or not os.path.exists(path):
        return None
    from silp_cli.ir.errors import SilpError
    from silp_cli.ir.jsontext import loads

    try:
        state = loads(read_whole(path, COMMAND))
    except SilpError as error:
        raise CommandError(f"{COMMAND}: {path}: not a checkpoint: {error.message}") from None
    if not isinstance(state, dict) or state.get("mark") != mark:
        raise CommandError(
            f"{COMMAND}: {path}: a checkpoint of another search (other cases or settings); remove it or name another"
        )
    return state


def _note(path: str | None, mark: str, evaluations: int) -> Callable[[dict[str, Any]], None]:
    """Keep the state after each leg, and show on a terminal how far the search is."""
    from silp_cli.ir.jsontext import dumps

    def after(state: dict[str, Any]) -> None:
        if path is not None:
            write_whole(dumps({"mark": mark, **state}), path)
        if sys.stderr.isatty():
            done = f"{state['used']} of {evaluations} evaluations ({state['used'] / evaluations:.0%})"
            sys.stderr.write(f"\r{COMMAND}: {done}, best {state['best']:.4f}\x1b[K")
            sys.stderr.flush()

    return after
