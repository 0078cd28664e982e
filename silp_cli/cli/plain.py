"""Reads ordinary command lines without typer, which would take several times as long as the work itself.

What is ordinary is little: known options in their full spellings, their values, files. Anything else, such as a
mistake or ``--help``, is handed over to typer, so this parser knows no messages. ``table.py`` says what there is.
"""

from __future__ import annotations

from silp_cli.cli.call import Call
from silp_cli.cli.table import COMMANDS, GROUPS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


def read(arguments: Sequence[str]) -> Call | None:
    """The call that a command line stands for; None when typer has to look at it."""
    if not arguments:
        return None
    name, *rest = arguments
    if name in GROUPS:
        members, default = GROUPS[name]
        if rest and rest[0] in members:
            name = f"{name} {rest.pop(0)}"
        elif default is None:
            return None
        else:
            name = f"{name} {default}"
    if name not in COMMANDS:
        return None
    target, defaults, options, positional = COMMANDS[name]
    called = {key: list(value) if isinstance(value, tuple) else value for key, value in defaults.items()}
    words = _read_options(rest, options, called)
    if words is None or not _place(words, positional, called) or ... in called.values():
        return None
    return Call(target, called)


def _read_options(rest: list[str], options: dict[str, Any], called: dict[str, Any]) -> list[str] | None:
    """Take the options into ``called``; return what is left, or None for what is not ordinary."""
    words: list[str] = []
    index = 0
    while index < len(rest):
        word = rest[index]
        index += 1
        if word == "--":
            return words + rest[index:]
        if word[:1] != "-" or word == "-":
            words.append(word)
            continue
        value: str | None = None
        if word not in options:
            if word[:2] == "--":
                word, equals, value = word.partition("=")
                if not equals:
                    return None
            else:
                word, value = word[:2], word[2:]
                if "=" in value:
                    return None
            if word not in options:
                return None
        parameter, kind, many = options[word]
        if kind is True or kind is False:
            if value is not None:
                return None
            called[parameter] = kind
            continue
        if value is None:
            if index == len(rest):
                return None
            value = rest[index]
            index += 1
            if value[:1] == "-" and value != "-":
                return None
        if not _take(parameter, kind, many, value, called):
            return None
    return words


def _place(words: list[str], positional: Sequence[tuple[str, Any, bool, bool]], called: dict[str, Any]) -> bool:
    """Give the words to the positional parameters; False for too few or too many."""
    for parameter, kind, many, required in positional:
        taken = len(words) if many else min(1, len(words))
        if required and not taken:
            return False
        for word in words[:taken]:
            if not _take(parameter, kind, many, word, called):
                return False
        words = words[taken:]
    return not words


def _take(parameter: str, kind: Any, many: bool, text: str, called: dict[str, Any]) -> bool:
    """Take one value in; False when it is not plainly right."""
    value: Any = text
    if kind is None:
        return False
    if isinstance(kind, tuple):
        if text not in kind:
            return False
    elif kind:
        module, _, name = kind.partition(":")
        try:
            value = getattr(__import__(module, fromlist=[name]), name)(text)
        except ValueError:
            return False
    if not many:
        called[parameter] = value
    elif isinstance(called[parameter], list):
        called[parameter].append(value)
    else:
        called[parameter] = [value]
    return True
