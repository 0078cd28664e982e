"""What a call came to, for properties that hold whether it succeeds or fails."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from silp_cli.ir.errors import SilpError


def outcome(function: Callable[..., Any], *arguments: Any) -> tuple[Any, SilpError | None]:
    """The result of a call and None, or None and the error that it raised."""
    try:
        return function(*arguments), None
    except SilpError as error:
        return None, error
