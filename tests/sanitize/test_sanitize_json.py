"""``--json``: the strings in JSON are cleaned, and nothing else."""

from __future__ import annotations

import json

import pytest
from support import silp

from silp_cli.ir.errors import SilpError
from silp_cli.text.sanitize.engine import Policy
from silp_cli.text.sanitize.jsonmode import clean_json


def cleaned(text: str) -> str:
    return clean_json(text, Policy(), 64)[0]


def test_escapes_raw_characters_and_keys_are_cleaned() -> None:
    assert cleaned(r'{"a\u200b":"x\u202ey","\u0441ancel":"сancel"}') == '{"a":"xy","cancel":"cancel"}'
    assert cleaned('"\\udb40\\udc41a\\ud83d\\ude00"') == '"a\\ud83d\\ude00"'
    assert cleaned('"a\U000e0041b"') == '"ab"'


@pytest.mark.parametrize(
    "text",
    [
        '{"n":1.50e+3,"m":-0,"k":1E400,"big":123456789012345678901234567890}', '[ 1 ,\n\t2 ]\n', '{ }', "  true ",
        r'"\/\u0041\n\t\"\\u200b"', r'"\ud800"', '{"a":1,"a":2}', "{}\r\n[]\r\n\r\n3", "",
    ],
)
def test_everything_else_keeps_its_spelling(text: str) -> None:
    assert cleaned(text) == text


def test_a_byte_order_mark_and_other_debris_between_tokens_goes() -> None:
    assert cleaned('\ufeff{"a":\u200b1}') == '{"a":1}'


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ('{"k":1,"x":{"k":0},"k\u200b":2}', 19), ('{"k\u200b":2,"x":{"k":0},"k":1}', 1), ('{"k\\u200b":2,"k":1}', 1),
        ('{"k\u200b":1,"k\u200c":2}', 8),
    ],
)
def test_two_keys_that_become_one_are_an_error_at_the_one_in_disguise(text: str, position: int) -> None:
    with pytest.raises(SilpError, match=r'key "k\\u200[bc]" would become "k", which its object has too') as caught:
        cleaned(text)
    assert caught.value.rule == "sanitize.key-collision"
    assert caught.value.position == position


@pytest.mark.parametrize(
    ("text", "position"),
    [('{"a":tru}', 5), ('{"a":1,}', 7), ('{"a\u200b":1 2}', 8), ("[1", 2), ('{"a":NaN}', 5), ('"a\n', 2), ("]", 0)],
)
def test_what_is_no_json_is_refused_where_it_breaks(text: str, position: int) -> None:
    with pytest.raises(SilpError) as caught:
        cleaned(text)
    assert caught.value.position == position


def test_nesting_is_limited() -> None:
    with pytest.raises(SilpError, match="deeper than 64"):
        cleaned("[" * 100_000)


def test_a_stream_of_documents_in_any_layout_comes_out_in_its_layout() -> None:
    given = '{"a":"x\u200b"}\r\n\n{\n "b" : "\\u202e"\n}\n[1]  {"c":2}'
    result = silp("sanitize", "--json", given=given)
    assert (result.status, result.out) == (0, '{"a":"x"}\r\n\n{\n "b" : ""\n}\n[1]  {"c":2}')


def test_a_bad_record_does_not_take_the_next_ones_with_it() -> None:
    given = '{"a":1\n{"b":"\u200b"}\n{"c":tru}\n{"d":"unclosed\n{"e":5}\n'
    result = silp("sanitize", "--json", "--errors", "json", given=given)
    assert (result.status, result.out) == (1, '{"b":""}\n{"e":5}\n')
    assert [each["line"] for each in result.diagnostics][1:] == [3, 4]


def test_errors_take_the_place_of_records() -> None:
    result = silp("sanitize", "--json", "--on-error", "emit", given='{"a":1}\n{"b":}\n{"c":"\u200b"}\n')
    lines = [json.loads(line) for line in result.lines]
    assert [sorted(line) for line in lines] == [["a"], ["error"], ["c"]]


def test_a_record_over_the_limit_is_skipped() -> None:
    given = '{"a":1}\n{"long":"' + "x" * 5000 + '"}\n{"b":"\u200b"}\n[\n' + "1,\n" * 5000 + '1]\n{"c":3}\n'
    result = silp("sanitize", "--json", "--max-record-size", "4K", "--errors", "json", given=given)
    assert (result.status, result.out) == (1, '{"a":1}\n{"b":""}\n{"c":3}\n')
    assert [each["rule"] for each in result.diagnostics] == ["limit.record-size"] * 2


def test_the_report_names_the_place_of_each_escape() -> None:
    given = '{"ok":1}\n{\n  "k\\u200b": "v"}\n'
    result = silp("sanitize", "--json", "--check", "--report", "json", given=given)
    assert json.loads(result.out) == {
        "source": "stdin", "record": 2, "line": 3, "column": 5, "codepoint": "U+200B", "name": "ZERO WIDTH SPACE",
        "class": "zero-width", "replacement": "", "word": "k\\u200b",
    }
