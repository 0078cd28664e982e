"""Calls held against the definitions of tools: names, arguments, types."""

from __future__ import annotations

import re

from silp_cli.dialects.call import Call
from silp_cli.dialects.tools import parse_tools
from silp_cli.ir.errors import ErrorCode, SilpError
from silp_cli.ir.jsontext import loads
from silp_cli.ir.pointer import pointer_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from silp_cli.dialects.tools import Tool

# With any of these beside `properties`, which arguments there are is not said by `properties` alone.
_OPEN = frozenset((
    "additionalProperties", "unevaluatedProperties", "patternProperties", "allOf", "anyOf", "oneOf", "if", "$ref",
    "$dynamicRef", "dependentSchemas",
))
_PYTHON = {"True": True, "False": False, "None": None}


class Tools:
    """The tools that a model was given.

    Args:
        tools: the tools by name.
    """

    def __init__(self, tools: Mapping[str, Tool]) -> None:
        self.tools = tools
        self._validators: dict[str, Any] = {}

    @classmethod
    def parse(cls, text: str) -> Tools:
        """Read definitions; see ``parse_tools``."""
        return cls(parse_tools(text))

    def checked(self, call: Call) -> Call:
        """The call as its tool's schema has it.

        Args:
            call: the call as it was read.

        Returns:
            A call in which every argument has its name, and values of dialects that know strings alone the type that
            the schema gives them.

        Raises:
            SilpError: with the JSON Pointer into the call, and the others that were found: ``tool.unknown``,
                ``tool.missing``, ``tool.extra``, ``tool.positional``, ``tool.argument``.
        """
        tool = self.tools.get(call.name)
        if tool is None:
            raise _unknown(call, self.tools)
        arguments = _named(call, tool)
        validator = self._validator(tool)
        try:
            if not call.typed:
                arguments = {name: _typed(value, name, validator) for name, value in arguments.items()}
            errors = list(_errors(validator.iter_errors(arguments), call))
        except _broken_schema() as error:
            message = f"the schema of {call.name!r} cannot be used: {str(error)[:200]}"
            raise _error("schema", message, ["arguments"], call) from None
        if errors:
            errors.sort(key=lambda each: each.path or "")
            errors[0].others = tuple(errors[1:])
            raise errors[0]
        return Call(
            call.name, arguments, id=call.id, dialect=call.dialect, start=call.start, end=call.end, typed=True
        )

    def _validator(self, tool: Tool) -> Any:
        validator = self._validators.get(tool.name)
        if validator is None:
            from jsonschema import Draft202012Validator
            from jsonschema.validators import validator_for
            from referencing import Registry

            schema = tool.schema
            if "properties" in schema and not _OPEN & schema.keys():
                schema = {**schema, "additionalProperties": False}
            # An empty registry: what is not in the schema itself is not fetched from anywhere.
            validator = validator_for(schema, default=Draft202012Validator)(schema, registry=Registry())
            self._validators[tool.name] = validator
        return validator


def _broken_schema() -> tuple[type[Exception], ...]:
    """What a schema can do wrong that is well-formed: refer to nothing or to itself."""
    from referencing.exceptions import Unresolvable

    return Unresolvable, RecursionError


def _named(call: Call, tool: Tool) -> dict[str, Any]:
    """The arguments by name, in the order in which they were written."""
    free = tool.order
    if len(call.positional) > len(free):
        raise SilpError(
            ErrorCode.DECODE_FAILED,
            f"{len(call.positional)} arguments without a name; {call.name!r} has {len(free)}",
            rule="tool.positional", path=pointer_of(["arguments"]), position=call.start,
        )
    arguments = dict(zip(free, call.positional, strict=False))
    for name, value in call.arguments.items():
        if name in arguments:
            raise SilpError(
                ErrorCode.DECODE_FAILED, f"the argument {name!r} is given by position and by name",
                rule="tool.positional", path=pointer_of(["arguments", name]), position=call.start,
            )
        arguments[name] = value
    return arguments


def _typed(value: Any, name: str, validator: Any) -> Any:
    """A string as it is where the schema takes one, else the JSON value that it spells if the schema takes that."""
    schema = _schema_of(name, validator.schema)
    if not isinstance(value, str) or schema is None or _fits(value, schema, validator):
        return value
    try:
        spelled = _PYTHON[value] if value in _PYTHON else loads(value)
    except SilpError:
        return value
    return spelled if _fits(spelled, schema, validator) else value


def _schema_of(name: str, schema: Any) -> Any:
    """The schema of one argument."""
    if not isinstance(schema, dict):
        return None
    properties = schema.get("properties")
    if isinstance(properties, dict) and name in properties:
        return properties[name]
    return schema.get("additionalProperties")


def _fits(value: Any, schema: Any, validator: Any) -> bool:
    return not any(True for _ in validator.descend(value, schema))


def _errors(found: Iterator[Any], call: Call) -> Iterator[SilpError]:
    for error in found:
        path = ["arguments", *error.absolute_path]
        if error.validator == "required":
            for name in error.validator_value:
                if name not in error.instance:
                    yield _error("missing", f"no argument {name!r}", [*path, name], call)
        elif error.validator == "additionalProperties" and error.validator_value is False:
            known = error.schema.get("properties") or {}
            patterns = error.schema.get("patternProperties") or {}
            for name in error.instance:
                if name not in known and not any(re.search(pattern, name) for pattern in patterns):
                    yield _error("extra", f"{call.name!r} has no argument {name!r}", [*path, name], call, known)
        else:
            yield _error("argument", error.message[:300], path, call)


def _error(kind: str, message: str, path: list[Any], call: Call, known: Any = ()) -> SilpError:
    close = _close(str(path[-1]), known)
    return SilpError(
        ErrorCode.DECODE_FAILED, message, rule=f"tool.{kind}", path=pointer_of(path), position=call.start,
        hint=f"did you mean {close!r}?" if close else "",
    )


def _unknown(call: Call, tools: Mapping[str, Tool]) -> SilpError:
    close = _close(call.name, tools)
    return SilpError(
        ErrorCode.DECODE_FAILED, f"no tool {call.name[:80]!r}", rule="tool.unknown", path="/name", position=call.start,
        hint=f"did you mean {close!r}?" if close else "there are: " + ", ".join(list(tools)[:8]),
    )


def _close(name: str, known: Any) -> str | None:
    from difflib import get_close_matches

    found = get_close_matches(name, list(known), n=1)
    return found[0] if found else None
