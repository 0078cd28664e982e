"""The main path with nothing in the place of anything: a real model, its server, the SDK, the codec."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from support import FIXTURES, silp

from silp_cli.bench.endpoint import Answer, Endpoint, Model
from silp_cli.bench.models import MODELS, path_of
from silp_cli.bench.serve import served

CASES = str(FIXTURES / "eval" / "cases.jsonl")


def test_a_model_writes(tmp_path: Path) -> None:
    assert path_of("smollm2-135m").endswith("smollm2-135m.gguf"), "make test fetches it"
    path = tmp_path / "results.jsonl"
    command = ("eval", "--model", "smollm2-135m", "-t", "write", "-f", "code", "--split", "tune", "--limit", "2",
               "--logprobs", "--max-tokens", "32", "--tokenizers", "gpt-4o", "-o", str(path), CASES)
    done = silp(*command)
    assert (done.status, done.out, done.err) == (0, "", "")
    results = [json.loads(line) for line in path.read_text().splitlines()]
    assert [each["case"] for each in results] == ["travel-01", "deployments-01"]
    for each in results:
        assert each["model_id"] == "smollm2-135m"
        assert each["usage"]["prompt_tokens"] > 200
        assert 0 < each["usage"]["completion_tokens"] <= 32
        assert each["latency_s"] > 0
        assert each["logprob"]["sum"] < 0
        assert each["logprob"]["tokens"] > 0
        assert each["census"]["gpt-4o"] > 10
        assert each["said"]
        assert (each["error"] is None) == each["valid"]
        assert 0 <= each["f1"] <= 1
    # and the run is known to be done, without serving anything
    again = silp(*command)
    assert (again.status, again.err) == (0, "")
    assert len(path.read_text().splitlines()) == 2


def test_a_schema_holds_a_model_to_the_form() -> None:
    async def ask(url: str) -> Answer:
        async with Endpoint(Model("small", url), retries=0, timeout=200) as endpoint:
            return await endpoint.ask(
                [{"role": "user", "content": "Say something about the sea."}], temperature=0.0, max_tokens=40,
                schema={"type": "object", "properties": {"wet": {"type": "boolean"}}, "required": ["wet"],
                        "additionalProperties": False},
            )

    with served("smollm2-135m") as url:
        said = json.loads(asyncio.run(ask(url)).said)
    assert list(said) == ["wet"]
    assert isinstance(said["wet"], bool)


def test_models_are_pinned_and_a_missing_one_names_its_remedy(tmp_path: Path) -> None:
    listed = [json.loads(line) for line in silp("model", "list").lines]
    assert [each["name"] for each in listed] == list(MODELS)
    assert all(len(each["sha256"]) == 64 for each in listed)
    missing = silp("model", "serve", "smollm2-135m", "--model-dir", str(tmp_path))
    assert (missing.status, missing.out) == (2, "")
    assert missing.err == f"silp model: smollm2-135m is not in {tmp_path}; run: silp model pull smollm2-135m\n"
    unknown = silp("model", "pull", "gpt-17")
    assert unknown.status == 2
    assert unknown.err.startswith("silp model: no model 'gpt-17'; there are: smollm2-135m, ")
