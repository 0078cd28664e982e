"""JSON Pointer (RFC 6901)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def pointer_of(parts: list[Any] | tuple[Any, ...]) -> str:
    """JSON Pointer (RFC 6901) of a path given as keys and indices."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)
