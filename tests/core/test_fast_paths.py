"""Invariant 7: where a fast path stands beside a normative one, both accept the same with the same results."""

from __future__ import annotations

import copy
import json
import struct
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import NAMES, NASTY, irs, json_values

from silp_cli import SilpError
from silp_cli.ir import jsontext
from silp_cli.ir.accept import accepts, conforms
from silp_cli.ir.check import problems, require_valid
from silp_cli.ir.rules import actions_of, rule_errors, spotless
from silp_cli.ir.schema import schema_errors
from silp_cli.ir.verbs import WHITELIST
from silp_cli.text import safe
from silp_cli.text.sanitize import engine
from silp_cli.text.sanitize.clearance import Clearance
from silp_cli.text.sanitize.engine import DEFAULT

many = settings(max_examples=700)
seeds = st.integers(0, 2**32)


@pytest.fixture(autouse=True, scope="module")
def _fast_codec() -> None:
    jsontext.use_fast_codec()


# ---------------------------------------------------------------- the schema


_ODD: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 2.0, 1.5, 1e300, 2**70, "", "x", "!CANCEL", "!cancel", "CANCEL", "!", "!_A", "!A_",
    "!É",
    "!A\n", "v1", "v2", "v", "v1\n", "v١", "a1b2", "A1B2", "a1b2c3d4e", "abc", "a1b2\n", [], {}, [[]], [{}], ["x"], [1],
    [None], {"req_id": "a1b2"}, [{"id": "x", "value": "y"}], [{"type": "x", "value": "y"}], [{"action": "!A"}],
)


def _containers(value: Any) -> Iterator[Any]:
    if isinstance(value, (dict, list)):
        yield value
        for member in value.values() if isinstance(value, dict) else value:
            yield from _containers(member)


def mutated(ir: dict[str, Any], random: Random) -> Any:
    """An IR with up to three places changed into something the schema may or may not allow."""
    changed: Any = copy.deepcopy(ir)
    for _ in range(random.randrange(4)):
        owner = random.choice(list(_containers(changed)))
        odd = copy.deepcopy(random.choice(_ODD))
        if isinstance(owner, list):
            owner.insert(random.randrange(len(owner) + 1), odd)
        elif owner and random.random() < 0.8:
            key = random.choice(sorted(owner))
            if random.random() < 0.3:
                del owner[key]
            else:
                owner[key] = odd
        else:
            owner[random.choice((*NAMES, "x"))] = odd
    return changed


@many
@given(irs(), seeds)
def test_conforms_says_what_the_json_schema_says(ir: dict[str, Any], seed: int) -> None:
    assert conforms(ir)
    random = Random(seed)
    for _ in range(4):
        changed = mutated(ir, random)
        assert conforms(changed) == (schema_errors(changed) == []), changed


@pytest.mark.parametrize("place", [(), ("intent",), ("silp",), ("version",), ("entities",), ("entities", 0),
                                   ("entities", 0, "id"), ("entities", 0, "value"), ("entities", 0, "action"),
                                   ("constraints",), ("constraints", 0), ("constraints", 0, "type"),
                                   ("constraints", 0, "value"), ("constraints", 0, "time"), ("alternatives",),
                                   ("alternatives", 0), ("alternatives", 0, "action"), ("alternatives", 0, "target"),
                                   ("alternatives", 0, "location"), ("meta",), ("meta", "req_id"),
                                   ("meta", "session_id"), ("meta", "priority"), ("meta", "confidence"),
                                   ("meta", "seq"), ("meta", "seq", 0), ("meta", "out"), ("meta", "next_agent")],
                         ids=lambda place: "/".join(map(str, place)) or "root")
def test_conforms_at_every_place_of_the_schema(place: tuple[Any, ...]) -> None:
    for odd in _ODD:
        whole: Any = {
            "": {"silp": "v1", "version": "ir-v0.1", "intent": "!A",
                 "entities": [{"id": "act", "value": "x", "action": "!A"}],
                 "constraints": [{"type": "x", "value": "y", "time": "t+1"}],
                 "alternatives": [{"action": "!A", "target": "x", "location": "y"}],
                 "meta": {"req_id": "a1b2", "session_id": "s1", "priority": 1, "confidence": 1, "seq": ["!A"],
                          "out": "code", "next_agent": "x"}},
        }
        owner, path = whole, ("", *place)
        for step in path[:-1]:
            owner = owner[step]
        owner[path[-1]] = odd
        assert conforms(whole[""]) == (schema_errors(whole[""]) == []), (place, odd)


