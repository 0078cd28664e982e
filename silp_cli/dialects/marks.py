"""The markers of a table, and how they are found in a text."""

from __future__ import annotations

import re

from silp_cli.dialects import tagged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from silp_cli.dialects.table import Dialect, Reasoning, Table

# Stands for the opening tag of an `invoke` with a prefix that no row names.
ANY_INVOKE = "<invoke"
_PREFIX = 32  # characters within which a tag with a prefix has its name
_LEAST = 7  # characters of a marker from which on one with a slip is known
_CLOSING = re.compile(r"</[\w:.｜|-]{1,40}>").match
_prefixed_piece = re.compile(r"<[\w｜|:.-]{0,40}(?:[ \t\r\n]+name=[\"']?[^\"'<>]*[\"']?[ \t]*/?)?\Z").match
_PIECE = re.compile(r"</[\w:.｜|-]{0,40}\Z").match


class Marks:
    """All markers of a table.

    Attributes:
        rows: the dialects that a marker may open.
        inner: markers that are part of the body.
        words: markers that are no fault where no body follows.
        noise: markers that only group or end.
        thoughts: reasoning by its opening marker, in lower case.
        thought_ends: the closing markers that end reasoning begun in the prompt, in lower case.
    """

    @classmethod
    def of(cls, table: Table) -> Marks:
        """The markers of a table, made once."""
        found = table.cache.get("marks")
        if not isinstance(found, cls):
            found = table.cache["marks"] = cls(table)
        return found

    def __init__(self, table: Table) -> None:
        rows: dict[str, list[Dialect]] = {}
        self.inner: set[str] = set()
        for row in table.dialects:
            for mark in row.open:
                rows.setdefault(mark, []).append(row)
            for mark in row.inner:
                rows.setdefault(mark, []).append(row)
                self.inner.add(mark)
        self.rows = {mark: tuple(each) for mark, each in rows.items()}
        self.words = {mark for mark, each in self.rows.items() if all(row.word for row in each)}
        self.noise = frozenset(table.noise) - self.rows.keys()
        self.thoughts: dict[str, Reasoning] = {row.open.lower(): row for row in table.reasoning}
        self.thought_ends = {row.close.lower() for row in table.reasoning if row.lone}
        self._closes = {close for row in table.dialects for close in row.close if len(close) > 3}
        margin = {mark for mark, each in self.rows.items() if all(row.margin for row in each)}
        # Reasoning is left out even where its marker was written with a slip.
        exact = self.thoughts.keys() | self.thought_ends
        for thought in table.reasoning:
            for slip in _slips(thought.open) - exact:
                self.thoughts[slip] = thought
            if thought.lone:
                self.thought_ends |= _slips(thought.close) - self.thoughts.keys()
        slipped = {each for each in self.thoughts.keys() | self.thought_ends if each[0].isalpha() or each[0] in "|/"}
        thoughts = self.thoughts.keys() | self.thought_ends
        everywhere = (self.rows.keys() - margin) | self.noise
        self._everywhere = _Finder(everywhere, thoughts - slipped)
        self._margin = _Finder(everywhere | margin, thoughts)
        self._all = [*everywhere, *margin]
        self._thoughts = sorted(thoughts)
        # A marker begins only where its second character follows; a tag with a prefix begins with a letter.
        seconds: dict[str, set[str]] = {}
        for mark in (*everywhere, *(thoughts - slipped)):
            seconds.setdefault(mark[0], set()).update((mark[1].lower(), mark[1].upper()))
        tag = seconds.pop("<", set()) - {"/", "<"}
        parts = [f"<(?=[\\w!{re.escape(''.join(sorted(tag)))}]|/[^</ \n]|/?\\Z)"]
        parts += [
            f"{re.escape(first)}(?=[{re.escape(''.join(sorted(each)))}]|\\Z)" for first, each in sorted(seconds.items())
        ]
        self.interesting = re.compile("[\n`]|" + "|".join(parts)).search
        lone = sorted(row.close for row in table.reasoning if row.lone)
        self.ends_thought = re.compile("|".join(map(re.escape, lone)) or r"(?!)", re.I).search
        names = "|".join(re.escape(shape.name) for shape in table.shapes)
        keys = "|".join(re.escape(key) for shape in table.shapes for key in shape.arguments)
        self._named = re.compile(rf"[\"'](?:{names})[\"']\s*:").search
        self._given = re.compile(rf"[\"'](?:{keys})[\"']\s*:").search
        self._signs = re.compile(r"[\"'](?:intent|tool_calls|function_call|functionCall|toolUse|tool_use)[\"']").search

    def at(self, text: str, position: int, margin: bool) -> str | None:
        """The marker at a position; those of a line's start only with ``margin``."""
        found = (self._margin if margin else self._everywhere).at(text, position)
        if found is not None:
            return found
        if ANY_INVOKE in self.rows and text.startswith("<", position):
            named = text.find("invoke", position, position + _PREFIX) >= 0
            if named and tagged.open_at(text, position):
                return ANY_INVOKE
        return None

    def may_begin(self, text: str, position: int) -> bool:
        """Whether the text ends in what may become a marker."""
        rest = text[position : position + 64]
        if len(rest) == 64:
            return False
        low = rest.lower()
        if _prefixed_piece(rest):
            return True
        return any(mark.startswith(rest) for mark in self._all) or any(mark.startswith(low) for mark in self._thoughts)

    def may_grow(self, text: str, position: int, mark: str) -> bool:
        """Whether the text ends in what may become a longer marker than the one that stands there."""
        rest = text[position : position + 64]
        if len(rest) == 64:
            return False
        low = rest.lower()
        if any(len(each) > len(low) and each.startswith(low) for each in self._thoughts):
            return True
        return any(len(each) > len(rest) and each.startswith(rest) for each in self._all if each.startswith(mark))

    def thought_end(self, text: str, position: int, row: Reasoning) -> tuple[int, int]:
        """Where reasoning ends and how long the marker is; -1 if it does not end."""
        pattern = "|".join([re.escape(row.close), *(f"(?={re.escape(each)})" for each in row.until)])
        match = re.compile(pattern, re.I).search(text, position)
        return (match.start(), match.end() - match.start()) if match else (-1, 0)

    def wrong_close(self, text: str, position: int) -> str | None:
        """A closing marker at a position that ends some construct, or a piece of one at the end of the text."""
        for close in self._closes:
            if text.startswith(close, position) and close not in self.noise:
                return close
        match = _CLOSING(text, position) or _PIECE(text, position)
        if match is None or match.group() in self.noise or match.group().lower() in self.thought_ends:
            return None
        return match.group()

    def tag_end(self, text: str, start: int, mark: str, closes: tuple[str, ...]) -> int | None:
        """Where a failed construct of tags ends, if its markers and all that follow are in pairs; else None."""
        if not closes or mark in self.inner:
            return None
        pattern = re.compile("|".join(map(re.escape, sorted({mark, *closes}, key=len, reverse=True))))
        depth, end = 0, None
        for match in pattern.finditer(text, start):
            depth += 1 if match.group() == mark else -1
            if depth < 0:
                return None
            if not depth and end is None:
                end = match.end()
        if end is None or depth > 0:
            return None
        return None if tagged.orphan(text, end) else end

    def call_keys(self, source: str) -> bool:
        """Whether JSON text has the keys of a call, a payload or a message with calls."""
        return bool((self._named(source) and self._given(source)) or self._signs(source))


def _slips(mark: str) -> set[str]:
    return tagged.slips(mark.lower()) if len(mark) >= _LEAST else set()


class _Finder:
    """Finds the longest of many markers at a place: by its first characters, then by its length."""

    def __init__(self, exact: set[str] | frozenset[str], folded: set[str]) -> None:
        self._buckets: dict[str, tuple[dict[int, set[str]], dict[int, set[str]]]] = {}
        for which, marks in ((0, exact), (1, folded)):
            for mark in marks:
                bucket = self._buckets.setdefault(mark[:2].lower(), ({}, {}))
                bucket[which].setdefault(len(mark), set()).add(mark)
        self._lengths = {
            head: sorted(bucket[0].keys() | bucket[1].keys(), reverse=True) for head, bucket in self._buckets.items()
        }

    def at(self, text: str, position: int) -> str | None:
        """The longest marker at a position."""
        head = text[position : position + 2].lower()
        bucket = self._buckets.get(head)
        if bucket is None:
            return None
        exact, folded = bucket
        for length in self._lengths[head]:
            part = text[position : position + length]
            if part in exact.get(length, ()) or (length in folded and part.lower() in folded[length]):
                return part
        return None
