"""Payloads in running text, which count only on request: calls of known verbs, objects that are payloads or calls."""

from __future__ import annotations

import re

from silp_cli.dialects import jsonic
from silp_cli.dialects.call import Payload, Problem
from silp_cli.dialects.trouble import Broken, Scan
from silp_cli.frontends.code.scanner import Scanner
from silp_cli.frontends.code.words import KEYWORDS
from silp_cli.frontends.registry import get_frontend
from silp_cli.ir.errors import SilpError
from silp_cli.ir.verbs import action_code

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from silp_cli.dialects.call import Event
    from silp_cli.dialects.table import Shape

_candidate = re.compile(r"(?<![\w.!])(?:if[ \t]+(?=[!\w\"'])|([a-z][a-z_]*+|![A-Z][A-Z_]*+)\()|\{(?=\s*[\"'])").search


def in_prose(text: str, start: int, end: int, verbs: Collection[str], shapes: tuple[Shape, ...]) -> list[Event]:
    """The payloads in one line of running text.

    Args:
        text: the whole text.
        start: of the line.
        end: of the line.
        verbs: the action codes whose calls count.
        shapes: the keys of objects that are calls.
    """
    line = text[start:end]
    scanner = Scanner(line)
    found: list[Event] = []
    at = 0
    while match := _candidate(line, at):
        at = match.end()
        if match.group() == "{":
            at = _object(line, match.start(), start, shapes, found)
            continue
        name = match.group(1)
        if name is not None and (name in KEYWORDS or (name if name[0] == "!" else action_code(name)) not in verbs):
            continue
        try:
            ir, stop = scanner.payload(match.start())
        except SilpError as error:
            if name is not None:
                stop = max(at, min(error.position or 0, len(line)))
                error.position = start + (error.position or 0)
                found.append(Problem(error, start + match.start(), start + stop))
                at = len(line)  # what follows may be the inside of a literal
            continue
        named = {ir["intent"], *(each.get("action") for each in ir["alternatives"])}
        if name is not None or named & set(verbs):
            found.append(Payload(ir, "code", start + match.start(), start + stop))
            at = stop
    return found


def _object(line: str, at: int, start: int, shapes: tuple[Shape, ...], found: list[Event]) -> int:
    try:
        value, end = jsonic.json_value(Scan(line), at)
    except Broken:
        return len(line)  # what follows may be the inside of a literal
    if isinstance(value, dict) and str(value.get("intent", "")).startswith("!"):
        try:
            found.append(Payload(get_frontend("json").decode(line[at:end]), "json", start + at, start + end))
        except SilpError as error:
            error.position = start + at + (error.position or 0)
            found.append(Problem(error, start + at, start + end))
        return end
    try:
        call = jsonic.call_of(value, shapes, "json-object", start + at, start + end, sure=False)
    except Broken as broken:
        found.append(Problem(broken.error(), start + at, start + end))
        return end
    if call is not None:
        found.append(call)
    return end
