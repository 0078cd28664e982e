"""An MCP server, built with the official SDK, whose tools take payloads. Runs over stdio, or over HTTP on loopback."""

from __future__ import annotations

import json
import socket
import sys
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult

from silp_cli import api
from silp_cli.ir.errors import SilpError
from silp_cli.protocol.envelopes import wrap
from silp_cli.protocol.error_object import error_payload
from silp_cli.protocol.payloads import read_payload
from silp_cli.protocol.tools import silp_tool

server = MCPServer("silp-test")
VERBS = {"!BOOK", "!CANCEL", "!NOTIFY"}
handled: list[str] = []


def result_of(payload: str) -> CallToolResult:
    """A tool's result that carries a payload."""
    read = read_payload(payload)
    envelope = wrap.into_mcp(wrap.mcp_result(is_error=wrap.is_error(read)), read)
    return CallToolResult.model_validate(json.loads(envelope)["result"])


@server.tool()
@silp_tool(VERBS)
def plan(ir: dict[str, Any], city: str = "nowhere") -> dict[str, Any]:
    """Say what arrived."""
    handled.append(ir["intent"])
    return {"ir": ir, "city": city, "handled": len(handled)}


@server.tool()
@silp_tool(VERBS)
async def relay(ir: dict[str, Any]) -> CallToolResult:
    """Answer with the same IR, as a payload in the other encoding."""
    return result_of(api.compile(ir, "json"))


@server.tool()
def instruct(instruction: str, city: str = "nowhere") -> str:
    """Take the payload as draft-00 has it: a plain string in the place of an argument."""
    try:
        return json.dumps({"ir": api.decode(instruction), "city": city})
    except SilpError as error:
        return error_payload(error)


if __name__ == "__main__":
    if sys.argv[1] == "stdio":
        server.run("stdio")
    else:
        import uvicorn

        listener = socket.create_server(("127.0.0.1", 0))
        print(listener.getsockname()[1], flush=True)
        app = server.streamable_http_app()
        uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="on")).run(sockets=[listener])
