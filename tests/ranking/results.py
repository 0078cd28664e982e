"""Results as ``silp eval`` writes them, made up by a rule: which frontend is good at what is known beforehand."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from support import FIXTURES

from silp_cli.bench.scoring import score

CASES = FIXTURES / "eval" / "cases.jsonl"


def cases() -> list[dict[str, Any]]:
    return [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]


def made_up(models: dict[str, float], seed: int = 1) -> str:
    """Results in which json is read well everywhere and code only without fallbacks."""
    random = Random(seed)
    lines = []
    for case in cases():
        for model, able in models.items():
            for frontend in ("code", "json", "natural"):
                good = {"code": 0.35 if case["ir"]["alternatives"] else 0.98, "json": 0.9, "natural": 0.6}[frontend]
                answer = json.loads(json.dumps(case["ir"]))
                del answer["meta"]
                for entity in answer["entities"]:
                    if random.random() > good * able:
                        entity["value"] += "?"
                for part in ("constraints", "alternatives"):
                    if random.random() > good * able:
                        answer[part] = []
                found = score(case["ir"], {**answer, "meta": {"req_id": "0000"}})
                lines.append(json.dumps({
                    "model": model, "frontend": frontend, "case": case["id"], "split": case["split"], "task": "read",
                    "repeat": 0, "valid": True, "exact": found.exact, "f1": found.f1,
                    "answer": json.dumps(answer, sort_keys=True), "logprob": {"sum": -8.0, "tokens": 80},
                }))
    return "\n".join(lines) + "\n"