@many
@given(irs(), seeds)
def test_accepts_says_what_schema_and_rules_say_together(ir: dict[str, Any], seed: int) -> None:
    for changed in (ir, mutated(ir, Random(seed))):
        for verbs in (None, frozenset(WHITELIST), frozenset(("!A", "!IF"))):
            found = schema_errors(changed) or rule_errors(changed, verbs)
            assert [str(each) for each in problems(changed, verbs=verbs)] == [str(each) for each in found]
            errors = [each for each in found if each.severity == "error"]
            assert accepts(changed, verbs) == (errors == [])
            if errors:
                with pytest.raises(SilpError) as caught:
                    require_valid(changed, verbs)
                assert caught.value.message == errors[0].message
            else:
                require_valid(changed, verbs)


@settings(max_examples=500)
@given(json_values)
def test_any_json_value_is_judged_alike(value: Any) -> None:
    assert conforms(value) == (schema_errors(value) == [])


# ---------------------------------------------------------------- JSON in


def spelled(value: Any, random: Random) -> str:
    """The value as JSON text in one of its many spellings, some members given twice."""
    space = random.choice(("", "", " ", "\n", "\t", " \r\n "))
    if isinstance(value, dict):
        members = [f"{_literal(key, random)}{space}:{space}{spelled(member, random)}" for key, member in value.items()]
        if members and random.random() < 0.1:
            key = random.choice(list(value))
            members.insert(random.randrange(len(members) + 1), f"{_literal(key, random)}:{random.choice(_ODD_TEXT)}")
        return f"{{{space}{f'{space},'.join(members)}{space}}}"
    if isinstance(value, list):
        return f"[{space}{f',{space}'.join(spelled(item, random) for item in value)}{space}]"
    if isinstance(value, str):
        return _literal(value, random)
    if isinstance(value, float) and random.random() < 0.5:
        return f"{value:{random.choice(('.17e', '.0E', '.3f', 'e', '.20e'))}}"
    return json.dumps(value)


_ODD_TEXT = ("1", '"x"', "null", '"\\u0022"', "[]", '"a\\"b"')


def _literal(text: str, random: Random) -> str:
    style = random.randrange(3)
    if style == 0:
        return json.dumps(text)
    if style == 1:
        return json.dumps(text, ensure_ascii=False)
    body = "".join(
        f"\\u{ord(char):04{random.choice('xX')}}" if ord(char) < 0x10000 and random.random() < 0.3
        else "\\/" if char == "/" else json.dumps(char)[1:-1]
        for char in text
    )
    return f'"{body}"'


def edited(text: str, random: Random, pieces: tuple[str, ...]) -> str:
    """The text after one to three small accidents."""
    for _ in range(random.randrange(1, 4)):
        start = random.randrange(len(text) + 1)
        end = min(len(text), start + random.choice((0, 0, 1, 1, 2, 5)))
        text = text[:start] + (random.choice(pieces) if random.random() < 0.7 else "") + text[end:]
    return text


PIECES = (
    '"', "\\", "{", "}", "[", "]", ",", ":", " ", "\n", "\t", "\0", "0", "01", "-", "1e999", "1e400", "-0", "-0.0",
    "1.", ".5", "+1",
    "1E+2", "NaN", "Infinity", "-Infinity", "nul", "true", "'", "\\u", "\\ud800", "\\udc00", "\\u0022", "\\x", "\ufeff",
    "\ud800",
    "//", "12345678901234567890123", "9" * 400, "9" * 4300, "9" * 4301, "1e-400", "\x7f", "\u2028", "é", '"a":1,',
    '"a":1,"a":2,', "[[",
)


def outcome(read: Any, text: str) -> tuple[Any, ...]:
    """The value with its exact types, or everything that can be seen of the error."""
    try:
        return ("value", repr(read(text)))
    except SilpError as error:
        return ("error", error.code, error.rule, error.message, error.hint, error.position, error.path)


@many
@given(json_values, seeds)
def test_both_readers_give_the_same_value_or_the_same_error(value: Any, seed: int) -> None:
    random = Random(seed)
    text = spelled({"a": value, "b": value} if random.random() < 0.3 else value, random)
    for _ in range(6):
        assert outcome(jsontext.loads, text) == outcome(jsontext.loads_normative, text), text
        text = edited(text, random, PIECES)


@pytest.mark.parametrize(
    "text",
    [
        '{"a":1,"a":2}', '{"a":"x","a":"y"}', '{"a":{"b":1,"b":2}}', '{"a":1,"\\u0061":2}', '{"\\u0022":1,"\\"":2}',
        "{}", "",
        " ", "[1,]", '{"a":1,}', "-0", "-0.0", "1e5", "1E400", "-1e400", "NaN", "-Infinity", "1e-400", "00", "1.0",
        "100000000000000000000",
        "18446744073709551615", "18446744073709551616", "-9223372036854775809", '"\\ud800"', '"\\ud83d\\ude00"',
        '"\\ude00\\ud83d"',
        '"\ud800"', '"\x7f"', '"\t"', "\ufeff{}", "{} {}", "[" * 70 + "]" * 70, '{"a":"\\/"}', '"' + "\\" * 7 + '"',
        "9" * 4300, "9" * 4301, "-" + "9" * 4300, "-" + "9" * 4301, '{"a":-' + "9" * 4300 + "}", "0." + "9" * 5000,
        "9" * 5000 + ".0",
        "\xa0{}", "{}\x0c", "\u2028{}", '{"a":[1,2,{"a":1,"b":{"a":2,"a":3}}]}', '"\\u00e9"', '{"é":1,"\\u00e9":2}',
    ],
    ids=lambda text: ascii(text)[:40],
)
def test_both_readers_on_known_hard_cases(text: str) -> None:
    assert outcome(jsontext.loads, text) == outcome(jsontext.loads_normative, text)


