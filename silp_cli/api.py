"""The Python API: what the commands do, for programs that import it."""

from __future__ import annotations

import silp_cli.census.finder  # noqa: F401 - tells the frontends where vocabularies are
from silp_cli.frontends.detect import detect
from silp_cli.frontends.registry import get_frontend
from silp_cli.ir.check import problems, require_valid
from silp_cli.ir.errors import SilpError
from silp_cli.ir.jsontext import dumps, loads
from silp_cli.ir.normal import equivalent
from silp_cli.ir.plain import plain_json
from silp_cli.ir.verbs import WHITELIST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from typing import Any

    from silp_cli.dialects.call import Call, Event
    from silp_cli.ir.model import IR

__all__ = ["compile", "decode", "decode_all", "detect", "equivalent", "extract", "validate"]


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


def extract(
    text: str,
    *,
    tools: str | Sequence[Mapping[str, Any]] | Mapping[str, Any] | None = None,
    dialect: str | None = None,
    reasoning: bool = False,
    prose: bool = False,
    on_error: Callable[[SilpError], object] | None = None,
) -> list[Call]:
    """Find the tool calls in what a model wrote, or in a message of an API.

    Args:
        text: the model's answer.
        tools: definitions of the tools that it was given (OpenAI, Anthropic, MCP), as data or as JSON text: calls are
            checked against them, values typed and named by them.
        dialect: read this dialect only; ``silp dialects`` lists them.
        reasoning: read what stands in reasoning, too.
        prose: read whitelisted calls in running text, too.
        on_error: takes what is wrong with a construct that is no call; the others are given all the same. None raises
            the first error.

    Returns:
        The calls in the order of the text; none is an empty list. A payload of SILP's own surface that is one plain
        call is among them.

    Raises:
        SilpError: with the position in the text, for a construct that should be a call and is none; for a payload
            with a condition, a fallback or several actions.
        ValueError: when the definitions of the tools are none.
    """
    from silp_cli.dialects.checking import Tools
    from silp_cli.dialects.extracting import Extraction

    if tools is not None and not isinstance(tools, str):
        tools = dumps(plain_json(list(tools) if not hasattr(tools, "items") else tools))
    extraction = Extraction(calls=True, tools=None if tools is None else Tools.parse(tools))
    calls: list[Call] = []
    for event in _events(text, WHITELIST, dialect, reasoning=reasoning, prose=prose):
        found = extraction.call(event)
        if isinstance(found, SilpError):
            if on_error is None:
                raise found.within(text)
            on_error(found.within(text))
        elif found is not None:
            calls.append(found)
    return calls


def decode_all(
    text: str, verbs: Collection[str] = WHITELIST, *, reasoning: bool = False, prose: bool = False
) -> list[IR]:
    """Find and decode the payloads and tool calls in what a model wrote: one IR each.

    Args:
        text: the model's answer.
        verbs: the action codes whose calls are recognised in running prose.
        reasoning: read what stands in reasoning, too.
        prose: read running text, too.

    Returns:
        The IRs in the order of the text.

    Raises:
        SilpError: ``decode_failed`` when there is none; for one that is there but broken, its error.
    """
    from silp_cli.dialects.call import Passed
    from silp_cli.dialects.extracting import Extraction, none_found

    extraction = Extraction()
    irs: list[Any] = []
    passed: list[str] = []
    for event in _events(text, verbs, None, reasoning=reasoning, prose=prose):
        if isinstance(event, Passed):
            passed.append(event.reason)
        found = extraction.found(event, lambda start, end: text[start:end])
        if found is not None and found.error is not None:
            raise found.error.within(text)
        if found is not None:
            irs.append(found.value)
    if not irs:
        raise none_found(passed, position=0)
    return irs


def _events(
    text: str, verbs: Collection[str], dialect: str | None, *, reasoning: bool, prose: bool
) -> Iterable[Event]:
    """What the reader of dialects finds."""
    from silp_cli.dialects.reader import read

    if not isinstance(text, str):
        raise TypeError(f"a text is a str, not {type(text).__name__}")
    return read(text, dialect=dialect, reasoning=reasoning, prose=prose, verbs=verbs)


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
