"""From a parse tree of the grammar to the IR, and to the slot that each part of the text became.

This is the meaning of ``grammars/code.abnf``, including the notes at its end, written for plainness.
"""

from __future__ import annotations

import re
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from silp_cli.frontends.slots import Explained, Slot
from silp_cli.ir.errors import ErrorCode, SilpError
from silp_cli.ir.jsontext import loads
from silp_cli.ir.pointer import pointer_of
from silp_cli.ir.verbs import action_code

if TYPE_CHECKING:
    from silp_cli.frontends.code.tree import Node

_TEMPORAL = re.compile(r"t[+-][0-9]+[A-Za-z]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_ROOT_KEYS = ("silp", "version")
_META_STRINGS = ("session_id", "out", "next_agent")
_META_NUMBERS = ("priority", "confidence")


def read(root: Node, text: str) -> Explained:
    """The IR that a payload's parse tree stands for.

    Args:
        root: what ``Grammar.tree`` gave.
        text: the payload.

    Returns:
        The IR with every slot's place in the text.

    Raises:
        SilpError: ``invalid_syntax`` where the text breaks one of the notes of the ABNF.
    """
    reading = _Reading(text)
    reading.payload(root)
    slots = sorted(reading.slots, key=lambda slot: (slot.start, slot.end))
    return Explained(text, "code", reading.ir, tuple(slots))


class _Reading:
    def __init__(self, text: str) -> None:
        self.text = text
        self.slots: list[Slot] = []
        self.entities: list[dict[str, Any]] = []
        self.constraints: list[dict[str, Any]] = []
        self.alternatives: list[dict[str, Any]] = []
        self.meta: dict[str, Any] = {
            "req_id": sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
        }
        self.ir: dict[str, Any] = {
            "silp": "v1", "version": "ir-v0.1", "intent": "", "entities": self.entities,
            "constraints": self.constraints, "alternatives": self.alternatives, "meta": self.meta,
        }
        self.given: set[str] = set()

    # ---- parts

    def payload(self, root: Node) -> None:
        for part in root.children:
            if part.rule == "if-part":
                self._syntax(part.children[0], "/constraints", "the condition begins")
                self._condition(part.children[1])
            elif part.rule == "actions":
                self._actions(part)
            elif part.rule == "else-part":
                self._syntax(part.children[0], "/alternatives", "the fallback begins")
                for call in part.all("alt-call"):
                    self._alternative(call)
            else:
                self._syntax(part.children[0], "/meta", "what belongs to the message as a whole begins")
                for item in part.all("with-item"):
                    self._with_item(item.children[0])

    def _condition(self, condition: Node) -> None:
        for child in condition.children:
            if child.rule == "and":
                self._syntax(child, "/constraints", "all conditions must hold")
            else:
                self._constraint(child.children[0])

    # ---- constraints

    def _constraint(self, node: Node) -> None:
        number = len(self.constraints)
        path = ("constraints", number)
        about = f"of condition {number + 1}"
        kind = self._string(node.children[0])
        negated = kind.startswith("!")
        fields: dict[str, Any] = {"type": kind}
        self.constraints.append(fields)
        what = f"type {about}" + (", negated" if negated else "")
        if node.rule == "bare-constraint":
            what += ', whose value is "true"'
        self._slot(node.children[0], (*path, "type"), "type", what, kind)
        if node.rule == "operator-form":
            operator, value, *rest = (child for child in node.children[1:] if child.rule != ",")
            fields["operator"] = operator.text
            self._slot(operator, (*path, "operator"), "operator", f"operator {about}", operator.text)
            self._put(fields, path, "value", value, "operand", about)
            if rest:
                self._put(fields, path, "time", rest[0], "time", about)
        elif node.rule == "func-call":
            self._constraint_arguments(node, fields, path, about, negated=negated)
        fields.setdefault("value", "true")

    def _constraint_arguments(
        self, node: Node, fields: dict[str, Any], path: tuple[Any, ...], about: str, *, negated: bool
    ) -> None:
        positional: list[Node] = []
        pairs: list[Node] = []
        for arg in node.all("c-arg"):
            inner = arg.children[0]
            if inner.rule == "value":
                if pairs:
                    raise self._error("an argument without a name must stand before those with one", inner)
                positional.append(inner)
            else:
                pairs.append(inner)
        names: tuple[str, ...]
        if len(positional) > 3:
            raise self._error("a condition takes at most three arguments without a name", positional[3])
        if len(positional) == 3:
            names = ("subject", "value", "time")
        elif len(positional) == 2:
            names = ("value", "time") if self._is_temporal(positional[1]) else ("subject", "value")
        else:
            names = ("time",) if negated else ("value",)
        for name, value in zip(names, positional, strict=False):
            self._put(fields, path, name, value, "operand" if name == "value" else name, about)
        for pair in pairs:
            key = self._string(pair.children[0])
            self._pair(fields, path, key, pair, about, strings=("value", "time"))

    # ---- actions

    def _actions(self, node: Node) -> None:
        sequence = node.children[0] if node.children[0].rule == "sequence" else None
        if sequence is not None:
            self.meta["seq"] = []
            for child in sequence.children:
                if child.rule == "->":
                    self._syntax(child, "/meta/seq", "the next step follows")
                else:
                    self._step(child.children[0])
            return
        for number, call in enumerate(node.all("call")):
            if number and not call.all("arg"):
                raise self._error(
                    "only the first call may be empty: an IR cannot hold an action without an argument", call
                )
            self._call(call)

    def _step(self, node: Node) -> None:
        action = node if node.rule == "action" else node.children[0]
        code = self._action(action)
        number = len(self.meta["seq"])
        self.meta["seq"].append(code)
        if number == 0:
            self.ir["intent"] = code
            self._slot(action, ("intent",), "action", "the main action, and step 1 of the sequence", code)
        else:
            self._slot(
                action, ("meta", "seq", number), "action", f"step {number + 1} of the sequence", code
            )
        if node.rule == "call":
            self._arguments(node, code)

    def _call(self, node: Node) -> None:
        action = node.children[0]
        code = self._action(action)
        count = len(node.all("arg"))
        if not self.ir["intent"]:
            self.ir["intent"] = code
            self._slot(action, ("intent",), "action", "the main action", code)
        else:
            first = len(self.entities)
            which = f"entity {first + 1}" if count == 1 else f"entities {first + 1} to {first + count}"
            what = "the main action again" if code == self.ir["intent"] else "a secondary action"
            self._slot(action, ("entities", first, "action"), "action", f"{what}, of {which}", code)
        self._arguments(node, code)

    def _arguments(self, node: Node, code: str) -> None:
        for arg in node.all("arg"):
            number = len(self.entities)
            path = ("entities", number)
            about = f"of entity {number + 1}"
            key, value = arg.find("key"), arg.find("value")
            assert value is not None
            written = self._string(value)
            how = ""
            if key is None:
                name = "time" if _TEMPORAL.fullmatch(written) else "act"
                how = f", which is '{name}' by its position" + (" and form" if name == "time" else "")
            else:
                name = self._string(key)
                self._slot(key, (*path, "id"), "id", f"id {about}", name)
            fields: dict[str, Any] = {"id": name, "value": written, "action": code}
            self.entities.append(fields)
            self._slot(value, (*path, "value"), "time" if how and name == "time" else "value",
                       f"value {about}{how}", written)
            extras = arg.find("extras")
            for extra in extras.all("extra") if extras else ():
                pair = extra.children[0]
                self._pair(fields, path, self._string(pair.children[0]), pair, about)

    # ---- fallback

    def _alternative(self, node: Node) -> None:
        number = len(self.alternatives)
        path = ("alternatives", number)
        about = f"of fallback {number + 1}"
        code = self._action(node.children[0])
        fields: dict[str, Any] = {"action": code}
        self.alternatives.append(fields)
        self._slot(node.children[0], (*path, "action"), "action", f"action {about}", code)
        for place, arg in enumerate(node.all("alt-arg")):
            inner = arg.children[0]
            if inner.rule == "target":
                if place:
                    raise self._error("the target of a fallback must be its first argument", inner)
                target, *location = inner.all("value")
                self._put(fields, path, "target", target, "target", about)
                if location:
                    self._put(fields, path, "location", location[0], "location", about)
                continue
            key_node = inner.children[0]
            key = self._string(key_node)
            if key == "loc" and key_node.leaf().rule == "bare":
                key = "location"
            self._pair(fields, path, key, inner, about, strings=("target", "location"))

    # ---- with-clause

    def _with_item(self, node: Node) -> None:
        if node.rule in ("func-call", "bare-constraint"):
            self._constraint(node)
            return
        key_node, value_node = node.children[0], node.children[2]
        key = self._string(key_node)
        value = self._json(value_node) if node.rule == "json-pair" else self._string(value_node)
        if key in _ROOT_KEYS and key_node.leaf().rule == "bare":
            if key in self.given:
                raise self._twice(key, key_node)
            self.given.add(key)
            self._check_root(key, value, value_node)
            self.ir[key] = value
            which = "protocol" if key == "silp" else "schema"
            self._slot(node, (key,), "field", f"the {which} version", value)
            return
        if key == "req_id":
            raise self._error("req_id is derived from the text and cannot be given", key_node)
        if key in self.meta:
            raise self._twice(key, key_node)
        if key in _META_NUMBERS and node.rule == "with-pair":
            value = self._number(value_node)
        self._check_meta(key, value, value_node)
        self.meta[key] = value
        self._slot(node, ("meta", key), "field", f"{key!r} of the message", value)

    def _check_root(self, key: str, value: Any, node: Node) -> None:
        if not isinstance(value, str) or (key == "silp" and not re.fullmatch(r"v[0-9]+", value)):
            raise self._error(f"{key} takes a {'version such as v1' if key == 'silp' else 'string'}", node)
        if key == "silp" and value != "v1":
            raise SilpError(
                ErrorCode.UNSUPPORTED_VERSION, f"silp version {value[:40]!r} is not supported",
                rule="version.silp", position=node.start,
            )

    def _check_meta(self, key: str, value: Any, node: Node) -> None:
        if key in _META_STRINGS and not isinstance(value, str):
            raise self._error(f"{key} takes a string", node)
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if key == "priority" and not (number and value == value // 1):
            raise self._error("priority takes a whole number", node)
        if key == "confidence" and not (number and 0 <= value <= 1):
            raise self._error("confidence takes a number from 0 to 1", node)
        if key == "seq" and not (isinstance(value, list) and all(isinstance(step, str) for step in value)):
            raise self._error("seq takes an array of strings", node)

    # ---- small parts

    def _pair(
        self, fields: dict[str, Any], path: tuple[Any, ...], key: str, pair: Node, about: str,
        strings: tuple[str, ...] = (),
    ) -> None:
        """A pair that names the field it fills."""
        if key in fields:
            raise self._twice(key, pair.children[0])
        value_node = pair.children[2]
        if pair.rule == "pair":
            value: Any = self._string(value_node)
        else:
            value = self._json(value_node)
        if key in strings and not isinstance(value, str):
            raise self._error(f"{key} takes a string", value_node)
        fields[key] = value
        known = {"value": "operand", "time": "time", "subject": "subject", "operator": "operator",
                 "target": "target", "location": "location"}
        kind = known[key] if key in (*strings, "subject", "operator") and path[0] != "entities" else "field"
        what = f"{key} {about}" if kind != "field" else f"{key!r}, a further field {about}"
        self._slot(pair, (*path, key), kind, what, value)

    def _put(
        self, fields: dict[str, Any], path: tuple[Any, ...], key: str, node: Node, kind: str, about: str
    ) -> None:
        fields[key] = self._string(node)
        self._slot(node, (*path, key), kind, f"{key} {about}", fields[key])

    def _slot(self, node: Node, path: tuple[Any, ...], kind: str, meaning: str, value: Any) -> None:
        self.slots.append(Slot(node.start, node.end, pointer_of(path), kind, meaning, value))

    def _syntax(self, node: Node, path: str, meaning: str) -> None:
        self.slots.append(Slot(node.start, node.end, path, "syntax", meaning))

    def _action(self, node: Node) -> str:
        leaf = node.leaf()
        return leaf.text if leaf.rule == "action-code" else action_code(leaf.text)

    def _is_temporal(self, node: Node) -> bool:
        return _TEMPORAL.fullmatch(self._string(node)) is not None

    def _string(self, node: Node) -> str:
        """The string that a value, key or type stands for."""
        leaf = node.leaf()
        written = self.text[leaf.start : leaf.end]
        if leaf.rule == "double-quoted":
            return str(loads(written))
        if leaf.rule == "single-quoted":
            return str(loads('"' + _SINGLE.sub(_to_double, written[1:-1]) + '"'))
        return written

    def _json(self, node: Node) -> Any:
        """The value of a ``json-value``."""
        try:
            return loads(self.text[node.start : node.end])
        except SilpError as error:
            raise SilpError(
                error.code, error.message, rule=error.rule, hint=error.hint,
                position=node.start + (error.position or 0),
            ) from None

    def _number(self, node: Node) -> Any:
        written = self.text[node.start : node.end]
        if not _NUMBER.fullmatch(written):
            raise self._error("this takes a number", node)
        return self._json(node)

    def _twice(self, key: str, node: Node) -> SilpError:
        return self._error(f"{key!r} is given twice", node)

    def _error(self, message: str, node: Node) -> SilpError:
        return SilpError(ErrorCode.INVALID_SYNTAX, message, rule="code.meaning", position=node.start)


_SINGLE = re.compile(r"\\.|\"")


def _to_double(match: re.Match[str]) -> str:
    """An escape of a single-quoted literal as a double-quoted one has it."""
    return {"\\'": "'", '"': '\\"'}.get(match.group(), match.group())
