"""The notations of a marked body, by the name that rows of the table give them.

Each says whether a body may be written in it, by its first characters, and reads it: calls and problems in order, and
the end, or None for an end that cannot be known.
"""

from __future__ import annotations

import re

from silp_cli.dialects import braces, jsonic, pairs, pythonic, tagged
from silp_cli.dialects.call import Call, Problem
from silp_cli.dialects.literals import balanced_end
from silp_cli.dialects.trouble import Broken, NeedMore, Scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from silp_cli.dialects.table import Dialect, Shape

    Found: TypeAlias = "list[Call | Problem]"
    Starts: TypeAlias = "Callable[[Scan, int, Dialect], bool]"
    Reads: TypeAlias = "Callable[[Scan, int, Body], tuple[Found, int | None]]"

_space = re.compile(r"[ \t\r\n]*+").match
_between = re.compile(r"[ \t\r\n]*+[;,]?[ \t\r\n]*+").match
_pairs_head = re.compile(
    r"(?!(?:null|None|true|false|True|False)\b)[A-Za-z_][\w./:-]*+[ \t]*+(?:[\r\n]|<arg_key>|</|\Z)"
).match
_MOST_HEAD = 400


class Body:
    """What reads a body: its row, the shapes of calls, and where the whole construct starts."""

    __slots__ = ("dialect", "shapes", "start")

    def __init__(self, dialect: Dialect, shapes: tuple[Shape, ...], start: int) -> None:
        self.dialect = dialect
        self.shapes = shapes
        self.start = start


def skip(scan: Scan, position: int) -> int:
    """The position behind white space."""
    match = _space(scan.text, position)
    return match.end() if match else position


def head_of(dialect: Dialect) -> re.Pattern[str]:
    """The compiled head of a headed dialect."""
    return re.compile(dialect.head)


# ---------------------------------------------------------------- JSON


def _json_starts(scan: Scan, position: int, dialect: Dialect) -> bool:  # noqa: ARG001 - one signature for all
    text = scan.text
    return text.startswith("{", position) or (text.startswith("[", position) and not pythonic.list_at(text, position))


def _json_goes_on(scan: Scan, position: int, dialect: Dialect) -> bool:
    return scan.text[position : position + 1] in ("{", "[") and not scan.text.startswith(dialect.open, position)


def _json(scan: Scan, position: int, body: Body) -> tuple[Found, int | None]:
    found: Found = []
    end: int | None = position
    while end is not None and _json_goes_on(scan, position, body.dialect):
        try:
            values, end = jsonic.items(scan, position)
        except Broken as broken:
            if not found:
                raise
            end = balanced_end(scan, position)
            found.append(Problem(broken.error(), position, len(scan.text) if end is None else end))
            return found, None
        for each in values:
            found.append(each if isinstance(each, Problem) else _object(each, body))
        if end is not None:
            position = _next(scan, end)
    return found, end


def _next(scan: Scan, end: int) -> int:
    match = _between(scan.text, end)
    return match.end() if match else end


def _object(item: tuple[object, int, int], body: Body) -> Call | Problem:
    value, start, end = item
    name = body.dialect.name
    try:
        if body.dialect.notation == "keyed":
            return jsonic.keyed_call(value, name, start, end)
        call = jsonic.call_of(value, body.shapes, name, start, end, sure=True)
        assert call is not None
        return call
    except Broken as broken:
        return Problem(broken.error(), start, end)


# ---------------------------------------------------------------- Python


def _pythonic_starts(scan: Scan, position: int, dialect: Dialect) -> bool:  # noqa: ARG001
    text = scan.text
    return bool(pythonic.list_at(text, position) or pythonic.statement_at(text, position))


def _pythonic(scan: Scan, position: int, body: Body) -> tuple[Found, int | None]:
    name = body.dialect.name
    found: Found = []
    if scan.text.startswith("[", position):
        return pythonic.call_list(scan, position, name)
    end = position
    while pythonic.statement_at(scan.text, position):
        try:
            call, end, _ = pythonic.statement(scan, position, name)
            call.start = position
            found.append(call)
        except Broken as broken:
            known = pythonic._item_end(scan, position)
            found.append(Problem(broken.error(), position, len(scan.text) if known is None else known))
            if known is None:
                return found, None
            end = known
        position = _next(scan, end)
    return found, end


# ---------------------------------------------------------------- a head and JSON


