"""Payloads into envelopes and out again; whatever else is in there stays as it was."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from silp_cli import api
from silp_cli.ir.errors import ErrorCode, SilpError
from silp_cli.protocol.envelopes import wrap
from silp_cli.protocol.envelopes.json_splice import append, locate, put
from silp_cli.protocol.envelopes.unwrap import unwrap
from silp_cli.protocol.error_object import error_object, error_payload, is_error_object, read_error_object
from silp_cli.protocol.payloads import Payload, read_payload

from .outcome import outcome
from .shell import FIXTURES

IRS: list[Any] = [json.loads(line) for line in (FIXTURES / "ir.jsonl").read_text().splitlines()]

values = st.text(max_size=12) | st.sampled_from(
    ['"', "\\", "\n", "a, b", "é", "\u202e", "\ud800", "}", '{"', "silp_payload"]
)


@st.composite
def payloads(draw: st.DrawFn) -> Payload:
    ir: Any = {
        "intent": "!BOOK",
        "entities": [{"id": draw(values), "value": draw(values)} for _ in range(draw(st.integers(0, 3)))],
        "meta": {"req_id": "0a1b2c3d", "note": draw(values)},
    }
    frontend = draw(st.sampled_from(["code", "json"]))
    return Payload(api.compile(ir, frontend), frontend)


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
objects = st.dictionaries(st.text(max_size=6), json_values, max_size=4)


@st.composite
def spelled(draw: st.DrawFn, value: Any) -> str:
    """JSON text of a value in one of many layouts."""
    return json.dumps(
        value,
        indent=draw(st.sampled_from([None, 0, 2, "\t"])),
        ensure_ascii=draw(st.booleans()),
        separators=draw(st.sampled_from([(",", ":"), (" , ", " : "), (", ", ": ")])),
    )


def left_over(envelope: str, result: str, inserted: str) -> None:
    """Assert that ``result`` is ``envelope`` with ``inserted``, and perhaps a comma, cut in at one place."""
    at = result.index(inserted)
    before, after = result[:at], result[at + len(inserted) :]
    assert envelope in (before + after, before.removesuffix(",") + after)


# ---------------------------------------------------------------- splicing


@given(st.data())
def test_cutting_in_leaves_the_rest_of_the_text_alone(data: st.DataObject) -> None:
    inner = data.draw(objects)
    text = data.draw(spelled({"a": [inner, []], "z": 1e-7}))
    result = put(text, ("a", 0), "unused key", '"x"')
    left_over(text, result, '"unused key":"x"')
    assert json.loads(result) == {"a": [{**inner, "unused key": "x"}, []], "z": 1e-7}
    result = append(text, ("a", 1), '"x"')
    assert json.loads(result)["a"][1] == ["x"]
    result = put(text, (), "z", '"x"')
    place = locate(text, ("z",))
    assert place is not None
    assert result == text[: place.start] + '"x"' + text[place.end :]


@pytest.mark.parametrize("path", [("b",), ("a", 5), ("a", "x"), ("z", "y"), ("a", 0, 0)])
def test_a_path_that_leads_nowhere_is_told(path: tuple[str | int, ...]) -> None:
    text = '{"a":[{}],"z":1}'
    assert locate(text, path) is None
    with pytest.raises(LookupError):
        put(text, path, "k", "1")


# ---------------------------------------------------------------- in and out


@given(st.data(), payloads())
def test_mcp_arguments_survive_byte_for_byte(data: st.DataObject, payload: Payload) -> None:
    arguments = data.draw(objects.filter(lambda found: not {"silp_payload", "silp_encoding"} & set(found)))
    request = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "t", "arguments": arguments},
    }
    text = data.draw(spelled(request))
    result = wrap.into_mcp(text, payload)
    spelled_text = json.dumps(payload.text, ensure_ascii=False)
    fields = f'"silp_encoding":"{payload.encoding}","silp_payload":{spelled_text}'
    left_over(text, result, fields)
    assert unwrap(json.loads(result)) == [payload]
    again = wrap.into_mcp(result, Payload("cancel()", "code"))
    assert unwrap(json.loads(again)) == [Payload("cancel()", "code")]


@given(st.data(), payloads())
def test_every_envelope_gives_back_what_was_put_in(data: st.DataObject, payload: Payload) -> None:
    for envelope in (
        wrap.into_mcp(wrap.mcp_request("t"), payload),
        wrap.into_mcp(wrap.mcp_result(), payload),
        wrap.into_a2a(wrap.a2a_message("m"), payload),
        wrap.into_a2a(wrap.a2a_artifact("a"), payload, artifact="a"),
        wrap.into_a2a(wrap.a2a_request(wrap.a2a_message("m")), payload),
        wrap.into_a2a('{"result":{"task":{"id":"t","artifacts":[]}}}', payload, artifact="new"),
        wrap.into_aidip("{}", payload),
        wrap.into_aidip("{}", payload, answer=True),
        wrap.into_aidip('{"inputs":"before"}', payload, plain=True),
        wrap.into_mcp(wrap.mcp_request("t", '{"city":"Oslo"}'), payload, "instruction"),
        wrap.into_aidip('{"inputs":{"city":"Oslo"}}', payload, "instruction"),
    ):
        layout = data.draw(spelled(json.loads(envelope)))
        assert unwrap(json.loads(layout)) == [payload]


@given(st.data(), payloads())
def test_a2a_and_aidip_content_survives_byte_for_byte(data: st.DataObject, payload: Payload) -> None:
    text = data.draw(spelled({"messageId": "m", "parts": [{"text": "hi"}], "metadata": data.draw(objects)}))
    result = wrap.into_a2a(text, payload)
    left_over(text, result, wrap.a2a_part(payload))
    inputs = data.draw(objects.filter(lambda found: not {"silp_payload", "silp_encoding"} & set(found)))
    text = data.draw(spelled({"inputs": inputs, "more": data.draw(json_values)}))
    assert json.loads(wrap.into_aidip(text, payload))["more"] == json.loads(text)["more"]
    assert unwrap(json.loads(wrap.into_aidip(text, payload))) == [payload]


@pytest.mark.parametrize("name", ["mcp-request.json", "a2a-message.json", "aidip-invoke.json"])
def test_a_number_is_not_rewritten(name: str) -> None:
    text = (FIXTURES / name).read_text()
    payload = Payload("cancel(ferry)", "code")
    into: Any = {"mcp": wrap.into_mcp, "a2a": wrap.into_a2a, "aidip": wrap.into_aidip}[name.partition("-")[0]]
    result = into(text, payload)
    spelling = {"mcp-request.json": "1.50e2", "a2a-message.json": "1.0", "aidip-invoke.json": "5e3"}[name]
    assert spelling in result
    assert unwrap(json.loads(result)) == [payload]


def test_a_replaced_argument_keeps_its_place() -> None:
    text = '{"method":"tools/call","params":{"name":"t","arguments":{ "a" : 1 , "text" : "old" , "b" : 2 }}}'
    result = wrap.into_mcp(text, Payload("cancel(ferry)", "code"), "text")
    assert result == text.replace('"old"', '"cancel(ferry)"')


def test_arguments_are_made_where_there_are_none() -> None:
    text = '{"method":"tools/call","params":{"name":"t"}}'
    assert unwrap(json.loads(wrap.into_mcp(text, Payload("cancel()", "code")))) == [
        Payload("cancel()", "code")
    ]


@pytest.mark.parametrize(
    ("protocol", "text"),
    [
        ("mcp", "[]"), ("mcp", "{}"), ("mcp", '{"method":"tools/list","params":{}}'),
        ("mcp", '{"method":"tools/call"}'),
        ("mcp", '{"method":"tools/call","params":{"arguments":[]}}'), ("mcp", '{"result":1}'),
        ("mcp", '{"result":{"content":1}}'), ("mcp", '{"result":{"structuredContent":[]}}'), ("mcp", "{"),
        ("a2a", "{}"), ("a2a", '{"parts":{}}'), ("a2a", '{"message":{"parts":1}}'), ("a2a", '{"artifacts":[]}'),
        ("aidip", "[]"), ("aidip", '{"inputs":"text"}'), ("aidip", '{"inputs":[1]}'), ("aidip", '{"a":1,"a":2}'),
    ],
)  # fmt: skip
def test_what_has_no_place_for_a_payload_is_refused(protocol: str, text: str) -> None:
    into: Any = {"mcp": wrap.into_mcp, "a2a": wrap.into_a2a, "aidip": wrap.into_aidip}[protocol]
    with pytest.raises(SilpError) as caught:
        into(text, Payload("cancel()", "code"))
    assert caught.value.code is ErrorCode.INVALID_SYNTAX


# ---------------------------------------------------------------- reading


def refusal(envelope: Any, field: str | None = None) -> SilpError:
    with pytest.raises(SilpError) as caught:
        unwrap(envelope, field)
    return caught.value


def test_the_one_string_that_decodes_is_the_payload() -> None:
    arguments = {"city": "Oslo, tonight", "instruction": "book(hotel,nights=2)", "count": 3}
    request = {"method": "tools/call", "params": {"name": "t", "arguments": arguments}}
    assert unwrap(request) == [Payload("book(hotel,nights=2)", "code")]
    arguments["other"] = "cancel(ferry)"
    assert refusal(request).rule == "envelope.ambiguous"
    assert unwrap(request, "other") == [Payload("cancel(ferry)", "code")]
    assert refusal(request, "missing").rule == "envelope.field"
    assert refusal(request, "count").rule == "envelope.form"


def test_a_plain_answer_of_a_tool_is_read_once() -> None:
    result = {
        "content": [{"type": "text", "text": "cancel(ferry)"}],
        "structuredContent": {"result": "cancel(ferry)"},
    }
    assert unwrap({"jsonrpc": "2.0", "id": 1, "result": result}) == [Payload("cancel(ferry)", "code")]


def test_several_parts_are_several_payloads() -> None:
    message = wrap.a2a_message("m")
    for text in ("cancel(a)", "cancel(b)"):
        message = wrap.into_a2a(message, Payload(text, "code"))
    assert [each.text for each in unwrap(json.loads(message))] == ["cancel(a)", "cancel(b)"]


def test_the_media_type_alone_marks_a_part() -> None:
    part = {"text": '{"intent":"!CANCEL"}', "mediaType": "Text/vnd.SILP; charset=utf-8"}
    assert unwrap({"parts": [{"text": "cancel(decoy)"}, part]}) == [Payload('{"intent":"!CANCEL"}', "json")]


def test_a_task_is_read_without_its_history() -> None:
    def part(text: str) -> Any:
        return {"text": text, "metadata": {"silp_encoding": "code"}}

    task = {
        "id": "t",
        "history": [{"parts": [part("cancel(old)")]}],
        "status": {"message": {"parts": [part("notify(crew)")]}},
        "artifacts": [{"artifactId": "a", "parts": [part("book(hotel)")]}],
    }
    assert [each.text for each in unwrap({"result": {"task": task}})] == ["notify(crew)", "book(hotel)"]


def test_json_laid_out_over_lines_comes_out_on_one() -> None:
    text = json.dumps({"intent": "!CANCEL", "act": "ferry"}, indent=2)
    assert unwrap({"inputs": {"silp_encoding": "json", "silp_payload": text}}) == [
        Payload('{"intent":"!CANCEL","act":"ferry"}', "json")
    ]


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"silp_encoding": "morse", "silp_payload": "-.-."}, ErrorCode.UNSUPPORTED_FRONTEND),
        ({"silp_encoding": "json", "silp_payload": "cancel(ferry)"}, ErrorCode.INVALID_SYNTAX),
        ({"silp_encoding": "code", "silp_payload": '{"intent":"!CANCEL"}'}, ErrorCode.INVALID_SYNTAX),
        ({"silp_encoding": "code", "silp_payload": "cancel(a)\ncancel(b)"}, ErrorCode.INVALID_SYNTAX),
        ({"silp_encoding": 7, "silp_payload": "cancel(a)"}, ErrorCode.INVALID_SYNTAX),
        ({"silp_encoding": "code", "silp_payload": ["cancel(a)"]}, ErrorCode.INVALID_SYNTAX),
        ({"silp_payload": "plain words"}, ErrorCode.INVALID_SYNTAX),
        ({"text": "plain words"}, ErrorCode.DECODE_FAILED),
        ({}, ErrorCode.DECODE_FAILED),
    ],
)
def test_what_is_no_payload_is_refused(fields: dict[str, Any], code: ErrorCode) -> None:
    assert refusal({"inputs": fields}).code is code


@given(json_values)
def test_any_json_is_answered(value: Any) -> None:
    for envelope in (value, {"params": value}, {"result": value}, {"parts": value}, {"inputs": value}):
        found, error = outcome(unwrap, envelope)
        assert found if error is None else error.code in list(ErrorCode)


# ---------------------------------------------------------------- errors as payloads

errors = st.builds(
    SilpError, st.sampled_from(list(ErrorCode)), st.text(min_size=1, max_size=20), hint=st.text(max_size=9)
)


@given(errors)
def test_an_error_object_fits_into_every_envelope_and_comes_out_as_that_error(error: SilpError) -> None:
    payload = read_payload(error_payload(error))
    assert payload.encoding == "error"
    for envelope in (
        wrap.into_mcp(wrap.mcp_request("t"), payload),
        wrap.into_mcp(wrap.mcp_result(), payload),
        wrap.into_mcp(wrap.mcp_request("t"), payload, "plain"),
        wrap.into_a2a(wrap.a2a_message("m"), payload),
        wrap.into_aidip("{}", payload, answer=True),
        payload.text,
    ):
        found = refusal(json.loads(envelope))
        assert (found.code, found.message, found.hint) == (error.code, error.message, error.hint)


@given(errors)
def test_an_error_object_is_never_a_json_rpc_error(error: SilpError) -> None:
    value = error_object(error)
    assert is_error_object(value)
    assert not {"error", "jsonrpc", "id", "result", "method"} & set(value)
    assert str(read_error_object(value)) == str(error)


@pytest.mark.parametrize(
    "value",
    [
        {"jsonrpc": "2.0", "id": 1, "error": {"code": -32601, "message": "Method not found"}},
        {"error": {"code": "invalid_syntax", "message": "m"}}, {"silp_error": {"code": -32601}},
        {"silp_error": {"code": "no_such_code"}}, {"silp_error": "timeout"}, {"code": "timeout"}, [], "timeout", None,
    ],
)  # fmt: skip
def test_other_errors_are_told_apart(value: Any) -> None:
    assert not is_error_object(value)
    with pytest.raises(SilpError):
        read_error_object(value)


def test_an_error_of_the_outer_protocol_is_named_as_one() -> None:
    error = refusal({"jsonrpc": "2.0", "id": 1, "error": {"code": -32601, "message": "Method not found"}})
    assert error.rule == "envelope.json-rpc-error"
    assert "-32601 Method not found" in error.message
