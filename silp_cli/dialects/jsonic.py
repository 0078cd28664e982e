"""Calls as JSON objects: a name and its arguments, under the keys that the table of shapes lists."""

from __future__ import annotations

import json
import re
from math import isinf

from silp_cli.dialects.call import Call, Problem
from silp_cli.dialects.literals import balanced_end, skip_space
from silp_cli.dialects.literals import value as literal
from silp_cli.dialects.trouble import Broken, NeedMore, Scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

    from silp_cli.dialects.table import Shape


_name = re.compile(r"[^\W][\w.:/@+-]{0,255}").fullmatch


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    built = dict(pairs)
    if len(built) != len(pairs):
        raise ValueError("a key is given twice")
    return built


def _constant(spelling: str) -> NoReturn:
    raise ValueError(f"{spelling} is no JSON")


def _float(spelling: str) -> float:
    number = float(spelling)
    if isinf(number):
        raise ValueError("a number beyond all doubles")
    return number


# Raw line breaks in strings are read: models write them.
_decoder = json.JSONDecoder(object_pairs_hook=_pairs, parse_constant=_constant, parse_float=_float, strict=False)
_strict = json.JSONDecoder(object_pairs_hook=_pairs, parse_constant=_constant, parse_float=_float)


def json_value(scan: Scan, position: int) -> tuple[Any, int]:
    """The JSON value at a position and its end; what Python writes in its place is read too.

    Raises:
        Broken: when there is none.
        NeedMore: when the text ends inside it and goes on.
    """
    try:
        found, end = _decoder.raw_decode(scan.text, position)
    except (ValueError, RecursionError):
        return literal(scan, position, json=True)  # reads what is no doubt, and says what is wrong
    if isinstance(found, (dict, list)):
        _require_shallow(scan.text, position, end)
        return found, end
    return literal(scan, position, json=True)  # a number may go on


def _require_shallow(text: str, start: int, end: int) -> None:
    if text.count("{", start, end) + text.count("[", start, end) > 64:
        from silp_cli.ir.errors import SilpError
        from silp_cli.ir.jsontext import check_depth

        try:
            check_depth(text[start:end], 64)
        except SilpError as error:
            raise Broken(start + (error.position or 0), error.message, "limit.depth", error.hint) from None


def object_in_string(text: str) -> dict[str, Any] | None:
    """The object that a string holds as JSON; None if it holds anything else."""
    try:
        found = _strict.decode(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def looks_like_schema(value: Any) -> bool:
    """Whether a value is a JSON Schema of an object: what describes arguments and is none."""
    return isinstance(value, dict) and (
        isinstance(value.get("properties"), dict) or (value.get("type") == "object" and len(value) <= 2)
    )


def call_of(
    found: Any, shapes: tuple[Shape, ...], dialect: str, start: int, end: int, *, sure: bool
) -> Call | None:
    """The call that an object is.

    Args:
        found: a JSON value.
        shapes: the keys under which name and arguments may stand.
        dialect: the row that reads it.
        start: of the object in the text.
        end: of the object in the text.
        sure: whether it has to be a call, as inside a marker.

    Returns:
        The call; None for an object that is something else, which only happens if not ``sure``.

    Raises:
        Broken: for a call whose name or arguments are not what they have to be, and with ``sure`` for all else.
    """
    if not isinstance(found, dict):
        if sure:
            raise Broken(start, "a call is an object with a name and arguments", "call.syntax")
        return None
    for shape in shapes:
        name = found.get(shape.name)
        keys = [key for key in shape.arguments if key in found]
        if not isinstance(name, str) or not keys:
            continue
        if "description" in found and looks_like_schema(found[keys[0]]):
            if sure:
                raise Broken(start, "a tool's description, not a call", "call.syntax")
            return None
        if looks_like_schema(found[keys[0]]) and keys[0] == "parameters":
            if sure:
                raise Broken(start, "a tool's description, not a call", "call.syntax")
            return None
        if len(keys) > 1:
            raise Broken(start, f"the call has both {keys[0]} and {keys[1]}", "call.arguments", "give one of them")
        id = next((found[key] for key in shape.id if isinstance(found.get(key), str)), None)
        return build(name, found[keys[0]], dialect, start, end, id=id, sure=sure or keys[0] == "arguments")
    if sure:
        named = any(isinstance(found.get(shape.name), str) for shape in shapes)
        missing = "arguments" if named else "a name"
        raise Broken(start, f"the call has no {missing.removeprefix('a ')}", "call.syntax", f"add {missing}")
    return None


def build(
    name: str, arguments: Any, dialect: str, start: int, end: int, *, id: str | None = None, sure: bool = True,
) -> Call | None:
    """A call out of a name and its arguments, which may be an object or a string that holds one.

    Raises:
        Broken: for arguments that are neither.
    """
    if _name(name) is None:
        raise Broken(start, "this is no name of a tool", "call.name", "names are letters, digits and . - _ / :")
    if isinstance(arguments, str):
        arguments = object_in_string(arguments)
        if arguments is None and sure:
            raise Broken(
                start, f"the arguments of {name[:60]} are no JSON object", "call.arguments",
                "they are never guessed, shortened or left out",
            )
    if not isinstance(arguments, dict):
        if sure:
            raise Broken(start, f"the arguments of {name[:60]} are no object", "call.arguments", "give an object")
        return None
    return Call(name, arguments, id=id, dialect=dialect, start=start, end=end)


def keyed_call(found: Any, dialect: str, start: int, end: int) -> Call:
    """The call of an object whose one key is the name: ``{"f": {"a": 1}}``."""
    if isinstance(found, dict) and len(found) == 1:
        ((name, arguments),) = found.items()
        call = build(name, arguments, dialect, start, end)
        assert call is not None
        return call
    raise Broken(start, "a call is an object whose one key is the name", "call.syntax")


def items(scan: Scan, position: int) -> tuple[list[tuple[Any, int, int] | Problem], int | None]:
    """The values of a JSON array, each for itself, or the one value that is no array.

    Returns:
        Each value with its start and end, or what is wrong with it; and the end, None if it cannot be known.
    """
    text = scan.text
    if not text.startswith("[", position):
        found, end = json_value(scan, position)
        return [(found, position, end)], end
    result: list[tuple[Any, int, int] | Problem] = []
    at = skip_space(scan, position + 1)
    while not text.startswith("]", at):
        start = at
        try:
            if at >= len(text):
                raise scan.cut_off(at, "the list of calls does not end", "close it with ]")
            found, at = json_value(scan, at)
            after = _separator(scan, at)
        except Broken as broken:
            known = balanced_end(scan, start) if text[start : start + 1] in ("{", "[") else None
            result.append(Problem(broken.error(), start, len(text) if known is None else known))
            if known is None:
                return result, None
            try:
                at = _separator(scan, known)
            except Broken:
                return result, balanced_end(scan, position)
            continue
        result.append((found, start, at))
        at = after
    return result, at + 1


def _separator(scan: Scan, position: int) -> int:
    at = skip_space(scan, position)
    if scan.text.startswith(",", at):
        return skip_space(scan, at + 1)
    if scan.text.startswith("]", at):
        return at
    if at >= len(scan.text):
        if not scan.final:
            raise NeedMore
        return at
    raise Broken(at, f"expected ',' or ']', found {scan.text[at]!r}", "call.syntax", "join objects with commas")
