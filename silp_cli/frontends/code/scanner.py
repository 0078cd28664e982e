"""Reads a payload of the code frontend: a hand-written scanner, linear in the text.

It accepts what ``grammars/code.abnf`` describes and gives the same IR as the pyparsing grammar in ``grammar.py``, its
oracle in the tests. Each construct is tried with one regular expression for its common form first.
"""

from __future__ import annotations

import re

from silp_cli.frontends.code.conditions import Conditions
from silp_cli.frontends.code.tokens import BARE_ASCII, WS, Key, Tokens, equals
from silp_cli.frontends.code.words import KEYWORDS, is_temporal
from silp_cli.ir.normal import ROOT_DEFAULTS, req_id_of
from silp_cli.ir.verbs import action_code

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


# The common form of each construct, in one expression each. What they do not match is read step by step.
_simple_argument = re.compile(
    rf'{WS}(?:([\w.+%/#$*-]++)=)?+(?:([\w.+%/#$*-]++)(?:(,)|\))|")'
).match
_simple_call = re.compile(r"([a-z][a-z_]*+)\(([A-Za-z0-9_.+%/#$*=,-]*+)\)").match
_simple_item = re.compile(rf"({BARE_ASCII})(?::=|=({BARE_ASCII})(?:(,)(?=[A-Za-z])|\Z))").match
_usual_items = re.compile(
    rf"(?:session_id=({BARE_ASCII})(?:,(?=[A-Za-z])|\Z))?+"
    r"(?:priority=(0|[1-9][0-9]{0,14})(?:,(?=[A-Za-z])|\Z))?+"
    r"(?:confidence=(0\.[0-9]{1,15})(?:,(?=[A-Za-z])|\Z))?+"
).match
_simple_integer = re.compile(r"0|[1-9][0-9]{0,14}").fullmatch
_simple_fraction = re.compile(r"0\.[0-9]{1,15}").fullmatch
_simple_alternative = re.compile(rf"([a-z][a-z_]*+)\(({BARE_ASCII})(?:@({BARE_ASCII}))?\)").match

_action = re.compile(r"[a-z][a-z_]*+|![A-Z][A-Z_]*+").match
_if = re.compile(rf"{WS}if[ \t\r\n]++").match
_and = re.compile(r"[ \t\r\n]++and[ \t\r\n]++").match
_then = re.compile(rf"{WS}:{WS}|[ \t\r\n]++then[ \t\r\n]++").match
_next_call = re.compile(rf"{WS};{WS}").match
_next_step = re.compile(rf"{WS}->{WS}").match
_else = re.compile(rf"[ \t\r\n]++else(?:{WS}:{WS}|[ \t\r\n]++)").match
_with = re.compile(r"[ \t\r\n]++with[ \t\r\n]++").match

_NUMBERS = ("priority", "confidence")
_TEXTS = frozenset(("session_id", "out", "next_agent"))
_KNOWN = frozenset((*_TEXTS, *_NUMBERS, "seq"))


def decode(text: str) -> dict[str, Any]:
    """Read one payload.

    Args:
        text: the payload; nothing but white space may stand around it.

    Returns:
        The IR, with ``meta.req_id`` derived from the text.

    Raises:
        SilpError: ``invalid_syntax`` at the first position where the text leaves the grammar.
    """
    ir, end = Scanner(text).payload(0)
    if end != len(text):
        rest = Tokens(text)
        end = rest.skip(end)
        if end != len(text):
            rest.stray(end)
    return ir


