"""Calls as tags: ``<function=f><parameter=a>…</parameter></function>``, ``<invoke name="f">…`` with any prefix."""

from __future__ import annotations

import re

from silp_cli.dialects.call import Call
from silp_cli.dialects.jsonic import json_value
from silp_cli.dialects.trouble import Broken, NeedMore, Scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_PREFIX = r"(?P<prefix>[\w｜|:.-]{0,24}?)"
open_at = re.compile(
    rf"<{_PREFIX}(?:(?P<equal>function=)(?P<bare>[^<>\s\"'/]++)"
    r"|(?P<invoke>invoke)[ \t\r\n]++name=[\"'](?P<quoted>[^\"'<>\n]++)[\"'])"
    r"[ \t]*+(?P<empty>/?)>"
).match
_space = re.compile(r"[ \t\r\n]*+").match
_ATTRIBUTE = re.compile(r"([\w:-]++)=[\"']([^\"'<>\n]*+)[\"']")


def slips(mark: str) -> set[str]:
    """A marker with one character gone or doubled."""
    return {mark[:at] + mark[at + 1 :] for at in range(len(mark))} | {
        mark[:at] + mark[at] + mark[at:] for at in range(len(mark))
    }


_KNOWN: tuple[dict[str, str], ...] = ({}, {"string": "true"}, {"string": "false"})


class _Style:
    """How parameters look in one of the two styles with one prefix."""

    def __init__(self, prefix: str, invoke: bool) -> None:
        mark = re.escape(prefix)
        self.name = "invoke" if invoke else "function"
        self.close = f"</{prefix}{self.name}>"
        self.value_close = f"</{prefix}parameter>"
        self.invoke = invoke
        named = r"name=[\"'](?P<key>[^\"'<>\n=]++)[\"'](?P<rest>[^<>\n]*+)"
        head = named if invoke else r"(?P<key>[^<>\n]++)(?P<rest>)"
        gap = r"[ \t\r\n]++" if invoke else "="
        self.open_at = re.compile(rf"<{mark}parameter{gap}{head}>").match
        # What stands in no value: one that holds it was not closed where it should have been.
        near = "|".join(map(re.escape, sorted({f"</{prefix}param>", *slips(self.value_close)} - {self.value_close})))
        self.swallowed = re.compile(
            rf"<{mark}parameter(?:=|[ \t]+name=)|</?{mark}{self.name}(?:[ =>])|{near}"
        ).search


_styles: dict[tuple[str, bool], _Style] = {}


def call(scan: Scan, position: int, dialect: str) -> tuple[Call, int]:
    """The call whose opening tag stands at a position, and its end.

    Raises:
        Broken: for a tag that is not closed, or closed by another, or a parameter given twice.
        NeedMore: when the text ends inside it and goes on.
    """
    text = scan.text
    head = open_at(text, position)
    if head is None:
        raise Broken(position, "expected the tag of a call", "call.tag", "calls begin <function=NAME>")
    invoke = head.group("invoke") is not None
    name = (head.group("quoted") or head.group("bare")).strip()
    key = (head.group("prefix"), invoke)
    style = _styles.get(key) or _styles.setdefault(key, _Style(*key))
    arguments: dict[str, Any] = {}
    typed = False
    at = _skip(scan, head.end())
    if head.group("empty"):
        return Call(name, {}, dialect=dialect, start=position, end=head.end(), typed=False), head.end()
    if not invoke and text.startswith("{", at):
        given, end = json_value(scan, at)
        at = _skip(scan, end)
        rest = text[at : at + len(style.close)]
        if rest == style.close:
            end = at + len(rest)
        elif style.close.startswith(rest):  # a piece of it, or nothing, at the very end
            if not scan.final:
                raise NeedMore
            end = len(text)
        elif rest.startswith("</"):
            raise Broken(at, f"expected {style.close}", "call.tag", "close the tag that was opened")
        return Call(name, given, dialect=dialect, start=position, end=end), end
    while not text.startswith(style.close, at):
        match = style.open_at(text, at)
        if match is None:
            if at >= len(text) or (not scan.final and len(text) - at < 300 and ">" not in text[at:]):
                raise scan.cut_off(at, f"the text ends before {style.close}")
            raise Broken(at, f"expected a parameter or {style.close}", "call.tag", "close each tag by its own")
        name_of_it = match.group("key").strip()
        close = text.find(style.value_close, match.end())
        if close < 0:
            raise scan.cut_off(
                match.start(), f"the value of {name_of_it[:60]!r} does not end", f"close it with {style.value_close}"
            )
        inside = text[match.end() : close]
        found = style.swallowed(inside)
        if found is not None:
            raise Broken(
                match.end() + found.start(), f"the value of {name_of_it[:60]!r} is not closed before this",
                "call.tag", f"close it with {style.value_close}",
            )
        if name_of_it in arguments:
            raise Broken(match.start(), f"parameter {name_of_it[:60]!r} is given twice", "call.duplicate")
        attributes = dict(_ATTRIBUTE.findall(match.group("rest")))
        typed = typed or bool(attributes)
        if _ATTRIBUTE.sub("", match.group("rest")).strip() or attributes not in _KNOWN:
            raise Broken(match.start("rest"), "attributes that mean nothing here", "call.tag",
                         'string="true" or "false"')
        arguments[name_of_it] = _value(match.end(), inside, style, attributes)
        at = _skip(scan, close + len(style.value_close))
    end = at + len(style.close)
    typed = typed or (not arguments and "｜DSML｜" in style.close)
    return Call(name, arguments, dialect=dialect, start=position, end=end, typed=typed), end


def item_end(scan: Scan, start: int, failed: int) -> int | None:
    """Where a failed call ends: behind its own closing tag, if all tags that follow are in pairs; else None.

    Args:
        scan: the text.
        start: of the call's opening tag.
        failed: where it failed.

    Raises:
        NeedMore: when the text goes on: only the whole text shows whether tags are in pairs.
    """
    if not scan.final:
        raise NeedMore
    head = open_at(scan.text, start)
    if head is None:
        return None
    close = f"</{head.group('prefix')}{'invoke' if head.group('invoke') else 'function'}>"
    end = scan.text.find(close, max(failed, head.end()))
    if end < 0 or orphan(scan.text, end + len(close)):
        return None
    return end + len(close)


_tag = re.compile(r"<(/?)[\w:｜|.-]*(?:function|invoke|parameter)\b").finditer


def orphan(text: str, start: int) -> bool:
    """Whether some tag of a call is closed behind a place without having been opened there."""
    depth = 0
    for match in _tag(text, start):
        depth += -1 if match.group(1) else 1
        if depth < 0:
            return True
    return False


def _value(start: int, inside: str, style: _Style, attributes: dict[str, str]) -> Any:
    if attributes.get("string") == "false":
        try:
            found, end = json_value(Scan(inside.strip()), 0)
        except Broken as broken:
            raise Broken(start + broken.position, broken.message, broken.rule, broken.hint) from None
        if end != len(inside.strip()):
            raise Broken(start, "the value is no JSON", "call.value", "a value with string=\"false\" is JSON")
        return found
    if not style.invoke:  # the line breaks beside the tags are part of the form
        inside = inside.removeprefix("\r").removeprefix("\n")
        inside = inside[:-1].removesuffix("\r") if inside.endswith("\n") else inside
    return inside


def _skip(scan: Scan, position: int) -> int:
    match = _space(scan.text, position)
    return match.end() if match else position
