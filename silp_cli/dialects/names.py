"""Names of tools and action codes: ``get_weather`` is ``!GET_WEATHER``, and the way back."""

from __future__ import annotations

import re

from silp_cli.ir.errors import ErrorCode, SilpError
from silp_cli.ir.verbs import ACTION_CODE, action_code, function_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

# Behind a small letter, or before the last capital of a row of them: getHTTPPage is get, HTTP, Page.
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_BOUNDARY = str.maketrans(".-/", "___")
_PLAIN = re.compile(r"[a-z][a-z_]*")


class Names:
    """How tools are called in the IR.

    Args:
        mapped: action codes of tools by name, for those that no action code can spell.
    """

    def __init__(self, mapped: Mapping[str, str] | None = None) -> None:
        self.mapped = dict(mapped or {})

    def action(self, tool: str) -> str:
        """The action code of a tool.

        Args:
            tool: the tool's name as the call has it.

        Returns:
            The code that the map gives it, or its words in capitals, joined by underscores.

        Raises:
            SilpError: ``tool.name``, for a name that no action code can spell.
        """
        code = self.mapped.get(tool)
        if code is not None:
            return code
        if _PLAIN.fullmatch(tool):
            return action_code(tool)
        code = "!" + _HUMP.sub("_", tool.translate(_BOUNDARY)).lstrip("_").upper()
        if tool.isascii() and ACTION_CODE.fullmatch(code):
            return code
        raise SilpError(
            ErrorCode.DECODE_FAILED, f"no action code can spell the tool's name {tool[:80]!r}", rule="tool.name",
            hint="action codes are letters and underscores; name one for it in a file, for --map: "
            f"{tool[:40] or 'TOOL'} = ACTION",
        )

    def meta(self, tool: str, action: str) -> dict[str, str]:
        """What ``meta`` has to hold so that the tool's name can be had back from the action code."""
        return {} if function_name(action) == tool else {"tool": tool}

    def tool(self, ir: Mapping[str, Any]) -> str:
        """The tool that the intent of an IR calls.

        Raises:
            SilpError: ``tool.name``, when ``meta.tool`` is another action than the intent.
        """
        intent: str = ir["intent"]
        tool = ir["meta"].get("tool")
        if tool is None:
            return function_name(intent)
        if not isinstance(tool, str):
            raise _no_tool("meta.tool is not a string")
        if self.action(tool) != intent:
            raise _no_tool(f"meta.tool {tool[:80]!r} is {self.action(tool)}, the intent is {intent}")
        return tool


def _no_tool(message: str) -> SilpError:
    return SilpError(
        ErrorCode.DECODE_FAILED, message, rule="tool.name", path="/meta/tool",
        hint="take meta.tool out, or give its action with --map",
    )


def parse_map(text: str) -> dict[str, str]:
    """Read a map of tools: ``TOOL = ACTION`` a line, ``#`` starts a comment.

    Args:
        text: the file's content; ``SEARCH_TWO``, ``!SEARCH_TWO`` and ``search_two`` are the same action.

    Returns:
        The action code of each tool.

    Raises:
        ValueError: with the number of the line that is no such pair, or names a tool again.
    """
    mapped: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        content = re.split(r"(?:^|\s)#", line, maxsplit=1)[0].strip()
        if not content:
            continue
        tool, equals, action = (part.strip() for part in content.rpartition("="))
        code = action_code(action.removeprefix("!"))
        if not (equals and tool and ACTION_CODE.fullmatch(code)):
            raise ValueError(f"line {number}: {content[:80]!r} is not TOOL = ACTION")
        if tool in mapped:
            raise ValueError(f"line {number}: {tool!r} has an action already")
        mapped[tool] = code
    return mapped
