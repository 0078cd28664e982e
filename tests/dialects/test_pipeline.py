"""From what a reader finds to what goes out. The reader here is a toy; the real one is tested by itself."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from silp_cli import SilpError, decode
from silp_cli.dialects.call import Call, Passed, Payload, Problem
from silp_cli.dialects.checking import Tools
from silp_cli.dialects.extracting import Extraction
from silp_cli.dialects.names import Names
from silp_cli.dialects.pipeline import Pipeline
from silp_cli.ir.errors import ErrorCode
from silp_cli.text.live import LiveText, Unreadable

if TYPE_CHECKING:
    from silp_cli.dialects.call import Event


class Toy:
    """``@{json}@`` is a call, ``$payload$`` a payload, ``!what!`` a problem, anything else prose."""

    def __init__(self) -> None:
        self.text = ""
        self.at = 0

    def feed(self, piece: str) -> Iterator[Event]:
        self.text += piece
        for match in re.compile(r"@(.*?)@|\$(.*?)\$|!(.*?)!", re.S).finditer(self.text, self.at):
            call, payload, problem = match.groups()
            start, self.at = match.start(1), match.end()
            if call is not None:
                yield Call(**json.loads(call), start=start, end=match.end(1), dialect="toy")
            elif payload is not None:
                try:
                    yield Payload(dict(decode(payload)), "code", match.start(2), match.end(2))
                except SilpError:
                    continue
            else:
                told = SilpError(ErrorCode.INVALID_SYNTAX, problem, position=match.start())
                yield Problem(told, match.start(), match.end())

    def close(self) -> Iterable[Event]:
        return [Passed("prose", self.at, len(self.text))] if self.text[self.at :].strip() else []


def found(text: str, sanitize: str = "clean", **options: Any) -> list[Any]:
    """Values, and errors as (rule or message, position)."""
    return [
        each.value if each.error is None else (each.error.rule, each.error.position)
        for each in Pipeline(Toy, Extraction(**options), sanitize).text(text)
    ]


ONE = '@{"name": "f", "arguments": {"a": 1}, "id": "c"}@'


def test_one_record_a_call_and_one_a_payload_and_bad_ones_beside() -> None:
    irs = found(f"x {ONE} !bad! $if rain(t+1): cancel(x)$ {ONE}")
    assert [each["intent"] if isinstance(each, dict) else each for each in irs] == [
        "!F", ("invalid_syntax", 52), "!CANCEL", "!F",
    ]
    assert found(ONE)[0]["entities"] == [{"id": "a", "value": "1", "action": "!F"}]
    assert found(ONE, typed=True)[0]["entities"] == [{"id": "a", "value": "1", "action": "!F", "type": "number"}]


def test_calls_have_names_types_ids_and_dialects() -> None:
    assert found(ONE, calls=True) == [{"name": "f", "arguments": {"a": 1}, "id": "c", "dialect": "toy"}]
    assert found("$cancel(flight)$", calls=True) == [
        {"name": "cancel", "arguments": {"act": "flight"}, "dialect": "silp"}
    ]


@pytest.mark.parametrize("payload", [
    "if rain(t+1): cancel(x)", "cancel(x); email(y)", "fetch(x) -> process", "if rain(t+1): cancel(x) else: book(y)",
])
def test_a_payload_that_is_no_plain_call_is_refused_as_one(payload: str) -> None:
    assert found(f"  ${payload}$", calls=True) == [("call.not-plain", 3)]


def test_arguments_without_names() -> None:
    text = '@{"name": "f", "arguments": {}, "positional": ["x", 2]}@'
    assert found(text, calls=True) == [("call.positional", 1)]
    assert [(each["id"], each["value"]) for each in found(text)[0]["entities"]] == [("act", "x"), ("act", "2")]
    tools = Tools.parse('{"name":"f","parameters":{"properties":{"p":{},"q":{"type":"number"}}}}')
    assert found(text, calls=True, tools=tools)[0]["arguments"] == {"p": "x", "q": 2}
    assert [each["id"] for each in found(text, tools=tools)[0]["entities"]] == ["p", "q"]


def test_tools_hold_payloads_too() -> None:
    tools = Tools.parse('[{"name":"cancel","parameters":{"properties":{"act":{}}}},{"name":"e-mail"},{"name":"x2"}]')
    text = "$cancel(a)$ $cancel(b=c)$ $book(a)$ $cancel(x); e_mail(y)$ $cancel(x); book(y)$"
    for calls in (False, True):
        got = [each[0] if isinstance(each, tuple) else True for each in found(text, tools=tools, calls=calls)]
        plain = [True, "tool.extra", "tool.unknown"]
        assert got == plain + (["call.not-plain"] * 2 if calls else [True, "tool.unknown"])


def test_a_name_that_needs_a_map() -> None:
    text = '@{"name": "f2", "arguments": {}}@'
    assert found(text) == [("tool.name", 1)]
    assert found(text, calls=True)[0]["name"] == "f2"
    ir = found(text, names=Names({"f2": "!F_TWO"}))[0]
    assert (ir["intent"], ir["meta"]["tool"]) == ("!F_TWO", "f2")


def test_nothing_found_is_an_error() -> None:
    assert found("hello") == [("extract.none", None)]
    assert found("") == [("extract.none", None)]


def test_disguises_in_names_are_cleaned_or_refused_and_values_stay() -> None:
    text = '@{"name": "g\u0435t", "arguments": {"\u200ba": "p\u0430y\u200b"}}@'
    assert found(text, calls=True)[0] == {"name": "get", "arguments": {"a": "p\u0430y\u200b"}, "dialect": "toy"}
    assert found(text, "refuse", calls=True)[0][1] == 1
    assert found(text, "off", calls=True)[0]["name"] == "g\u0435t"
    assert found('@{"name": "f", "arguments": {"a": 1, "\u200ba": 2}}@', calls=True) == [("call.duplicate", 1)]


def test_disguises_in_payloads_are_cleaned_or_refused() -> None:
    pipeline = Pipeline(Toy, Extraction())
    for text in ("$cancel(fl\u200bight)$", "$c\u0430ncel(flight)$"):
        (one,) = pipeline.text(text)
        assert one.value is not None
        assert one.value["entities"][0]["value"] == "flight"
        assert [each.severity for each in one.warnings] == ["warning"]
        assert found(text, "refuse")[0][0].startswith("sanitize.")


def test_what_comes_is_given_at_once() -> None:
    given: list[str] = []

    def pieces() -> Iterator[str | Unreadable]:
        for piece in (ONE[:5], ONE[5:], " and ", ONE):
            given.append(piece)
            yield piece

    live = Pipeline(Toy, Extraction()).live(pieces(), LiveText())
    next(live)
    assert len(given) == 2
    next(live)
    assert len(given) == 4
    assert list(live) == []


def test_what_was_found_before_the_text_broke_stands() -> None:
    so_far = LiveText()
    broken = Unreadable(SilpError(ErrorCode.INVALID_SYNTAX, "broken"), "\ufffd...")
    first, second = Pipeline(Toy, Extraction()).live([f"{ONE}\nab", broken], so_far)
    assert first.error is None
    assert second.error is not None
    told = so_far.place(second.error)
    assert (told.line, told.column, told.excerpt) == (2, 3, "ab\ufffd...")
