"""Invisible characters and look-alikes in what was found: cleaned, or refused.

They are looked for in what names things (SILP's own payloads outside their literals, names of tools and of
arguments), never in values: those are data.
"""

from __future__ import annotations

from silp_cli.dialects.call import Call, Payload
from silp_cli.frontends.registry import get_frontend
from silp_cli.ir.errors import ErrorCode, SilpError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from silp_cli.dialects.call import Event
    from silp_cli.text.sanitize.engine import Finding


def undisguised(event: Event, between: Callable[[int, int], str], how: str) -> tuple[Event, list[SilpError]]:
    """An event without disguises.

    Args:
        event: what the reader found.
        between: gives the text from one offset to another.
        how: ``clean``, ``refuse`` or ``off``.

    Returns:
        The event, cleaned, and the warnings that say of what.

    Raises:
        SilpError: under ``refuse``, when there is any disguise; under ``clean``, when the cleaned payload is none, or
            two arguments have the same name then.
    """
    if how == "off":
        return event, []
    if isinstance(event, Payload):
        return _payload(event, between(event.start, event.end), how)
    if isinstance(event, Call):
        return _call(event, how)
    return event, []


def _payload(payload: Payload, text: str, how: str) -> tuple[Event, list[SilpError]]:
    if text.isascii() and text.isprintable():
        return payload, []
    from silp_cli.text.sanitize.engine import original_position, sanitize_structure

    cleaned, findings = sanitize_structure(text)
    if not findings:
        return payload, []
    warnings = _told(findings, how, payload.start)
    try:
        ir: Any = get_frontend(payload.frontend).decode(cleaned)
    except SilpError as error:
        for each in error.all():
            each.position = payload.start + original_position(findings, each.position or 0)
        raise
    return Payload(ir, payload.frontend, payload.start, payload.end), warnings


def _call(call: Call, how: str) -> tuple[Event, list[SilpError]]:
    if call.name.isascii() and all(map(str.isascii, call.arguments)):
        return call, []
    warnings: list[SilpError] = []
    name = _clean(call.name, call, how, warnings)
    arguments: dict[str, Any] = {}
    for key, value in call.arguments.items():
        cleaned = _clean(key, call, how, warnings)
        if cleaned in arguments:
            raise SilpError(
                ErrorCode.INVALID_SYNTAX, f"two arguments named {cleaned!r}", rule="call.duplicate",
                position=call.start, hint="one of them is spelled with look-alikes",
            )
        arguments[cleaned] = value
    if not warnings:
        return call, []
    return Call(
        name, arguments, id=call.id, dialect=call.dialect, start=call.start, end=call.end, typed=call.typed,
        positional=call.positional,
    ), warnings


def _clean(name: str, call: Call, how: str, warnings: list[SilpError]) -> str:
    if name.isascii():
        return name
    from silp_cli.text.sanitize.engine import apply, find

    findings = find(name)
    if not findings:
        return name
    warnings += _told(findings, how, call.start, at=call.start)
    return apply(name, findings)


def _told(findings: list[Finding], how: str, start: int, at: int | None = None) -> list[SilpError]:
    from silp_cli.text.sanitize.engine import refusal, warning

    told = refusal(findings) if how == "refuse" else warning(findings)
    told.position = start + (told.position or 0) if at is None else at
    if how == "refuse":
        raise told
    return [told]
