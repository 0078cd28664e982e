"""The Python API: what the commands do, for programs that import it."""

from __future__ import annotations

import silp_cli.census.finder  # noqa: F401 - tells the frontends where vocabularies are
from silp_cli.frontends.detect import detect
from silp_cli.frontends.registry import get_frontend
from silp_cli.ir.check import problems, require_valid
from silp_cli.ir.errors import ErrorCode, SilpError
from silp_cli.ir.jsontext import loads
from silp_cli.ir.normal import equivalent
from silp_cli.ir.plain import plain_json
from silp_cli.ir.verbs import WHITELIST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from typing import Any

    from silp_cli.ir.model import IR

__all__ = ["compile", "decode", "decode_all", "detect", "equivalent", "validate"]


def compile(
    ir: IR | Mapping[str, Any] | str,
    frontend: str = "code",
    *,
    bare: bool = False,
    verbs: Collection[str] | None = None,
) -> str:
    """Write an IR as surface text (draft, section "Layer 2: Surface Layer").

    Args:
        ir: the IR, as a dict or as JSON text.
        frontend: the frontend's name.
        bare: leave out meta, ``silp`` and ``version``.
        verbs: the action codes that are allowed, such as ``silp_cli.ir.verbs.WHITELIST``; None allows any.

    Returns:
        One line of text.

    Raises:
        SilpError: when the IR is not valid or the frontend is unknown or cannot carry it.
    """
    value: Any = loads(ir) if isinstance(ir, str) else plain_json(ir)
    require_valid(value, verbs)
    return get_frontend(frontend).compile(value, bare=bare)


def decode(text: str, frontend: str | None = None) -> IR:
    """Read one payload back into an IR.

    Args:
        text: the payload; white space around it does not matter.
        frontend: the frontend's name; None finds it by reading.

    Returns:
        A valid IR. ``meta.req_id`` is derived from the text.

    Raises:
        SilpError: with the position at which the text leaves the grammar.
    """
    if not isinstance(text, str):
        raise TypeError(f"decode takes a str, not {type(text).__name__}")
    reader = get_frontend(detect(text) if frontend is None else frontend)
    try:
        ir: Any = reader.decode(text)
    except SilpError as error:
        raise error.within(text) from None
    return ir  # type: ignore[no-any-return]


def decode_all(text: str, verbs: Collection[str] = WHITELIST) -> list[IR]:
    """Find and decode the payloads in what a model wrote: code fences, tool-call markers, prose around.

    Args:
        text: the model's answer.
        verbs: the action codes whose calls are recognised in the middle of prose.

    Returns:
        The IRs in the order of the text.

    Raises:
        SilpError: ``decode_failed`` when there is no payload; for a payload that is there but broken, its error.
    """
    from silp_cli.frontends.extract import extract

    found = extract(text, verbs)
    if not found:
        raise SilpError(
            ErrorCode.DECODE_FAILED, "no payload found in the text", rule="extract.none", position=0,
            hint="payloads look like cancel(flight) or {\"intent\":\"!CANCEL\"}",
        )
    irs: list[Any] = []
    for each in found:
        if each.error is not None:
            raise each.error.within(text)
        irs.append(each.ir)
    return irs


def validate(
    ir: IR | Mapping[str, Any] | str, *, strict: bool = False, verbs: Collection[str] | None = WHITELIST
) -> list[SilpError]:
    """Diagnose an IR: first the schema, then the rules (draft, sections "Layer 1" and "Verb Whitelist").

    Args:
        ir: the IR, as a dict or as JSON text.
        strict: hold to the schema to the letter: no ``null`` for optional fields.
        verbs: the action codes that are allowed; None allows any.

    Returns:
        The diagnostics, errors and warnings; an empty list says that nothing is wrong.
    """
    try:
        value: Any = loads(ir) if isinstance(ir, str) else plain_json(ir)
    except SilpError as error:
        return [error]
    return problems(value, strict=strict, verbs=verbs)
