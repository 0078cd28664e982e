"""Through a real MCP server and client: what was wrapped is decoded on the far side."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp_types import CallToolRequestParams, CallToolResult, TextContent

from silp_cli import api
from silp_cli.ir.errors import SilpError
from silp_cli.protocol.envelopes.unwrap import unwrap
from silp_cli.protocol.error_object import is_error_object

from .shell import FIXTURES, silp

SERVER = str(Path(__file__).parent / "servers" / "mcp_server.py")
IRS: list[Any] = [json.loads(line) for line in (FIXTURES / "ir.jsonl").read_text().splitlines()]


@pytest.fixture(scope="module")
def http_url() -> Iterator[str]:
    with subprocess.Popen([sys.executable, SERVER, "http"], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        port = server.stdout.readline().strip()
        yield f"http://127.0.0.1:{port}/mcp"
        server.terminate()


@pytest.fixture(params=["stdio", "streamable HTTP"])
def call(request: pytest.FixtureRequest) -> Callable[[list[Any]], list[CallToolResult]]:
    """Sends envelopes through a client to a server over one transport; gives the results."""
    if request.param == "stdio":
        target: Any = StdioServerParameters(command=sys.executable, args=[SERVER, "stdio"])
    else:
        target = request.getfixturevalue("http_url")

    def send(envelopes: list[Any]) -> list[CallToolResult]:
        async def talk() -> list[CallToolResult]:
            async with Client(target) as client:
                return [
                    await client.call_tool(params.name, params.arguments)
                    for params in (CallToolRequestParams.model_validate(each["params"]) for each in envelopes)
                ]

        return anyio.run(talk)

    return send


def wrapped(*options: str, frontend: str = "code") -> list[Any]:
    """The fixtures' IRs, compiled and wrapped by the command."""
    compiled = silp("compile", "-f", frontend, str(FIXTURES / "ir.jsonl"))
    done = silp("wrap", "mcp", *options, input=compiled.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("frontend", ["code", "json"])
def test_a_tool_gets_the_decoded_ir(call: Callable[[list[Any]], list[CallToolResult]], frontend: str) -> None:
    results = call(wrapped("--tool", "plan", "--arguments", '{"city":"Tromsø"}', frontend=frontend))
    for ir, result in zip(IRS, results, strict=True):
        assert not result.is_error
        assert result.structured_content["city"] == "Tromsø"
        assert api.equivalent(result.structured_content["ir"], ir)


def test_a_result_carries_a_payload_back(call: Callable[[list[Any]], list[CallToolResult]]) -> None:
    for ir, result in zip(IRS, call(wrapped("--tool", "relay")), strict=True):
        envelope = {"result": result.model_dump(mode="json", by_alias=True)}
        (payload,) = unwrap(envelope)
        assert payload.encoding == "json"
        assert api.equivalent(api.decode(payload.text), ir)


def test_a_string_in_the_place_of_an_argument(call: Callable[[list[Any]], list[CallToolResult]]) -> None:
    results = call(
        wrapped("--tool", "instruct", "--arguments", '{"city":"Oslo"}', "--replace", "instruction")
    )
    for ir, result in zip(IRS, results, strict=True):
        assert isinstance(result.content[0], TextContent)
        found = json.loads(result.content[0].text)
        assert found["city"] == "Oslo"
        assert api.equivalent(found["ir"], ir)


def test_refused_payloads_are_tool_errors_with_an_error_object(
    call: Callable[[list[Any]], list[CallToolResult]],
) -> None:
    def request(tool: str, text: str) -> Any:
        return {"params": {"name": tool, "arguments": {"silp_payload": text, "silp_encoding": "code"}}}

    refused, relayed, fine = call(
        [request("plan", "email(bob)"), request("relay", "cancel(ferry"), request("plan", "cancel(ferry)")]
    )
    for result, code in ((refused, "decode_failed"), (relayed, "invalid_syntax")):
        assert result.is_error
        assert isinstance(result.content[0], TextContent)
        assert is_error_object(json.loads(result.content[0].text)), "a model that reads the text sees it too"
        with pytest.raises(SilpError) as caught:
            unwrap({"result": result.model_dump(mode="json", by_alias=True)})
        assert caught.value.code == code
    assert not fine.is_error


def test_the_handler_was_never_called_for_a_refused_payload() -> None:
    target = StdioServerParameters(command=sys.executable, args=[SERVER, "stdio"])

    async def talk() -> Any:
        async with Client(target) as client:
            for text in ("email(bob)", "cancel(x); email(bob)", "if a(1): book(x) else: fetch(y)", "cancel("):
                assert (await client.call_tool("plan", {"silp_payload": text})).is_error
            return (await client.call_tool("plan", {"silp_payload": "cancel(x)"})).structured_content

    assert anyio.run(talk)["handled"] == 1


def test_the_sdk_publishes_the_two_fields_in_the_place_of_the_ir(http_url: str) -> None:
    async def talk() -> Any:
        async with Client(http_url) as client:
            return {tool.name: tool.input_schema for tool in (await client.list_tools()).tools}

    schema = anyio.run(talk)["plan"]
    assert set(schema["properties"]) == {"silp_payload", "silp_encoding", "city"}
    assert schema["required"] == ["silp_payload"]


def test_the_commands_own_bytes_are_a_request_that_a_server_takes() -> None:
    """No client in between: the lines of ``silp wrap`` go into the server's stdin, its answers into ``silp unwrap``."""
    hello = [
        {
            "jsonrpc": "2.0", "id": 0, "method": "initialize",
            "params": {
                "protocolVersion": "2025-06-18", "capabilities": {},
                "clientInfo": {"name": "silp-test", "version": "1"},
            },
        },
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
    ]  # fmt: skip
    compiled = silp("compile", str(FIXTURES / "ir.jsonl"))
    requests = silp("wrap", "mcp", "--tool", "relay", input=compiled.stdout).stdout
    with subprocess.Popen(
        [sys.executable, SERVER, "stdio"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write("".join(json.dumps(each) + "\n" for each in hello) + requests)
        server.stdin.flush()
        answers = [server.stdout.readline() for _ in range(1 + len(IRS))]
        server.stdin.close()
    by_id = {json.loads(answer)["id"]: answer for answer in answers}
    assert sorted(by_id) == [0, 1, 2, 3]
    done = silp("unwrap", input="".join(by_id[id] for id in (1, 2, 3)))
    assert done.returncode == 0, done.stderr
    decoded = silp("decode", input=done.stdout)
    for ir, line in zip(IRS, decoded.stdout.splitlines(), strict=True):
        assert api.equivalent(json.loads(line), ir)
