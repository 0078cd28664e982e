"""Reads the constraints of a payload: operator forms, calls, bare types."""

from __future__ import annotations

import re

from silp_cli.frontends.code.tokens import BARE_ASCII, WS, Tokens, equals
from silp_cli.frontends.code.words import KEYWORDS, is_temporal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_simple_constraint = re.compile(
    rf"(!?+{BARE_ASCII})(?:\(([A-Za-z0-9_.+%/#$*,-]++)\)|(?!(?<=-)>)(==|!=|<=|>=|<|>)({BARE_ASCII})(?![^:; ,]))"
).match
_type_head = re.compile(r"(!?+(?:[\w.+%/#$*]++|-(?!>))++)(\()?").match
_operator = re.compile(rf"{WS}(==|!=|<=|>=|<|>)").match

_STRINGS = frozenset(("value", "time"))


class Conditions(Tokens):
    """Scans constraints. Every method takes a position and returns what it read and where it ended."""

    def constraint(self, position: int) -> tuple[dict[str, Any], int]:
        """One constraint of the condition."""
        text = self.text
        match = _simple_constraint(text, position)
        if match:
            kind, arguments, operator, value = match.groups()
            if kind not in KEYWORDS and kind[1:] not in KEYWORDS:
                if operator is None:
                    positional = arguments.split(",")
                    if len(positional) < 4 and "" not in positional:
                        return _by_position(kind, positional), match.end()
                elif value not in KEYWORDS:
                    return self._operator_time({"type": kind, "value": value, "operator": operator}, match.end())
        kind, position, call = self.constraint_type(position)
        if call:
            return self.func_call(kind, position)
        match = _operator(text, position)
        if match is None:
            single = equals(text, position)
            if single and single.group(1) == "=":
                self.fail(single.start(1), "'=' is not an operator", "compare with == != < <= > >=")
            return {"type": kind, "value": "true"}, position
        position = self.skip(match.end())
        value, position = self.plain_value(position, "a value after the operator")
        return self._operator_time({"type": kind, "value": value, "operator": match.group(1)}, position)

    def _operator_time(self, constraint: dict[str, Any], position: int) -> tuple[dict[str, Any], int]:
        if self.text.startswith(":", position):
            return constraint, position
        comma = self.skip(position)
        if self.text.startswith(",", comma):
            constraint["time"], position = self.plain_value(self.skip(comma + 1), "a time after ','")
        return constraint, position

    def constraint_type(self, position: int) -> tuple[str, int, bool]:
        """A constraint's type; whether a parenthesis follows, and the position behind it."""
        match = _type_head(self.text, position)
        if match and match.group(1) not in KEYWORDS and match.group(1)[1:] not in KEYWORDS:
            return match.group(1), match.end(), match.group(2) is not None
        if self.text.startswith("!", position):
            kind, end = self.plain_bare(position + 1, "a constraint type after '!'")
            return "!" + kind, end, False
        kind, position = self.plain_value(position, "a constraint")
        if self.text.startswith("(", position):
            return kind, position + 1, True
        return kind, position, False

    def func_call(self, kind: str, position: int) -> tuple[dict[str, Any], int]:
        """The arguments of a constraint, from behind its parenthesis."""
        positional: list[str] = []
        pairs: dict[str, Any] = {}
        places: dict[str, int] = {}
        position = self.skip(position)
        mark = self.text[position : position + 1]
        if mark == ")":
            position += 1
        while mark != ")":
            start = self.skip(position)
            key, value, spot, position = self.pair_or_value(start)
            if key is not None:
                self.set_field(pairs, key, value, spot, _STRINGS)
                places[key.text] = start
            elif pairs:
                self.fail(start, "a positional argument after a pair", "put key=value pairs last")
            elif len(positional) == 3:
                self.fail(start, "a constraint takes at most three positional arguments",
                          "(subject,value,time); name the others, key=value")
            else:
                positional.append(value)
            mark, position = self.mark(position, ",)", "argument")
        constraint = _by_position(kind, positional)
        if "value" in pairs and (not positional or (len(positional) == 1 and kind[:1] == "!")):
            del constraint["value"]  # that was the default
        for name, start in places.items():
            if name in constraint:
                self.fail(start, f"{name} is given twice, by position and by name", "give it once")
        constraint.update(pairs)
        return constraint, position


def _by_position(kind: str, positional: list[str]) -> dict[str, Any]:
    """A constraint with the names that its up to three positional arguments have by their places."""
    count = len(positional)
    if count == 3:
        subject, value, time = positional
        return {"type": kind, "subject": subject, "value": value, "time": time}
    if count == 2:
        first, second = positional
        if is_temporal(second):
            return {"type": kind, "value": first, "time": second}
        return {"type": kind, "subject": first, "value": second}
    if count == 0:
        return {"type": kind, "value": "true"}
    if kind[:1] == "!":
        return {"type": kind, "value": "true", "time": positional[0]}
    return {"type": kind, "value": positional[0]}
