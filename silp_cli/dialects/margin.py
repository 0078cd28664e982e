"""Lines outside fences and markers: which of them may hold a call, and which are talk, code or data."""

from __future__ import annotations

import re

# What may begin a call or a payload at the margin, by its first characters.
payload_at = re.compile(r"(?:if[ \t]+(?=[!\w\"'])|!?[A-Za-z_][\w./:-]*\()").match
# Two marks will do, since one may have been lost; what they fence is then read by the same rules.
fence_at = re.compile(r" {0,3}(`{2,}|~{3,})[ \t]*([^\n`]*)(?:\n|\Z)").match
# A line that only a program has: what follows it is a program too.
code_line = re.compile(
    r"(?:import[ ]+[\w.]+(?:[ ]+as[ ]+\w+)?(?:,[ ]*[\w.]+)*|from[ ]+[\w.]+[ ]+import[ ].*"
    r"|(?:async[ ]+)?def[ ]+\w+.*"
    r"|class[ ]+\w+.*:"
    r"|(?:async[ ]+)?for[ ].+[ ]in[ ].+:|while[ ].+:|if[ ].+:|elif[ ].+:|else:|try:|except\b.*:|finally:"
    r"|with[ ].+[ ]as[ ]+\w+:|@\w.*|\#!.*|function[ ]+\w+[ ]*\(.*|(?:const|let|var)[ ]+\w+[ ]*=.*|\#include.*"
    r"|package[ ]+\w+;?|use[ ]+[\w:]+;|\$[ ].*|>>>[ ].*)[ \t]*(?:\#.*)?"
).fullmatch
assigned_at = re.compile(r"[A-Za-z_][\w.]*+(?:[ \t]*+:[ \t]*+[\w\[\], .|]++)?+[ \t]*+=(?!=)[ \t]*+").match
_NEGATION = re.compile(
    r"\b(?:not|never|(?:do|wo|should|must)n['’]?t|can['’]t|cannot|avoid|without|instead of|refuse|no longer)\b",
    re.I,
)
_HEDGE = re.compile(r"\bbut\b|\bhowever\b", re.I)
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_LONGEST = 1024  # characters of a paragraph that are looked back on
_AFTER = 40  # characters of the next line that are looked at
_ENDS = frozenset(".:!?)]}>;|\"'`*_”’…#-")


def line_before(text: str, start: int) -> tuple[str, bool]:
    """The last line with text before a position, and whether it is the very line before."""
    end = start - 1
    direct = True
    while end > 0:
        begin = text.rfind("\n", 0, end) + 1
        line = text[begin:end].strip()
        if line:
            return line, direct
        direct = False
        end = begin - 1
    return "", False


def is_running(text: str, start: int, end: int) -> bool:
    """Whether a line that holds a bare call is a piece of running prose.

    Args:
        text: the whole text.
        start: of the line.
        end: of the call; nothing but white space follows on its line.
    """
    before, direct = line_before(text, start)
    if direct and not _ends_sentence(before) and (len(before.split()) > 2 or _NEGATION.search(before)):
        return True
    if direct and _is_open(text, start):
        return True
    line_end = text.find("\n", end)
    after = text[line_end + 1 : line_end + 1 + _AFTER] if line_end >= 0 else ""
    return bool(after) and after[0].islower() and "(" not in after.partition("\n")[0].split(" ")[0]


def _ends_sentence(line: str) -> bool:
    """Whether what follows a line begins anew; a bracket ends a sentence only if the line is a call itself."""
    return line[-1] in _ENDS and (line[-1] != ")" or payload_at(line) is not None or line[0] in "[(#-")


def next_line_is_open(text: str, end: int) -> bool:
    """Whether what has come of the line behind a call does not yet say if it goes on with the call's sentence."""
    line_end = text.find("\n", end)
    after = text[line_end + 1 : line_end + 1 + _AFTER] if line_end >= 0 else ""
    if not after:
        return True
    return after[0].islower() and len(after) < _AFTER and not any(char in " (\n" for char in after)


def is_refused(text: str, start: int) -> bool:
    """Whether the words before a line say that what follows is not to be done."""
    before, _ = line_before(text, start)
    if not before.endswith(":"):
        return False
    last = _SENTENCE.split(before)[-1]
    return bool(_NEGATION.search(last)) and not _HEDGE.search(last)


def _is_open(text: str, start: int) -> bool:
    """Whether a quotation or a bracket is open at the end of the paragraph so far."""
    first = max(0, start - _LONGEST)
    paragraph = text[max(first, text.rfind("\n\n", first, start) + 1) : start]
    if paragraph.count('"') % 2 or paragraph.count("“") > paragraph.count("”"):
        return True
    return any(paragraph.count(a) > paragraph.count(b) for a, b in ("()", "[]", "{}"))
