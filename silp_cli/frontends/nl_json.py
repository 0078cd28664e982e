"""The ``nl_json`` frontend: the prose of ``natural`` inside JSON (draft, section "NL+JSON Frontend")."""

from __future__ import annotations

from silp_cli.frontends.base import Frontend
from silp_cli.frontends.natural import prose
from silp_cli.ir.jsontext import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class NlJsonFrontend(Frontend):
    """Prose in a ``task_description`` field; a control baseline that cannot be decoded."""

    name = "nl_json"
    lossless = False
    summary = "the same prose in a JSON field, a control baseline"

    def compile(self, ir: dict[str, Any], *, bare: bool = False) -> str:  # noqa: ARG002 - prose has no meta
        """Write a valid IR as ``{"task_description":"…"}``, one line.

        Args:
            ir: a valid IR; it is not changed.
            bare: changes nothing, as prose never carries meta.

        Returns:
            Compact JSON text that holds exactly the prose of the ``natural`` frontend.
        """
        return dumps({"task_description": prose(ir)})

    def why_not(self) -> str:
        """Why this JSON cannot be decoded."""
        return "its JSON holds prose, which has no grammar that would lead back to one IR"
