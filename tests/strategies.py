"""Hypothesis strategies for IRs: every shape the schema allows, filled with the strings most likely to do harm.

``irs()`` gives valid IRs as plain JSON data. ``strings`` and ``json_values`` are its material. All are written
for speed: thousands of examples a property are the rule here.
"""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import strategies as st

from silp_cli.ir.verbs import WHITELIST

# Text that means something somewhere: in the code surface, in JSON, to a terminal, to a sanitizer.
NASTY: tuple[str, ...] = (
    "a, b", "x and y", "else: z", "12:30", "f(x)", '"', "\\", "'", "=", ":=", "->", "@", "t+1", "with", "if", "true",
    "null", "", " both ends ", "\n", "line\nline", "\0", "\u200b", "zero\u200bwidth", "\u202e", "\u2028",
    "👨\u200d👩\u200d👧",
    "Москва", "сору", "саncel", "مرحبا", "می\u200cخواهم", "\ud800", "\udfff!", "x\udc00",
    # the injections
    "x); email(bob", "tea) else: cancel(all", "a with priority=9", "bob@x.io", "90%", "on hold", "a: b",
    # words of the grammar and what looks like them
    "then", "and", "else", "IF", "t", "t+1am", "t-2pm", "t+1é", "t+", "t1", "!rain", "!", "!if", "!!x", "a-", "-",
    "->x",
    "a->b", "-1", "5", "1e5", "==", "!=", "<=", ">=", "<", ">", "a<b", "a>=b", "a;b", "[x=1]", "{}", '{"a":1}', "]",
    "a,b", "(", ")", ":", ";", ",", ".", "a.b", "*", "#", "$x", "%", "/", "+", "_", "~", "|", "&&", "`", "```", "?",
    "//ping", "a=b", "a:=1", "\\n", "\\u0041", "\\\\", "\\'", "it's", 'say "hi"', "“curly”",
    # characters that some reader drops, folds or splits at
    "\t", "\r", "\r\n", "\x0b", "\x0c", "\x1b[31m", "\x7f", "\x85", "\xa0", "\xad", "\u2029", "\ufeff", "\ufeffx",
    "\u2066x\u2069",
    "\U000e0041", "\ufe0f", "é", "e\u0301", "क्षि", "日本", "ﬁ", "①", "²", "٣", "ａ", "Ａ１", "\U00010400",
    "\U0010ffff", "İ", "ß",
    "\ufffe", "\ufffd", "\ue000", "\u0378", "ⅷ", "ʰ", "ª",
)

# Names the formats use themselves; as ids, types and names of extra fields they must keep no such meaning.
NAMES: tuple[str, ...] = (
    "act", "time", "value", "subject", "operator", "target", "location", "loc", "action", "id", "type", "intent",
    "entities", "constraints", "alternatives", "meta", "silp", "version", "action_email", "action_", "action_if",
    "req_id", "session_id", "priority", "confidence", "seq", "out", "next_agent", "error", "task_description",
    "parallel", "sequential", "reason_first", "reason_last", "!EMAIL", "email", "natural", "v1", "ir-v0.1",
)

OPERATORS = ("==", "!=", "<", "<=", ">", ">=")
# Function names that are keywords, and odd ones that the schema allows.
ACTIONS: tuple[str, ...] = (
    *WHITELIST[:5], "!IF", "!WITH", "!AND", "!ELSE", "!THEN", "!A", "!X_", "!A__B", "!SWITCH_TOOL",
)


