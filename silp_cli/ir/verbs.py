"""Action codes, function names and the verb whitelist (draft, sections "Action Code Format" and "Verb Whitelist")."""

from __future__ import annotations

import re

WHITELIST: tuple[str, ...] = (
    "!CANCEL", "!START", "!EMAIL", "!FETCH", "!PROCESS", "!TRANSLATE", "!BOOK", "!ROUTE", "!SEARCH", "!UPDATE",
    "!SUGGEST", "!SWITCH", "!NOTIFY",
)

# Excluded action code -> what the draft puts in its place.
EXCLUDED: dict[str, str] = {
    "!SWITCH_TOOL": "!SWITCH",
    "!ESCALATE": "a single-token verb such as !NOTIFY or !ROUTE",
}

# `fullmatch` with these: JSON Schema's `$` is the end of the text, Python's also matches before a last newline.
ACTION_CODE = re.compile(r"![A-Z][A-Z_]*")
REQ_ID = re.compile(r"[a-f0-9]{4,8}")
SILP_VERSION = re.compile(r"v[0-9]+")


def function_name(action: str) -> str:
    """The function name of an action code: ``!CANCEL`` -> ``cancel``."""
    return action[1:].lower()


def action_code(name: str) -> str:
    """The action code of a function name: ``cancel`` -> ``!CANCEL``."""
    return "!" + name.upper()


def parse_verbs(text: str) -> tuple[str, ...]:
    """Read a verb list: one a line, ``#`` starts a comment; ``CANCEL``, ``!CANCEL`` and ``cancel`` are the same verb.

    Raises:
        ValueError: with the line number, for a line that is no verb.
    """
    verbs: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        word = line.partition("#")[0].strip()
        if not word:
            continue
        code = "!" + word.removeprefix("!").upper()
        if not ACTION_CODE.fullmatch(code):
            raise ValueError(f"line {number}: {word!r} is not a verb; verbs are ASCII letters and underscores")
        verbs.append(code)
    return tuple(verbs)
