"""Through a real A2A agent and client, and against the SDK's types."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from a2a.client import ClientConfig, create_client
from a2a.types import Artifact, Message, Part, Role, SendMessageRequest, Task
from google.protobuf.json_format import MessageToDict, MessageToJson, ParseDict

from silp_cli import api
from silp_cli.ir.errors import SilpError
from silp_cli.protocol.envelopes.unwrap import unwrap

from .outcome import outcome
from .shell import FIXTURES, silp

SERVER = str(Path(__file__).parent / "servers" / "a2a_server.py")
IRS: list[Any] = [json.loads(line) for line in (FIXTURES / "ir.jsonl").read_text().splitlines()]


@pytest.fixture(scope="module", params=["unary", "stream"])
def url(request: pytest.FixtureRequest) -> Iterator[str]:
    with subprocess.Popen(
        [sys.executable, SERVER, request.param], stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        yield server.stdout.readline().strip()
        server.terminate()


def wrapped(*options: str, frontend: str = "code") -> list[Any]:
    compiled = silp("compile", "-f", frontend, str(FIXTURES / "ir.jsonl"))
    done = silp("wrap", "a2a", *options, input=compiled.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


def send(url: str, envelopes: list[Any]) -> list[Any]:
    """Send messages through the SDK's client; give what came back, as JSON data."""

    async def talk() -> list[Any]:
        client = await create_client(url, ClientConfig())
        answers: list[Any] = []
        async with client:
            for envelope in envelopes:
                request = SendMessageRequest(message=ParseDict(envelope, Message()))
                answers.append([MessageToDict(each) async for each in client.send_message(request)])
        return answers

    return asyncio.run(talk())


def test_messages_are_valid_under_the_sdks_types() -> None:
    for envelope, ir in zip(wrapped(), IRS, strict=True):
        message = ParseDict(envelope, Message())
        assert message.role == Role.ROLE_USER
        (part,) = message.parts
        assert isinstance(part, Part)
        assert part.media_type == "text/vnd.silp"
        assert part.metadata["silp_encoding"] == "code"
        assert api.equivalent(api.decode(part.text), ir)
        (payload,) = unwrap(json.loads(MessageToJson(message)))
        assert api.equivalent(api.decode(payload.text), ir)
    assert ParseDict(wrapped("--answer")[0], Message()).role == Role.ROLE_AGENT


def test_artifacts_are_valid_under_the_sdks_types() -> None:
    for envelope, ir in zip(wrapped("--artifact", "--id", "plan", frontend="json"), IRS, strict=True):
        artifact = ParseDict(envelope, Artifact())
        assert artifact.artifact_id.startswith("plan")
        task = Task(id="t", artifacts=[artifact])
        (payload,) = unwrap(MessageToDict(task))
        assert api.equivalent(api.decode(payload.text), ir)


def test_requests_are_valid_under_the_sdks_types() -> None:
    for number, envelope in enumerate(wrapped("--rpc"), 1):
        assert (envelope["id"], envelope["method"]) == (number, "SendMessage")
        assert ParseDict(envelope["params"], SendMessageRequest()).message.parts


def test_an_existing_message_gets_one_more_part() -> None:
    text = (FIXTURES / "a2a-message.json").read_text()
    done = silp("wrap", "a2a", "--into", str(FIXTURES / "a2a-message.json"), input="cancel(ferry)\n")
    before, _, after = text.rstrip("\n").partition('{"text": "As we agreed:"}')
    assert done.stdout.startswith(before + '{"text": "As we agreed:"},{"text":"cancel(ferry)"')
    assert done.stdout.endswith(after + "\n")
    assert len(ParseDict(json.loads(done.stdout), Message()).parts) == 2


@pytest.mark.parametrize("frontend", ["code", "json"])
def test_an_agent_decodes_what_was_wrapped_and_answers_in_kind(url: str, frontend: str) -> None:
    for answer, ir in zip(send(url, wrapped(frontend=frontend)), IRS, strict=True):
        (payload,) = unwrap(answer[-1])
        assert payload.encoding == "json"
        assert api.equivalent(api.decode(payload.text), ir)


def test_several_payloads_come_back_as_the_artifacts_of_a_task(url: str) -> None:
    first, second, third = wrapped()
    first["parts"] += second["parts"] + third["parts"]
    (answer,) = send(url, [first])
    payloads = {payload.text for event in answer for payload in _payloads(event)}
    assert len(payloads) == 3
    for ir in IRS:
        assert any(api.equivalent(api.decode(text), ir) for text in payloads)


def _payloads(event: Any) -> list[Any]:
    """The payloads of one event; a status change carries none."""
    found, error = outcome(unwrap, event)
    assert error is None or error.rule == "envelope.empty"
    return found or []


@pytest.mark.parametrize(
    ("text", "code"), [("email(bob)", "decode_failed"), ("cancel(ferry", "invalid_syntax")]
)
def test_a_refusal_comes_back_as_an_error_object(url: str, text: str, code: str) -> None:
    part = {"text": text, "mediaType": "text/vnd.silp", "metadata": {"silp_encoding": "code"}}
    (answer,) = send(url, [{"messageId": "m", "role": "ROLE_USER", "parts": [part]}])
    with pytest.raises(SilpError) as caught:
        unwrap(answer[-1])
    assert caught.value.code == code
