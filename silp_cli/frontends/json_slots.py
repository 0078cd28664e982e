"""Which part of a json-surface payload became which slot of the IR."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from silp_cli.frontends.slots import Explained, Slot
from silp_cli.ir.jsontext import loads
from silp_cli.ir.normal import META_OPTIONAL, ROOT_DEFAULTS
from silp_cli.ir.pointer import pointer_of
from silp_cli.ir.verbs import action_code

_TOKEN = re.compile(r'[ \t\r\n]*("(?:[^"\\]|\\.)*+"|[{}\[\],:]|[^ \t\r\n{}\[\],:"]++)', re.S)
_PREFIX = "action_"


@dataclass(slots=True)
class _Value:
    """A JSON value and where it stands; of an object its members, of an array its items."""

    start: int
    end: int
    members: list[_Member]
    items: list[_Value]


@dataclass(slots=True)
class _Member:
    name: str
    start: int
    name_end: int
    value: _Value


def explain_json(text: str, ir: dict[str, Any]) -> Explained:
    """Find the slots of a payload that the json frontend has decoded.

    Args:
        text: the payload.
        ir: what it was decoded to.

    Returns:
        The slots in the order of the text.
    """
    root, _ = _read(text, 0)
    finder = _Finder(text)
    for member in root.members:
        finder.member(member)
    return Explained(text, "json", ir, tuple(sorted(finder.slots, key=lambda slot: slot.start)))


def _read(text: str, position: int) -> tuple[_Value, int]:
    """The value at a position of valid JSON, and the position behind it."""
    match = _TOKEN.match(text, position)
    assert match is not None
    value = _Value(match.start(1), match.end(1), [], [])
    mark, position = match.group(1), match.end()
    if mark not in "{[":
        return value, position
    while True:
        match = _TOKEN.match(text, position)
        assert match is not None
        if match.group(1) in "}]":
            value.end = match.end()
            return value, match.end()
        if match.group(1) == ",":
            position = match.end()
        elif mark == "{":
            name_start, name_end = match.span(1)
            colon = _TOKEN.match(text, match.end())
            assert colon is not None
            inner, position = _read(text, colon.end())
            value.members.append(_Member(loads(text[name_start:name_end]), name_start, name_end, inner))
        else:
            inner, position = _read(text, position)
            value.items.append(inner)


_CONSTRAINT = {
    "type": "type", "value": "operand", "time": "time", "subject": "subject", "operator": "operator",
}
_ALTERNATIVE = {"action": "action", "target": "target", "location": "location"}
_ENTITY = {"id": "id", "value": "value", "action": "action"}
_LISTS = {
    "constraints": ("condition", _CONSTRAINT), "alternatives": ("fallback", _ALTERNATIVE),
    "entities": ("entity", _ENTITY),
}


class _Finder:
    def __init__(self, text: str) -> None:
        self.text = text
        self.slots: list[Slot] = []
        self.count = 0

    def member(self, member: _Member) -> None:
        """One member of the payload's object."""
        name, value = member.name, member.value
        if name == "intent":
            self._name(member, "/intent", "the main action follows")
            self._slot(value.start, value.end, ("intent",), "action", "the main action", self._read(value))
        elif name in _LISTS:
            self._name(member, f"/{name}", f"the {name} follow")
            for number, item in enumerate(value.items):
                self._fields(item, name, number)
        elif name == "meta":
            self._name(member, "/meta", "what belongs to the message as a whole follows")
            for field in value.members:
                if field.name in META_OPTIONAL and self._read(field.value) is None:
                    self._none(field, ("meta",), f"{field.name} of the message")
                else:
                    self._whole(field, ("meta", field.name), f"{field.name!r} of the message")
        elif name in ROOT_DEFAULTS:
            meaning = f"the {'protocol' if name == 'silp' else 'schema'} version"
            if self._read(value) is None:
                self._none(member, (name,), meaning)
            else:
                self._whole(member, (name,), meaning)
        elif name.startswith(_PREFIX):
            self._secondary(member)
        else:
            self.count += 1
            path = ("entities", self.count - 1)
            about = f"of entity {self.count}"
            self._slot(member.start, member.name_end, (*path, "id"), "id", f"id {about}", name)
            self._slot(value.start, value.end, (*path, "value"), "value", f"value {about}", self._read(value))

    def _secondary(self, member: _Member) -> None:
        first, values = self.count, member.value.items
        many = len(values) > 1
        which = f"entities {first + 1} to {first + len(values)}" if many else f"entity {first + 1}"
        self._slot(
            member.start, member.name_end, ("entities", first, "action"), "action",
            f"a secondary action, of {which}", action_code(member.name[len(_PREFIX) :]),
        )
        for value in values:
            self.count += 1
            self._slot(
                value.start, value.end, ("entities", self.count - 1, "value"), "value",
                f"value of entity {self.count}, which is 'act'", self._read(value),
            )

    def _fields(self, item: _Value, where: str, number: int) -> None:
        """The fields of a constraint, an alternative, or an entity."""
        what, kinds = _LISTS[where]
        about = f"of {what} {number + 1}"
        for field in item.members:
            value = self._read(field.value)
            path = (where, number, field.name)
            if value is None and field.name in kinds and field.name not in ("subject", "operator"):
                self._none(field, (where, number), f"{field.name} {about}")
            elif field.name not in kinds:
                self._whole(field, path, f"{field.name!r}, a further field {about}")
            else:
                negated = field.name == "type" and str(value).startswith("!")
                meaning = f"{field.name} {about}" + (", negated" if negated else "")
                self._slot(field.value.start, field.value.end, path, kinds[field.name], meaning, value)

    def _whole(self, member: _Member, path: tuple[Any, ...], meaning: str) -> None:
        """A slot that takes in the member's name."""
        self._slot(member.start, member.value.end, path, "field", meaning, self._read(member.value))

    def _none(self, member: _Member, path: tuple[Any, ...], meaning: str) -> None:
        """A member whose null says that there is none."""
        self._slot(member.start, member.value.end, path, "syntax", f"{meaning}: none given")

    def _name(self, member: _Member, path: str, meaning: str) -> None:
        self.slots.append(Slot(member.start, member.name_end, path, "syntax", meaning))

    def _slot(
        self, start: int, end: int, path: tuple[Any, ...], kind: str, meaning: str, value: Any = None
    ) -> None:
        self.slots.append(Slot(start, end, pointer_of(path), kind, meaning, value))

    def _read(self, value: _Value) -> Any:
        return loads(self.text[value.start : value.end])
