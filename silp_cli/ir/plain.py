"""Plain JSON data out of what Python programs pass: the check that JSON text has had by being parsed."""

from __future__ import annotations

from silp_cli.ir.errors import ErrorCode, SilpError
from silp_cli.ir.jsontext import MAX_DIGITS, max_depth
from silp_cli.ir.pointer import pointer_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def plain_json(value: Any) -> Any:
    """A copy of a value as ``loads`` would have built it.

    Args:
        value: dicts, lists, strings, numbers, booleans and None; mappings and subclasses of these will do.

    Returns:
        Exact ``dict``, ``list``, ``str``, ``int``, ``float``, ``bool`` and ``None``.

    Raises:
        SilpError: ``invalid_syntax`` with a JSON Pointer, for anything that JSON text cannot say (other types, keys
            that are no strings, NaN) and for nesting beyond the limit.
    """
    return _plain(value, [], max_depth())


def _plain(value: Any, path: list[str | int], room: int) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, int):
        if value.bit_length() > MAX_DIGITS * 3 and abs(value) >= 10**MAX_DIGITS:
            raise _refusal("an integer of too many digits", path, "json.number", "send it as a string")
        return int(value)
    if isinstance(value, float):
        if value - value != 0:  # NaN and the infinities
            raise _refusal(f"{value} is not a JSON number", path, "json.number", "use null or a string")
        return float(value)
    if not room and (isinstance(value, list) or hasattr(value, "items")):
        raise _refusal(f"nesting deeper than {max_depth()}", path[:8], "limit.depth", "flatten the value")
    if isinstance(value, list):
        return [_plain(item, [*path, index], room - 1) for index, item in enumerate(value)]
    if hasattr(value, "items"):
        copy: dict[str, Any] = {}
        for key, item in value.items():
            if not isinstance(key, str):
                raise _refusal(f"a key is {type(key).__name__}, not a string", path, "json.type", "keys are strings")
            copy[_text(key)] = _plain(item, [*path, key], room - 1)
        return copy
    raise _refusal(f"{type(value).__name__} is not a JSON type", path, "json.type", "pass plain JSON data")


def _text(value: str) -> str:
    """An exact string; surrogates that stand next to each other are the character they spell, as in JSON text."""
    if value.isascii() or not any("\ud800" <= char <= "\udfff" for char in value):
        return str(value)
    return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _refusal(message: str, path: list[str | int], rule: str, hint: str) -> SilpError:
    return SilpError(ErrorCode.INVALID_SYNTAX, message, rule=rule, path=pointer_of(path), hint=hint)
