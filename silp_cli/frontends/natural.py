"""The ``natural`` frontend: an IR as English prose (draft, section "Natural Language Frontend").

Every slot of the IR is named in the prose; meta is not, as in the draft's own example. The prose is put
together from pieces that remember their slot, so that whoever shortens it can say what went missing.
"""

from __future__ import annotations

import re

from silp_cli.frontends.base import Frontend
from silp_cli.ir.jsontext import dumps, sort_keys
from silp_cli.ir.verbs import function_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, TypeAlias

    # Text, and the slot it stands for ("constraint 0 negation"), or "" for the words in between.
    Piece: TypeAlias = "tuple[str, str]"

# The words that carry an operator, and the one that only joins them to the value.
OPERATORS: dict[str, tuple[str, str]] = {
    "==": ("equal", " to "),
    "!=": ("not equal", " to "),
    "<": ("less", " than "),
    "<=": ("at most", " "),
    ">": ("greater", " than "),
    ">=": ("at least", " "),
}

_TEMPORAL = re.compile(r"t[+-][0-9]+[A-Za-z]*")
_WORDS = re.compile(r"(?!.*\b(?:if|and|otherwise)\b)[A-Za-z]+(?:[ _-][A-Za-z]+)*")
# What ends the line, steers a terminal or vanishes from sight: controls, invisible formats, lone surrogates.
_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ud800-\udfff\ufeff\uffa0\ufff0-\uffff\U00013430-\U0001345f"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
# A value that could be taken for the prose around it goes into quotes.
_NEEDS_QUOTES = re.compile(
    r"""[,"\\()]|^\s|\s$|^$|[.!?]$|(?<!\S)(?:if|and|not|otherwise|with|at|is|of)(?!\S)""", re.I
)


class NaturalFrontend(Frontend):
    """English prose; a control baseline that cannot be decoded."""

    name = "natural"
    lossless = False
    summary = "English prose, a control baseline"

    def compile(self, ir: dict[str, Any], *, bare: bool = False) -> str:  # noqa: ARG002 - prose has no meta
        """Write a valid IR as one line of prose.

        Args:
            ir: a valid IR; it is not changed.
            bare: changes nothing, as prose never carries meta.

        Returns:
            The prose, such as ``If not rain at t+1, start hike otherwise start cards at indoor.``
        """
        return prose(ir)

    def why_not(self) -> str:
        """Why prose cannot be decoded."""
        return "prose has no grammar that would lead back to one IR"


def prose(ir: dict[str, Any]) -> str:
    """The prose of an IR, as one line."""
    return "".join([text for text, _ in pieces(ir)])


def pieces(ir: dict[str, Any]) -> list[Piece]:
    """The prose of an IR in pieces that, joined, are the prose.

    Args:
        ir: a valid IR; nulls in optional fields count as absent.

    Returns:
        Pairs of text and slot. Slots are named ``intent``, ``entity 0 value``, ``constraint 1 negation``,
        ``alternative 0 location`` and so on, counted from 0 as in the IR's arrays.
    """
    out: list[Piece] = []
    for index, constraint in enumerate(ir.get("constraints") or ()):
        out.append((" and " if index else "If ", ""))
        _constraint(out, constraint, f"constraint {index}")
    conditional = bool(out)
    if conditional:
        out.append((", ", ""))
    _actions(out, ir, capital=not conditional)
    for index, alternative in enumerate(ir.get("alternatives") or ()):
        out += [(" and ", "")] if index else [(" ", ""), ("otherwise", "else"), (" ", "")]
        _alternative(out, alternative, f"alternative {index}")
    out.append((".", ""))
    return out


def _constraint(out: list[Piece], constraint: dict[str, Any], slot: str) -> None:
    kind = constraint["type"]
    negated = kind.startswith("!")
    if negated:
        out += [("not", f"{slot} negation"), (" ", "")]
        kind = kind[1:]
    out.append((phrase(kind), f"{slot} type"))
    named = {"type", "value", "time"}
    subject, operator = constraint.get("subject"), constraint.get("operator")
    if subject is None or isinstance(subject, str):
        named.add("subject")
    if isinstance(subject, str):
        out += [(" of ", ""), (phrase(subject), f"{slot} subject")]
    value = constraint["value"]
    if isinstance(operator, str):
        before, words, after = _operator(operator)
        out += [(before, ""), (words, f"{slot} operator"), (after, ""), (phrase(value), f"{slot} value")]
    elif not negated or value != "true":
        out += [(" is ", ""), (phrase(value), f"{slot} value")]
    if operator is None or isinstance(operator, str):
        named.add("operator")
    if constraint.get("time") is not None:
        out += [(" at ", ""), (phrase(constraint["time"]), f"{slot} time")]
    _extras(out, constraint, named, slot)


