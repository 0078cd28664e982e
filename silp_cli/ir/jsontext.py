"""JSON text in and out, strictly: no duplicate keys, no NaN, no silent loss.

Two codecs with the same results stand behind ``loads`` and ``dumps``. The standard library's starts
quickly; msgspec is four times as fast but takes 30 ms to import, so it is brought in once a
process has handled enough records to repay that.
"""

from __future__ import annotations

import json
import re

from silp_cli.ir.errors import ErrorCode, SilpError, line_and_column

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

MAX_DEPTH = 64
MAX_DIGITS = 4300
_WARM_UP = 100

_fast_decode: Callable[[str], Any] | None = None
_fast_encode: Callable[[Any], bytes] | None = None
_calls = 0
_max_depth = MAX_DEPTH


def max_depth() -> int:
    """How deep arrays and objects may nest."""
    return _max_depth


def limit_depth(limit: int) -> None:
    """Set how deep arrays and objects may nest, for the whole process."""
    global _max_depth
    _max_depth = limit


def _count_call() -> None:
    """Bring in the fast codec when its import has been repaid."""
    global _calls
    _calls += 1
    if _calls == _WARM_UP:
        use_fast_codec()


def use_fast_codec() -> None:
    """Bring in msgspec now, for callers who know that many records will come."""
    global _fast_decode, _fast_encode
    import msgspec

    _fast_decode = msgspec.json.Decoder().decode
    _fast_encode = msgspec.json.Encoder().encode


# ---------------------------------------------------------------- reading


def loads(text: str) -> Any:
    """Parse one JSON document (RFC 8259), strictly.

    Args:
        text: the document.

    Returns:
        The value, as ``json.loads`` would build it.

    Raises:
        SilpError: ``invalid_syntax`` with the position, for text that is not JSON, duplicate keys, NaN or
            Infinity, numbers outside IEEE 754 double range, and too much nesting.
    """
    if text.count("{") + text.count("[") > _max_depth:
        check_depth(text, _max_depth)
    if _fast_decode is None or _fast_encode is None:
        _count_call()
        return loads_normative(text)
    try:
        value = _fast_decode(text)
        # msgspec keeps the last of two equal keys. A dropped member takes its quotes with it, and the
        # encoder writes every other quote as it was read, unless the text spelled one \u0022.
        again = _fast_encode(value)
        if len(again) == len(text) and again == text.encode():
            return value
        if text.count('"') == again.count(b'"') and ("\\" not in text or "\\u0022" not in text):
            return value
    except (ValueError, RecursionError):
        pass  # the normative reader says what is wrong, or accepts what msgspec does not (lone surrogates)
    return loads_normative(text)


def loads_normative(text: str) -> Any:
    """The slow path of ``loads``, which defines what is accepted and explains what is not."""
    if text.count("{") + text.count("[") > _max_depth:
        check_depth(text, _max_depth)
    try:
        return _decoder.decode(text)
    except json.JSONDecodeError as error:
        raise _explain(text, error) from None
    except _DuplicateKeyError as error:
        raise _explain_duplicate(text, error.key) from None
    except _NumberError as error:
        position = _find_outside_strings(text, error.spelling)
        raise json_error(
            f"{error.spelling[:40]} {error.problem}", position, text, "json.number", error.hint
        ) from None


class _DuplicateKeyError(Exception):
    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


class _NumberError(Exception):
    def __init__(self, spelling: str, problem: str, hint: str) -> None:
        super().__init__(spelling)
        self.spelling = spelling
        self.problem = problem
        self.hint = hint


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    built = dict(pairs)
    if len(built) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _DuplicateKeyError(key)
            seen.add(key)
    return built


def _float(spelling: str) -> float:
    value = float(spelling)
    if value in (float("inf"), float("-inf")):
        raise _NumberError(spelling, "is too large for a number", "it must fit an IEEE 754 double; send a string")
    return value


def _int(spelling: str) -> int:
    if len(spelling.lstrip("-")) > MAX_DIGITS:  # beyond this the interpreter itself refuses, to stay linear
        raise _NumberError(spelling, "is too large for a number", "send it as a string")
    return int(spelling)


def _constant(name: str) -> Any:
    raise _NumberError(name, "is not a JSON number", "JSON has no NaN and no Infinity; use null or a string")


_decoder = json.JSONDecoder(
    object_pairs_hook=_object, parse_float=_float, parse_int=_int, parse_constant=_constant
)

_STRUCTURE = r'"(?:[^"\\]|\\.)*+"?|[{}\[\]]'


def check_depth(text: str, limit: int) -> None:
    """Raise ``invalid_syntax`` where brackets outside strings nest deeper than ``limit``."""
    depth = 0
    for match in re.finditer(_STRUCTURE, text, re.S):
        mark = text[match.start()]
        if mark in "{[":
            depth += 1
            if depth > limit:
                raise json_error(
                    f"nesting deeper than {limit}", match.start(), text, "limit.depth",
                    "raise the limit with --max-depth, or flatten the record",
                )
        elif mark in "}]":
            depth -= 1


def json_error(message: str, position: int, text: str, rule: str, hint: str = "") -> SilpError:
    """An ``invalid_syntax`` diagnostic at a character offset of JSON text."""
    line, column = line_and_column(text, position)
    return SilpError(
        ErrorCode.INVALID_SYNTAX, message, rule=rule, hint=hint, position=position, line=line, column=column
    )


