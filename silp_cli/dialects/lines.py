"""``--lines``: one text a line, as a JSON string or an API's message."""

from __future__ import annotations

import re

from silp_cli.ir.errors import ErrorCode, SilpError
from silp_cli.ir.jsontext import loads

_MARK = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|[^\\]", re.S)


def text_of_line(line: str) -> str:
    """The text that a line stands for.

    Args:
        line: a JSON string, which is the text; or a JSON object or array, a message that is read as it stands.

    Raises:
        SilpError: ``lines.value``, for anything else.
    """
    start = line.lstrip()[:1]
    if start in ("{", "["):
        return line
    if start == '"':
        value = loads(line)
        if isinstance(value, str):
            return value
    raise SilpError(
        ErrorCode.INVALID_SYNTAX, "the line is neither a JSON string nor a message", rule="lines.value", position=0,
        hint="--lines takes one text a line: a JSON string, or a message of an API; jq -Rs . makes a string of a text",
    )


def place_in_line(line: str, position: int) -> int:
    """The offset in a line of an offset in its text."""
    if line.lstrip()[:1] != '"':
        return position
    start = line.index('"') + 1
    if "\\" not in line:
        return start + position
    for _ in range(position):
        match = _MARK.match(line, start)
        if match is None:
            break
        start = match.end()
    return start
