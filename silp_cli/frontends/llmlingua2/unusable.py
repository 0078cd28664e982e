"""The error of a frontend that cannot work here: the extra, the model, the device or the encoding is missing."""

from __future__ import annotations

from silp_cli.ir.errors import ErrorCode, SilpError


def unusable(message: str, rule: str, hint: str = "") -> SilpError:
    """An ``unsupported_frontend`` that concerns every record alike."""
    return SilpError(ErrorCode.UNSUPPORTED_FRONTEND, message, rule=rule, hint=hint)
