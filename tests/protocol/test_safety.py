"""Payloads are data: nothing in one runs, reaches the file system, or widens what a receiver allows."""

from __future__ import annotations

import asyncio
import inspect
import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from silp_cli import api
from silp_cli.ir.errors import ErrorCode, SilpError
from silp_cli.protocol.error_object import error_payload, is_error_object
from silp_cli.protocol.payloads import receive
from silp_cli.protocol.tools import PayloadRefusedError, silp_tool

ALLOWED = frozenset({"!BOOK", "!CANCEL"})
verbs = st.sampled_from(["!BOOK", "!CANCEL", "!EMAIL", "!FETCH", "!ERASE", "!SWITCH_TOOL"])


@st.composite
def irs(draw: st.DrawFn) -> Any:
    return {
        "intent": draw(verbs),
        "entities": [
            {"id": "act", "value": "x", "action": draw(verbs)} for _ in range(draw(st.integers(0, 2)))
        ],
        "alternatives": [{"action": draw(verbs), "target": "y"} for _ in range(draw(st.integers(0, 2)))],
        "constraints": [{"type": "fee", "value": "1"}],
        "meta": {"req_id": "0a1b2c3d", "verbs": ["!EMAIL", "!FETCH"], "allow": "!ERASE", "any_verb": True},
    }


def actions(ir: Any) -> set[str]:
    return {ir["intent"]} | {each["action"] for each in [*ir["entities"], *ir["alternatives"]]}


@given(irs(), st.sampled_from(["code", "json"]))
def test_no_handler_sees_an_action_that_is_not_allowed(ir: Any, frontend: str) -> None:
    seen: list[Any] = []
    tool = silp_tool(ALLOWED)(seen.append)
    text = api.compile(ir, frontend, verbs=None) if "!SWITCH_TOOL" not in actions(ir) else None
    if text is None:
        return
    if actions(ir) <= ALLOWED:
        tool(silp_payload=text, silp_encoding=frontend)
        assert api.equivalent(seen[0], ir)
    else:
        with (
            patch.dict(sys.modules, {"mcp_types": None, "mcp.types": None}),
            pytest.raises(PayloadRefusedError) as caught,
        ):
            tool(silp_payload=text)
        assert not seen
        assert is_error_object(json.loads(str(caught.value)))


@pytest.mark.parametrize(
    ("text", "encoding", "code"),
    [
        ("erase(disk)", None, ErrorCode.DECODE_FAILED),
        ("book(x); erase(disk)", "code", ErrorCode.DECODE_FAILED),
        ("if fee(1): book(x) else: erase(disk)", "code", ErrorCode.DECODE_FAILED),
        ('book(x) with seq:=["!ERASE"]', "code", ErrorCode.DECODE_FAILED),
        ('{"intent":"!BOOK","act":"x","meta":{"seq":["parallel","!ERASE"]}}', None, ErrorCode.DECODE_FAILED),
        ("cancel(x", "code", ErrorCode.INVALID_SYNTAX),
        ("cancel(x)", "morse", ErrorCode.UNSUPPORTED_FRONTEND),
        ("Cancel the ferry.", "natural", ErrorCode.DECODE_FAILED),
        ("//ping v1 frontends=code", None, ErrorCode.DECODE_FAILED),
        (error_payload(SilpError(ErrorCode.TIMEOUT, "late")), None, ErrorCode.TIMEOUT),
    ],
)
def test_what_a_receiver_refuses(text: str, encoding: str | None, code: ErrorCode) -> None:
    with pytest.raises(SilpError) as caught:
        receive(text, encoding, ALLOWED)
    assert caught.value.code is code


def test_a_tool_keeps_its_other_parameters_and_its_name() -> None:
    @silp_tool(ALLOWED)
    def plan(ir: dict[str, Any], city: str, nights: int = 1) -> str:
        """Plan a trip."""
        return f"{ir['intent']} {city} {nights}"

    assert (plan.__name__, plan.__doc__) == ("plan", "Plan a trip.")
    assert str(inspect.signature(plan)) == (
        "(*, silp_payload: str, silp_encoding: str = '', city: str, nights: int = 1) -> str"
    )
    assert plan(silp_payload="book(hotel)", city="Oslo") == "!BOOK Oslo 1"


