"""What compile writes, decode with the same limits reads; else compile says no."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support import silp

LIMIT = 4096


def ir_of(size: int, char: str) -> str:
    """An IR of exactly so many bytes, with a value of one character again and again."""
    value: dict[str, Any] = {"intent": "!CANCEL", "entities": [{"id": "a", "value": ""}], "meta": {"req_id": "a1b2c3d4"}}
    rest = size - len(json.dumps(value).encode())
    value["entities"][0]["value"] = char * (rest // len(json.dumps(char, ensure_ascii=False).encode()[1:-1]))
    return json.dumps(value, ensure_ascii=False)


@pytest.mark.parametrize("frontend", ["code", "json"])
@pytest.mark.parametrize("char", ["x", "\u200b", "\u202e", "é", "漢", "'", " ", "\U000e0041"])
@pytest.mark.parametrize("options", [[], ["--degrade"]])
def test_a_payload_is_read_with_the_limit_it_was_written_with(frontend: str, char: str, options: list[str]) -> None:
    limit = ["--max-record-size", str(LIMIT)]
    compiled = silp("compile", "-f", frontend, *options, *limit, given=ir_of(LIMIT, char))
    if compiled.status == 0:
        assert silp("decode", *limit, "--no-sanitize", given=compiled.out).status == 0
    else:
        assert (compiled.status, compiled.out) == (1, "")
        assert "more than the limit of 4096" in compiled.err
    assert compiled.status == (1 if char in "\u200b\u202e\U000e0041" else 0)


def test_a_payload_of_exactly_the_limit_is_written_and_read() -> None:
    payload = silp("compile", given=ir_of(1000, "x")).out.rstrip("\n")
    size = len(payload)
    given = ir_of(1000, "x")
    assert silp("compile", "--max-record-size", "1000", given=given).status == 0
    assert silp("decode", "--max-record-size", str(size), given=payload + "\n").status == 0
    assert silp("decode", "--max-record-size", str(size - 1), given=payload + "\n").status == 1


@pytest.mark.parametrize("frontend", ["code", "json"])
@pytest.mark.parametrize("where", ["root", "meta", "entities", "constraints", "alternatives"])
def test_a_payload_is_read_with_the_depth_it_was_written_with(frontend: str, where: str) -> None:
    depth = ["--max-depth", "12"]
    for levels in range(6, 13):
        nested: Any = 1
        for _ in range(levels):
            nested = [nested]
        ir: dict[str, Any] = {
            "intent": "!CANCEL", "entities": [{"id": "a", "value": "b"}], "constraints": [{"type": "c", "value": "d"}],
            "alternatives": [{"action": "!START"}], "meta": {"req_id": "a1b2c3d4"},
        }
        spot = ir if where == "root" else ir[where] if where == "meta" else ir[where][0]
        spot["more"] = nested
        compiled = silp("compile", "-f", frontend, *depth, given=json.dumps(ir))
        if compiled.status == 0:
            assert silp("decode", *depth, given=compiled.out).status == 0, levels
