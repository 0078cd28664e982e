r"""Cleans the strings inside JSON, escapes such as ``\u200b`` included, and leaves every other byte as it is."""

from __future__ import annotations

import json
import re
from bisect import bisect_right

from silp_cli.ir.jsontext import json_error
from silp_cli.text.part import current
from silp_cli.text.sanitize.classes import class_of
from silp_cli.text.sanitize.engine import Finding, Policy, apply, find
from silp_cli.text.sanitize.lines import over_limit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import NoReturn

    from silp_cli.ir.errors import SilpError

_TOKEN = re.compile(r'("(?:[^"\\\n]|\\.)*+")|([{}\[\],:])|("[^\n]*)|([^"{}\[\],:]+)')
_PIECE = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|.", re.S
)


class Chunk:
    """Some whole lines that hold one JSON document or more, or something that is none.

    Attributes:
        line: 1-based number of the first line.
        text: the lines, with their ends.
        error: set when the lines cannot be read.
    """

    __slots__ = ("error", "line", "text")

    def __init__(self, line: int, text: str, error: SilpError | None = None) -> None:
        self.line = line
        self.text = text
        self.error = error


def chunks(lines: Iterable[tuple[int, str, SilpError | None]], limit: int) -> Iterator[Chunk]:
    """Group lines so that no document is cut.

    Args:
        lines: number, text with its end, and what is wrong with the line.
        limit: most characters of a chunk.
    """
    pending: list[str] = []
    first = size = depth = 0
    part = current()
    too_long = part.skip if part else False
    if part:
        part.reads = "documents"
    for number, line, error in lines:
        starts = line.startswith(("{", "["))
        broken = depth > 0 and starts and not "".join(pending[-2:]).rstrip().endswith((",", "[", ":", "{"))
        if pending and (broken or error is not None):
            yield Chunk(first, "".join(pending))
            pending, size, depth, too_long = [], 0, 0, False
        if error is not None:
            yield Chunk(number, line, error)
            continue
        if too_long:
            if not starts:
                continue
            too_long, depth = False, 0
        if not pending:
            first = number
        pending.append(line)
        size += len(line)
        closed = True
        for match in _TOKEN.finditer(line):
            if match.lastindex == 2:
                depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(match.group(), 0)
            elif match.lastindex == 3:
                closed = False
        if depth <= 0 or not closed:
            yield Chunk(first, "".join(pending))
            pending, size, depth = [], 0, 0
        elif size > limit:
            yield Chunk(first, pending[0], over_limit(limit))
            pending, size, too_long = [], 0, True
    if part:
        part.open, part.skipping = bool(pending), too_long
    if pending:
        yield Chunk(first, "".join(pending))


def clean_json(text: str, policy: Policy, max_depth: int) -> tuple[str, list[Finding], list[int]]:
    """Clean the strings of JSON documents.

    Args:
        text: one document or several in a row.
        policy: what to look for.
        max_depth: how deep arrays and objects may nest.

    Returns:
        The cleaned text, the findings with positions in the text as it came, and where in it each document ends.

    Raises:
        SilpError: for text that is not JSON, and for keys of one object that become equal by cleaning.
    """
    parts: list[str] = []
    findings: list[Finding] = []
    ends: list[int] = []
    origins: list[tuple[int, int]] = []  # where each token begins, cleaned and as it came
    size = 0
    keys: list[dict[str, tuple[str, int]] | None] = []  # for each open object: key after cleaning -> before, and where
    is_key = False
    for match in _TOKEN.finditer(text):
        token = match.group()
        kind = match.lastindex
        if kind == 1:
            token, before, after, found = _clean_string(match, policy)
            findings += found
            if is_key and keys and keys[-1] is not None:
                key = before, match.start()
                other = keys[-1].setdefault(after, key)
                if other[0] != before:
                    _collision(text, after, *(other if before == after else key))
            is_key = False
        elif kind == 2:
            is_key = token == "{" or (token == "," and bool(keys) and keys[-1] is not None)
            if token in "{[":
                keys.append({} if token == "{" else None)
                if len(keys) > max_depth:
                    raise json_error(
                        f"nested deeper than {max_depth} levels", match.start(), text, "limit.depth",
                        "raise the limit with --max-depth",
                    )
            elif token in "}]" and keys:
                keys.pop()
        elif not token.isascii() or not token.isprintable():
            found = [
                Finding(match.start() + i, char, str(class_of(char)))
                for i, char in enumerate(token)
                if char != "\r" and class_of(char) in policy.classes
            ]
            findings += found
            token = apply(token, [Finding(each.position - match.start(), "", "") for each in found])
        if not keys and token.strip():
            ends.append(match.end())
        origins.append((size, match.start()))
        size += len(token)
        parts.append(token)
    cleaned = "".join(parts)
    _check(cleaned, text, origins)
    return cleaned, findings, ends


def _clean_string(match: re.Match[str], policy: Policy) -> tuple[str, str, str, list[Finding]]:
    """One string: its cleaned spelling, its value before and after, and the findings."""
    token = match.group()
    if token.isascii() and "\\" not in token and token.isprintable():
        value = token[1:-1]
        return token, value, value, []
    pieces = _PIECE.findall(token, 1, len(token) - 1)
    chars = [_value(piece) for piece in pieces]
    value = "".join(chars)
    found = find(value, policy)
    if not found:
        return token, value, value, []
    starts: list[int] = []
    position = match.start() + 1
    for piece in pieces:
        starts.append(position)
        position += len(piece)
    placed: list[Finding] = []
    for finding in found:
        placed.append(Finding(starts[finding.position], finding.char, finding.kind, finding.replacement))
        chars[finding.position] = pieces[finding.position] = finding.replacement
    return '"' + "".join(pieces) + '"', value, "".join(chars), placed


def _value(piece: str) -> str:
    """The character that a piece of a string's spelling stands for."""
    if len(piece) == 1:
        return piece
    try:
        return str(json.loads(f'"{piece}"'))
    except ValueError:
        return "\\"  # no JSON escape; the document will be refused


def _collision(text: str, after: str, before: str, position: int) -> NoReturn:
    key = json.dumps(after, ensure_ascii=False)[:60]
    raise json_error(
        f"key {json.dumps(before)[:60]} would become {key}, which its object has too", position, text,
        "sanitize.key-collision", "one of the two keys is a disguise; rename or remove it",
    )


class _ConstantError(ValueError):
    pass


def _refuse(name: str) -> NoReturn:
    raise _ConstantError(name)


_decoder = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=_refuse)
_space = re.compile(r"[ \t\r\n]*")


def _check(cleaned: str, text: str, origins: list[tuple[int, int]]) -> None:
    """Make sure that the cleaned text is JSON."""
    position = len(_space.match(cleaned).group())  # type: ignore[union-attr]
    try:
        while position < len(cleaned):
            _, position = _decoder.raw_decode(cleaned, position)
            position = _space.match(cleaned, position).end()  # type: ignore[union-attr]
    except json.JSONDecodeError as error:
        where = min(error.pos, len(cleaned))
        message = error.msg[:1].lower() + error.msg[1:]
    except _ConstantError as error:
        where = cleaned.find(str(error), position)
        message = f"{error} is not a JSON number"
    else:
        return
    token, origin = origins[bisect_right(origins, (where, len(text))) - 1] if origins else (0, 0)
    # A document that breaks off does so at the end of what it has, not on the line after it.
    raise json_error(
        message, min(origin + where - token, len(text.rstrip(" \t\r\n"))), text, "json.syntax",
        "without --json any text is cleaned; with it the input has to be JSON",
    )
