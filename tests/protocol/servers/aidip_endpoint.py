"""A small agent server as the AIDIP draft describes it: search, and invocation by POST, on loopback."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from silp_cli import api
from silp_cli.ir.errors import SilpError
from silp_cli.protocol.envelopes import wrap
from silp_cli.protocol.envelopes.unwrap import unwrap
from silp_cli.protocol.error_object import error_payload
from silp_cli.protocol.payloads import read_payload, receive

AGENTS = [
    {"id": "planner-1", "name": "Planner", "capabilities": ["plan"]},
    {"id": "crew-2", "name": "Crew", "capabilities": ["notify"]},
]
VERBS = {"!BOOK", "!CANCEL", "!NOTIFY"}


class Endpoint(BaseHTTPRequestHandler):
    """``POST /agents/search`` and ``POST /agents/{id}/invoke``."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        if self.path == "/agents/search":
            wanted = json.loads(body).get("query", "")
            self._answer(
                200, json.dumps({"agents": [each for each in AGENTS if wanted in each["capabilities"]]})
            )
            return
        match = re.fullmatch(r"/agents/([^/]+)/invoke", self.path)
        if match is None or match.group(1) not in [agent["id"] for agent in AGENTS]:
            self._answer(404, json.dumps({"error": {"code": 404, "message": "no such agent"}}))
            return
        self._answer(200, self._invoke(json.loads(body)))

    def _invoke(self, body: Any) -> str:
        try:
            (payload,) = unwrap({"inputs": body.get("inputs")})
            answer = api.compile(receive(payload.text, payload.encoding, VERBS), "json")
        except SilpError as error:
            answer = error_payload(error)
        return wrap.into_aidip(
            '{"outputs": {"agent": "planner-1"}, "status": "done"}', read_payload(answer), answer=True
        )

    def _answer(self, status: int, text: str) -> None:
        data = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@contextmanager
def serving() -> Iterator[tuple[str, int]]:
    """Serve while the context lasts; gives host and port."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Endpoint) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield "127.0.0.1", server.server_address[1]
        finally:
            server.shutdown()
            thread.join()