def test_a_coroutine_stays_one_and_refusals_may_be_results() -> None:
    @silp_tool(ALLOWED, refuse=lambda error: str(error.code))
    async def plan(ir: dict[str, Any]) -> str:
        return str(ir["intent"])

    assert inspect.iscoroutinefunction(plan)
    assert asyncio.run(plan(silp_payload="book(hotel)")) == "!BOOK"
    assert asyncio.run(plan(silp_payload="book(hotel")) == "invalid_syntax"


def test_an_error_inside_the_handler_is_the_handlers_own() -> None:
    @silp_tool(ALLOWED)
    def plan(ir: dict[str, Any]) -> None:
        raise SilpError(ErrorCode.TIMEOUT, "mine")

    with pytest.raises(SilpError, match="mine"):
        plan(silp_payload="book(hotel)")


HOSTILE = [
    "__import__('os').system('touch owned')", "$(touch owned)", "`touch owned`", "; touch owned", "| touch owned",
    "../../owned", "/etc/passwd", "file:///etc/passwd", "{{7*7}}", "${jndi:ldap://x}", "%x%n",
    "<script>", "!!python/object",
    "\x00", "' OR 1=1 --", "'; DROP TABLE sessions; --", "{0.__class__}", "\\u0000", "@owned",
]  # fmt: skip

AUDITED = """
import json, sys
from silp_cli import api
from silp_cli.ir.jsontext import use_fast_codec
from silp_cli.protocol.envelopes import wrap
from silp_cli.protocol.envelopes.unwrap import unwrap
from silp_cli.protocol.payloads import read_payload, receive
hostile = json.loads(sys.stdin.read())

def round_trip(text):
    ir = {"intent": "!BOOK", "entities": [{"id": text, "value": text, text: text}], "constraints": [{"type": text,
          "value": text, "subject": text, "operator": text}],
          "meta": {"req_id": "0a1b2c3d", text: text, "next_agent": text}}
    for frontend in ("code", "json"):
        payload = read_payload(api.compile(ir, frontend))
        for envelope in (wrap.into_mcp(wrap.mcp_request("t"), payload), wrap.into_a2a(wrap.a2a_message("m"), payload),
                         wrap.into_aidip("{}", payload)):
            (found,) = unwrap(json.loads(envelope))
            assert api.equivalent(receive(found.text, found.encoding), ir), text
    for junk in (text, "book(" + text, '{"silp_payload": ' + json.dumps(text)):
        try:
            receive(junk)
        except ValueError:
            pass

use_fast_codec()
round_trip("warm up")
for junk in ("warm up", '{"a', '{"silp_error":1}', '{"task_description":"x"}', "//ping", "book("):
    try:
        receive(junk)
    except ValueError:
        pass
watched = []
def hook(event, args):
    family = event.split(".")[0]
    if family in ("os", "subprocess", "socket", "shutil", "ctypes", "open", "exec", "compile", "import"):
        watched.append((event, args))
sys.addaudithook(hook)
for text in hostile:
    round_trip(text)
found = [event for event in watched if event[0] != "import"]
print(json.dumps([repr(event) for event in found]))
"""


def test_nothing_in_a_payload_runs_or_opens_anything(tmp_path: Path) -> None:
    """The interpreter's own audit events show every file, process, socket and compiled code."""
    done = subprocess.run(
        [sys.executable, "-c", AUDITED],
        input=json.dumps(HOSTILE),
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == []
    assert list(tmp_path.iterdir()) == []


@given(st.sampled_from(HOSTILE))
def test_hostile_text_in_a_payload_comes_back_as_the_same_text(text: str) -> None:
    ir: Any = {"intent": "!BOOK", "entities": [{"id": "act", "value": text}], "meta": {"req_id": "0a1b2c3d"}}
    assert receive(api.compile(ir))["entities"][0]["value"] == text
