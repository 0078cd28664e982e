"""The Python API: what the commands do, for programs that import it."""

from __future__ import annotations

from silp_cli.frontends.registry import get_frontend

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from typing import Any

    from silp_cli.ir.errors import SilpError
    from silp_cli.ir.model import IR


def compile(ir: IR | Mapping[str, Any] | str, frontend: str = "code", *, bare: bool = False) -> str:
    """Write an IR as surface text."""
    ...  # to be filled in by the core


def decode(text: str, frontend: str | None = None, *, extract: bool = False) -> IR:
    """Read surface text back into an IR."""
    ...


def validate(
    ir: IR | Mapping[str, Any] | str, *, strict: bool = False, verbs: Collection[str] | None = None
) -> list[SilpError]:
    """Diagnose an IR: schema, then rules. An empty list says that nothing is wrong."""
    ...


def equivalent(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two IRs mean the same (draft, section "Lossless Round-Trip Guarantee")."""
    ...
