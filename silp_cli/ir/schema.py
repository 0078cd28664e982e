"""The normative check: the draft's JSON Schema (Draft 2020-12), and what it says in plain words."""

from __future__ import annotations

import json
import re
from functools import cache

from silp_cli.ir.errors import ErrorCode, SilpError
from silp_cli.ir.pointer import pointer_of
from silp_cli.ir.resources import read_resource

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from jsonschema.exceptions import ValidationError
    from jsonschema.protocols import Validator

_SCHEMA_FILE = "ir.schema.json"
_OPTIONAL_AT_ROOT = ("silp", "version", "entities", "constraints", "alternatives")
_OPTIONAL: dict[str, tuple[str, ...]] = {
    "entities": ("action",),
    "constraints": ("time",),
    "alternatives": ("target", "location"),
    "meta": ("session_id", "priority", "confidence", "seq", "out", "next_agent"),
}


def schema_text() -> str:
    """The schema as it is shipped."""
    return read_resource(_SCHEMA_FILE)


@cache
def _validator() -> Validator:
    from jsonschema import Draft202012Validator
    from jsonschema.validators import extend

    def pattern(_: Any, expression: str, instance: Any, __: Any) -> Iterator[ValidationError]:
        # JSON Schema patterns are ECMA-262: \d is ASCII, $ is the very end.
        if isinstance(instance, str) and not re.search(expression.replace("$", r"\Z"), instance, re.ASCII):
            yield _validation_error(f"{instance!r} does not match {expression}")

    def _validation_error(message: str) -> ValidationError:
        from jsonschema.exceptions import ValidationError

        return ValidationError(message)

    checker: Any = extend(Draft202012Validator, {"pattern": pattern})  # type: ignore[no-untyped-call]
    validator: Validator = checker(json.loads(schema_text()))
    return validator


def schema_errors(ir: Any, *, strict: bool = False) -> list[SilpError]:
    """Everything the schema has against an IR, in document order.

    Args:
        ir: any JSON value.
        strict: forbid ``null`` where a field is optional, as the schema does to the letter.

    Returns:
        One ``invalid_syntax`` diagnostic for each violation, with rule ``schema.KEYWORD`` and JSON Pointer.
    """
    value = ir if strict else without_optional_nulls(ir)
    found = sorted(_validator().iter_errors(value), key=lambda error: list(map(str, error.absolute_path)))
    diagnostics = [diagnostic for error in found for diagnostic in _in_plain_words(error)]
    return list({(each.rule, each.path, each.message): each for each in diagnostics}.values())


def without_optional_nulls(ir: Any) -> Any:
    """A copy of an IR without the ``null`` of optional fields; other things are returned as they are."""
    if not isinstance(ir, dict):
        return ir
    slim = _without(ir, _OPTIONAL_AT_ROOT)
    for key, optional in _OPTIONAL.items():
        value = slim.get(key)
        if isinstance(value, dict):
            slim[key] = _without(value, optional)
        elif isinstance(value, list):
            slim[key] = [_without(item, optional) if isinstance(item, dict) else item for item in value]
    return slim


def _without(fields: dict[str, Any], optional: tuple[str, ...]) -> dict[str, Any]:
    return {key: value for key, value in fields.items() if value is not None or key not in optional}


_NAMES = {"str": "a string", "int": "a number", "float": "a number", "bool": "a boolean", "NoneType": "null",
          "list": "an array", "dict": "an object"}
_ARTICLES = {"string": "a string", "array": "an array", "object": "an object", "integer": "an integer",
             "number": "a number"}
_PATTERN_HINTS = {
    "req_id": "4 to 8 lower-case hexadecimal digits; 8 are the default",
    "intent": "an action code, such as !CANCEL: an exclamation mark, then upper-case ASCII letters and underscores",
    "action": "an action code, such as !CANCEL: an exclamation mark, then upper-case ASCII letters and underscores",
    "silp": "a version such as v1",
}


def _in_plain_words(error: ValidationError) -> Iterator[SilpError]:
    path = list(error.absolute_path)
    limit: Any = error.validator_value
    schema: Any = error.schema
    pointer = pointer_of(path)
    keyword = str(error.validator)
    value: Any = error.instance
    where = str(path[-1]) if path else "the IR"
    if isinstance(path[-1] if path else None, int):
        where = f"{path[-2]}[{path[-1]}]"
    if keyword == "required":
        for name in limit:
            if name not in value:
                yield _diagnostic(keyword, f"{where} lacks {name}", pointer, f"add {json.dumps(name)}")
        return
    if keyword == "additionalProperties":
        known = list(schema["properties"])
        for name in value:
            if name not in known:
                yield _diagnostic(
                    keyword, f"unknown field {json.dumps(name)[:60]} at the root", pointer_of([*path, name]),
                    _nearest(name, known),
                )
        return
    if keyword == "type":
        wanted = _ARTICLES.get(str(limit), str(limit))
        found = _NAMES.get(type(value).__name__, type(value).__name__)
        hint = "put it in double quotes" if wanted == "a string" and found in ("a number", "a boolean") else ""
        if not path and isinstance(value, list):
            hint = "one IR a record; split an array with: jq -c '.[]'"
        yield _diagnostic(keyword, f"{where} is {found}, not {wanted}", pointer, hint)
        return
    shown = json.dumps(value)[:60]
    if keyword == "pattern":
        yield _diagnostic(
            keyword, f"{where} {shown} does not match {limit}", pointer,
            _PATTERN_HINTS.get(where, ""),
        )
        return
    bound = {"minimum": "at least", "maximum": "at most"}.get(keyword, keyword)
    yield _diagnostic(keyword, f"{where} is {shown}, not {bound} {limit}", pointer, "")


def _nearest(name: str, known: list[str]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name, known, n=1)
    return f"did you mean {json.dumps(close[0])}?" if close else "the root takes only: " + ", ".join(known)


def _diagnostic(keyword: str, message: str, pointer: str, hint: str) -> SilpError:
    return SilpError(ErrorCode.INVALID_SYNTAX, message, rule=f"schema.{keyword}", path=pointer, hint=hint)