def _explain(text: str, error: json.JSONDecodeError) -> SilpError:
    position = min(error.pos, len(text))
    rest = text[position:]
    message = error.msg[:1].lower() + error.msg[1:]
    hint = ""
    rule = "json.syntax"
    if not text.strip():
        message, hint = "no JSON here, the record is empty", "send one JSON object"
    elif not rest.strip() or error.msg.startswith("Unterminated string"):
        message = "the JSON ends too early" + (
            ": a string is not closed" if error.msg.startswith("Unterminated") else ""
        )
        rule, hint = "json.truncated", "the record seems to be cut off; send it whole"
    elif rest.startswith("'"):
        hint = "JSON strings take double quotes"
    elif rest.startswith(("“", "”", "„")):
        hint = 'curly quotes are not JSON; use "'
    elif rest.startswith(("None", "True", "False")):
        hint = "this is Python, not JSON: write null, true, false"
    elif rest.startswith(("//", "/*", "#")):
        hint = "JSON has no comments"
    elif rest.startswith("\ufeff"):
        message, hint = "a byte order mark within the text", "strip it, for instance with: silp sanitize"
    elif error.msg.startswith("Extra data"):
        message, hint = "text after the end of the JSON document", "one document a record"
    elif "property name" in error.msg or error.msg.startswith("Illegal trailing comma"):
        hint = "keys take double quotes, and no comma stands before }"
    elif error.msg.startswith("Invalid control character"):
        hint = r"write line breaks and other control characters as escapes, such as \n"
    return json_error(message, position, text, rule, hint)


def _explain_duplicate(text: str, key: str) -> SilpError:
    from silp_cli.ir.locate import second_occurrence

    position, pointer = second_occurrence(text)
    error = json_error(
        f"duplicate key {json.dumps(key)[:60]}", position, text, "json.duplicate-key", "give each key once"
    )
    error.path = pointer
    return error


def _find_outside_strings(text: str, spelling: str) -> int:
    pattern = re.compile(r'"(?:[^"\\]|\\.)*+"|(' + re.escape(spelling) + ")", re.S)
    for match in pattern.finditer(text):
        if match.group(1) is not None:
            return match.start()
    return 0


# ---------------------------------------------------------------- writing


def dumps(value: Any) -> str:
    r"""Compact JSON text of a value, one line, UTF-8 where that is possible.

    Args:
        value: what ``loads`` may return.

    Returns:
        The text; lone surrogates stand as ``\uXXXX`` escapes, everything else beyond ASCII as itself.
    """
    if _fast_encode is None:
        _count_call()
    else:
        try:
            return _fast_encode(value).decode()
        except (ValueError, OverflowError, RecursionError):
            pass  # lone surrogates, integers beyond 64 bits
    return dumps_normative(value)


_encoder = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)
_EXPONENT = r'"(?:[^"\\]|\\.)*+"|(-?)(\d)(?:\.(\d+))?e([+-]\d+)'


def dumps_normative(value: Any) -> str:
    """The slow path of ``dumps``; writes the same bytes as the fast one."""
    try:
        text = _encoder.encode(value)
    except RecursionError:
        raise SilpError(
            ErrorCode.INVALID_SYNTAX, f"nesting deeper than {_max_depth}", rule="limit.depth", hint="flatten the value"
        ) from None
    if "e" in text:
        text = re.sub(_EXPONENT, _spell_exponent, text)
    return _spell_surrogates(text)


def _spell_surrogates(text: str) -> str:
    if text.isascii():
        return text
    return re.sub("[\ud800-\udfff]", lambda match: f"\\u{ord(match.group()):04x}", text)


def _spell_exponent(match: re.Match[str]) -> str:
    sign, lead, fraction, exponent = match.groups()
    if lead is None:
        return match.group()
    if int(exponent) == -5:
        return f"{sign}0.0000{lead}{fraction or ''}"
    return f"{sign}{lead}{'.' + fraction if fraction else ''}e{int(exponent)}"


_pretty = json.JSONEncoder(ensure_ascii=False, indent=2, allow_nan=False)


def dumps_pretty(value: Any) -> str:
    """JSON text of a value over several lines, for people."""
    return _spell_surrogates(re.sub(_EXPONENT, _spell_exponent, _pretty.encode(value)))


def canonical_bytes(value: Any) -> bytes:
    """The bytes that are hashed: JSON Canonicalization Scheme (RFC 8785).

    The draft defines none. Values that RFC 8785 cannot write (integers beyond 2**53, lone surrogates)
    are spelled as this module spells them, so that every valid IR has canonical bytes.
    """
    import rfc8785

    try:
        return rfc8785.dumps(value)
    except (rfc8785.CanonicalizationError, UnicodeEncodeError):  # the latter for keys
        return dumps_normative(sort_keys(value)).encode()


def sort_keys(value: Any) -> Any:
    """The value with the members of all its objects in the order of RFC 8785: by UTF-16 code units."""
    if isinstance(value, dict):
        by_utf16 = sorted(value.items(), key=lambda item: item[0].encode("utf-16-be", "surrogatepass"))
        return {key: sort_keys(member) for key, member in by_utf16}
    if isinstance(value, list):
        return [sort_keys(member) for member in value]
    return value
