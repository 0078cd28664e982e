"""Negotiation: the wire form, the choice, the state machine."""

from __future__ import annotations

from pathlib import Path

import pytest
from abnf import ParseError, Rule
from hypothesis import given
from hypothesis import strategies as st

from silp_cli.ir.errors import ErrorCode, SilpError
from silp_cli.protocol.negotiation.exchange import CHAIN, Exchange, State, answer, by_priority, choose, degradation
from silp_cli.protocol.negotiation.messages import MAX_LENGTH, Message, error_message, parse_message

from .outcome import outcome

GRAMMAR = Path(__file__).parents[2] / "grammars" / "negotiation.abnf"

frontend = st.sampled_from(["code", "json", "natural", "nl_json", "llmlingua2", "math", "acme", "x-1", "Z.9"])
frontends = st.lists(frontend, min_size=1, max_size=6, unique=True).map(tuple)
unknown = st.dictionaries(
    st.from_regex(r"[a-z][a-z0-9_-]{0,8}", fullmatch=True).filter(
        lambda name: name not in ("frontends", "prefer", "code", "id")
    ),
    st.text(min_size=0, max_size=12),
    max_size=3,
)


@st.composite
def offers(draw: st.DrawFn, kind: str = "ping") -> Message:
    names = draw(frontends)
    prefer = draw(st.none() | st.sampled_from(names))
    return Message(kind, names, prefer, parameters=draw(unknown))


def problem(text: str) -> SilpError:
    with pytest.raises(SilpError) as caught:
        parse_message(text)
    return caught.value


# ---------------------------------------------------------------- wire form


@given(st.sampled_from(["ping", "pong"]).flatmap(offers))
def test_a_message_reads_back_as_it_was_written(message: Message) -> None:
    read = parse_message(str(message))
    assert (read.kind, read.frontends, read.prefer) == (message.kind, message.frontends, message.prefer)
    assert {**message.parameters}.items() <= read.parameters.items()
    assert not any(ord(mark) < 0x20 or 0x7F <= ord(mark) < 0xA0 for mark in str(message))


@given(st.sampled_from(list(ErrorCode)), st.text(max_size=30))
def test_an_error_message_reads_back(code: ErrorCode, text: str) -> None:
    read = parse_message(str(error_message(SilpError(code, text))))
    assert (read.kind, read.code, read.parameters["message"]) == ("error", code, text)


def test_the_issue_form() -> None:
    assert str(Message("ping", ("code", "json"))) == "//ping v1 frontends=code,json"


@pytest.fixture(scope="module")
def grammar() -> type[Rule]:
    class Grammar(Rule):
        pass

    Grammar.load_grammar(GRAMMAR.read_text().replace("\n", "\r\n"), strict=True)
    return Grammar


def in_grammar(grammar: type[Rule], text: str) -> bool:
    try:
        grammar("message").parse_all(text)
    except ParseError:
        return False
    return True


mutation = st.tuples(st.integers(0, 80), st.sampled_from([*' =",\\/v1apx\n\x7fé|', ""]))


# What the grammar's comments add to it: parameters that are needed, or belong together, or stand once.
BEYOND_THE_ABNF = (
    "needs", "twice", "not among", "is not supported", "no such error code", "expected a frontend name",
    "takes no quotes",
)  # fmt: skip


@given(st.sampled_from(["ping", "pong"]).flatmap(offers), st.lists(mutation, max_size=2))
def test_what_the_reader_takes_is_in_the_grammar_and_the_other_way_round(
    grammar: type[Rule], message: Message, edits: list[tuple[int, str]]
) -> None:
    text = str(message)
    for place, mark in edits:
        text = text[:place] + mark + text[place + 1 :]
    _, error = outcome(parse_message, text)
    if error is None:
        assert in_grammar(grammar, text), text
    elif not any(words in error.message for words in BEYOND_THE_ABNF):
        assert not in_grammar(grammar, text), text


@pytest.mark.parametrize(
    ("text", "column", "words"),
    [
        ("", 0, "expected //ping"),
        ("ping v1 frontends=code", 0, "expected //ping"),
        ("//ping", 0, "expected //ping"),
        ("//PING v1 frontends=code", 0, "expected //ping"),
        ("//pingv1 frontends=code", 0, "expected //ping"),
        ("//ping frontends=code", 7, "expected a version"),
        ("//ping v1", 9, "needs frontends"),
        ("//ping v1 frontends=", 10, "expected name=value"),
        ("//ping v1 frontends=code,", 25, "expected a frontend name"),
        ("//ping v1 frontends=,code", 20, "expected a frontend name"),
        ("//ping v1 frontends=code,code", 25, "twice"),
        ("//ping v1 frontends=code frontends=json", 25, "twice"),
        ("//ping v1 frontends=code prefer=json", 32, "not among"),
        ("//ping v1 frontends=code id=a b", 30, "expected name=value"),
        ('//ping v1 frontends=code id="a', 25, "expected name=value"),
        ('//ping v1 frontends="code"', 20, "no quotes"),
        ("//ping v1\tfrontends=code", 7, "expected a version"),
        ("//error v1", 10, "needs code"),
        ("//error v1 code=broken", 16, "no such error code"),
        ("//ping v1 frontends=code\x00", 10, "expected name=value"),
    ],
)
def test_what_is_outside_the_grammar_is_an_error_with_a_position(text: str, column: int, words: str) -> None:
    error = problem(text)
    assert (error.code, error.position) == (ErrorCode.INVALID_SYNTAX, column)
    assert words in error.message


