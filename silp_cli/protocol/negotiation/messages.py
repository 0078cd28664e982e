"""The wire form of frontend negotiation: one line of text a message (``grammars/negotiation.abnf``)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from silp_cli.ir.errors import ErrorCode, SilpError
from silp_cli.ir.jsontext import dumps, loads

VERSION = "v1"
MAX_LENGTH = 4096

_HEAD = re.compile(r"//(ping|pong|error)(?= )")
_VERSION = re.compile(r" +(v[0-9]+)(?= |$)")
_PARAMETER = re.compile(
    r" +([a-z][a-z0-9_-]*)=(?:([\x21\x23-\x5b\x5d-\x7e]+)"
    r'|("(?:[\x20\x21\x23-\x5b\x5d-\x7e\xa0-\ud7ff\ue000-\U0010ffff]'
    r'|\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4}))*+"))(?= |$)'
)
_FRONTEND = re.compile(r"[A-Za-z0-9_.-]+")
_BARE = re.compile(r"[\x21\x23-\x5b\x5d-\x7e]+")
_UNQUOTABLE = re.compile("[\x7f-\x9f\ud800-\udfff]")


@dataclass(frozen=True)
class Message:
    """A negotiation message.

    Attributes:
        kind: ``"ping"``, ``"pong"`` or ``"error"``.
        frontends: what the sender of the message supports; empty for an error.
        prefer: the one it would rather use, if it said so.
        code: what went wrong, for an error.
        parameters: all parameters as they were read, the unknown ones included.
        version: version of the wire form.
    """

    kind: str
    frontends: tuple[str, ...] = ()
    prefer: str | None = None
    code: ErrorCode | None = None
    parameters: dict[str, str] = field(default_factory=dict)
    version: str = VERSION

    def __str__(self) -> str:
        parts = [f"//{self.kind}", self.version]
        known: dict[str, str] = {}
        if self.frontends:
            known["frontends"] = ",".join(self.frontends)
        if self.prefer is not None:
            known["prefer"] = self.prefer
        if self.code is not None:
            known["code"] = str(self.code)
        others = {name: text for name, text in self.parameters.items() if name not in _KNOWN}
        parts += [f"{name}={_spell(text)}" for name, text in (known | others).items()]
        return " ".join(parts)

    @property
    def id(self) -> str | None:
        """What ties an answer to its probe, if the probe asked for it."""
        return self.parameters.get("id")


_KNOWN = frozenset({"frontends", "prefer", "code"})


def _spell(text: str) -> str:
    if _BARE.fullmatch(text):
        return text
    return _UNQUOTABLE.sub(lambda match: f"\\u{ord(match.group()):04x}", dumps(text))


def check_frontend_name(name: str) -> str:
    """Return a name that a message can carry.

    Raises:
        ValueError: for any other text.
    """
    if not _FRONTEND.fullmatch(name):
        raise ValueError(
            f"{name!r} is not a frontend name; names are ASCII letters, digits, '_', '-' and '.'"
        )
    return name


def error_message(error: SilpError, id: str | None = None) -> Message:
    """The ``//error`` message that answers what cannot be answered otherwise."""
    parameters = {"message": error.message} | ({"id": id} if id is not None else {})
    return Message("error", code=error.code, parameters=parameters)


def parse_message(text: str) -> Message:
    """Read one message.

    Args:
        text: the line, without its end.

    Returns:
        The message; parameters that this version does not know are kept in ``parameters`` and mean nothing.

    Raises:
        SilpError: ``invalid_syntax`` with a position for text outside the grammar, ``unsupported_version``
            for a version other than ``v1``.
    """
    if len(text) > MAX_LENGTH:
        raise _error(f"a negotiation message has at most {MAX_LENGTH} characters", MAX_LENGTH)
    head = _HEAD.match(text)
    if head is None:
        raise _error(
            "expected //ping, //pong or //error and a version",
            0,
            "for example: //ping v1 frontends=code,json",
        )
    version = _VERSION.match(text, head.end())
    if version is None:
        raise _error("expected a version such as v1", _skip(text, head.end()))
    if version.group(1) != VERSION:
        raise SilpError(
            ErrorCode.UNSUPPORTED_VERSION,
            f"negotiation version {version.group(1)[:20]} is not supported",
            rule="negotiation.version",
            hint=f"this receiver speaks {VERSION}",
            position=version.start(1),
        )
    parameters, places = _parameters(text, version.end())
    return _checked(head.group(1), parameters, places, len(text))


def _parameters(text: str, position: int) -> tuple[dict[str, str], dict[str, int]]:
    parameters: dict[str, str] = {}
    places: dict[str, int] = {}
    end = len(text.rstrip(" "))
    while position < end:
        match = _PARAMETER.match(text, position)
        if match is None:
            raise _error(
                "expected name=value", _skip(text, position), 'quote a value with spaces: name="a b"'
            )
        name, bare, quoted = match.groups()
        if name in parameters:
            raise _error(f"parameter '{name[:40]}' stands twice", match.start(1))
        if quoted is not None and name in _KNOWN:
            raise _error(f"the value of '{name}' takes no quotes", match.start(3))
        parameters[name] = bare if quoted is None else loads(quoted)
        places[name] = match.start(2 if quoted is None else 3)
        position = match.end()
    return parameters, places


def _checked(kind: str, parameters: dict[str, str], places: dict[str, int], end: int) -> Message:
    code = None
    if "code" in parameters:
        if parameters["code"] not in list(ErrorCode):
            raise _error("no such error code", places["code"], "there are: " + ", ".join(ErrorCode))
        code = ErrorCode(parameters["code"])
    names: list[str] = []
    if "frontends" in parameters:
        position = places["frontends"]
        for name in parameters["frontends"].split(","):
            if not _FRONTEND.fullmatch(name):
                raise _error(
                    "expected a frontend name", position, "separate names with a comma, without a space"
                )
            if name in names:
                raise _error(f"frontend '{name[:40]}' stands twice", position)
            names.append(name)
            position += len(name) + 1
    prefer = parameters.get("prefer")
    if prefer is not None and not _FRONTEND.fullmatch(prefer):
        raise _error("expected a frontend name", places["prefer"])
    if kind == "error":
        if code is None:
            raise _error("//error needs code=…", end)
        return Message(kind, code=code, parameters=parameters)
    if not names:
        raise _error(f"//{kind} needs frontends=…", end, f"for example: //{kind} v1 frontends=code,json")
    if prefer is not None and prefer not in names:
        raise _error(f"'{prefer[:40]}' is preferred but not among the frontends", places["prefer"])
    return Message(kind, tuple(names), prefer, code, parameters)


def _skip(text: str, position: int) -> int:
    return len(text) - len(text[position:].lstrip(" "))


def _error(message: str, position: int, hint: str = "") -> SilpError:
    return SilpError(
        ErrorCode.INVALID_SYNTAX, message, rule="negotiation.syntax", hint=hint, position=position
    )
