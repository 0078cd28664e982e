"""Checks an IR: quickly where all is well, in full where it is not."""

from __future__ import annotations

from silp_cli.ir.accept import accepts, conforms
from silp_cli.ir.errors import SilpError
from silp_cli.ir.verbs import WHITELIST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any


def require_valid(ir: Any, verbs: Collection[str] | None = None) -> None:
    """Return if the IR conforms to the schema and breaks no rule that is an error.

    Args:
        ir: any JSON value.
        verbs: the action codes that are allowed; None allows any.

    Raises:
        SilpError: the first problem, with the others of the same record in ``others``.
    """
    if accepts(ir, verbs):
        return
    raise_all([problem for problem in problems(ir, verbs=verbs) if problem.severity == "error"])


def problems(
    ir: Any, *, strict: bool = False, verbs: Collection[str] | None = WHITELIST, warnings: bool = True
) -> list[SilpError]:
    """Every diagnostic of an IR: the schema's, or if it has none, those of the rules.

    Args:
        ir: any JSON value.
        strict: forbid ``null`` where a field is optional.
        verbs: the action codes that are allowed; None allows any.
        warnings: whether to look for more than errors.
    """
    from silp_cli.ir.rules import rule_errors, spotless

    accepted = not strict and accepts(ir, verbs)
    if accepted and (not warnings or spotless(ir)):
        return []
    if not accepted and (strict or not conforms(ir)):
        from silp_cli.ir.schema import schema_errors

        found = schema_errors(ir, strict=strict)
        if found:
            return found
    found = rule_errors(ir, verbs)
    return found if warnings else [each for each in found if each.severity == "error"]


def raise_all(found: list[SilpError]) -> None:
    """Raise the first of several diagnostics with the others attached; return if there are none."""
    if found:
        raise together(found)


def together(found: list[SilpError]) -> SilpError:
    """The first of several diagnostics, with the others attached."""
    first, *rest = found
    first.others = tuple(rest)
    return first
