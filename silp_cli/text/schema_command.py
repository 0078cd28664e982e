"""``silp schema``: print the JSON Schema of the IR."""

from __future__ import annotations

from silp_cli.ir.schema import schema_text
from silp_cli.text.output import write_whole


def run(*, output: str | None) -> int:
    """Print the schema; return the exit status."""
    write_whole(schema_text().rstrip("\n"), output)
    return 0
