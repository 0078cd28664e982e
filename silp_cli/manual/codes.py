"""The reference page of the six error codes (draft, section "Error Codes")."""

from __future__ import annotations

from silp_cli.ir.errors import ErrorCode
from silp_cli.protocol.error_object import DESCRIPTIONS


def codes_page() -> str:
    """The page in Markdown: the codes, and what else a diagnostic says."""
    rows = "\n".join(f"| `{code}` | {DESCRIPTIONS[code]} |" for code in ErrorCode)
    return f"""# Error codes

A diagnostic has one of the draft's six codes, and a rule that says more (`silp rule NAME`).

| code | what it says |
| --- | --- |
{rows}

With `--errors json` each is a JSON object on a line of stderr: `code`, `rule`, `severity`, `message`, `source`,
`record`, `line`, `column`, `path` (a JSON Pointer), `hint`.
"""
