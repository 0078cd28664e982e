"""The normative grammar of the code frontend: ``grammars/code.abnf``, rule by rule, in pyparsing.

The scanner that users' payloads go through is written for speed. This grammar is its oracle in the tests,
explains where a text leaves the language, and is what ``silp explain`` and ``silp grammar --diagram`` show.
"""

from __future__ import annotations

import re
import sys
import threading
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

import pyparsing as pp

from silp_cli.frontends.code.tree import Node
from silp_cli.ir.errors import ErrorCode, SilpError

if TYPE_CHECKING:
    from collections.abc import Iterator

KEYWORDS = ("if", "then", "else", "and", "with")
# Python frames that one level of nested JSON takes on its way through pyparsing, rounded up.
_FRAMES_A_LEVEL = 40
_MOST_LEVELS = 1000


# ---------------------------------------------------------------- lexical rules

_BARE = r"(?:[\w.+%/#$*]|-(?!>))+"
_KEYWORD = rf"(?:{'|'.join(KEYWORDS)})(?!{_BARE})"
_ESCAPE = r'\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})'
_UNESCAPED = r"[ !#-&(-\[\]-\U0010ffff]"

LEXICAL: dict[str, str] = {
    "ows": r"[ \t\n\r]*",
    "rws": r"[ \t\n\r]+",
    "keyword": _KEYWORD,
    "fn-name": r"(?!(?:if|then|else|and|with)(?![a-z_]))[a-z][a-z_]*",
    "action-code": r"![A-Z][A-Z_]*",
    "operator": r"==|!=|<=|>=|<|>",
    "bare": _BARE,
    "json-number": r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?",
}
_IN_DOUBLE = rf"(?:{_UNESCAPED}|'|{_ESCAPE})*+"
_IN_SINGLE = rf"(?:{_UNESCAPED}|\"|{_ESCAPE}|\\')*+"

# Rules of the ABNF that stand within the regular expressions above and make no node of their own.
WITHIN_LEXICAL = frozenset(
    ("bare-char", "unescaped", "escape", "json-int", "WS", "LOWER", "UPPER", "LETTER-BEYOND-ASCII")
)

# What people read where one of these was expected and did not come.
_LABELS: dict[str, str] = {
    "rws": "white space",
    "fn-name": "a function name such as cancel",
    "action-code": "an action code such as !CANCEL",
    "operator": "an operator (== != < <= > >=)",
    "bare": "a word",
    "json-number": "a number",
    "end": "the end of the payload",
}
# A whole set of expectations, and the one phrase that says the same. The first that fits is used.
_WORD_OR_LITERAL = frozenset({"a word", "'\"'", '"\'"'})
_LESS_NESTING = ["less nesting"]
_ACTION = frozenset({_LABELS["fn-name"], _LABELS["action-code"]})
_PHRASES: tuple[tuple[frozenset[str], str], ...] = (
    (frozenset({"'false'", "'null'", "'true'", "'{'", "'['", "a number", "'\"'"}), "a JSON value"),
    (frozenset({"'false'", "'null'", "'true'", "'{'", "'['", "a number", "a JSON string"}), "a JSON value"),
    (_WORD_OR_LITERAL, "a value (a word or a quoted literal)"),
    (_ACTION, "an action such as cancel"),
)


