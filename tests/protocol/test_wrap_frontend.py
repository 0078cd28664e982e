"""What ``silp wrap --frontend`` takes a payload for."""

from __future__ import annotations

import json
from typing import Any

import pytest

from .shell import silp

MIXED = {
    "code": "cancel(ferry)", "json": '{"intent":"!CANCEL","target":"ferry"}',
    "nl_json": '{"task_description":"Cancel the ferry."}', "natural": "Cancel the ferry.",
    "error": '{"silp_error":{"silp":"v1","code":"timeout","message":"late"}}',
    "negotiation": "//ping v1 frontends=code",
}  # fmt: skip


@pytest.mark.parametrize(
    ("frontend", "fit"),
    [("code", {"code"}), ("json", {"json"}), ("nl_json", {"nl_json"}), ("negotiation", set()), ("natural", None)],
)
@pytest.mark.parametrize("protocol", [("mcp", "--tool", "t"), ("a2a",), ("aidip",)], ids="-".join)
def test_wrap_says_of_no_payload_what_it_is_not(
    protocol: tuple[str, ...], frontend: str, fit: set[str] | None
) -> None:
    """What is not written in the named frontend is refused; prose has no grammar, so natural takes any text."""
    done = silp("wrap", *protocol, "-f", frontend, input="".join(f"{line}\n" for line in MIXED.values()))
    named = {
        kind: kind if kind in ("error", "negotiation") else frontend
        for kind in MIXED
        if fit is None or kind in fit or kind in ("error", "negotiation")
    }
    assert done.returncode == (0 if fit is None else 1)
    assert done.stderr.count("invalid_syntax") == len(MIXED) - len(named)
    found = [value for line in done.stdout.splitlines() for value in encodings(json.loads(line))]
    assert found == list(named.values())


def encodings(value: Any) -> list[str]:
    """Every encoding that an envelope names, at whatever depth."""
    if isinstance(value, list):
        return [each for item in value for each in encodings(item)]
    if not isinstance(value, dict):
        return []
    own = [each for name, each in value.items() if name == "silp_encoding"]
    return own + [each for item in value.values() for each in encodings(item)]
