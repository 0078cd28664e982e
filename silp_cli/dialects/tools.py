"""Definitions of tools, as OpenAI, Anthropic and MCP write them: names, and the JSON Schema of the arguments."""

from __future__ import annotations

from silp_cli.ir.errors import SilpError
from silp_cli.ir.jsontext import loads
from silp_cli.ir.pointer import pointer_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Where a list of tools may lie in a document, and what may be wrapped around each tool.
_LISTS = ("tools", "result", "toolConfig", "functions")
_WRAPS = ("function", "toolSpec")
# The keys under which the arguments' schema stands: OpenAI's, Anthropic's, MCP's.
_SCHEMAS = ("parameters", "input_schema", "inputSchema")


class Tool:
    """A tool's name and what its arguments have to be.

    Args:
        name: the name.
        schema: the JSON Schema of the object of arguments.
    """

    __slots__ = ("name", "schema")

    def __init__(self, name: str, schema: dict[str, Any]) -> None:
        self.name = name
        self.schema = schema

    @property
    def order(self) -> list[str]:
        """The arguments' names in the order of the schema."""
        properties = self.schema.get("properties")
        return list(properties) if isinstance(properties, dict) else []


def parse_tools(text: str) -> dict[str, Tool]:
    """Read definitions of tools.

    Args:
        text: JSON: a list of tools, one tool, an object that has such a list as ``tools`` (also within an MCP
            ``result``), or one of these a line.

    Returns:
        The tools by name.

    Raises:
        ValueError: for anything that is no tool, a name twice, or a schema that is none.
    """
    tools: dict[str, Tool] = {}
    for path, value in _documents(text):
        for where, definition in _definitions(value, path):
            tool = _tool(definition, where)
            if tool.name in tools:
                raise ValueError(f"{where}: a second tool {tool.name!r}")
            tools[tool.name] = tool
    if not tools:
        raise ValueError("no tools in it")
    return tools


def _documents(text: str) -> list[tuple[str, Any]]:
    try:
        return [("", loads(text))]
    except SilpError as whole:
        lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
        if len(lines) < 2 or whole.position == 0:
            raise ValueError(whole.message) from None
        try:
            return [(f"line {number}: ", loads(line)) for number, line in lines]
        except SilpError:
            raise ValueError(whole.message) from None


def _definitions(value: Any, path: str) -> list[tuple[str, Any]]:
    if isinstance(value, list):
        return [(f"{path}/{index}", each) for index, each in enumerate(value)]
    if isinstance(value, dict) and not isinstance(value.get("name"), str):
        for key in _LISTS:
            if isinstance(value.get(key), (list, dict)):
                return _definitions(value[key], path + pointer_of([key]))
    return [(path or "/", value)]


def _tool(definition: Any, where: str) -> Tool:
    for key in _WRAPS:
        if isinstance(definition, dict) and isinstance(definition.get(key), dict):
            definition, where = definition[key], where.rstrip("/") + pointer_of([key])
    if not isinstance(definition, dict) or not isinstance(definition.get("name"), str):
        raise ValueError(f"{where}: no tool; a tool has a name and parameters, input_schema or inputSchema")
    name = definition["name"]
    schema: Any = {"type": "object"}
    for key in _SCHEMAS:
        if definition.get(key) is not None:
            schema = definition[key]
            if isinstance(schema, dict) and isinstance(schema.get("json"), dict):
                schema = schema["json"]
            break
    if not isinstance(schema, dict):
        raise ValueError(f"{where}: the schema of {name!r} is not an object")
    _check_schema(schema, f"{where}: the schema of {name!r}")
    return Tool(name, schema)


def _check_schema(schema: dict[str, Any], what: str) -> None:
    from jsonschema import Draft202012Validator, SchemaError
    from jsonschema.validators import validator_for

    try:
        validator_for(schema, default=Draft202012Validator).check_schema(schema)
    except SchemaError as error:
        place = pointer_of(list(error.path)) or "/"
        raise ValueError(f"{what} is no JSON Schema: {error.message[:200]} at {place}") from None