@pytest.mark.parametrize("key", [*NASTY, *NAMES], ids=ascii)
def test_a_key_given_twice_is_found_by_both(key: str) -> None:
    for first in (key, *(["x"] if key != "x" else [])):
        spelling = json.dumps(key)
        text = f'{{{json.dumps(first)}:1,{spelling}:"y","z":{{{spelling}:1,{json.dumps(key, ensure_ascii=False)}:1}}}}'
        for read in (jsontext.loads, jsontext.loads_normative):
            with pytest.raises(SilpError) as caught:
                read(text)
            assert caught.value.rule == "json.duplicate-key"


# ---------------------------------------------------------------- JSON out


@many
@given(json_values)
def test_both_writers_write_the_same_bytes_and_they_read_back(value: Any) -> None:
    text = jsontext.dumps(value)
    assert text == jsontext.dumps_normative(value)
    assert repr(jsontext.loads(text)) == repr(value)
    assert json.loads(jsontext.dumps_pretty(value)) == value


@many
@given(st.integers(0, 2**64 - 1))
def test_both_writers_on_doubles_of_every_size(bits: int) -> None:
    number: float = struct.unpack("<d", struct.pack("<Q", bits))[0]
    if number - number != 0:  # NaN, Infinity
        return
    text = jsontext.dumps([number, {"e-5": number}])
    assert text == jsontext.dumps_normative([number, {"e-5": number}])
    assert repr(jsontext.loads(text)[0]) == repr(number) == repr(jsontext.loads_normative(text)[0])


@pytest.mark.parametrize("exponent", range(-12, 24))
@pytest.mark.parametrize("digits", ["1", "-1.5", "1.2345678901234567", "9.999999999999999"])
def test_both_writers_where_the_spelling_changes_from_plain_to_exponent(digits: str, exponent: int) -> None:
    number = float(f"{digits}e{exponent}")
    assert jsontext.dumps(number) == jsontext.dumps_normative(number)
    assert jsontext.loads(jsontext.dumps(number)) == number


def test_strings_that_look_like_numbers_are_left_alone() -> None:
    for text in ("1e-05", "1.5e+22", 'x"1e-05', "\\1e-05", '\\"1e+16'):
        assert json.loads(jsontext.dumps_normative([text, {text: 1e-05}])) == [text, {text: 1e-05}]
        assert jsontext.dumps([text, {text: 1e-05}]) == jsontext.dumps_normative([text, {text: 1e-05}])


# ---------------------------------------------------------------- escapes


@many
@given(json_values)
def test_escaping_piece_by_piece_is_escaping_the_whole(value: Any) -> None:
    text = jsontext.dumps({"a": value, "b": ["日本", value]})
    quick = safe.escape(text)
    assert quick == safe._escape(text)
    assert repr(jsontext.loads(quick)) == repr(jsontext.loads(text))
    assert safe.escape(quick) == quick


@given(irs())
def test_spotless_says_what_the_rules_say(ir: dict[str, Any]) -> None:
    if accepts(ir, None):
        own = frozenset(action for _, action in actions_of(ir))
        assert spotless(ir) == (rule_errors(ir, own) == [])
        assert not (spotless(ir) and rule_errors(ir, None))  # with more verbs there is less to find


class Never(Clearance):
    """Knows nothing, so that everything is looked at."""

    def __call__(self, text: str) -> bool:
        return False


def at_once() -> Clearance:
    """A clearance that has seen enough."""
    clearance = Clearance(lambda: DEFAULT)
    clearance(" " * (1 << 17))
    return clearance


@given(json_values, st.sampled_from(("{}", "email({})", "{}: x", "\\{}")))
def test_what_is_cleared_by_grammar_would_pass_untouched(value: Any, around: str) -> None:
    text = around.replace("{}", jsontext.dumps(value))
    outcome = []
    for clearance in (Never(lambda: DEFAULT), at_once()):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(safe, "_cleared", clearance)
            patch.setattr(engine, "_cleared", clearance)
            found = engine.sanitize_structure(text)
            outcome.append((safe.escape(text), found[0], [str(each) for each in found[1]]))
    assert outcome[0] == outcome[1]
