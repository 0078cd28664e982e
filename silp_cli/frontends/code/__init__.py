"""The code frontend: function-call syntax, lossless (draft, section "Code Frontend"; ``grammars/code.abnf``)."""

from __future__ import annotations

from silp_cli.frontends.base import Frontend
from silp_cli.frontends.code.writer import write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class CodeFrontend(Frontend):
    """``if loc(me,Beijing,t+1am): cancel(flight,t+1pm); email(zhangsan)``"""

    name = "code"
    lossless = True
    summary = "function-call syntax"

    def compile(self, ir: dict[str, Any], *, bare: bool = False) -> str:
        """Write a valid IR as a payload; see ``Frontend.compile``."""
        return write(ir, bare=bare)

    def decode(self, text: str) -> dict[str, Any]:
        """Read a payload; see ``Frontend.decode``."""
        from silp_cli.frontends.code.scanner import decode

        self.decode = decode  # type: ignore[method-assign]  # those who only compile do not wait for the scanner
        return decode(text)
