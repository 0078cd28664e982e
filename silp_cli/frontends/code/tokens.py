"""The words under the scanner: bare words, literals, JSON values, and what to say where they are missing."""

from __future__ import annotations

import json
import re

from silp_cli.frontends.code.words import KEYWORDS
from silp_cli.ir.errors import ErrorCode, SilpError
from silp_cli.ir.jsontext import loads, max_depth
from silp_cli.ir.verbs import SILP_VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn

WS = r"[ \t\r\n]*+"
BARE_ASCII = r"[A-Za-z0-9_.+%/#$*-]++"  # bare words in ASCII; where ">" may follow, the full rule is asked

_skip = re.compile(r"[ \t\r\n]*+").match
_bare = re.compile(r"(?:[\w.+%/#$*]++|-(?!>))++").match
_single = re.compile(r"'((?:[^'\\\x00-\x1f]++|\\.)*+)'").match
_double = re.compile(r'"((?:[^"\\\x00-\x1f]++|\\.)*+)"').match
_assigned = re.compile(r"[ \t\r\n]*+:?=").match
_JSON_MARK = r'"(?:[^"\\]++|\\.)*+"|[{}\[\]]'
_flat_array = re.compile(r"\[[^\[\]{}]*+\]").match
_JSON_SCALAR = r"[-+.\w]++"
_ESCAPE = r"\\(u[0-9A-Fa-f]{4}|.)"
_NUMBER = r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?"

# The value and the end of a literal in double quotes.
read_literal: Callable[[str, int], tuple[str, int]] = json.JSONDecoder().raw_decode

equals = re.compile(rf"{WS}(:?=)(?!=)").match

_OPENING_QUOTES = "“”„‟«»‘’‚‹›`´"


class Key:
    """A key as it was written: its text, and whether it stood bare."""

    __slots__ = ("bare", "text")

    def __init__(self, text: str, bare: bool) -> None:
        self.text = text
        self.bare = bare

    def renamed(self, text: str) -> Key:
        """The same key under another name."""
        return Key(text, self.bare)


