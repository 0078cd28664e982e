"""Other spellings for verbs and slot ids, such that every name still has exactly one spelling and can be read back.

A name that has a spelling of its own is written so. A name that *is* a spelling of another is kept apart by an
underscore at its end: where ``search`` is written ``find``, the verb ``find`` is written ``find_``, and ``find_`` is
written ``find__``. Every other name is written as it is. So no name is refused, and no two are written alike.
"""

from __future__ import annotations

from silp_cli.ir.errors import ErrorCode, SilpError
from silp_cli.ir.verbs import ACTION_CODE, EXCLUDED, WHITELIST, function_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

# What Unicode TR39 merges within ASCII; beyond ASCII the sanitizer's table folds first.
_ALIKE = str.maketrans("I1|0", "lllO")
# Names that the surfaces use themselves: an id with this spelling would look like something else.
RESERVED = frozenset((
    "act", "time", "value", "subject", "operator", "target", "location", "loc", "action", "id", "type", "intent",
    "entities", "constraints", "alternatives", "meta", "silp", "version", "if", "then", "else", "and", "with", "not",
))


class Spelling:
    """How names of one kind are spelled.

    Args:
        given: name -> spelling.
    """

    def __init__(self, given: Mapping[str, str]) -> None:
        self.given = {name: text for name, text in given.items() if name != text}
        self._names = {text: name for name, text in self.given.items()}

    def write(self, name: str) -> str:
        """The spelling of a name."""
        found = self.given.get(name)
        if found is not None:
            return found
        return name + "_" if name.rstrip("_") in self._names else name

    def read(self, text: str) -> str:
        """The name that is spelled so.

        Raises:
            SilpError: when no name is.
        """
        name = self._names.get(text)
        if name is None:
            name = text[:-1] if text[-1:] == "_" and text.rstrip("_") in self._names else text
        if self.write(name) != text:
            raise SilpError(
                ErrorCode.DECODE_FAILED, f"under this policy {name!r} is written {self.write(name)!r}",
                rule="policy.spelling", hint="was this payload written without the policy? Then decode it without",
            )
        return name


class Vocabulary:
    """The spellings of verbs and of slot ids.

    Args:
        verbs: action code -> action code.
        ids: slot id -> slot id.
    """

    def __init__(self, verbs: Mapping[str, str] | None = None, ids: Mapping[str, str] | None = None) -> None:
        self.verbs = Spelling(verbs or {})
        self.ids = Spelling(ids or {})

    def __bool__(self) -> bool:
        return bool(self.verbs.given or self.ids.given)

    def write(self, ir: dict[str, Any]) -> dict[str, Any]:
        """A copy of a valid IR with the names as they are spelled."""
        return _renamed(ir, self.verbs.write, self.ids.write)

    def read(self, ir: dict[str, Any]) -> dict[str, Any]:
        """A copy of an IR with the names that were spelled.

        Raises:
            SilpError: when no name is spelled so.
        """
        return _renamed(ir, self.verbs.read, self.ids.read)


def _renamed(ir: dict[str, Any], verb: Any, slot: Any) -> dict[str, Any]:
    renamed = {**ir, "intent": verb(ir["intent"])}
    if ir.get("entities"):
        renamed["entities"] = [
            {**each, "id": slot(each["id"]), **({"action": verb(each["action"])} if each.get("action") else {})}
            for each in ir["entities"]
        ]
    if ir.get("alternatives"):
        renamed["alternatives"] = [{**each, "action": verb(each["action"])} for each in ir["alternatives"]]
    sequence = ir["meta"].get("seq")
    if sequence:
        steps = [verb(step) if ACTION_CODE.fullmatch(step) else step for step in sequence]
        renamed["meta"] = {**ir["meta"], "seq": steps}
    return renamed


def skeleton(text: str) -> str:
    """What a text looks like: texts with one skeleton cannot be told apart by eye, nor after sanitizing."""
    if not text.isascii():
        from silp_cli.text.sanitize.homoglyphs import lookalikes

        text = text.translate({ord(char): plain for char, plain in lookalikes().items()})
    return text.translate(_ALIKE)


def conflict(one: str, other: str) -> str:
    """Why two spellings may not stand beside each other; empty when they may."""
    if one == other:
        return "are the same"
    if skeleton(one) == skeleton(other):
        return "look alike"
    if one.startswith(other) or other.startswith(one):
        return "begin alike: one is the beginning of the other"
    return ""


def faults(verbs: Mapping[str, str], ids: Mapping[str, str], known: Iterable[str] = ()) -> Iterator[str]:
    """What is wrong with spellings, a line each.

    Args:
        verbs: action code -> action code.
        ids: slot id -> slot id.
        known: names in use that keep their spelling; new spellings must not be confused with them either.
    """
    known = list(known)
    for name, text in verbs.items():
        if not ACTION_CODE.fullmatch(name) or not ACTION_CODE.fullmatch(text):
            yield f"{name!r} to {text!r}: verbs are action codes such as !CANCEL"
            return
    for name, text in ids.items():
        if not text or not text.isprintable() or any(char.isspace() for char in text):
            yield f"{name!r} to {text!r}: a spelling is one word"
            return
    for mapping, kind in ((verbs, "verb"), (ids, "id")):
        changed = {name: text for name, text in mapping.items() if name != text}
        plain = {name: _plain(text) for name, text in changed.items()}
        for name, text in changed.items():
            if text.endswith("_"):
                yield f"{kind} {name!r} to {text!r}: the underscore at the end is kept for names that are spellings"
            if plain[name] in RESERVED:
                yield f"{kind} {name!r} to {text!r}: the surfaces use this word themselves"
            if text in WHITELIST or text in EXCLUDED:
                yield f"{kind} {name!r} to {text!r}: that is a verb of the protocol, with a meaning of its own"
        words = list(plain.items())
        for number, (name, text) in enumerate(words):
            for other, second in words[:number]:
                if why := conflict(text, second):
                    yield f"{kind}s {other!r} and {name!r}: their spellings {second!r} and {text!r} {why}"
            for other in known:
                # A known name that is itself respelled is out of the way.
                if other in changed or (other[:1] == "!") != (kind == "verb"):
                    continue
                if why := conflict(text, _plain(other)):
                    yield f"{kind} {name!r}: its spelling {text!r} and the {kind} {_plain(other)!r} {why}"


def _plain(text: str) -> str:
    return function_name(text) if ACTION_CODE.fullmatch(text) else text
