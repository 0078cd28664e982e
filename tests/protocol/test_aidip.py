"""Through a small AIDIP endpoint: search for an agent, invoke it, decode its outputs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.client import HTTPConnection
from typing import Any

import pytest

from silp_cli import api

from .servers.aidip_endpoint import serving
from .shell import FIXTURES, silp

IRS: list[Any] = [json.loads(line) for line in (FIXTURES / "ir.jsonl").read_text().splitlines()]


@pytest.fixture(scope="module")
def connection() -> Iterator[HTTPConnection]:
    with serving() as (host, port):
        connection = HTTPConnection(host, port, timeout=10)
        yield connection
        connection.close()


def post(connection: HTTPConnection, path: str, body: str) -> tuple[int, str]:
    connection.request("POST", path, body.encode(), {"Content-Type": "application/json"})
    response = connection.getresponse()
    return response.status, response.read().decode()


@pytest.mark.parametrize(
    "options", [(), ("--plain",), ("--replace", "task"), ("--into", str(FIXTURES / "aidip-invoke.json"))]
)
def test_inputs_are_decoded_and_outputs_come_back(
    connection: HTTPConnection, options: tuple[str, ...]
) -> None:
    status, found = post(connection, "/agents/search", '{"query":"plan"}')
    assert status == 200
    (agent,) = json.loads(found)["agents"]
    for ir in IRS:
        payload = silp("compile", input=json.dumps(ir)).stdout
        body = silp("wrap", "aidip", *options, input=payload).stdout
        status, answer = post(connection, f"/agents/{agent['id']}/invoke", body)
        assert status == 200
        assert json.loads(answer)["outputs"]["agent"] == "planner-1"
        decoded = silp("decode", input=silp("unwrap", input=answer).stdout)
        assert api.equivalent(json.loads(decoded.stdout), ir)


def test_a_refusal_is_an_error_object_in_the_outputs(connection: HTTPConnection) -> None:
    body = silp("wrap", "aidip", input="email(bob)\n").stdout
    _, answer = post(connection, "/agents/planner-1/invoke", body)
    done = silp("unwrap", input=answer)
    assert (done.returncode, done.stdout) == (1, "")
    assert "decode_failed: !EMAIL is not on the whitelist" in done.stderr


def test_an_error_of_aidip_itself_is_no_payload(connection: HTTPConnection) -> None:
    status, answer = post(connection, "/agents/nobody/invoke", "{}")
    assert status == 404
    done = silp("unwrap", input=answer)
    assert done.returncode == 1
    assert "not a payload" in done.stderr.replace("a JSON-RPC error, not a payload", "not a payload")
