"""Whatever the endpoint does: every question ends as one result or one line on stderr, never both, never twice."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path
from typing import Any

import pytest
from support import environment, silp

from evaluation.server import ANSWERS, FAULTS, faulty_server
from silp_cli.bench.endpoint import Endpoint, Model, Unanswered, parse_model
from silp_cli.text.command import CommandError

VALUES = [*FAULTS, *ANSWERS, "good"]
CASES = "".join(
    json.dumps({"id": kind, "ir": {
        "intent": "!FETCH", "entities": [{"id": "act", "value": kind}], "constraints": [], "alternatives": [],
        "meta": {"req_id": "abcd"},
    }}) + "\n"
    for kind in VALUES
)


def kind_of(message: str) -> str:
    """The fault that a case is named after: fetch(429-date) asks for 429-date."""
    return message[message.index("(") + 1 : message.index(")")]


def evaluate(url: str, *options: str, cases: str = CASES, env: dict[str, str] | None = None) -> tuple[Any, ...]:
    """Run ``silp eval`` on the code frontend; return status, results by case, and the lines on stderr."""
    done = silp(
        "eval", "--model", f"m={url}", "-t", "read", "-f", "code", "--tokenizers", "", *options,
        given=cases, env=environment(**(env or {})),
    )
    results = [json.loads(line) for line in done.lines]
    assert len({each["case"] for each in results}) == len(results)
    return done.status, {each["case"]: each for each in results}, done.err.splitlines()


def test_what_is_asked_again_is_answered_once_for_every_fault() -> None:
    with faulty_server(lambda message, before: "good" if before else kind_of(message)) as server:
        status, results, errors = evaluate(server.url, "--retries", "1", "--timeout", "1", "--jobs", "6")
    assert (status, errors) == (0, [])
    assert list(map(str, sorted(results))) == sorted(VALUES)
    for kind in FAULTS:
        assert results[kind]["valid"] is True
    # what a model says, or does not say, is a result; it is not asked again
    for message, count in server.asked.items():
        assert count == (2 if kind_of(message) in FAULTS else 1)
    assert {kind: results[kind]["error"]["kind"] for kind in ANSWERS} == {
        "empty": "empty", "refusal": "refusal", "prose": "json.syntax",
    }
    assert results["refusal"]["said"] == "I would rather not."
    assert results["refusal"]["valid"] is False
    assert results["refusal"]["f1"] == 0


REASONS = {
    "429": "status 429 (1 try)",
    "429-date": "status 429 (1 try)",
    "500": "status 500 (1 try)",
    "hang": "no answer within 0.7 s (1 try)",
    "reset": "the connection failed: ",
    "cut": "the answer cannot be read: ",
    "html": "the answer is no chat completion (content type text/html) (1 try)",
    "no-choice": "the answer holds no choice (1 try)",
    "rubbish": "the answer cannot be read: ",
}


def test_what_stays_unanswered_is_a_clear_line_each_and_asked_by_the_next_run(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    with faulty_server(lambda message, before: kind_of(message) if not before else "good") as server:
        options = ("--retries", "0", "--timeout", "0.7", "--jobs", "6", "-o", str(path))
        status, _, errors = evaluate(server.url, *options)
        assert status == 1
        assert len(errors) == len(FAULTS)
        for kind, reason in REASONS.items():
            (line,) = [each for each in errors if each.startswith(f"silp eval: m read code {kind} 0: ")]
            assert reason in line
        first = path.read_text().splitlines()
        assert {json.loads(line)["case"] for line in first} == {*ANSWERS, "good"}
        status, _, errors = evaluate(server.url, *options)
    assert (status, errors) == (0, [])
    lines = path.read_text().splitlines()
    assert lines[: len(first)] == first
    assert sorted(json.loads(line)["case"] for line in lines) == sorted(VALUES)


def test_an_endpoint_that_takes_no_schema_is_asked_without_and_said_so_once() -> None:
    with faulty_server(lambda *_: "no-schema") as server:
        status, results, errors = evaluate(server.url)
    assert status == 0
    assert len(results) == len(VALUES)
    assert errors == ["silp eval: m: the endpoint takes no JSON Schema (400), asking without"]


def test_a_wrong_key_stops_the_run_and_is_never_shown() -> None:
    key = "sk-verysecret-1234567890"
    with faulty_server(lambda *_: "401") as server:
        status, results, errors = evaluate(server.url, env={"M_API_KEY": key, "OPENAI_API_KEY": "sk-other"})
        assert set(server.keys) == {f"Bearer {key}"}
    assert (status, results) == (1, {})
    assert server.asked.total() == 1
    assert len(errors) == len(VALUES)
    assert errors[0].endswith("status 401: the key is missing or wrong; set M_API_KEY or OPENAI_API_KEY")
    with faulty_server(lambda *_: "422") as server:
        status, results, errors = evaluate(server.url, env={"OPENAI_API_KEY": key})
    assert (status, results) == (1, {})
    assert "status 422: " in errors[-1]
    assert key not in "".join(errors)


def ask(url: str, retries: int, timeout: float = 5.0) -> Any:
    """Ask one question in this process."""

    async def asked() -> Any:
        async with Endpoint(Model("m", url), retries=retries, timeout=timeout, environment={}) as endpoint:
            return await endpoint.ask([{"role": "user", "content": "(x)"}])

    return asyncio.run(asked())


def test_retry_after_is_waited_for() -> None:
    with faulty_server(lambda _, before: "good" if before else "429") as server:
        assert ask(server.url, 1).model_id == "honest-1"
    first, second = server.times
    assert second - first >= 0.3


def test_a_hang_ends_with_the_timeout() -> None:
    started = time.monotonic()
    with faulty_server(lambda *_: "hang") as server, pytest.raises(Unanswered, match=r"no answer within 0.2 s"):
        ask(server.url, 0, 0.2)
    assert time.monotonic() - started < 5


def test_nobody_listens() -> None:
    with faulty_server() as server:
        url = server.url
    with pytest.raises(Unanswered, match=r"the connection failed: .* \(1 try\)"):
        ask(url, 0)


@pytest.mark.parametrize("text", ["small", "=http://h/v1", "a b=http://h/v1", "small=ftp://h", "small=http://u:pw@h/v1", "s=http://h/v1?key=pw"])
def test_what_is_no_model_is_refused_without_its_secrets(text: str) -> None:
    with pytest.raises(CommandError) as caught:
        parse_model(text)
    assert "pw" not in str(caught.value)


def test_a_model_is_read_with_its_id() -> None:
    assert parse_model("a-1=https://h.example/v1/#org/big:2") == Model("a-1", "https://h.example/v1", "org/big:2")
    assert Model("qwen2.5-0.5b", "").key_variable == "QWEN2_5_0_5B_API_KEY"
