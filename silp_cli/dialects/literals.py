"""Literals of Python and JSON: strings, numbers, constants, lists and objects. Nothing is evaluated.

Raw line breaks are read in strings of any kind, since models write them and they leave no doubt in a literal that
ends. What is no literal (a name, an expression, a call, NaN, a repeated key) is an error with its position.
"""

from __future__ import annotations

import re
from math import isinf

from silp_cli.dialects.trouble import Broken, NeedMore, Scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_MAX_DEPTH = 64
_MAX_DIGITS = 4300

space = re.compile(r"(?:[ \t\r\n\f]++|\#[^\n]*+)*+").match  # inside brackets, where comments may stand
_opening = re.compile(r"""([A-Za-z]{0,2})(\"{3}|'{3}|"|')""").match
_INSIDE = {
    '"': re.compile(r'((?:[^"\\]++|\\.)*+)"', re.S).match,
    "'": re.compile(r"((?:[^'\\]++|\\.)*+)'", re.S).match,
    '"""': re.compile(r'((?:[^"\\]++|\\.|"(?!""))*+)"""', re.S).match,
    "'''": re.compile(r"((?:[^'\\]++|\\.|'(?!''))*+)'''", re.S).match,
}
_number = re.compile(
    r"([-+]?)(?:(0[xX][0-9a-fA-F]++|0[oO][0-7]++|0[bB][01]++)|((?:[0-9]++(?:_[0-9]++)*+)?)"
    r"((?:\.(?:[0-9]++(?:_[0-9]++)*+)?)?(?:[eE][-+]?[0-9]++)?))"
).match
_word = re.compile(r"[^\W\d][\w.]*+").match
_ESCAPE = re.compile(
    r"\\(?:([0-7]{1,3})|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|N\{([^{}]+)\}|(\r\n|.))", re.S
)
_SIMPLE = {
    "n": "\n", "t": "\t", "r": "\r", "\\": "\\", "'": "'", '"': '"', "a": "\a", "b": "\b", "f": "\f", "v": "\v",
    "\n": "", "\r\n": "",
}
_JSON_ESCAPES = '"\\/bfnrt'
_CONSTANTS: dict[str, Any] = {
    "True": True, "False": False, "None": None, "true": True, "false": False, "null": None,
}
_CLOSES = {"(": ")", "[": "]", "{": "}"}
# What may stand between literals and brackets in a construct whose end is to be found though it is broken.
_TOKEN = re.compile(
    r"""(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<quote>\"{3}|'{3}|"|')|[^()\[\]{}"'<>|`\\｜◁]++""", re.S
)


def value(scan: Scan, position: int, depth: int = 0, *, json: bool = False) -> tuple[Any, int]:
    """The literal at a position and its end.

    Args:
        scan: the text.
        position: where the literal starts; white space has been skipped.
        depth: how many brackets are open.
        json: read the escapes of strings as JSON has them.

    Raises:
        Broken: when there is none.
        NeedMore: when the text ends inside it and goes on.
    """
    text = scan.text
    char = text[position : position + 1]
    if not char:
        raise scan.cut_off(position)
    if char in "[({":
        if depth >= _MAX_DEPTH:
            raise Broken(position, f"nesting deeper than {_MAX_DEPTH}", "limit.depth", "flatten the value")
        return (_object if char == "{" else _sequence)(scan, position, depth + 1, json)
    if _opening(text, position):
        return _strings(scan, position, depth, json)
    if char in "+-.0123456789":
        return _numeral(scan, position)
    match = _word(text, position)
    if match is None:
        raise Broken(position, f"expected a value, found {char!r}", "call.value", "give a literal")
    if match.end() == len(text) and not scan.final:
        raise NeedMore
    word = match.group()
    if word in _CONSTANTS:
        return _CONSTANTS[word], match.end()
    if text.startswith("(", match.end()):
        raise Broken(position, f"{word[:40]}(…) is a call inside a call", "call.value", "give its result as a literal")
    raise Broken(
        position, f"{word[:40]} is a name, not a value", "call.value", "put text in quotes; nothing is looked up"
    )


def _numeral(scan: Scan, position: int) -> tuple[Any, int]:
    text = scan.text
    match = _number(text, position)
    sign, based, whole, rest = match.groups() if match else ("", "", "", "")
    end = match.end() if match else position
    if end == len(text) and not scan.final:
        raise NeedMore
    after = text[end : end + 1]
    if not (based or whole or len(rest) > 1) or after.isalnum() or after in ("_", "."):
        raise Broken(position, "this is no number", "call.number", "give a decimal number, or text in quotes")
    if based:
        number: int | float = int(based, 0)
        return (-number if sign == "-" else number), end
    spelled = sign + whole.replace("_", "")
    if rest:
        number = float(spelled + rest.replace("_", ""))
        if isinf(number):
            raise Broken(position, "a number beyond all doubles", "call.number", "give it as a string")
        return number, end
    if len(whole) > 1 and whole[0] == "0":
        raise Broken(position, "a number with leading zeros", "call.number", "give it as a string")
    if len(whole) > _MAX_DIGITS:
        raise Broken(position, "an integer of too many digits", "call.number", "give it as a string")
    return int(spelled), end


def _strings(scan: Scan, position: int, depth: int, json: bool) -> tuple[str, int]:
    """A string, or several in a row, which are one; inside brackets they may stand on several lines."""
    text, end = string(scan, position, json=json)
    if json:
        return text, end
    while True:
        following = space(scan.text, end) if depth else None
        after = following.end() if following else end
        if after == len(scan.text) and not scan.final:
            raise NeedMore
        if not _opening(scan.text, after):
            return text, end
        more, end = string(scan, after)
        text += more


