"""An A2A agent, built with the official SDK, that takes payloads and gives payloads back, over HTTP on loopback."""

from __future__ import annotations

import json
import socket
import sys

import uvicorn
from a2a.helpers import new_task_from_user_message
from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.events import EventQueue
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes
from a2a.server.tasks import InMemoryTaskStore, TaskUpdater
from a2a.types import AgentCapabilities, AgentCard, AgentInterface, AgentSkill, Artifact, Message
from google.protobuf.json_format import MessageToDict, ParseDict
from starlette.applications import Starlette

from silp_cli import api
from silp_cli.ir.errors import SilpError
from silp_cli.protocol.envelopes import wrap
from silp_cli.protocol.envelopes.unwrap import unwrap
from silp_cli.protocol.error_object import error_payload
from silp_cli.protocol.payloads import read_payload, receive

VERBS = {"!BOOK", "!CANCEL", "!NOTIFY"}


class Agent(AgentExecutor):
    """Decodes each payload and answers with its IR in the other encoding: a message, or for two and more a task."""

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        assert context.message is not None
        try:
            received = unwrap(MessageToDict(context.message))
            irs = [receive(each.text, each.encoding, VERBS) for each in received]
        except SilpError as error:
            await event_queue.enqueue_event(self._message(error_payload(error), "refusal"))
            return
        answers = [api.compile(ir, "json") for ir in irs]
        if len(answers) == 1:
            await event_queue.enqueue_event(self._message(answers[0], "answer"))
            return
        task = new_task_from_user_message(context.message)
        await event_queue.enqueue_event(task)
        updater = TaskUpdater(event_queue, task.id, task.context_id)
        for number, answer in enumerate(answers):
            text = wrap.into_a2a(wrap.a2a_artifact(f"a{number}"), read_payload(answer), artifact=f"a{number}")
            artifact = ParseDict(json.loads(text), Artifact())
            await updater.add_artifact(list(artifact.parts), artifact_id=artifact.artifact_id)
        await updater.complete()

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        raise AssertionError("nobody cancels here")

    def _message(self, payload: str, id: str) -> Message:
        text = wrap.into_a2a(wrap.a2a_message(id, answer=True), read_payload(payload))
        message = Message()
        ParseDict(json.loads(text), message)
        return message


def main() -> None:
    """Serve until the process is ended."""
    listener = socket.create_server(("127.0.0.1", 0))
    url = f"http://127.0.0.1:{listener.getsockname()[1]}/"
    card = AgentCard(
        name="silp-test",
        description="takes payloads",
        version="1",
        supported_interfaces=[AgentInterface(url=url, protocol_binding="JSONRPC", protocol_version="1.0")],
        capabilities=AgentCapabilities(streaming="stream" in sys.argv),
        default_input_modes=[wrap.MEDIA_TYPE],
        default_output_modes=[wrap.MEDIA_TYPE],
        skills=[AgentSkill(id="plan", name="plan", description="plans", tags=["silp"])],
    )
    handler = DefaultRequestHandler(Agent(), InMemoryTaskStore(), card)
    app = Starlette(routes=[*create_agent_card_routes(card), *create_jsonrpc_routes(handler, "/")])
    print(url, flush=True)
    uvicorn.Server(uvicorn.Config(app, log_level="error")).run(sockets=[listener])


if __name__ == "__main__":
    main()