def _operator(operator: str) -> tuple[str, str, str]:
    """An operator in words, between what joins it to the type and to the value."""
    if operator in OPERATORS:
        words, after = OPERATORS[operator]
        return " is ", words, after
    if _WORDS.fullmatch(operator):  # "contains", "starts with": words already
        return " ", operator, " "
    return " is related by ", phrase(operator), " to "


def _actions(out: list[Piece], ir: dict[str, Any], *, capital: bool) -> None:
    """The intent with its own entities, then each run of entities that belong to one other action."""
    intent = ir["intent"]
    own: list[tuple[int, dict[str, Any]]] = []
    runs: list[tuple[str, list[tuple[int, dict[str, Any]]]]] = []
    previous = intent
    for index, entity in enumerate(ir.get("entities") or ()):
        action = entity.get("action") or intent
        if action == intent:
            own.append((index, entity))
        elif action == previous:
            runs[-1][1].append((index, entity))
        else:
            runs.append((action, [(index, entity)]))
        previous = action
    name = function_name(intent)
    out.append((name.capitalize() if capital else name, "intent"))
    _arguments(out, own)
    for action, entities in runs:
        out += [(" and ", ""), (function_name(action), f"entity {entities[0][0]} action")]
        _arguments(out, entities)


def _arguments(out: list[Piece], entities: list[tuple[int, dict[str, Any]]]) -> None:
    """Positional values first, then times, then ``with id value, id value``."""
    positional = [pair for pair in entities if pair[1]["id"] == "act"]
    times = [pair for pair in entities if _is_time(pair[1])]
    keyword = [pair for pair in entities if pair[1]["id"] != "act" and not _is_time(pair[1])]
    for glue, following, group in ((" ", ", ", positional), (" at ", ", ", times), (" with ", ", ", keyword)):
        for count, (index, entity) in enumerate(group):
            out.append((following if count else glue, ""))
            if group is keyword:
                out += [(phrase(entity["id"]), f"entity {index} id"), (" ", "")]
            out.append((phrase(entity["value"]), f"entity {index} value"))
            _extras(out, entity, {"id", "value", "action"}, f"entity {index}")


def _is_time(entity: dict[str, Any]) -> bool:
    return entity["id"] == "time" and _TEMPORAL.fullmatch(entity["value"]) is not None


def _alternative(out: list[Piece], alternative: dict[str, Any], slot: str) -> None:
    out.append((function_name(alternative["action"]), f"{slot} action"))
    if alternative.get("target") is not None:
        out += [(" ", ""), (phrase(alternative["target"]), f"{slot} target")]
    if alternative.get("location") is not None:
        out += [(" at ", ""), (phrase(alternative["location"]), f"{slot} location")]
    _extras(out, alternative, {"action", "target", "location"}, slot)


def _extras(out: list[Piece], owner: dict[str, Any], named: Iterable[str], slot: str) -> None:
    """Fields the draft does not name, by name, in brackets behind what they belong to."""
    first = True
    for key in sorted(owner):
        if key in named:
            continue
        value = owner[key]
        out += [(" (" if first else ", ", ""), (phrase(key), f"{slot} field {phrase(key)}"), (" ", "")]
        text = phrase(value) if isinstance(value, str) else _UNSEEN.sub(_escape, dumps(sort_keys(value)))
        out.append((text, f"{slot} field {phrase(key)}"))
        first = False
    if not first:
        out.append((")", ""))


def phrase(text: str) -> str:
    """A string as it stands in prose: itself, or a JSON string literal if it would be misread or unseen."""
    if _UNSEEN.search(text) is None and _NEEDS_QUOTES.search(text) is None:
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + _UNSEEN.sub(_escape, escaped) + '"'


_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}


def _escape(match: re.Match[str]) -> str:
    char = match.group()
    if char in _SHORT:
        return _SHORT[char]
    if char < "\U00010000":
        return f"\\u{ord(char):04x}"
    offset = ord(char) - 0x10000
    return f"\\u{0xD800 + (offset >> 10):04x}\\u{0xDC00 + (offset & 0x3FF):04x}"