def paired(text: str) -> str:
    """The text as JSON can say it: a high surrogate before a low one is one character."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


_sampled = st.sampled_from((*NASTY, *NAMES))
_character = st.characters()  # all of Unicode, surrogates included
strings: st.SearchStrategy[str] = st.one_of(
    _sampled,
    _sampled,
    st.text(_character, max_size=6).map(paired),
    st.builds(lambda one, two: paired(one + two), _sampled, st.sampled_from(NASTY)),
    st.text("abt+-1,=:;@!\"'\\ ()[]<>", max_size=8),
    st.sampled_from(("hike", "flight_2", "true", "Beijing", "4.0")),
)
names: st.SearchStrategy[str] = st.one_of(st.sampled_from(NAMES), strings)
numbers: st.SearchStrategy[int | float] = st.one_of(
    st.integers(-10, 10),
    st.sampled_from((2**53, 2**53 + 1, -(2**63), 2**63, 2**64, 10**40, 0.0, -0.0, 1e-7, 1e-5, 1e16, 1e21, 1e22, 5e-324,
                     1.7976931348623157e308, 0.1, 1.0, 100.0)),
    st.floats(allow_nan=False, allow_infinity=False),
    st.integers(),
)
_scalars: st.SearchStrategy[Any] = st.one_of(strings, numbers, st.booleans(), st.none())
_flat: st.SearchStrategy[Any] = st.one_of(
    _scalars,
    st.lists(_scalars, max_size=3),
    st.dictionaries(strings, _scalars, max_size=3),
)
json_values: st.SearchStrategy[Any] = st.one_of(
    _scalars,
    _scalars,
    _flat,
    st.lists(_flat, max_size=2),
    st.dictionaries(strings, _flat, max_size=2),
    st.sampled_from(([], {}, [[]], [{}], {"": {}}, [[[[[[[[]]]]]]]], {"a": [{"b": [{"c": None}]}]})),
)


def _extras(*known: str) -> st.SearchStrategy[dict[str, Any]]:
    field = st.dictionaries(names.filter(lambda name: name not in known), json_values, min_size=1, max_size=2)
    return st.one_of(st.just({}), st.just({}), field)


def _object(
    required: dict[str, st.SearchStrategy[Any]], optional: dict[str, st.SearchStrategy[Any]]
) -> st.SearchStrategy[dict[str, Any]]:
    fields = st.fixed_dictionaries(required, optional=optional)
    return st.builds(lambda known, extra: {**known, **extra}, fields, _extras(*required, *optional))


_actions = st.sampled_from(ACTIONS)
entities = _object(
    {"id": st.one_of(st.sampled_from(("act", "act", "time")), names), "value": strings},
    {"action": st.one_of(_actions, st.none())},
)
constraints = st.builds(
    lambda item, common: {**item, **common},
    _object(
        {
            "type": st.one_of(st.sampled_from(("loc", "!rain", "rating")), names, strings.map(lambda text: "!" + text)),
            "value": st.one_of(st.just("true"), strings),
        },
        {"time": st.one_of(st.sampled_from(("t+1", "t+2am")), st.none(), strings)},
    ),
    st.one_of(
        st.just({}),
        st.fixed_dictionaries({"operator": st.sampled_from(OPERATORS)}),
        st.fixed_dictionaries({"operator": json_values}),
        st.fixed_dictionaries({"subject": st.one_of(strings, strings, json_values)}),
        st.fixed_dictionaries({"operator": st.sampled_from(OPERATORS), "subject": strings}),
    ),
)
alternatives = _object(
    {"action": _actions}, {"target": st.one_of(strings, st.none()), "location": st.one_of(strings, st.none())}
)
_metas = _object(
    {"req_id": st.sampled_from(("a1b2c3d4", "0f0f", "c0ffee"))},
    {
        "session_id": st.one_of(strings, st.none()),
        "priority": st.one_of(st.integers(), st.integers(0, 3), st.sampled_from((2.0, -0.0, 1e20)), st.none()),
        "confidence": st.one_of(st.floats(0, 1), st.sampled_from((0, 1, 1.0, 0.5, 1e-9)), st.none()),
        "seq": st.one_of(st.lists(st.one_of(_actions, strings), max_size=3), st.none()),
        "out": st.one_of(st.sampled_from(("natural", "code")), strings, st.none()),
        "next_agent": st.one_of(strings, st.none()),
    },
)


@st.composite
def irs(draw: st.DrawFn) -> dict[str, Any]:
    """Valid IRs of a supported version; verbs are not held to the whitelist."""
    ir: dict[str, Any] = draw(
        st.fixed_dictionaries(
            {"intent": _actions},
            optional={
                "silp": st.sampled_from(("v1", None)),
                "version": st.one_of(st.just("ir-v0.1"), strings, st.none()),
                "entities": st.one_of(st.lists(entities, max_size=4), st.none()),
                "constraints": st.one_of(st.lists(constraints, max_size=3), st.none()),
                "alternatives": st.one_of(st.lists(alternatives, max_size=2), st.none()),
            },
        )
    )
    meta: dict[str, Any] = draw(_metas)
    # seq decides between "; " and " -> " when it lists the calls, which chance would seldom make it do
    shape = draw(st.integers(0, 5))
    if shape < 3:
        calls = [ir["intent"]]
        for entity in ir.get("entities") or ():
            action = entity.get("action") or ir["intent"]
            if action != calls[-1]:
                calls.append(action)
        if shape == 1:
            calls.append(draw(_actions))
        elif shape == 2:
            calls.insert(draw(st.integers(0, len(calls))), draw(_actions))
        meta["seq"] = calls
    ir["meta"] = meta
    return ir


def shuffled(value: Any, random: Random) -> Any:
    """The same JSON value with the members of every object in another order."""
    if isinstance(value, dict):
        keys = list(value)
        random.shuffle(keys)
        return {key: shuffled(value[key], random) for key in keys}
    if isinstance(value, list):
        return [shuffled(item, random) for item in value]
    return value
