"""A policy: which frontend writes which class of IR, and how names are spelled; applied, undone, read from a file."""

from __future__ import annotations

from dataclasses import dataclass, field

from silp_cli.frontends.registry import get_frontend
from silp_cli.ir.errors import SilpError
from silp_cli.policy.features import FEATURES, NONE, class_of
from silp_cli.policy.spelling import Vocabulary, faults

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FORMAT = 1
KEY = "silp_policy"


@dataclass(slots=True)
class Policy:
    """A policy.

    Attributes:
        default: the frontend of every class that is not named.
        classes: class (see ``features.class_of``) -> frontend.
        features: the features that make the classes.
        vocabulary: the spellings.
    """

    default: str = "code"
    classes: dict[str, str] = field(default_factory=dict)
    features: tuple[str, ...] = tuple(FEATURES)
    vocabulary: Vocabulary = field(default_factory=Vocabulary)

    def frontend_for(self, ir: dict[str, Any]) -> str:
        """The name of the frontend that writes an IR."""
        return self.classes.get(class_of(ir, self.features), self.default) if self.classes else self.default

    def frontends(self) -> list[str]:
        """The names of all frontends that it may choose."""
        return list(dict.fromkeys((self.default, *self.classes.values())))

    def compile(self, ir: dict[str, Any], *, bare: bool = False) -> str:
        """Write a valid IR as the policy has it.

        Raises:
            SilpError: when the frontend must not carry this IR.
        """
        name = self.frontend_for(ir)
        return get_frontend(name).compile(self.vocabulary.write(ir) if self.vocabulary else ir, bare=bare)

    def decode(self, text: str, frontend: str | None = None) -> dict[str, Any]:
        """Read a payload that the policy wrote; the frontend is found by reading unless it is named.

        Raises:
            SilpError: with a position for what is no payload, and for a spelling that the policy does not write.
        """
        name = frontend or ("json" if text.lstrip(" \t\r\n")[:1] == "{" else "code")
        try:
            ir = get_frontend(name).decode(text)
        except SilpError as error:
            one_way = [each for each in self.frontends() if not get_frontend(each).lossless]
            if one_way and not error.hint:
                error.hint = f"the policy also writes {', '.join(one_way)}, which cannot be decoded"
            raise
        return self.vocabulary.read(ir) if self.vocabulary else ir

    def to_dict(self) -> dict[str, Any]:
        """The policy as the JSON object of its file."""
        return {
            KEY: FORMAT, "default": self.default, "features": list(self.features), "classes": self.classes,
            "vocabulary": {"verbs": self.vocabulary.verbs.given, "ids": self.vocabulary.ids.given},
        }


def parse_policy(text: str) -> Policy:
    """Read a policy out of the text of its file.

    Raises:
        ValueError: with what is wrong, in one line.
    """
    from silp_cli.ir.jsontext import loads

    try:
        value = loads(text)
    except SilpError as error:
        raise ValueError(f"not JSON: {error.message}") from None
    return policy_of(value)


def policy_of(value: Any) -> Policy:
    """Make a policy of the JSON object of its file; keys that it does not know are notes, and ignored.

    Raises:
        ValueError: with what is wrong, in one line.
    """
    if not isinstance(value, dict) or value.get(KEY) != FORMAT:
        raise ValueError(f'not a policy: no "{KEY}": {FORMAT} in it')
    default = value.get("default", "code")
    classes, features = value.get("classes") or {}, value.get("features", list(FEATURES))
    vocabulary = value.get("vocabulary") or {}
    if not isinstance(vocabulary, dict) or set(vocabulary) - {"verbs", "ids"}:
        raise ValueError("vocabulary: an object with verbs and ids is expected")
    verbs, ids = vocabulary.get("verbs") or {}, vocabulary.get("ids") or {}
    for name, table in (("classes", classes), ("vocabulary.verbs", verbs), ("vocabulary.ids", ids)):
        if not isinstance(table, dict) or not all(isinstance(each, str) for each in table.values()):
            raise ValueError(f"{name}: an object of strings is expected")
    if not isinstance(features, list) or any(each not in FEATURES for each in features):
        raise ValueError(f"features: a list of {', '.join(FEATURES)} is expected")
    for each in classes:
        _require_class(each, features)
    for frontend in {default: None, **dict.fromkeys(classes.values())}:
        try:
            get_frontend(frontend)
        except SilpError as error:
            raise ValueError(error.message + (f" ({error.hint})" if error.hint else "")) from None
    for fault in faults(verbs, ids):
        raise ValueError(f"vocabulary: {fault}")
    return Policy(default, classes, tuple(features), Vocabulary(verbs, ids))


def _require_class(name: str, features: list[str]) -> None:
    parts = [] if name == NONE else name.split("+")
    in_order = [each for each in FEATURES if each in parts]
    if parts != in_order or not set(parts) <= set(features):
        raise ValueError(f"classes: no class {name!r}; a class is {NONE!r} or features joined by '+', in their order")


def read_policy(path: str, command: str) -> Policy:
    """Read a policy from a file named by an option.

    Raises:
        CommandError: when it cannot be read or is no policy.
    """
    from silp_cli.text.command import CommandError
    from silp_cli.text.output import read_whole

    try:
        return parse_policy(read_whole(path, command))
    except ValueError as error:
        raise CommandError(f"{command}: {path}: {error}") from None
