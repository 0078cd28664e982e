"""What the text of an option means, where it is more than a word. No typer here: ordinary command lines do without."""

from __future__ import annotations

# Beyond this the interpreter's own limit on recursion would come first somewhere.
DEEPEST = 256


def positive(text: str) -> int:
    """A whole number from 1 up.

    Raises:
        ValueError: for anything else.
    """
    if not (text.isascii() and text.isdigit()) or int(text) < 1:
        raise ValueError(f"not a whole number from 1 up: {text!r}")
    return int(text)


def count(text: str) -> int:
    """A whole number from 0 up.

    Raises:
        ValueError: for anything else.
    """
    if not (text.isascii() and text.isdigit()):
        raise ValueError(f"not a whole number: {text!r}")
    return int(text)


def depth(text: str) -> int:
    """A limit on nesting.

    Raises:
        ValueError: for what is no number, or too large.
    """
    value = positive(text)
    if value > DEEPEST:
        raise ValueError(f"at most {DEEPEST}, not {text}")
    return value


def byte_count(text: str) -> int:
    """A size such as ``4096``, ``64K`` or ``1M``.

    Raises:
        ValueError: for anything else.
    """
    scale = {"k": 10, "m": 20, "g": 30}.get(text[-1:].lower())
    try:
        return positive(text) if scale is None else positive(text[:-1]) << scale
    except ValueError:
        raise ValueError(f"not a number of bytes such as 4096, 64K or 1M: {text!r}") from None


def rate(text: str) -> float:
    """A share above 0 and up to 1.

    Raises:
        ValueError: for anything else.
    """
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= 1:
        raise ValueError(f"not a number above 0 and up to 1: {text!r}")
    return value


def seconds(text: str) -> float:
    """A length of time, 0 or more.

    Raises:
        ValueError: for anything else.
    """
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise ValueError(f"not a number of seconds: {text!r}")
    return value


def heartbeat(text: str) -> int:
    """A heartbeat interval in turns.

    Raises:
        ValueError: for one that there is not.
    """
    from silp_cli.protocol.sessions.heartbeats import HEARTBEATS

    return _one_of(text, HEARTBEATS)


def req_id_digits(text: str) -> int:
    """The length of a request id in hexadecimal digits.

    Raises:
        ValueError: for one that there is not.
    """
    from silp_cli.protocol.sessions.heartbeats import REQ_ID_DIGITS

    return _one_of(text, REQ_ID_DIGITS)


def _one_of(text: str, numbers: tuple[int, ...]) -> int:
    for number in numbers:
        if text == str(number):
            return number
    raise ValueError(f"{text!r} is not one of {', '.join(map(str, numbers))}")
