"""Refuses what must not be compressed (draft, section "Lossy Compression Risks")."""

from __future__ import annotations

from silp_cli.ir.errors import ErrorCode, SilpError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Spellings of "not equal"; any of them, dropped, turns a condition into its opposite.
_UNEQUAL = frozenset({"!=", "≠", "<>", "!==", "=/="})


def refuse_precise(ir: dict[str, Any]) -> SilpError | None:
    """Why an IR must not be compressed, or None when it may be.

    Args:
        ir: a valid IR.

    Returns:
        ``unsupported_frontend`` for the first negated constraint, ``!=`` operator or else branch; the others of
        the same IR come with it.
    """
    found: list[tuple[str, str, str]] = []
    for index, constraint in enumerate(ir.get("constraints") or ()):
        if constraint["type"].startswith("!"):
            found.append(("negation", f"constraint {index} is negated", f"/constraints/{index}/type"))
        operator = constraint.get("operator")
        if isinstance(operator, str) and (operator in _UNEQUAL or "not" in operator.lower().split()):
            reason = f"constraint {index} has the operator {operator}"
            found.append(("negation", reason, f"/constraints/{index}/operator"))
    if ir.get("alternatives"):
        found.append(("else-branch", "there is an else branch", "/alternatives"))
    errors = [
        SilpError(
            ErrorCode.UNSUPPORTED_FRONTEND, f"llmlingua2 may drop the words that matter: {reason}",
            rule=f"llmlingua2.{rule}", path=path,
            hint="use code or json, which lose nothing, or insist with --allow-lossy",
        )
        for rule, reason, path in found
    ]
    if not errors:
        return None
    errors[0].others = tuple(errors[1:])
    return errors[0]
