"""Calls as Python writes them: ``f(a=1, b='x')``, alone or in a list."""

from __future__ import annotations

import re

from silp_cli.dialects.call import Call, Problem
from silp_cli.dialects.literals import balanced_end, skip_space, value
from silp_cli.dialects.trouble import Broken, NeedMore, Scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NAME = r"[A-Za-z_][\w]*+(?:[./:-][\w]++)*+"
name_at = re.compile(NAME).match
call_at = re.compile(rf"({NAME})\(").match
statement_at = re.compile(
    rf"(?:([A-Za-z_]\w*+)[ \t]*+=(?!=)[ \t]*+)?+(?:await[ \t]++)?+(print[ \t]*+\([ \t]*+(?:await[ \t]++)?+)?+({NAME})\("
).match
list_at = re.compile(rf"\[[ \t\r\n]*+(?:await[ \t]++)?+{NAME}\(").match
_head_piece = re.compile(r"(?:[A-Za-z_][\w./:-]{0,200}+)?+\Z").match
_keyword = re.compile(r"([^\W\d]\w*+)[ \t\r\n]*+=(?!=)").match
_star = re.compile(r"\*{1,2}").match


def call(scan: Scan, position: int, dialect: str) -> tuple[Call, int]:
    """The call at a position and its end.

    Raises:
        Broken: when there is none.
        NeedMore: when the text ends inside it and goes on.
    """
    text = scan.text
    head = call_at(text, position)
    if head is None:
        if not scan.final and _head_piece(text, position):
            raise NeedMore
        raise Broken(position, "expected a call", "call.syntax", "calls look like f(a=1)")
    arguments: dict[str, Any] = {}
    positional: list[Any] = []
    at = skip_space(scan, head.end())
    while not text.startswith(")", at):
        if at >= len(text):
            raise scan.cut_off(at)
        at = _argument(scan, at, arguments, positional)
        at = skip_space(scan, at)
        if text.startswith(",", at):
            at = skip_space(scan, at + 1)
        elif not text.startswith(")", at):
            if at >= len(text):
                raise scan.cut_off(at)
            raise Broken(at, f"expected ',' or ')', found {text[at]!r}", "call.syntax", "values are literals")
    name = head.group(1)
    found = Call(
        name, arguments, dialect=dialect, start=position, end=at + 1, positional=tuple(positional)
    )
    return found, at + 1


def _argument(scan: Scan, position: int, arguments: dict[str, Any], positional: list[Any]) -> int:
    star = _star(scan.text, position)
    if star is not None:
        if star.group() == "*":
            raise Broken(position, "a starred argument", "call.value", "give each argument by its name")
        given, end = value(scan, skip_space(scan, star.end()), 1)
        if not isinstance(given, dict):
            raise Broken(star.end(), "** takes an object", "call.value", "write **{'name': value}")
        for key in given:
            _require_new(key, arguments, position)
        arguments.update(given)
        return end
    match = _keyword(scan.text, position)
    if match is None:
        item, end = value(scan, position, 1)
        if arguments:
            raise Broken(position, "a value without a name behind one with a name", "call.syntax", "name it")
        positional.append(item)
        return end
    _require_new(match.group(1), arguments, position)
    arguments[match.group(1)], end = value(scan, skip_space(scan, match.end()), 1)
    return end


def _require_new(key: str, arguments: dict[str, Any], position: int) -> None:
    if key in arguments:
        raise Broken(position, f"argument {key[:40]!r} is given twice", "call.duplicate", "give each argument once")


def statement(scan: Scan, position: int, dialect: str) -> tuple[Call, int, str | None]:
    """A call as a statement: behind ``await`` or ``name =``, inside ``print(…)``, before ``;``.

    Returns:
        The call, its end, and the name that takes its result.
    """
    head = statement_at(scan.text, position)
    if head is None:
        raise Broken(position, "expected a call", "call.syntax", "calls look like f(a=1)")
    taker, printed, _ = head.groups()
    found, end = call(scan, head.start(3), dialect)
    if printed is not None:
        end = skip_space(scan, end)
        if not scan.text.startswith(")", end):
            if end >= len(scan.text):
                raise scan.cut_off(end)
            raise Broken(end, "expected ')' behind the call in print", "call.syntax", "print one call")
        end += 1
    return found, end, taker


def call_list(scan: Scan, position: int, dialect: str) -> tuple[list[Call | Problem], int | None]:
    """The calls of a list, each for itself.

    Args:
        scan: the text.
        position: of the opening bracket.
        dialect: the row that reads it.

    Returns:
        Calls and problems, and the end; None for an end that cannot be known.
    """
    text = scan.text
    found: list[Call | Problem] = []
    at = skip_space(scan, position + 1)
    while not text.startswith("]", at):
        start = at
        try:
            if at >= len(text):
                raise scan.cut_off(at, "the list of calls does not end", "close it with ]")
            if text.startswith("await ", at):
                at = skip_space(scan, at + 6)
            each, at = call(scan, at, dialect)
            at = _list_separator(scan, at)
            found.append(each)
        except Broken as broken:
            end = _item_end(scan, start)
            is_call = statement_at(text, start) is not None or _head_piece(text, start) is not None
            if found and not isinstance(found[-1], Problem) and not is_call:
                start = found.pop().start  # what follows is no call: this one was closed before its end
            if end is None:
                found.append(Problem(broken.error(), start, len(text)))
                return found, None
            found.append(Problem(broken.error(), start, end))
            try:
                at = _list_separator(scan, end)
            except Broken:
                after = balanced_end(scan, position)
                return found, after
    return found, at + 1


def _list_separator(scan: Scan, position: int) -> int:
    at = skip_space(scan, position)
    if scan.text.startswith(",", at):
        return skip_space(scan, at + 1)
    if scan.text.startswith("]", at):
        return at
    if at >= len(scan.text):
        if not scan.final:
            raise NeedMore
        return at  # the call is whole; that the list does not end is said next
    raise Broken(at, f"expected ',' or ']', found {scan.text[at]!r}", "call.syntax", "list calls and nothing else")


def _item_end(scan: Scan, position: int) -> int | None:
    """Where a broken item of a list ends, if it at least looks like a call."""
    head = statement_at(scan.text, position)
    return balanced_end(scan, head.end() - 1) if head else None
