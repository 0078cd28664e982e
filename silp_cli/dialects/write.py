"""Calls in a dialect's own form. What a dialect cannot carry is an error: the text is read back before it is given."""

from __future__ import annotations

import json
import re

from silp_cli.dialects.call import Call, Passed
from silp_cli.dialects.table import built_in
from silp_cli.dialects.to_ir import value_text
from silp_cli.ir.errors import ErrorCode, SilpError
from silp_cli.ir.normal import same_json
from silp_cli.text.safe import escape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from silp_cli.dialects.table import Dialect, Table

_HOLE = re.compile(r'\$("?)([a-z]+)\1')
_IF_ID = re.compile(r"«([^»¦]*)(?:¦([^»]*))?»")
_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def writable(table: Table | None = None) -> dict[str, Dialect]:
    """The dialects that can be written, by the name that ``compile --as`` knows them by."""
    return {each.short or each.name: each for each in (table or built_in()).dialects if each.form}


def written_as(name: str, table: Table | None = None) -> Dialect:
    """The dialect of a name, if it can be written.

    Raises:
        SilpError: ``dialect.unknown``, when there is no such dialect, or none that can be written.
    """
    known = writable(table)
    for short, dialect in known.items():
        if name in (short, dialect.name):
            return dialect
    from difflib import get_close_matches

    close = get_close_matches(name, known, n=1)
    raise SilpError(
        ErrorCode.UNSUPPORTED_FRONTEND, f"no dialect {name[:80]!r} that can be written", rule="dialect.unknown",
        hint=f"did you mean {close[0]!r}?" if close else "silp dialects lists them",
    )


def write(call: Call, dialect: str, table: Table | None = None) -> str:
    """Write a call in a dialect's own form, which may be of several lines.

    Args:
        call: the call.
        dialect: the dialect's name.
        table: the dialects (default: those that are shipped).

    Returns:
        Text in which a reader finds this call and nothing else.

    Raises:
        SilpError: ``dialect.unknown``; ``dialect.cannot``, when the form cannot carry this name, these arguments or an
            id.
    """
    from silp_cli.dialects.reader import read

    text = spell(call, written_as(dialect, table))
    found = [event for event in read(text, table=table) if not isinstance(event, Passed)]
    lost = _lost(call, found)
    if lost:
        raise SilpError(
            ErrorCode.UNSUPPORTED_FRONTEND, f"the dialect {dialect} cannot carry {lost}", rule="dialect.cannot",
            hint="openai and anthropic carry any call",
        )
    return text


def _lost(call: Call, found: list[Any]) -> str:
    """What of a call is not read back, in words; nothing when all is."""
    if len(found) != 1 or not isinstance(found[0], Call):
        return "this call"
    back = found[0]
    if back.name != call.name or back.positional:
        return f"the name {call.name[:80]!r}"
    if list(back.arguments) != list(call.arguments):
        return "arguments of these names"
    for key, value in call.arguments.items():
        given, got = (value, back.arguments[key]) if back.typed else map(value_text, (value, back.arguments[key]))
        if not same_json(given, got) or type(given) is not type(got):
            return f"the value of {key[:80]!r}"
    return "" if back.id == call.id else "no id" if call.id is None else "an id"


def spell(call: Call, dialect: Dialect) -> str:
    """The text of a call, whether or not it can be read back.

    Args:
        call: the call.
        dialect: how it is written.
    """
    holes: dict[str, Callable[[], str]] = {
        "name": lambda: call.name,
        "id": lambda: call.id or "",
        "arguments": lambda: json_text(call.arguments),
        "python": lambda: _keywords(call.arguments),
        "braced": lambda: ",".join(f"{key}:{_braced(value, quote)}" for key, value in call.arguments.items()),
        "parameters": lambda: "".join(_parameter(dialect.parameter, *each) for each in call.arguments.items()),
    }
    quote = dialect.quotes[0] if dialect.quotes else ""

    def fill(match: re.Match[str]) -> str:
        text = holes[match.group(2)]()
        return json_text(text) if match.group(1) else text

    whole = _IF_ID.sub(r"\1" if call.id is not None else lambda match: match.group(2) or "", dialect.form)
    return _HOLE.sub(fill, whole)


def json_text(value: Any) -> str:
    """JSON text as models write it, on one line; what a sanitizer would touch is escaped."""
    return escape(_encode(value))


def _parameter(form: str, key: str, value: Any) -> str:
    parts = {"key": key, "value": value_text(value), "string": "true" if isinstance(value, str) else "false"}
    return _HOLE.sub(lambda match: parts[match.group(2)], form)


def _braced(value: Any, quote: str) -> str:
    if isinstance(value, str):
        return f"{quote}{value}{quote}"
    if isinstance(value, list):
        return f"[{','.join(_braced(each, quote) for each in value)}]"
    if isinstance(value, dict):
        return "{" + ",".join(f"{key}:{_braced(each, quote)}" for key, each in value.items()) + "}"
    return json_text(value)


def _keywords(arguments: Mapping[str, Any]) -> str:
    from keyword import iskeyword

    return ", ".join(
        f"{key}={_python(value)}"
        if key.isascii() and key.isidentifier() and not iskeyword(key)
        else f"**{{{_python(key)}: {_python(value)}}}"
        for key, value in arguments.items()
    )


def _python(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_python, value))}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_python(key)}: {_python(each)}" for key, each in value.items()) + "}"
    return repr(value)
