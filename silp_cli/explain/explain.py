"""Explains a payload: reads it, and tells which part of its text became which slot of the IR."""

from __future__ import annotations

from typing import TYPE_CHECKING

from silp_cli.frontends.registry import get_frontend
from silp_cli.ir.errors import ErrorCode, SilpError

if TYPE_CHECKING:
    from silp_cli.frontends.slots import Explained


# The grammar takes about a millisecond for 60 characters.
_LONGEST_FAILURE = 4096


def explain(text: str, frontend: str) -> Explained:
    """Decode a payload and find the place of every slot.

    Args:
        text: one payload.
        frontend: the surface it is in, ``code`` or ``json``.

    Returns:
        The IR and the slots.

    Raises:
        SilpError: as ``decode`` raises it; ``unsupported_frontend`` for a frontend whose text has no slots.
    """
    try:
        ir = get_frontend(frontend).decode(text)
    except SilpError as error:
        if frontend == "code" and error.rule == "code.syntax" and len(text) <= _LONGEST_FAILURE:
            error.hint = "; ".join(filter(None, (error.hint, _allowed(text, error.position or 0))))
        raise
    if frontend == "json":
        from silp_cli.frontends.json_slots import explain_json

        return explain_json(text, ir)
    if frontend == "code":
        from silp_cli.frontends.code.grammar import grammar
        from silp_cli.frontends.code.reading import read

        return read(grammar().tree(text), text)
    raise SilpError(
        ErrorCode.UNSUPPORTED_FRONTEND, f"the {frontend} frontend does not say which text became which slot",
        rule="frontend.no-slots", hint="explain code or json; decode shows the IR",
    )


def _allowed(text: str, position: int) -> str:
    """What the grammar would have gone on with, if it stops where the reader did, white space aside."""
    from silp_cli.frontends.code.grammar import explain_failure, phrase

    furthest, expected = explain_failure(text)
    same = furthest >= position and not text[position:furthest].strip(" \t\r\n")
    return f"the grammar goes on with {phrase(expected)}" if expected and same else ""
