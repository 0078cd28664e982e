"""Which spellings an optimizer may try for verbs and slot ids."""

from __future__ import annotations

from importlib.resources import files

from silp_cli.ir.verbs import ACTION_CODE, EXCLUDED, WHITELIST, action_code, function_name
from silp_cli.policy.spelling import conflict, faults
from silp_cli.text.command import CommandError
from silp_cli.text.output import read_whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

def names_of(irs: Iterable[Mapping[str, Any]]) -> tuple[list[str], list[str]]:
    """The verbs and the slot ids in IRs, each once, in order."""
    verbs: dict[str, None] = {}
    ids: dict[str, None] = {}
    for ir in irs:
        verbs[ir["intent"]] = None
        for entity in ir.get("entities") or ():
            ids[entity["id"]] = None
            if entity.get("action"):
                verbs[entity["action"]] = None
        for alternative in ir.get("alternatives") or ():
            verbs[alternative["action"]] = None
    return list(verbs), list(ids)


def shipped() -> dict[str, list[str]]:
    """The candidates that come with the package: words of the same meaning."""
    return parse_candidates(files("silp_cli.bench").joinpath("spellings.txt").read_text(encoding="utf-8"))


def read_candidates(path: str, command: str) -> dict[str, list[str]]:
    """Candidates of a file: a name a line, then its spellings; verbs begin with ``!``.

    Raises:
        CommandError: when it cannot be read, or holds a spelling that no policy may have.
    """
    found = parse_candidates(read_whole(path, command))
    for name, words in found.items():
        for word in words:
            table = {name: word}
            for fault in faults(table if name[:1] == "!" else {}, {} if name[:1] == "!" else table):
                raise CommandError(f"{command}: {path}: {fault}")
    return found


def parse_candidates(text: str) -> dict[str, list[str]]:
    """Read candidates: a name a line, then its spellings; ``#`` starts a comment; a verb's need no ``!``."""
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        name, *words = line.partition("#")[0].split() or [""]
        if name[:1] == "!":
            words = [action_code(word.removeprefix("!")) for word in words]
        if name:
            found.setdefault(name, []).extend(words)
    return found


def usable(
    candidates: Mapping[str, Iterable[str]], verbs: Iterable[str], ids: Iterable[str]
) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """The candidates of the names in use that could stand in some policy.

    Args:
        candidates: name -> spellings.
        verbs: the action codes in use.
        ids: the slot ids in use.

    Returns:
        Verbs and ids, each with its spellings; names without any are left out.
    """
    verbs, ids = list(verbs), list(ids)
    fixed_verbs = [function_name(each) for each in (*WHITELIST, *EXCLUDED)]
    chosen: tuple[dict[str, list[str]], dict[str, list[str]]] = ({}, {})
    for names, table, fixed in ((verbs, chosen[0], fixed_verbs), (ids, chosen[1], [])):
        stays = [*fixed, *(plain(name) for name in names if not candidates.get(name))]
        for name in names:
            is_verb = name[:1] == "!" and names is verbs
            words = [
                word for word in dict.fromkeys(candidates.get(name, ()))
                if word != name
                and not any(faults({name: word} if is_verb else {}, {} if is_verb else {name: word}))
                and not any(conflict(plain(word), other) for other in stays if other != plain(name))
            ]
            if words:
                table[name] = words
    return chosen


def plain(name: str) -> str:
    """A name as the code surface shows it."""
    return function_name(name) if ACTION_CODE.fullmatch(name) else name