@given(st.text(max_size=60) | st.text(alphabet='/pingov1 =,"frtensdcj', max_size=60).map("//ping v1".__add__))
def test_garbage_is_answered_with_invalid_syntax(text: str) -> None:
    _, error = outcome(parse_message, text)
    if error is not None:
        assert error.code in (ErrorCode.INVALID_SYNTAX, ErrorCode.UNSUPPORTED_VERSION)
        assert error.position is not None
        assert 0 <= error.position <= len(text)


def test_another_version_is_unsupported() -> None:
    assert problem("//ping v2 whatever").code is ErrorCode.UNSUPPORTED_VERSION


def test_a_message_has_a_length() -> None:
    assert "at most" in problem("//ping v1 frontends=code id=" + "x" * MAX_LENGTH).message


# ---------------------------------------------------------------- the choice


@given(offers(), offers())
def test_the_choice_is_symmetric_and_supported_by_both(one: Message, other: Message) -> None:
    chosen, error = outcome(choose, one, other)
    if error is not None:
        assert error.code is ErrorCode.UNSUPPORTED_FRONTEND
        assert not set(one.frontends) & set(other.frontends)
        with pytest.raises(SilpError):
            choose(other, one)
        return
    assert chosen == choose(other, one)
    assert chosen in one.frontends
    assert chosen in other.frontends


@given(frontends, frontends)
def test_without_preferences_the_highest_priority_wins(one: tuple[str, ...], other: tuple[str, ...]) -> None:
    common = [name for name in by_priority(one) if name in other]
    if common:
        assert choose(Message("ping", one), Message("pong", other)) == common[0]


@given(frontends, frontends)
def test_roles_may_be_swapped(one: tuple[str, ...], other: tuple[str, ...]) -> None:
    """Each side answers the other's probe, and both exchanges settle on the same frontend."""
    ping, back = Message("ping", one), Message("ping", other)
    if set(one) & set(other):
        assert choose(ping, answer(ping, other)) == choose(back, answer(back, one))


@given(offers(), frontends, unknown)
def test_unknown_parameters_change_nothing(
    ping: Message, names: tuple[str, ...], extra: dict[str, str]
) -> None:
    plain = Message("ping", ping.frontends, ping.prefer)
    laden = parse_message(str(Message("ping", ping.frontends, ping.prefer, parameters=extra)))
    assert str(answer(plain, names)) == str(answer(laden, names))


@given(offers(), frontends)
def test_an_answer_prefers_what_will_be_used(ping: Message, names: tuple[str, ...]) -> None:
    pong = answer(ping, names)
    if pong.prefer is None:
        assert not set(ping.frontends) & set(names)
    else:
        assert choose(ping, pong) == pong.prefer


def test_a_preference_both_can_meet_goes_first() -> None:
    ping = Message("ping", ("code", "json"))
    assert choose(ping, Message("pong", ("code", "json"), "json")) == "json"
    assert (
        choose(Message("ping", ("code", "json"), "code"), Message("pong", ("code", "json"), "json")) == "code"
    )
    assert choose(ping, Message("pong", ("json", "natural"), "natural")) == "json"


def test_the_order_of_priority_is_the_drafts() -> None:
    assert by_priority(["zeta", "natural", "json", "acme", "math", "code", "nl_json"]) == [
        "code",
        "math",
        "json",
        "natural",
        "nl_json",
        "acme",
        "zeta",
    ]


# ---------------------------------------------------------------- the state machine

kinds = st.lists(st.sampled_from(["ping", "pong", "error", "foreign"]), max_size=12)


@given(kinds, frontends, frontends)
def test_every_sequence_of_messages_follows_the_state_machine(
    sequence: list[str], one: tuple[str, ...], other: tuple[str, ...]
) -> None:
    exchange, state = Exchange(), State.IDLE
    for kind in sequence:
        message = {
            "ping": Message("ping", one, parameters={"id": "1"}),
            "pong": Message("pong", other, parameters={"id": "1"}),
            "error": Message("error", code=ErrorCode.UNSUPPORTED_VERSION),
            "foreign": Message("pong", other, parameters={"id": "2"}),
        }[kind]
        in_order = (kind == "ping") != (state is State.PROBED) and kind != "foreign"
        agreed, error = outcome(exchange.take, message)
        assert (error is not None and error.rule == "negotiation.order") == (not in_order)
        if in_order:
            common = bool(set(one) & set(other))
            state = (
                State.PROBED if kind == "ping"
                else State.AGREED if kind == "pong" and common
                else State.FAILED
            )  # fmt: skip
        assert exchange.state is state
        assert (agreed is not None) == (in_order and state is State.AGREED)
        assert (exchange.frontend is not None) == (state is State.AGREED)


def test_an_unanswered_ping_is_a_timeout() -> None:
    exchange = Exchange()
    exchange.end()
    exchange.take(Message("ping", ("code",)))
    with pytest.raises(SilpError) as caught:
        exchange.end()
    assert caught.value.code is ErrorCode.TIMEOUT


# ---------------------------------------------------------------- degradation


@given(frontend, frontends)
def test_degradation_starts_where_it_should_and_goes_down_the_chain(
    start: str, registered: tuple[str, ...]
) -> None:
    names = degradation(start, registered)
    assert names[0] == start
    assert set(names[1:]) <= set(registered) & set(CHAIN)
    places = [CHAIN.index(name) for name in names if name in CHAIN]
    assert places == sorted(set(places))


def test_math_is_skipped_unless_somebody_registered_it() -> None:
    assert degradation("code", ["code", "json", "natural"]) == ["code", "json", "natural"]
    assert degradation("code", ["code", "json", "natural", "math"]) == ["code", "math", "json", "natural"]