class Scanner(Conditions):
    """Scans one payload out of a text. Every method takes a position and returns what it read and where it ended."""

    def payload(self, position: int) -> tuple[dict[str, Any], int]:
        """The longest payload at ``position``, as an IR."""
        text = self.text
        start = position
        constraints: list[dict[str, Any]] = []
        match = _if(text, position)
        if match:
            position = match.end()
            constraint, position = self.constraint(position)
            constraints.append(constraint)
            while match := _and(text, position):
                constraint, position = self.constraint(match.end())
                constraints.append(constraint)
            match = _then(text, position)
            if match is None:
                self.fail(position, "expected ' and ' or ':' after the condition", self.condition_hint(position))
            position = match.end()
        else:
            position = self.skip(position)

        intent, entities, seq, position = self._actions(position)

        alternatives: list[dict[str, Any]] = []
        if match := _else(text, position):
            alternative, position = self._alternative(match.end())
            alternatives.append(alternative)
            while match := _next_call(text, position):
                alternative, position = self._alternative(match.end())
                alternatives.append(alternative)

        meta: dict[str, Any] = {"req_id": ""}
        if seq:
            meta["seq"] = seq
        ir: dict[str, Any] = {
            "silp": "v1",
            "version": "ir-v0.1",
            "intent": intent,
            "entities": entities,
            "constraints": constraints,
            "alternatives": alternatives,
            "meta": meta,
        }
        if match := _with(text, position):
            position = self._with_items(match.end(), ir)
        meta["req_id"] = req_id_of(self.span(start, position))
        return ir, position

    # ------------------------------------------------------------ actions

    def _actions(self, position: int) -> tuple[str, list[dict[str, Any]], list[str], int]:
        entities: list[dict[str, Any]] = []
        intent, called, position = self._step(position, entities)
        text = self.text
        if called and text.startswith((" with ", " else"), position):
            return intent, entities, [], position
        match = _next_step(text, position)
        if match:
            seq = [intent]
            while match:
                action, _, position = self._step(match.end(), entities)
                seq.append(action)
                match = _next_step(text, position)
            if _next_call(text, position):
                self.fail(self.skip(position), "';' after a sequence of '->'", "join all calls with -> or all with ;")
            return intent, entities, seq, position
        if not called:
            self.fail(position, "expected '(' after the function name", "calls take parentheses, empty if need be")
        while match := _next_call(text, position):
            before, start = len(entities), match.end()
            _, called, position = self._step(start, entities)
            if not called:
                self.fail(position, "expected '(' after the function name", "calls take parentheses")
            if len(entities) == before:
                self.fail(position - 1, "a secondary call without arguments",
                          "an IR cannot hold it; join the calls with -> to list it in meta.seq")
        if _next_step(text, position):
            self.fail(self.skip(position), "'->' after calls joined with ';'", "join all calls with -> or all with ;")
        return intent, entities, [], position

    def _step(self, position: int, entities: list[dict[str, Any]]) -> tuple[str, bool, int]:
        """A call, or a bare action; adds its entities; returns its action code and whether it had parentheses."""
        text = self.text
        match = _simple_call(text, position)
        if match:
            name, arguments = match.groups()
            if name not in KEYWORDS:
                action = action_code(name)
                if not arguments or self._simple_arguments(arguments, action, entities):
                    return action, True, match.end()
        action, position = self._action(position)
        if not text.startswith("(", position):
            return action, False, position
        position = self.skip(position + 1)
        if text.startswith(")", position):
            return action, True, position + 1
        while True:
            match = _simple_argument(text, position)
            if match:
                name, value, comma = match.groups()
                end = match.end()
                if value is None:
                    value, end = self.literal(end - 1)
                    comma = text.startswith(",", end)
                    if not comma and not text.startswith(")", end):
                        end = -1
                    end += 1
                if end:
                    if name is None:
                        name = "time" if value[:1] == "t" and is_temporal(value) else "act"
                    entities.append({"id": name, "value": value, "action": action})
                    position = end
                    if not comma:
                        return action, True, position
                    continue
            entity, position = self._entity(position, action)
            entities.append(entity)
            mark, position = self.mark(position, ",)", "argument")
            if mark == ")":
                return action, True, position

    @staticmethod
    def _simple_arguments(arguments: str, action: str, entities: list[dict[str, Any]]) -> bool:
        """Add the entities of arguments that are bare words and ``=``; False, and none added, if there are others."""
        found: list[dict[str, Any]] = []
        for argument in arguments.split(","):
            name, equals, value = argument.partition("=")
            if not equals:
                if not name:
                    return False
                kind = "time" if name[0] == "t" and is_temporal(name) else "act"
                found.append({"id": kind, "value": name, "action": action})
            elif not name or not value or "=" in value:
                return False
            else:
                found.append({"id": name, "value": value, "action": action})
        entities += found
        return True

    def _action(self, position: int) -> tuple[str, int]:
        match = _action(self.text, position)
        if match is None or match.group() in KEYWORDS:
            self.expected_action(position)
        name = match.group()
        return (name if name[0] == "!" else action_code(name)), match.end()

    def _entity(self, position: int, action: str) -> tuple[dict[str, Any], int]:
        key, value, spot, position = self.pair_or_value(position)
        if type(value) is not str:
            self.fail(spot, "an argument of a call is a string", "write key=value, not key:=value")
        name = key.text if key is not None else "time" if is_temporal(value) else "act"
        entity = {"id": name, "value": value, "action": action}
        if self.text.startswith("[", position):
            position += 1
            while True:
                key, value, spot, position = self.pair_or_value(self.skip(position))
                if key is None:
                    self.fail(spot, "expected key=value or key:=json in brackets",
                              "brackets hold an argument's extra fields")
                self.set_field(entity, key, value, spot, _ENTITY_STRINGS)
                mark, position = self.mark(position, ",]", "extra field")
                if mark == "]":
                    break
        return entity, position

    # ------------------------------------------------------------ fallback

    def _alternative(self, position: int) -> tuple[dict[str, Any], int]:
        match = _simple_alternative(self.text, position)
        if match:
            name, target, location = match.groups()
            if name not in KEYWORDS:
                alternative = {"action": action_code(name), "target": target}
                if location is not None:
                    alternative["location"] = location
                return alternative, match.end()
        action, position = self._action(position)
        text = self.text
        if not text.startswith("(", position):
            self.fail(position, "expected '(' after the function name", "calls take parentheses, empty if need be")
        alternative = {"action": action}
        position = self.skip(position + 1)
        if text.startswith(")", position):
            return alternative, position + 1
        first = True
        while True:
            key, value, spot, position = self.pair_or_value(position)
            if key is None:
                if not first:
                    self.fail(spot, "only the first argument of a fallback stands without a key",
                              "write target@location, then key=value pairs")
                alternative["target"] = value
                at = self.skip(position)
                if text.startswith("@", at):
                    place, position = self.key_or_value(self.skip(at + 1))
                    alternative["location"] = place.text
            else:
                if key.text == "loc" and key.bare:
                    key = key.renamed("location")
                self.set_field(alternative, key, value, spot, _ALTERNATIVE_STRINGS)
            first = False
            mark, position = self.mark(position, ",)", "argument")
            if mark == ")":
                return alternative, position

    # ------------------------------------------------------------ with-clause

    def _with_items(self, position: int, ir: dict[str, Any]) -> int:
        text = self.text
        meta, constraints = ir["meta"], ir["constraints"]
        match = _usual_items(text, position)
        if match and match.end() > position:
            session, priority, confidence = match.groups()
            if session not in KEYWORDS:
                if session is not None:
                    meta["session_id"] = session
                if priority is not None:
                    meta["priority"] = int(priority)
                if confidence is not None:
                    meta["confidence"] = float(confidence)
                position = match.end()
                if text[position - 1] != ",":
                    return position
        root_seen: set[str] = set()
        while True:
            match = _simple_item(text, position)
            if match:
                name, value, comma = match.groups()
                if name not in meta and value not in KEYWORDS and name in _KNOWN:
                    end = match.end()
                    if value is None:
                        value, end = self.json_value(self.skip(end), 2)
                        self.set_meta(meta, Key(name, True), value, position, match.end())
                        position = self.skip(end)
                        comma = text.startswith(",", position)
                        if comma:
                            end = self.skip(position + 1)
                    elif name in _TEXTS:
                        meta[name] = value
                    elif name == "priority" and _simple_integer(value):
                        meta[name] = int(value)
                    elif name == "confidence" and _simple_fraction(value):
                        meta[name] = float(value)
                    else:
                        end = -1
                    if end >= 0:
                        position = end
                        if not comma:
                            return position
                        continue
            start = position
            if text.startswith("!", position):
                kind, position, call = self.constraint_type(position)
                constraint, position = self._unconditional(kind, position, call)
                constraints.append(constraint)
            else:
                key, position = self.plain_key(position)
                match = equals(text, position)
                if match:
                    position = self.skip(match.end())
                    if match.group(1) == "=":
                        value, end = self.plain_value(position, "a value after '='")
                        if key.text in _NUMBERS:
                            value = self.number(value, position, end)
                    else:
                        value, end = self.json_value(position, 2)
                    if key.bare and key.text in ROOT_DEFAULTS:
                        if key.text in root_seen:
                            self.fail(start, f"{key.text} is given twice", "give it once")
                        root_seen.add(key.text)
                        ir[key.text] = self.root_value(key.text, value, position)
                    else:
                        self.set_meta(meta, key, value, start, position)
                    position = end
                else:
                    call = text.startswith("(", position)
                    constraint, position = self._unconditional(key.text, position + call, call)
                    constraints.append(constraint)
            comma = self.skip(position)
            if not text.startswith(",", comma):
                return position
            position = self.skip(comma + 1)

    def _unconditional(self, kind: str, position: int, call: bool) -> tuple[dict[str, Any], int]:
        """A constraint of the with-clause, from behind its type or its parenthesis."""
        return self.func_call(kind, position) if call else ({"type": kind, "value": "true"}, position)


_ENTITY_STRINGS: frozenset[str] = frozenset()
_ALTERNATIVE_STRINGS = frozenset(("target", "location"))
