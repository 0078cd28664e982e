"""Policies: what they write can be read back, whatever the IR; what is wrong with one is said when it is read."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import NAMES, irs

from silp_cli.api import equivalent
from silp_cli.ir.errors import SilpError
from silp_cli.policy.features import FEATURES, class_of
from silp_cli.policy.policy import KEY, Policy, parse_policy, policy_of
from silp_cli.policy.spelling import Spelling, Vocabulary, conflict, faults, skeleton

WORDS = ("!FIND", "!LOOK", "!MAIL", "!ABORT", "!X", "!Q", "!BEGIN", "!MEND", "!ZIP")
VERBS = ("!CANCEL", "!START", "!EMAIL", "!FETCH", "!IF", "!X_", "!A", "!WITH", "!FIND", "!LOOK")
IDS = (*NAMES[:12], "from", "destination", "to", "", "a, b", "Москва")
ID_WORDS = ("dst", "src", "who", "kind", "ort", "Ziel")


def tables(names: tuple[str, ...], words: tuple[str, ...]) -> st.SearchStrategy[dict[str, str]]:
    return st.dictionaries(st.sampled_from(names), st.sampled_from(words), max_size=6).map(
        lambda found: {name: word for name, word in found.items() if list(found.values()).count(word) == 1}
    )


@st.composite
def policies(draw: st.DrawFn) -> Policy:
    features = draw(st.lists(st.sampled_from(list(FEATURES)), unique=True))
    names = [name for name in FEATURES if name in features]
    classes = draw(st.dictionaries(
        st.lists(st.sampled_from(names), unique=True).map(lambda some: "+".join(n for n in names if n in some) or "plain")
        if names else st.just("plain"),
        st.sampled_from(("code", "json")),
    ))
    policy = {
        KEY: 1, "default": draw(st.sampled_from(("code", "json"))), "features": names, "classes": classes,
        "vocabulary": {"verbs": draw(tables(VERBS, WORDS)), "ids": draw(tables(IDS, ID_WORDS))},
    }
    return parse_policy(json.dumps(policy))


@st.composite
def respelled_irs(draw: st.DrawFn) -> dict[str, Any]:
    """Valid IRs in which the names and spellings above, with and without underscores, are frequent."""
    ir = draw(irs())
    verbs = st.builds(str.__add__, st.sampled_from((*VERBS, *WORDS)), st.sampled_from(("", "", "_", "__")))
    ids = st.builds(str.__add__, st.sampled_from((*IDS, *ID_WORDS)), st.sampled_from(("", "", "_", "__")))
    if draw(st.booleans()):
        ir["intent"] = draw(verbs)
    for entity in ir.get("entities") or ():
        entity["id"] = draw(ids)
        if entity.get("action") and draw(st.booleans()):
            entity["action"] = draw(verbs)
    return ir


@given(policies(), respelled_irs())
def test_what_a_policy_writes_it_reads_back(policy: Policy, ir: dict[str, Any]) -> None:
    text = policy.compile(ir)
    assert "\n" not in text
    back = policy.decode(text)
    assert equivalent(back, ir)
    assert policy.compile(back) == text


@given(tables(IDS, ID_WORDS), st.text("ab_dstr", max_size=5), st.text("ab_dstr", max_size=5))
def test_no_two_names_are_spelled_alike(given_table: dict[str, str], one: str, other: str) -> None:
    spelling = Spelling({"a": "b", **given_table})
    assert (spelling.write(one) == spelling.write(other)) == (one == other)
    assert spelling.read(spelling.write(one)) == one


def test_a_name_that_is_a_spelling_of_another_gets_an_underscore() -> None:
    policy = Policy(vocabulary=Vocabulary({"!SEARCH": "!FIND"}))
    ir = {"intent": "!SEARCH", "entities": [{"id": "act", "value": "x", "action": "!FIND"}], "meta": {"req_id": "a1b2"}}
    assert policy.compile(ir, bare=True) == "find(); find_(x)"


def test_a_payload_of_another_spelling_is_refused_rather_than_guessed() -> None:
    policy = Policy(vocabulary=Vocabulary({"!SEARCH": "!FIND"}))
    with pytest.raises(SilpError, match="under this policy '!SEARCH' is written '!FIND'"):
        policy.decode("search(x)")


def ir_of(**parts: Any) -> dict[str, Any]:
    return {"intent": "!BOOK", "entities": [{"id": "act", "value": "hotel"}], "meta": {"req_id": "a1b2"}, **parts}


@pytest.mark.parametrize(
    ("parts", "name"),
    [
        ({}, "plain"),
        ({"entities": None}, "plain"),
        ({"constraints": [{"type": "!rain", "value": "true"}]}, "conditions"),
        ({"constraints": [{"type": "a", "value": "1", "operator": "<="}, {"type": "b", "value": "1"}]}, "conditions+nesting"),
        ({"alternatives": [{"action": "!START"}]}, "fallbacks"),
        ({"entities": [{"id": "act", "value": "x", "action": "!EMAIL"}]}, "sequence"),
        ({"meta": {"req_id": "a1b2", "seq": ["!BOOK"]}}, "sequence"),
        ({"meta": {"req_id": "a1b2", "seq": ["parallel"]}}, "plain"),
        ({"entities": [{"id": "act", "value": "x", "size": {"a": 1}}]}, "nesting"),
        ({"entities": [{"id": str(n), "value": "x"} for n in range(6)]}, "length"),
        ({"entities": [{"id": "act", "value": "two words"}]}, "hard"),
    ],
)
def test_classes(parts: dict[str, Any], name: str) -> None:
    assert class_of(ir_of(**parts)) == name


def test_the_class_chooses_the_frontend() -> None:
    policy = Policy("code", {"conditions": "json"}, ("conditions",))
    assert policy.frontend_for(ir_of()) == "code"
    assert policy.frontend_for(ir_of(constraints=[{"type": "a", "value": "b c"}])) == "json"


def test_lookalikes_and_beginnings_conflict() -> None:
    assert skeleton("Il1|O0") == "llllOO"
    assert skeleton("сору") == "copy"
    assert conflict("lO", "10") == "look alike"
    assert conflict("find", "finder")
    assert conflict("find", "look") == ""


@pytest.mark.parametrize(
    ("verbs", "ids", "known", "said"),
    [
        ({"!SEARCH": "find"}, {}, (), "verbs are action codes"),
        ({"!SEARCH": "!FETCH"}, {}, (), "a verb of the protocol"),
        ({"!SEARCH": "!IF"}, {}, (), "the surfaces use this word"),
        ({"!SEARCH": "!FIND_"}, {}, (), "the underscore at the end"),
        ({"!SEARCH": "!FIND", "!EMAIL": "!FINDER"}, {}, (), "begin alike"),
        ({"!SEARCH": "!FIND", "!EMAIL": "!FIND"}, {}, (), "are the same"),
        ({"!SEARCH": "!BOOKS"}, {}, ("!BOOK",), "begin alike"),
        ({}, {"to": "act"}, (), "the surfaces use this word"),
        ({}, {"to": "two words"}, (), "one word"),
        ({}, {"a": "сору", "b": "copy"}, (), "look alike"),
    ],
)
def test_spellings_that_could_be_confused_are_refused(
    verbs: dict[str, str], ids: dict[str, str], known: tuple[str, ...], said: str
) -> None:
    assert said in next(faults(verbs, ids, known))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "not JSON"), ("[]", "not a policy"), ("{}", "not a policy"), ('{"silp_policy":2}', "not a policy"),
        ('{"silp_policy":1,"default":"cod"}', "no frontend 'cod'"),
        ('{"silp_policy":1,"classes":{"hard+conditions":"code"}}', "no class"),
        ('{"silp_policy":1,"classes":{"nice":"code"}}', "no class"),
        ('{"silp_policy":1,"classes":{"hard":3}}', "an object of strings"),
        ('{"silp_policy":1,"features":["nice"]}', "features: a list of"),
        ('{"silp_policy":1,"vocabulary":{"verb":{}}}', "an object with verbs and ids"),
        ('{"silp_policy":1,"vocabulary":{"verbs":{"!A":"!IF"}}}', "the surfaces use"),
    ],
)
def test_what_is_wrong_with_a_policy_is_said(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        parse_policy(text)


def test_a_policy_goes_to_its_file_and_back() -> None:
    policy = Policy("json", {"hard": "code"}, ("hard",), Vocabulary({"!SEARCH": "!FIND"}, {"destination": "to"}))
    assert policy_of(policy.to_dict()).to_dict() == policy.to_dict()


def test_applying_a_policy_imports_none_of_the_heavy_libraries() -> None:
    program = "import sys, silp_cli.policy.policy; print(*sorted({'scipy', 'numpy', 'pymoo', 'typer'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True).stdout == "\n"
