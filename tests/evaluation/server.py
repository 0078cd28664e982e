"""An OpenAI-compatible server that does on purpose what a real one does rarely.

Well-behaved it answers at once, and the same to the same prompt. ``plan`` says which faults it commits first: it is
asked with the last message of each request and how often that message came before.
"""

from __future__ import annotations

import hashlib
import json
import os
import socket
import struct
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Plan = Callable[[str, int], str]

# What a run does about each: ask again, or take it as an answer.
FAULTS = ("429", "429-date", "500", "hang", "reset", "cut", "html", "no-choice", "rubbish")
ANSWERS = ("empty", "refusal", "prose")


def well_behaved(_message: str, _before: int) -> str:
    """No fault."""
    return "good"


class FaultyServer(ThreadingHTTPServer):
    """The server; ``asked`` counts the requests by their last message."""

    daemon_threads = True

    def __init__(self, plan: Plan, delay: float) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.plan = plan
        self.delay = delay
        self.asked: Counter[str] = Counter()
        self.times: list[float] = []
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.lock = threading.Lock()

    @property
    def url(self) -> str:
        """The base URL."""
        return f"http://127.0.0.1:{self.server_port}/v1"

    def handle_error(self, *_: object) -> None:
        """A client that was killed is no news."""


@contextmanager
def faulty_server(plan: Plan = well_behaved, delay: float = 0.0) -> Iterator[FaultyServer]:
    """Run the server for the length of a test."""
    server = FaultyServer(plan, delay)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def said_to(messages: list[dict[str, str]]) -> str:
    """The well-behaved answer: a valid IR that depends on the whole prompt."""
    digest = hashlib.sha256(json.dumps(messages).encode()).hexdigest()
    entity = {"action": "!FETCH", "id": "act", "value": digest[:12]}
    return json.dumps({"constraints": [], "intent": "!FETCH", "entities": [entity], "alternatives": []})


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: FaultyServer

    def do_GET(self) -> None:
        self._send(200, {"object": "list", "data": [{"id": "honest-1", "object": "model"}]})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        last = body["messages"][-1]["content"]
        server = self.server
        with server.lock:
            before = server.asked[last]
            server.asked[last] += 1
            server.times.append(time.monotonic())
            server.requests.append(body)
            server.keys.append(self.headers["authorization"])
        time.sleep(server.delay)
        kind = server.plan(last, before)
        getattr(self, "_" + kind.replace("-", "_"))(body)

    def _good(self, body: dict[str, Any]) -> None:
        self._send(200, self._completion({"role": "assistant", "content": said_to(body["messages"])}))

    def _429(self, _: dict[str, Any]) -> None:
        self._send(429, {"error": {"message": "slow down"}}, {"Retry-After": "0.3"})

    def _429_date(self, _: dict[str, Any]) -> None:
        self._send(429, {"error": {"message": "slow down"}}, {"Retry-After": "Mon, 01 Jan 2001 00:00:00 GMT"})

    def _500(self, _: dict[str, Any]) -> None:
        self._send(500, {"error": {"message": "on fire"}})

    def _401(self, _: dict[str, Any]) -> None:
        self._send(401, {"error": {"message": f"wrong key: {self.headers['authorization']}"}})

    def _422(self, _: dict[str, Any]) -> None:
        self._send(422, {"error": {"message": f"I do not like {self.headers['authorization']}"}})

    def _no_schema(self, body: dict[str, Any]) -> None:
        if "response_format" in body:
            self._send(400, {"error": {"message": "response_format is not supported"}})
        else:
            self._good(body)

    def _hang(self, _: dict[str, Any]) -> None:
        self.connection.settimeout(10)
        self.connection.recv(1)  # until the other side has had enough
        self.close_connection = True

    def _reset(self, body: dict[str, Any]) -> None:
        data = json.dumps(self._completion({"role": "assistant", "content": said_to(body["messages"])})).encode()
        self._head(200, len(data), "application/json")
        self.wfile.write(data[: len(data) // 2])
        self.wfile.flush()
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True

    def _cut(self, body: dict[str, Any]) -> None:
        data = json.dumps(self._completion({"role": "assistant", "content": said_to(body["messages"])})).encode()
        self._bytes(200, data[: len(data) // 2], "application/json")

    def _html(self, _: dict[str, Any]) -> None:
        self._bytes(200, b"<html><body>Please log in</body></html>", "text/html")

    def _no_choice(self, _: dict[str, Any]) -> None:
        self._send(200, self._completion(None))

    def _rubbish(self, _: dict[str, Any]) -> None:
        self._bytes(200, b"\xff\x00" + os.urandom(4096), "application/json")

    def _empty(self, _: dict[str, Any]) -> None:
        self._send(200, self._completion({"role": "assistant", "content": None}))

    def _refusal(self, _: dict[str, Any]) -> None:
        self._send(200, self._completion({"role": "assistant", "content": None, "refusal": "I would rather not."}))

    def _prose(self, _: dict[str, Any]) -> None:
        self._send(200, self._completion({"role": "assistant", "content": "Sure, I can help with that!"}))

    def _completion(self, message: dict[str, Any] | None) -> dict[str, Any]:
        choices = [] if message is None else [{"index": 0, "finish_reason": "stop", "message": message}]
        return {
            "id": "c-1", "object": "chat.completion", "created": 1, "model": "honest-1", "choices": choices,
            "usage": {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10},
        }

    def _send(self, status: int, value: dict[str, Any], headers: dict[str, str] | None = None) -> None:
        self._bytes(status, json.dumps(value).encode(), "application/json", headers)

    def _bytes(self, status: int, data: bytes, kind: str, headers: dict[str, str] | None = None) -> None:
        self._head(status, len(data), kind, headers)
        self.wfile.write(data)

    def _head(self, status: int, length: int, kind: str, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(length), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Quiet."""