class Tokens:
    """A text and the reading of words out of it."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def skip(self, position: int) -> int:
        """The position behind white space."""
        match = _skip(self.text, position)
        return match.end() if match else position

    def span(self, start: int, end: int) -> str:
        """The text between two positions, without white space around it unless it is the whole text."""
        if not start and (end == len(self.text) or self.skip(end) == len(self.text)):
            return self.text
        return self.text[start:end].strip(" \t\r\n")

    # ------------------------------------------------------------ words

    def key_or_value(self, position: int) -> tuple[Key, int]:
        """A bare word, keywords included, or a literal."""
        match = _bare(self.text, position)
        if match:
            return Key(match.group(), True), match.end()
        text, end = self._literal(position, "an argument")
        return Key(text, False), end

    def plain_key(self, position: int) -> tuple[Key, int]:
        """A bare word that is no keyword unless a value follows, or a literal."""
        if self.text[position : position + 1] in ("'", '"'):
            text, end = self._literal(position, "a key")
            return Key(text, False), end
        match = _bare(self.text, position)
        if match and match.group() in KEYWORDS and _assigned(self.text, match.end()):
            return Key(match.group(), True), match.end()
        text, end = self.plain_bare(position, "a field of meta, or a constraint")
        return Key(text, True), end

    def plain_value(self, position: int, wanted: str) -> tuple[str, int]:
        """The text of a bare word that is no keyword, or of a literal."""
        if self.text[position : position + 1] in ("'", '"'):
            return self._literal(position, wanted)
        return self.plain_bare(position, wanted)

    def plain_bare(self, position: int, wanted: str) -> tuple[str, int]:
        """A bare word that is no keyword."""
        match = _bare(self.text, position)
        if match is None:
            self._no_word(position, wanted)
        if match.group() in KEYWORDS:
            self.fail(position, f"expected {wanted}, found the keyword '{match.group()}'",
                      "put it in double quotes if it is meant as text")
        return match.group(), match.end()

    def _literal(self, position: int, wanted: str) -> tuple[str, int]:
        text = self.text
        mark = text[position : position + 1]
        if mark == '"':
            return self.literal(position)
        if mark == "'":
            match = _single(text, position)
            if match is None:
                self._bad_literal(position, mark)
            return self._unquote(match.group(1), position + 1), match.end()
        self._no_word(position, wanted)

    def literal(self, position: int) -> tuple[str, int]:
        """The text of a literal in double quotes that begins here, and its end."""
        try:
            return read_literal(self.text, position)
        except json.JSONDecodeError as error:
            if _double(self.text, position) is None:
                self._bad_literal(position, '"')
            self.fail(error.pos, "not a JSON escape", _ESCAPES)

    def _unquote(self, inner: str, start: int) -> str:
        r"""The value of what stood between single quotes; JSON's escapes and ``\'``."""
        if "\\" not in inner:
            return inner

        def as_json(match: re.Match[str]) -> str:
            return "'" if match.group(1) == "'" else match.group()

        for match in re.finditer(_ESCAPE, inner, re.S):
            if match.group(1)[0] not in "\"\\/bfnrt'" and len(match.group(1)) != 5:
                self.fail(start + match.start(), "not a JSON escape", _ESCAPES)
        body = re.sub(r'\\.|"', lambda match: '\\"' if match.group() == '"' else match.group(), inner, flags=re.S)
        value: str = json.loads('"' + re.sub(_ESCAPE, as_json, body, flags=re.S) + '"')
        return value

    def pair_or_value(self, position: int) -> tuple[Any, Any, int, int]:
        """[key = | key :=] value: the key or None, the value, its position, and the end."""
        position = self.skip(position)
        start = position
        first, position = self.key_or_value(position)
        match = equals(self.text, position)
        if match is None:
            return None, first.text, start, position
        position = self.skip(match.end())
        if match.group(1) == "=":
            second, end = self.key_or_value(position)
            return first, second.text, position, end
        value, end = self.json_value(position, 3)
        return first, value, position, end

    def json_value(self, position: int, around: int) -> tuple[Any, int]:
        """Any JSON value, which will have ``around`` objects and arrays around it in the IR."""
        text = self.text
        limit = max_depth()
        mark = text[position : position + 1]
        if mark == "[" and (match := _flat_array(text, position)):
            try:
                return loads(match.group()), match.end()
            except SilpError:
                pass  # a string with brackets in it
        if mark in ("{", "["):
            depth = 0
            for match in re.compile(_JSON_MARK, re.S).finditer(text, position):
                token = match.group()
                if token in "{[":
                    depth += 1
                    if depth + around > limit:
                        self.fail(match.start(), f"nesting deeper than {limit}",
                                  "raise the limit with --max-depth, or flatten the value", rule="limit.depth")
                elif token in "}]":
                    depth -= 1
                    if not depth:
                        return self._loads(position, match.end()), match.end()
            self.fail(len(text), "the JSON value does not end", "close its brackets and quotes")
        if mark == '"':
            return self._literal(position, "a JSON value")
        match = re.compile(_JSON_SCALAR).match(text, position)
        if match is None:
            self.fail(position, "expected a JSON value after ':='", "write key=text for a string")
        return self._loads(position, match.end()), match.end()

    def _loads(self, start: int, end: int) -> Any:
        try:
            return loads(self.text[start:end])
        except SilpError as error:
            hint = error.hint or "after ':=' stands JSON; write key=text for strings"
            self.fail(start + (error.position or 0), error.message, hint, rule=error.rule)

    def number(self, spelling: str, start: int, end: int) -> Any:
        """The number that a meta field's text spells."""
        if re.fullmatch(_NUMBER, spelling) is None or end - start != len(spelling):
            self.fail(start, f"expected a number, found '{spelling[:40]}'", "priority and confidence are JSON numbers")
        return self._loads(start, end)

    def mark(self, position: int, marks: str, after: str) -> tuple[str, int]:
        """One of two marks, white space before it."""
        position = self.skip(position)
        found = self.text[position : position + 1]
        if found and found in marks:
            return found, position + 1
        hint = ""
        if not found:
            hint = f"the payload ends too early; close it with '{marks[1]}'"
        elif found in "\"'":
            hint = "a quote starts a value only at its beginning; escape quotes inside a literal"
        elif found in "([{<@=:;>&|^~?!":
            hint = f"put text that holds '{found}' in double quotes"
        elif _bare(self.text, position):
            hint = "put text with spaces in double quotes"
        self.fail(position, f"expected '{marks[0]}' or '{marks[1]}' after {after}", self._quote_hint(found) or hint)

    # ------------------------------------------------------------ fields

    def set_field(
        self, fields: dict[str, Any], key: Key, value: Any, position: int, strings: frozenset[str]
    ) -> None:
        """Add a field that may not be there yet, and must be a string if its name is in ``strings``."""
        name = key.text
        if name in fields:
            self.fail(position, f"{name} is given twice", "give each field once")
        if name in strings and type(value) is not str:
            self.fail(position, f"{name} is a string", f"write {name}=text")
        fields[name] = value

    def set_meta(self, meta: dict[str, Any], key: Key, value: Any, start: int, position: int) -> None:
        """Add a field of meta, checked as the schema has it."""
        name = key.text
        if name == "req_id":
            self.fail(start, "req_id cannot be given", "it is derived from the payload's text")
        if name in meta:
            self.fail(start, f"{name} is given twice", "give each field once")
        wanted = _META_TYPES.get(name)
        if wanted and not _META_CHECKS[wanted](value):
            self.fail(position, f"{name} is {wanted}", f"see 'silp schema' for {name}")
        meta[name] = value

    def root_value(self, name: str, value: Any, position: int) -> str:
        """The value of ``silp`` or ``version``."""
        if type(value) is not str:
            self.fail(position, f"{name} is a string", f"write {name}=text")
        if name == "silp":
            if SILP_VERSION.fullmatch(value) is None:
                self.fail(position, f"silp '{value[:40]}' is not a version", "a version is a v and digits, such as v1")
            if value != "v1":
                self.fail(position, f"silp version '{value[:40]}' is not supported", "this tool speaks v1",
                          code=ErrorCode.UNSUPPORTED_VERSION, rule="version.silp")
        return value

    # ------------------------------------------------------------ errors

    def fail(
        self, position: int, message: str, hint: str = "", *,
        rule: str = "code.syntax", code: ErrorCode = ErrorCode.INVALID_SYNTAX,
    ) -> NoReturn:
        """Raise ``SilpError`` at a position."""
        raise SilpError(code, message, rule=rule, hint=hint, position=position)

    def stray(self, position: int) -> NoReturn:
        """Complain about text behind a payload."""
        rest = self.text[position : position + 8]
        hint = "one payload a line; join actions with ';', or find payloads in prose with --extract"
        if rest.startswith("else"):
            hint = "the fallback is ' else: call(...)'"
        elif rest.startswith("with"):
            hint = "the with-clause is ' with key=value,...'"
        elif rest.startswith((")", "]", "}")):
            hint = f"there is one '{rest[0]}' too many"
        elif rest.startswith("."):
            hint = "a payload ends without a full stop; --extract tolerates one"
        self.fail(position, "unexpected text after the payload", hint)

    def expected_action(self, position: int) -> NoReturn:
        """Complain that no call stands where one has to."""
        rest = self.text[position : position + 40]
        hint = "an action is a lower-case function name and parentheses, such as cancel(flight)"
        if position == len(self.text) == self.skip(0):
            self.fail(position, "an empty payload", "one payload a line", rule="code.empty")
        if rest.startswith("```"):
            hint = "a code fence; find payloads in what a model wrote with --extract"
        elif rest.startswith("{"):
            hint = "this looks like JSON; decode it with -f json"
        elif rest.startswith("["):
            hint = "find payloads in lists of tool calls with --extract"
        elif rest[:1].isupper():
            hint = "function names are lower case; find payloads in prose with --extract"
        elif rest.startswith("else"):
            hint = "an action stands before the fallback"
        self.fail(position, "expected an action", self._quote_hint(rest[:1]) or hint)

    def condition_hint(self, position: int) -> str:
        """What may be wrong where a condition should end."""
        position = self.skip(position)
        rest = self.text[position : position + 8]
        if not rest:
            return "the payload ends too early: a condition is followed by ':' and an action"
        if rest.startswith(("or ", "||", "&&")):
            return "conditions are joined with ' and ' only"
        return self._quote_hint(rest[0]) or "put text with spaces or marks in double quotes"

    def _no_word(self, position: int, wanted: str) -> NoReturn:
        found = self.text[position : position + 1]
        hint = self._quote_hint(found)
        if not found:
            hint = "the payload ends too early"
        elif not hint and found in "([{<>=:;@!&|^~?":
            hint = f"put text that holds '{found}' in double quotes"
        elif not hint and found not in ",)]":
            hint = "put text that is not letters, digits or _ . + - % / # $ * in double quotes"
        self.fail(position, f"expected {wanted}", hint)

    def _quote_hint(self, found: str) -> str:
        if found and found in _OPENING_QUOTES:
            return f"{found} is not a quotation mark of this syntax; use \""
        return ""

    def _bad_literal(self, position: int, mark: str) -> NoReturn:
        inside = re.compile(_LITERAL_PART[mark]).match(self.text, position + 1)
        end = inside.end() if inside else position + 1
        if end < len(self.text) and self.text[end] < " ":
            self.fail(end, "a control character inside a literal", r"write it as an escape, such as \n or \u0007")
        self.fail(position, f"the literal that starts with {mark} does not end",
                  f"close it with {mark}; a {mark} inside is written \\{mark}")


_ESCAPES = r"""the escapes are \" \\ \/ \b \f \n \r \t \uXXXX, and in single quotes \'"""
_LITERAL_PART = {'"': r'(?:[^"\\\x00-\x1f]++|\\.)*+', "'": r"(?:[^'\\\x00-\x1f]++|\\.)*+"}
_META_TYPES = {
    "session_id": "a string", "out": "a string", "next_agent": "a string", "priority": "an integer",
    "confidence": "a number from 0 to 1", "seq": "an array of strings",
}
_META_CHECKS: dict[str, Callable[[Any], bool]] = {
    "a string": lambda value: type(value) is str,
    "an integer": lambda value: type(value) is int or (type(value) is float and value.is_integer()),
    "a number from 0 to 1": lambda value: type(value) in (int, float) and 0 <= value <= 1,
    "an array of strings": lambda value: type(value) is list and all(type(step) is str for step in value),
}