def _headed_starts(scan: Scan, position: int, dialect: Dialect) -> bool:
    match = head_of(dialect).match(scan.text, position)
    return match is not None and match.end() <= len(scan.text)


def _headed(scan: Scan, position: int, body: Body) -> tuple[Found, int | None]:
    match = head_of(body.dialect).match(scan.text, position)
    if match is None:
        raise Broken(position, "expected the name of a tool", "call.name")
    at = match.end()
    if at >= len(scan.text):
        raise scan.cut_off(at, f"the text ends before the arguments of {match.group('name')[:60]}")
    if not scan.text.startswith("{", at):
        raise Broken(
            at, f"the arguments of {match.group('name')[:60]} are no object", "call.arguments",
            "they are never guessed, shortened or left out",
        )
    value, end = jsonic.json_value(scan, at)
    id = match.groupdict().get("id")
    call = jsonic.build(match.group("name"), value, body.dialect.name, body.start, end, id=id)
    assert call is not None
    return [call], end


# ---------------------------------------------------------------- tags and braces


def _tagged_starts(scan: Scan, position: int, dialect: Dialect) -> bool:
    return scan.text.startswith(dialect.inner, position) or tagged.open_at(scan.text, position) is not None


def _tagged(scan: Scan, position: int, body: Body) -> tuple[Found, int | None]:
    found: Found = []
    end = position
    while _tagged_starts(scan, position, body.dialect):
        if not scan.final and ">" not in scan.text[position : position + 300]:
            raise NeedMore
        try:
            call, end = tagged.call(scan, position, body.dialect.name)
            found.append(call)
        except Broken as broken:
            known = tagged.item_end(scan, position, broken.position)
            found.append(Problem(broken.error(), position, len(scan.text) if known is None else known))
            if known is None:
                return found, None
            end = known
        position = _next(scan, end)
    return found, end


def _pairs_starts(scan: Scan, position: int, dialect: Dialect) -> bool:  # noqa: ARG001
    return _pairs_head(scan.text, position) is not None and not scan.text.startswith(" ", position - 1)


def _pairs(scan: Scan, position: int, body: Body) -> tuple[Found, int | None]:
    call, end = pairs.call(scan, position, body.dialect.name, body.dialect.close)
    return [call], end


def _braces_starts(scan: Scan, position: int, dialect: Dialect) -> bool:  # noqa: ARG001
    return scan.text.startswith("call:", position)


def _braces(scan: Scan, position: int, body: Body) -> tuple[Found, int | None]:
    found: Found = []
    end = position
    while scan.text.startswith("call:", position):
        try:
            call, end = braces.call(scan, position, body.dialect.name, body.dialect.quotes)
        except Broken as broken:
            if not found:
                raise
            return [*found, Problem(broken.error(), position, len(scan.text))], None
        found.append(call)
        position = _next(scan, end)
    return found, end


NOTATIONS: dict[str, tuple[Starts, Reads]] = {
    "json": (_json_starts, _json),
    "keyed": (_json_starts, _json),
    "pythonic": (_pythonic_starts, _pythonic),
    "headed": (_headed_starts, _headed),
    "tagged": (_tagged_starts, _tagged),
    "pairs": (_pairs_starts, _pairs),
    "braces": (_braces_starts, _braces),
}


def may_become(scan: Scan, position: int, rows: tuple[Dialect, ...]) -> bool:
    """Whether a body that no notation begins may turn into one if more of the text comes."""
    rest = scan.text[position : position + _MOST_HEAD]
    if len(rest) == _MOST_HEAD or not rest.strip():
        return not rest.strip()
    for row in rows:
        if row.notation == "headed" and is_piece_of_head(scan, position, row):
            return True
        if row.notation in ("pythonic", "pairs") and name_only(rest):
            return True
        if any(mark.startswith(rest.lstrip()) for mark in (*row.inner, "call:")):
            return True
    return False


def is_piece_of_head(scan: Scan, position: int, dialect: Dialect) -> bool:
    """Whether the rest of the text is the beginning of a head, with some of a name."""
    if len(scan.text) - position > _MOST_HEAD:
        return False
    import regex

    match = regex.compile(dialect.head).fullmatch(scan.text, position, partial=True)
    return match is not None and match.partial and bool(scan.text[position:].strip())


name_only = re.compile(r"\s*[A-Za-z_][\w./:-]*\s*").fullmatch
