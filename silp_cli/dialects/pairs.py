"""Calls as a name and pairs of tags: ``f <arg_key>a</arg_key><arg_value>…</arg_value>``."""

from __future__ import annotations

import re

from silp_cli.dialects.call import Call
from silp_cli.dialects.trouble import Broken, NeedMore, Scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_head = re.compile(r"[ \t\r\n]*+([A-Za-z_][\w./:-]*+)[ \t\r\n]*+").match
_space = re.compile(r"[ \t\r\n]*+").match
_key = re.compile(r"<arg_key>([^<>\n]++)</arg_key>[ \t\r\n]*+<arg_value>").match
_SWALLOWED = re.compile(r"</?arg_key>|<arg_value>")
_CLOSE = "</arg_value>"
_LEAST = 3  # characters of a closing tag by which it is known


def call(scan: Scan, position: int, dialect: str, closes: tuple[str, ...]) -> tuple[Call, int]:
    """The call whose name stands at a position, and its end, before the closing marker.

    Raises:
        Broken: for a value that is not closed, and where anything but the marker follows the last pair.
        NeedMore: when the text ends inside it and goes on.
    """
    text = scan.text
    head = _head(text, position)
    if head is None:
        raise Broken(position, "expected the name of a tool", "call.name", "a name, then pairs of key and value")
    arguments: dict[str, Any] = {}
    at = head.end()
    while True:
        match = _key(text, at)
        if match is None:
            break
        key = match.group(1).strip()
        close = text.find(_CLOSE, match.end())
        if close < 0:
            raise scan.cut_off(match.start(), f"the value of {key[:60]!r} does not end", f"close it with {_CLOSE}")
        found = _SWALLOWED.search(text, match.end(), close)
        if found is not None:
            raise Broken(
                found.start(), f"the value of {key[:60]!r} is not closed before this", "call.tag",
                f"close it with {_CLOSE}",
            )
        if key in arguments:
            raise Broken(match.start(), f"{key[:60]!r} is given twice", "call.duplicate")
        arguments[key] = text[match.end() : close]
        gap = _space(text, close + len(_CLOSE))
        at = gap.end() if gap else at
    rest = text[at : at + 24]
    known = any(rest.startswith(each) or (len(rest) >= _LEAST and each.startswith(rest)) for each in closes)
    if not known:
        if at >= len(text) or (not scan.final and any(each.startswith(rest) for each in closes)):
            raise scan.cut_off(at, "the text ends before the call is closed")
        if not scan.final and len(text) - at < 200 and "<arg_key>".startswith(rest[:9]) :
            raise NeedMore
        raise Broken(at, f"expected a pair or {closes[0]}", "call.tag", "close each tag by its own")
    if not scan.final and not any(rest.startswith(each) for each in closes):
        raise NeedMore
    return Call(head.group(1), arguments, dialect=dialect, start=head.start(1), end=at, typed=False), at