class _Furthest:
    """The furthest place at which a rule had to give up, and what would have been right there."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        self.position = 0
        self.labels: dict[str, None] = {}

    def note(self, position: int, label: str) -> None:
        if position > self.position:
            self.position = position
            self.labels = {}
        if position == self.position:
            self.labels[label] = None

    def expected(self) -> list[str]:
        labels = list(self.labels)
        for members, phrase in _PHRASES:
            if members <= set(labels):
                first = min(labels.index(member) for member in members)
                labels = [*labels[:first], phrase, *labels[first:]]
                labels = [label for label in labels if label not in members]
        return labels


class _Once(pp.And):
    """A sequence that is not read again where it was just read: a first call may begin a sequence or a list."""

    _read: tuple[str, int, tuple[int, pp.ParseResults]] | None = None

    def parseImpl(  # noqa: N802 - pyparsing's name
        self, instring: str, loc: int, do_actions: bool = True
    ) -> tuple[int, pp.ParseResults]:
        """What the parts give, from memory if the last call was for the same place."""
        if self._read is not None and self._read[1] == loc and self._read[0] is instring:
            return self._read[2]
        found: tuple[int, pp.ParseResults] = super().parseImpl(instring, loc, do_actions)  # type: ignore[no-untyped-call]
        self._read = instring, loc, found
        return found

    def forget(self) -> None:
        """Let go of the text."""
        self._read = None


class Grammar:
    """The pyparsing grammar.

    Attributes:
        rules: the elements by the names of the ABNF rules.
        payload: the start rule, without the end of the text.
    """

    def __init__(self) -> None:
        self.rules: dict[str, pp.ParserElement] = {}
        self._furthest = _Furthest()
        self._lock = threading.Lock()
        self._build()
        self.payload = self.rules["payload"]
        end = pp.StringEnd().leave_whitespace()
        end.set_fail_action(lambda _text, loc, _expr, _err: self._furthest.note(loc, _LABELS["end"]))
        self._whole = (self.payload + end.suppress()).parse_with_tabs()

    # ---- using it

    def tree(self, text: str) -> Node:
        """The parse tree of a payload.

        Raises:
            SilpError: ``invalid_syntax`` where the text leaves the grammar.
        """
        found = self._match(text)
        if isinstance(found, Node):
            return found
        position, expected = found
        rule, hint = "code.syntax", ""
        if expected == _LESS_NESTING:
            rule, hint = "limit.depth", "flatten the record"
        raise SilpError(
            ErrorCode.INVALID_SYNTAX, f"expected {phrase(expected)}", rule=rule, hint=hint, position=position
        )

    def failure(self, text: str) -> tuple[int, list[str]]:
        """Where a text leaves the grammar and what could have stood there; or its end, and nothing."""
        found = self._match(text)
        return (len(text), []) if isinstance(found, Node) else found

    def _match(self, text: str) -> Node | tuple[int, list[str]]:
        with self._lock, _headroom(text):
            self._furthest.reset()
            try:
                root: Node = self._whole.parse_string(text)[0]
            except pp.ParseException:
                return self._furthest.position, self._furthest.expected()
            except RecursionError:
                return _deepest(text)[1], _LESS_NESTING
            finally:
                self._call.forget()
            return root

    # ---- building it

    def _leaf(self, element: pp.ParserElement, rule: str, label: str) -> pp.ParserElement:
        """Make an element a terminal: it yields a node without children, and its failures are noted."""
        element.leave_whitespace()
        element.set_parse_action(lambda _text, loc, found: Node(rule, loc, loc + len(found[0]), found[0]))
        element.set_fail_action(lambda _text, loc, _expr, _err: self._furthest.note(loc, label))
        return element

    def _lexical(self, rule: str) -> pp.ParserElement:
        """A rule that is one regular expression."""
        return self._register(rule, self._leaf(pp.Regex(LEXICAL[rule]), rule, _LABELS.get(rule, rule)))

    def _mark(self, text: str, label: str = "") -> pp.ParserElement:
        """Punctuation or a word of the syntax, as itself."""
        return self._leaf(pp.Literal(text), text, label or _quote(text))

    def _register(self, rule: str, element: pp.ParserElement) -> pp.ParserElement:
        element.set_name(rule)
        self.rules[rule] = element
        return element

    def _rule(self, rule: str, element: pp.ParserElement) -> pp.ParserElement:
        """A rule of the ABNF that makes a node of what its parts made."""
        # A rule that only refers to another one needs an element of its own to carry its name.
        own = pp.And([element]) if element in self.rules.values() else element
        own.set_parse_action(
            lambda _text, _loc, found: Node(rule, found[0].start, found[-1].end, "", tuple(found))
        )
        return self._register(rule, own)

    def _build(self) -> None:
        ows = self._lexical("ows")
        rws = self._lexical("rws")
        for space in (ows, rws):
            space.set_parse_action(lambda _text, _loc, _found: [])
        self._build_words(ows)
        self._build_json(ows)
        self._build_condition(ows, rws)
        self._build_actions(ows, rws)
        self._build_with(ows, rws)
        rule, rules = self._rule, self.rules
        rule(
            "payload",
            ows + pp.Opt(rules["if-part"]) + rules["actions"] + pp.Opt(rules["else-part"])
            + pp.Opt(rules["with-part"]) + ows,
        )

    def _list(self, item: pp.ParserElement, separator: str) -> pp.ParserElement:
        """``item *( ows separator ows item )``"""
        ows = self.rules["ows"]
        return item + pp.ZeroOrMore(ows + self._mark(separator) + ows + item)

    def _brackets(self, left: str, inside: pp.ParserElement, right: str) -> pp.ParserElement:
        ows = self.rules["ows"]
        return self._mark(left) + ows + inside + ows + self._mark(right)

    def _build_words(self, ows: pp.ParserElement) -> None:
        rule, mark = self._rule, self._mark
        bare = self._lexical("bare")
        keyword = self._register("keyword", pp.Regex(LEXICAL["keyword"]).leave_whitespace())
        no_keyword = pp.NotAny(keyword)
        no_keyword.set_fail_action(lambda _text, loc, _expr, _err: self._furthest.note(loc, _LABELS["bare"]))
        double = rule("double-quoted", self._quoted('"', _IN_DOUBLE))
        single = rule("single-quoted", self._quoted("'", _IN_SINGLE))
        literal = rule("literal", double | single)
        value = rule("value", bare | literal)
        plain_bare = rule("plain-bare", pp.And([no_keyword, bare]))
        rule("plain-value", plain_bare | literal)
        key = rule("key", value)
        rule("pair", key + ows + mark("=") + ows + value)

    def _quoted(self, quote: str, pattern: str) -> pp.ParserElement:
        """A literal in quotes."""
        characters = self._leaf(pp.Regex(pattern), "characters", "")
        return self._mark(quote) + characters + self._mark(quote, f"a closing {quote}")

    def _build_json(self, ows: pp.ParserElement) -> None:
        rule, mark, rules = self._rule, self._mark, self.rules
        json_value = pp.Forward()
        json_value.leave_whitespace()
        number = self._lexical("json-number")
        string = rule("json-string", rules["double-quoted"])
        member = rule("json-member", string + ows + mark(":") + ows + json_value)
        json_object = rule("json-object", self._brackets("{", pp.Opt(self._list(member, ",")), "}"))
        json_array = rule("json-array", self._brackets("[", pp.Opt(self._list(json_value, ",")), "]"))
        scalars = [mark("false"), mark("null"), mark("true")]
        json_value << rule("json-value", pp.MatchFirst([*scalars, json_object, json_array, number, string]))
        rule("json-pair", rules["key"] + ows + mark(":=") + ows + json_value)

    def _build_condition(self, ows: pp.ParserElement, rws: pp.ParserElement) -> None:
        rule, mark, rules = self._rule, self._mark, self.rules
        plain_value = rules["plain-value"]
        type_ = rule("type", (pp.Opt(mark("!")) + rules["plain-bare"]) | rules["literal"])
        operator = self._lexical("operator")
        operator_form = rule(
            "operator-form",
            type_ + ows + operator + ows + plain_value + pp.Opt(ows + mark(",") + ows + plain_value),
        )
        c_arg = rule("c-arg", rules["json-pair"] | rules["pair"] | rules["value"])
        func_call = rule("func-call", type_ + self._brackets("(", pp.Opt(self._list(c_arg, ",")), ")"))
        bare_constraint = rule("bare-constraint", type_)
        constraint = rule("constraint", operator_form | func_call | bare_constraint)
        condition = rule("condition", constraint + pp.ZeroOrMore(rws + mark("and") + rws + constraint))
        then = rule("then", (ows + mark(":") + ows) | (rws + mark("then") + rws))
        rule("if-part", mark("if") + rws + condition + then)

    def _build_actions(self, ows: pp.ParserElement, rws: pp.ParserElement) -> None:
        rule, mark, rules = self._rule, self._mark, self.rules
        action = rule("action", self._lexical("fn-name") | self._lexical("action-code"))
        extra = rule("extra", rules["json-pair"] | rules["pair"])
        extras = rule("extras", self._brackets("[", self._list(extra, ","), "]"))
        arg = rule(
            "arg", pp.Opt(rules["key"] + ows + mark("=") + ows) + rules["value"] + pp.Opt(extras)
        )
        self._call = _Once([action, self._brackets("(", pp.Opt(self._list(arg, ",")), ")")])
        call = rule("call", self._call)
        step = rule("step", call | action)
        sequence = rule("sequence", step + pp.OneOrMore(ows + mark("->") + ows + step))
        rule("actions", sequence | self._list(call, ";"))

        target = rule("target", rules["value"] + pp.Opt(ows + mark("@") + ows + rules["value"]))
        alt_arg = rule("alt-arg", rules["json-pair"] | rules["pair"] | target)
        alt_call = rule("alt-call", action + self._brackets("(", pp.Opt(self._list(alt_arg, ",")), ")"))
        colon = (ows + mark(":") + ows) | rws
        rule("else-part", rws + mark("else") + colon + self._list(alt_call, ";"))

    def _build_with(self, ows: pp.ParserElement, rws: pp.ParserElement) -> None:
        rule, mark, rules = self._rule, self._mark, self.rules
        with_pair = rule("with-pair", rules["key"] + ows + mark("=") + ows + rules["plain-value"])
        with_item = rule(
            "with-item", rules["json-pair"] | with_pair | rules["func-call"] | rules["bare-constraint"]
        )
        rule("with-part", rws + mark("with") + rws + self._list(with_item, ","))


def _quote(text: str) -> str:
    return f'"{text}"' if "'" in text else f"'{text}'"


# ---------------------------------------------------------------- nesting

_NESTING = re.compile(r'"(?:[^"\\]|\\.)*+"|\'(?:[^\'\\]|\\.)*+\'|[{}\[\]]', re.S)


def _deepest(text: str) -> tuple[int, int]:
    """How deep brackets outside literals nest, and where they first do."""
    depth = deepest = position = 0
    for match in _NESTING.finditer(text):
        mark = match.group()
        if mark in "{[":
            depth += 1
            if depth > deepest:
                deepest, position = depth, match.start()
        elif mark in "}]":
            depth -= 1
    return deepest, position


@contextmanager
def _headroom(text: str) -> Iterator[None]:
    """Room on the stack for the nesting that a text has, within reason."""
    levels = min(_deepest(text)[0], _MOST_LEVELS)
    before = sys.getrecursionlimit()
    if not levels:
        yield
        return
    sys.setrecursionlimit(before + levels * _FRAMES_A_LEVEL)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


# ---------------------------------------------------------------- the module's face


@cache
def grammar() -> Grammar:
    """The grammar, built when first asked for."""
    return Grammar()


def phrase(expected: list[str]) -> str:
    """A list of alternatives as people say it."""
    if len(expected) < 2:
        return "".join(expected) or "something else"
    return ", ".join(expected[:-1]) + " or " + expected[-1]


def parse(text: str) -> dict[str, Any]:
    """Read a payload into an IR by the grammar (DESIGN.md section 3).

    Args:
        text: one payload.

    Returns:
        The IR that the scanner gives.

    Raises:
        SilpError: ``invalid_syntax`` with the position.
    """
    from silp_cli.frontends.code.reading import read

    return read(grammar().tree(text), text).ir


def explain_failure(text: str) -> tuple[int, list[str]]:
    """Where a payload goes wrong by the grammar, and what could have stood there.

    Args:
        text: one payload.

    Returns:
        The furthest offset the grammar reached, and the alternatives expected there, in words; for a payload
        that the grammar allows, its length and none.
    """
    return grammar().failure(text)
