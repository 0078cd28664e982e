"""For servers: a decorator that hands a tool the decoded IR.

    @server.tool()
    @silp_tool(verbs={"!BOOK", "!CANCEL"})
    def plan(ir: dict[str, Any], city: str = "") -> str: ...

The SDK that registers the tool sees one that takes ``silp_payload`` and ``silp_encoding`` in the place of
the IR. No SDK is imported here, so it works with the official MCP SDK and with anything else that reads a
function's signature.
"""

from __future__ import annotations

import functools
import inspect
import sys
from typing import TYPE_CHECKING, Any

from silp_cli.ir.errors import SilpError
from silp_cli.ir.jsontext import loads
from silp_cli.ir.verbs import WHITELIST
from silp_cli.protocol.envelopes.wrap import into_mcp, mcp_result
from silp_cli.protocol.error_object import ENCODING as ERROR
from silp_cli.protocol.error_object import error_payload
from silp_cli.protocol.payloads import Payload, receive

if TYPE_CHECKING:
    from collections.abc import Callable, Collection


class PayloadRefusedError(Exception):
    """A payload that no handler gets to see. The exception's text is the error object.

    Args:
        error: what is wrong with it.
    """

    def __init__(self, error: SilpError) -> None:
        super().__init__(error_payload(error))
        self.error = error


def _refuse(error: SilpError) -> Any:
    """The SDK's result for an error object; an exception's text it would keep from the client."""
    types = sys.modules.get("mcp_types") or sys.modules.get("mcp.types")
    if types is None:
        raise PayloadRefusedError(error) from None
    envelope = into_mcp(mcp_result(is_error=True), Payload(error_payload(error), ERROR))
    return types.CallToolResult.model_validate(loads(envelope)["result"])


def silp_tool(
    verbs: Collection[str] | None = WHITELIST, *, refuse: Callable[[SilpError], Any] | None = None
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Make a function that takes an IR into one that takes a payload.

    Args:
        verbs: the action codes the tool allows, in the intent, the entities and the alternatives; None
            allows any.
        refuse: makes the tool's result from the error when a payload is refused. By default that is an
            MCP result with ``isError`` and the error object where the MCP SDK is in use; elsewhere
            ``PayloadRefusedError`` is raised.

    Returns:
        A decorator. The function it decorates has the IR as its first parameter; it may be a coroutine
        function. It is not called for a payload that cannot be decoded or that holds another action.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        signature = inspect.signature(function, eval_str=True)
        others = list(signature.parameters.values())[1:]

        def admit(arguments: dict[str, Any]) -> dict[str, Any]:
            text, encoding = arguments.pop("silp_payload"), arguments.pop("silp_encoding", None)
            return receive(text, encoding or None, verbs)

        def refused(error: SilpError) -> Any:
            return _refuse(error) if refuse is None else refuse(error)

        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def tool(**arguments: Any) -> Any:
                try:
                    ir = admit(arguments)
                except SilpError as error:
                    return refused(error)
                return await function(ir, **arguments)
        else:

            @functools.wraps(function)
            def tool(**arguments: Any) -> Any:
                try:
                    ir = admit(arguments)
                except SilpError as error:
                    return refused(error)
                return function(ir, **arguments)

        keyword = inspect.Parameter.KEYWORD_ONLY
        parameters = [
            inspect.Parameter("silp_payload", keyword, annotation=str),
            inspect.Parameter("silp_encoding", keyword, annotation=str, default=""),
            *(
                each.replace(kind=keyword)
                for each in others
                if each.kind is not inspect.Parameter.VAR_KEYWORD
            ),
        ]
        described: Any = tool
        described.__signature__ = signature.replace(parameters=parameters)
        described.__annotations__ = {each.name: each.annotation for each in parameters} | (
            {}
            if signature.return_annotation is inspect.Signature.empty
            else {"return": signature.return_annotation}
        )
        # SDKs that follow __wrapped__ would see the IR parameter again.
        del described.__wrapped__
        return tool

    return decorate
