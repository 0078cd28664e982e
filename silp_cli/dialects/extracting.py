"""From what a reader finds in a text to the records that go out: IR or plain calls, and what is wrong."""

from __future__ import annotations

from silp_cli.dialects.call import Call, Passed, Payload, Problem
from silp_cli.dialects.from_ir import from_ir
from silp_cli.dialects.names import Names
from silp_cli.dialects.to_ir import to_ir
from silp_cli.ir.errors import ErrorCode, SilpError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from silp_cli.dialects.call import Event
    from silp_cli.dialects.checking import Tools

OWN = "silp"


class Found:
    """A record that goes out, or what is wrong where one should be.

    Args:
        value: the IR or the call; None beside an error.
        error: what is wrong; its position is an offset into the whole text.
        warnings: what is not quite right with a record that goes out.
    """

    __slots__ = ("error", "value", "warnings")

    def __init__(self, value: dict[str, Any] | None, error: SilpError | None = None) -> None:
        self.value = value
        self.error = error
        self.warnings: list[SilpError] = []


class Extraction:
    """What becomes of the events of a text.

    Args:
        calls: give plain calls, ``{"name", "arguments"}``, not IR.
        typed: give each entity of an IR its JSON type.
        tools: definitions to hold the calls against.
        names: how tools are called in the IR.
    """

    def __init__(
        self, *, calls: bool = False, typed: bool = False, tools: Tools | None = None, names: Names | None = None
    ) -> None:
        self.calls = calls
        self.typed = typed
        self.tools = tools
        self.names = names or Names()
        self._actions: set[str] | None = None

    def found(self, event: Event, between: Callable[[int, int], str]) -> Found | None:
        """The record of one event; None for what was passed over.

        Args:
            event: what the reader found.
            between: gives the text from one offset to another.
        """
        if isinstance(event, Problem):
            return Found(None, event.error)
        if isinstance(event, Passed):
            return None
        try:
            return Found(self._payload(event) if isinstance(event, Payload) else self._call(event, between))
        except SilpError as error:
            return Found(None, _placed(error, event))

    def call(self, event: Event) -> Call | SilpError | None:
        """The plain call that an event is, or what is wrong with it; None for what was passed over."""
        if isinstance(event, Problem):
            return event.error
        if isinstance(event, Passed):
            return None
        try:
            return self._plain(event) if isinstance(event, Payload) else self._checked(event)
        except SilpError as error:
            return _placed(error, event)

    def _call(self, call: Call, between: Callable[[int, int], str]) -> dict[str, Any]:
        call = self._checked(call)
        if self.calls:
            return call_record(call)
        return to_ir(call, between(call.start, call.end), names=self.names, typed=self.typed)

    def _checked(self, call: Call) -> Call:
        """The call as the tools have it."""
        if self.tools is not None:
            return self.tools.checked(call)
        if self.calls and call.positional:
            raise SilpError(
                ErrorCode.DECODE_FAILED, f"arguments of {call.name!r} have no names", rule="call.positional",
                hint="the definitions of the tools name them: --tools FILE",
            )
        return call

    def _payload(self, payload: Payload) -> dict[str, Any]:
        if self.calls:
            return call_record(self._plain(payload))
        if self.tools is not None:
            try:
                self._plain(payload)
            except SilpError as error:
                if error.rule != "call.not-plain":
                    raise
                self._require_known(payload.ir)
        return payload.ir

    def _plain(self, payload: Payload) -> Call:
        call = from_ir(payload.ir, names=self.names)
        call.dialect, call.start, call.end = OWN, payload.start, payload.end
        return call if self.tools is None else self.tools.checked(call)

    def _require_known(self, ir: dict[str, Any]) -> None:
        """Refuse a payload of several actions when one of them is no tool."""
        if self._actions is None:
            self._actions = set(_actions_of(self.tools.tools if self.tools else (), self.names))
        for field in ("entities", "alternatives"):
            for index, each in enumerate(ir.get(field) or ()):
                action = each.get("action") or ir["intent"]
                if action not in self._actions:
                    raise SilpError(
                        ErrorCode.DECODE_FAILED, f"no tool for {action}", rule="tool.unknown",
                        path=f"/{field}/{index}/action",
                    )
        if ir["intent"] not in self._actions:
            raise SilpError(
                ErrorCode.DECODE_FAILED, f"no tool for {ir['intent']}", rule="tool.unknown", path="/intent"
            )


def _placed(error: SilpError, event: Event) -> SilpError:
    for each in error.all():
        if each.position is None:
            each.position = event.start
    return error


def call_record(call: Call) -> dict[str, Any]:
    """A call as ``--as calls`` prints it: name, arguments, and its id and dialect where they are known."""
    record: dict[str, Any] = {"name": call.name, "arguments": call.arguments}
    if call.id is not None:
        record["id"] = call.id
    if call.dialect:
        record["dialect"] = call.dialect
    return record


def none_found(passed: Iterable[str], *, position: int | None = None) -> SilpError:
    """The error of a text in which there is no call and no payload.

    Args:
        passed: the reasons for which parts of it were passed over.
        position: where the diagnostic points.
    """
    reasons = set(passed)
    hint = "payloads look like cancel(flight) or {\"intent\":\"!CANCEL\"}, in a fence, a marker or alone on a line"
    if "reasoning" in reasons:
        hint = "reasoning was passed over; --reasoning reads it too"
    elif "prose" in reasons:
        hint += "; --prose reads running text too"
    return SilpError(
        ErrorCode.DECODE_FAILED, "no payload found in the text", rule="extract.none", hint=hint, position=position
    )


def _actions_of(tools: Iterable[str], names: Names) -> Iterator[str]:
    for tool in tools:
        try:
            yield names.action(tool)
        except SilpError:
            continue  # a name that no action code can spell is no action of a payload