def string(scan: Scan, position: int, *, json: bool = False) -> tuple[str, int]:
    """One string literal and its end."""
    text = scan.text
    head = _opening(text, position)
    if head is None:
        raise Broken(position, "expected a string", "call.value", "put text in quotes")
    prefix, mark = head.group(1).lower(), head.group(2)
    if len(mark) == 1 and not scan.final and len(text) - head.end() < 2:
        raise NeedMore  # it may become three
    match = _INSIDE[mark](text, head.end())
    if match is None:
        raise scan.cut_off(position, "the literal that starts here does not end", f"close it with {mark}")
    if prefix not in ("", "r", "u", "f", "rf", "fr"):
        raise Broken(position, f"{prefix}{mark} starts no text", "call.value", "give text in plain quotes")
    inside = match.group(1)
    if "f" in prefix:
        bare = inside.replace("{{", "").replace("}}", "")
        if "{" in bare or "}" in bare:
            raise Broken(position, "an f-string with fields", "call.value", "give the text itself")
        inside = inside.replace("{{", "{").replace("}}", "}")
    if "\\" in inside and "r" not in prefix:
        inside = _unescaped(inside, head.end(), mark if json else "")
    return inside, match.end()


def _unescaped(inside: str, start: int, json: str) -> str:
    """The text of a literal; ``json`` is the mark around it where only JSON's escapes are known."""
    def one(match: re.Match[str]) -> str:
        octal, two, four, eight, name, char = match.groups()
        if json and four is None and (char is None or char not in _JSON_ESCAPES + json):
            raise Broken(start + match.start(), "not an escape of JSON", "call.value", r"write \\ for a backslash")
        code = two or four or eight
        if code is not None:
            if int(code, 16) > 0x10FFFF:
                raise Broken(start + match.start(), "an escape beyond Unicode", "call.value", "mend the escape")
            return chr(int(code, 16))
        if octal is not None:
            return chr(int(octal, 8))
        if name is not None:
            import unicodedata

            try:
                return unicodedata.lookup(name)
            except KeyError:
                raise Broken(start + match.start(), "an unknown character name", "call.value") from None
        if json and char == "/":
            return "/"
        if char in "xuUN":
            raise Broken(start + match.start(), "an incomplete escape", "call.value", r"write \\ for a backslash")
        return _SIMPLE.get(char, "\\" + char)

    text = _ESCAPE.sub(one, inside)
    if any("\ud800" <= each <= "\udfff" for each in text):
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    return text


def _sequence(scan: Scan, position: int, depth: int, json: bool) -> tuple[Any, int]:
    """A list, a tuple, or one value in parentheses."""
    text = scan.text
    close = _CLOSES[text[position]]
    items: list[Any] = []
    comma = False
    at = skip_space(scan, position + 1)
    while not text.startswith(close, at):
        item, at = value(scan, at, depth, json=json)
        items.append(item)
        comma, at = _separator(scan, at, close)
    if close == ")" and len(items) == 1 and not comma:
        return items[0], at + 1
    return items, at + 1


def _object(scan: Scan, position: int, depth: int, json: bool) -> tuple[dict[str, Any], int]:
    text = scan.text
    found: dict[str, Any] = {}
    at = skip_space(scan, position + 1)
    while not text.startswith("}", at):
        if not _opening(text, at):
            if at >= len(text):
                raise scan.cut_off(at)
            raise Broken(at, "the keys of an object are strings", "call.value", "put the key in quotes")
        key, end = _strings(scan, at, depth, json)
        if key in found:
            raise Broken(at, f"{key[:40]!r} is given twice", "call.duplicate", "give each key once")
        colon = skip_space(scan, end)
        if not text.startswith(":", colon):
            if colon >= len(text):
                raise scan.cut_off(colon)
            raise Broken(colon, "expected ':' behind a key", "call.value", "objects look like {\"key\": value}")
        found[key], at = value(scan, skip_space(scan, colon + 1), depth, json=json)
        _, at = _separator(scan, at, "}")
    return found, at + 1


def _separator(scan: Scan, position: int, close: str) -> tuple[bool, int]:
    """Whether a comma stands here, and where the next item or the closing bracket is."""
    at = skip_space(scan, position)
    if scan.text.startswith(",", at):
        return True, skip_space(scan, at + 1)
    if scan.text.startswith(close, at):
        return False, at
    if at >= len(scan.text):
        raise scan.cut_off(at)
    raise Broken(at, f"expected ',' or '{close}', found {scan.text[at]!r}", "call.value", "give literals only")


def skip_space(scan: Scan, position: int) -> int:
    """The position behind white space and comments."""
    match = space(scan.text, position)
    return match.end() if match else position


def balanced_end(scan: Scan, position: int) -> int | None:
    """Where the bracket that opens here is closed, whatever is wrong in between; None if that cannot be known.

    Raises:
        NeedMore: when the text ends before that and goes on.
    """
    text = scan.text
    stack: list[str] = []
    while True:
        match = _TOKEN.match(text, position)
        if match is None:
            if position >= len(text) and not scan.final:
                raise NeedMore
            return None
        position = match.end()
        if match.group("open"):
            stack.append(_CLOSES[match.group()])
        elif match.group("close"):
            if stack.pop() != match.group():
                return None
            if not stack:
                return position
        elif mark := match.group("quote"):
            inside = _INSIDE[mark](text, position)
            if inside is None:
                if not scan.final:
                    raise NeedMore
                return None
            position = inside.end()
