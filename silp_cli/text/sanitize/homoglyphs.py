r"""Look-alikes of ASCII letters and digits, and the words in which they are folded.

The data is Unicode TR39's, with script and category of every character from the same package, pinned to a version
in ``pyproject.toml``: what is folded must be the same on every machine and every Python version, because
``compile`` escapes exactly that. Wide and mathematical forms that TR39 leaves out (it expects NFKC first) come from
the compatibility decompositions of ``unicodedata.ucd_3_2_0``, which never change either.

Rules of the default mode, ``mixed``. A word is a run of letters, marks, digits and look-alikes; a JSON escape such
as ``\n`` or ``\u0441`` ends a word, so that ``"\nМосква"`` holds no mixed word. Look-alikes are folded

* in a word that would spell a keyword, verb, function name or reserved key once folded, in the case that these
  have (``МЕТА`` is a Russian word, ``mеtа`` is a key in disguise);
* in a word that mixes scripts, unless they are the scripts that Japanese, Chinese and Korean mix (TR39, "highly
  restrictive"), and in a word of ASCII letters mixed with wide or mathematical letters. Decimal digits stay, and
  so do letters of right-to-left scripts unless the whole word becomes ASCII: ``الـGPS`` is how Arabic writes it.

TR39's prototypes merge ``I``, ``l`` and ``1``, and ``O`` and ``0``; of those the one is taken that the character is
a form of (``І`` gives ``I``, ``𝟏`` gives ``1``), or in a reserved word the one that it has there (``еӏѕе`` is
``else``).
"""

from __future__ import annotations

import json
import os
import re
from bisect import bisect_right
from unicodedata import ucd_3_2_0

from silp_cli.ir.verbs import EXCLUDED, WHITELIST, function_name
from silp_cli.text.memo import Memo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

PROTECTED = frozenset(
    [
        "if", "else", "and", "then", "with", "not",
        *(function_name(verb) for verb in (*WHITELIST, *EXCLUDED)),
        *(verb[1:] for verb in (*WHITELIST, *EXCLUDED)),
        "intent", "entities", "constraints", "alternatives", "meta", "silp", "version",
        "id", "value", "action", "type", "time", "subject", "operator", "target", "location", "loc", "act",
        "req_id", "session_id", "priority", "confidence", "seq", "out", "next_agent",
    ]
)

_ALNUM = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
ESCAPE = re.compile(r'\\(?:u[0-9a-fA-F]{4}|["\\/bfnrt])')
_COMBINATIONS = (
    frozenset(["LATIN", "HAN", "HIRAGANA", "KATAKANA"]),
    frozenset(["LATIN", "HAN", "BOPOMOFO"]),
    frozenset(["LATIN", "HAN", "HANGUL"]),
)
_REMEMBERED = 1 << 15
NO_SCRIPT = frozenset(["COMMON", "INHERITED", "UNKNOWN"])


class _Table:
    """The look-alikes, and what the package knows of characters."""

    def __init__(self) -> None:
        # Read as files: the package's own modules bring in urllib, and obey an environment variable.
        import confusable_homoglyphs  # type: ignore[import-untyped]

        home = os.path.dirname(confusable_homoglyphs.__file__)
        with open(os.path.join(home, "categories.json"), encoding="utf-8") as file:
            known = json.load(file)
        self._ranges: list[list[int]] = known["code_points_ranges"]
        self._starts = [each[0] for each in self._ranges]
        self._scripts: list[str] = known["iso_15924_aliases"]
        self._categories: list[str] = known["categories"]
        with open(os.path.join(home, "confusables.json"), encoding="utf-8") as file:
            self.fold = _ascii_folds(json.load(file))
        # Astral look-alikes are scattered over many ranges, so all that is astral is found and then looked up.
        bmp = "".join(re.escape(char) for char in sorted(self.fold) if char <= "\uffff")
        self.search = re.compile(f"[{bmp}\U00010000-\U0010ffff]").search
        self.in_word = _WordChars(self)
        self.runs = Memo(lambda run: _folds_of_run(run, self), _REMEMBERED)  # what is folded in a word

    def _range(self, char: str) -> list[int] | None:
        code = ord(char)
        found = self._ranges[bisect_right(self._starts, code) - 1]
        return found if found[0] <= code <= found[1] else None

    def script(self, char: str) -> str:
        found = self._range(char)
        return self._scripts[found[2]] if found else "UNKNOWN"

    def word_ranges(self) -> Iterator[tuple[int, int, str]]:
        """Ranges of letters, marks and digits beyond ASCII, in order, each with its script."""
        for first, last, script, category in self._ranges:
            if first > 0x7F and self._categories[category][0] in "LMN":
                yield first, last, self._scripts[script]

    def is_word_char(self, char: str) -> bool:
        found = self._range(char)
        return char == "_" or char in self.fold or (found is not None and self._categories[found[3]][0] in "LMN")


class _WordChars(dict[str, bool]):
    """Whether a character belongs to words or joins them; found out at first use."""

    def __init__(self, data: _Table) -> None:
        super().__init__()
        self._data = data

    def __missing__(self, char: str) -> bool:
        known = self[char] = self._data.is_word_char(char)
        return known


def _ascii_folds(confusables: dict[str, list[dict[str, str]]]) -> dict[str, str]:
    """Look-alike -> ASCII letter or digit, out of the package's symmetric lists."""
    folds: dict[str, str] = {}
    for code in (*range(0xFF10, 0xFF5B), *range(0x2100, 0x2150), *range(0x1D400, 0x1D800)):
        plain = _compatible(chr(code))
        if plain:
            folds[chr(code)] = plain
    for target in _ALNUM:
        for entry in confusables.get(target, ()):
            char = entry["c"].strip("\u200e")  # right-to-left characters stand between marks there
            if len(char) == 1 and not char.isascii() and char not in folds:
                folds[char] = _of_class(char, target)
    return folds


def _compatible(char: str) -> str | None:
    """The ASCII letter or digit of which the character is a wide or mathematical form."""
    kind, _, codes = ucd_3_2_0.decomposition(char).partition(" ")
    if kind in ("<font>", "<wide>") and " " not in codes and chr(int(codes, 16)) in _ALNUM:
        return chr(int(codes, 16))
    return None


def _of_class(char: str, target: str) -> str:
    digit = ucd_3_2_0.digit(char, None)
    if target == "l" and (ucd_3_2_0.category(char) == "Lu" or ucd_3_2_0.decomposition(char).endswith(" 0049")):
        return "I"
    if (target, digit) in (("l", 1), ("O", 0)):
        return str(digit)
    return target


_table: _Table | None = None


def table() -> _Table:
    """The data, loaded at first use (it takes longer than a compile)."""
    global _table
    if _table is None:
        _table = _Table()
    return _table


def lookalikes() -> dict[str, str]:
    """Every look-alike and the ASCII letter or digit it is folded to."""
    return table().fold


def may_hold_lookalike(text: str) -> bool:
    """False if there is no look-alike in the text."""
    return table().search(text) is not None


def folds(text: str) -> list[tuple[int, str]]:
    """The characters that mode ``mixed`` folds.

    Args:
        text: any text; JSON escapes in it are boundaries of words.

    Returns:
        Offset and replacement, in order.
    """
    data = table()
    found = data.search(text)
    if found is None:
        return []
    if "\\" in text:
        text = ESCAPE.sub(lambda match: "\\" * len(match.group()), text)
        found = data.search(text)
    result: list[tuple[int, str]] = []
    in_word = data.in_word
    known = data.runs
    done = 0
    while found is not None:
        start = found.start()
        if text[start] not in data.fold:
            found = data.search(text, start + 1)
            continue
        while start > done and in_word[text[start - 1]]:
            start -= 1
        done = found.end()
        while done < len(text) and in_word[text[done]]:
            done += 1
        run = text[start:done]
        if edits := known[run]:
            result += [(start + i, plain) for i, plain in edits]
        found = data.search(text, done)
    return result


def _folds_of_run(run: str, data: _Table) -> list[tuple[int, str]]:
    """The folds of words joined by underscores; ``next_agent`` is one name, ``order_сумма`` two words."""
    if "_" in run and (plain := _spelled(run, data)):
        return [(i, plain[i]) for i, char in enumerate(run) if char in data.fold]
    result: list[tuple[int, str]] = []
    start = 0
    for word in run.split("_"):
        if plain := _spelled(word, data):
            result += [(start + i, plain[i]) for i, char in enumerate(word) if char in data.fold]
        elif chars := _folded_in(word, data):
            result += [(start + i, data.fold[char]) for i, char in enumerate(word) if char in chars]
        start += len(word) + 1
    return result


def _spelled(word: str, data: _Table) -> str | None:
    """The reserved word that a word with look-alikes spells, if any. A stroke may be read as i, I, l or 1."""
    folded = "".join([data.fold.get(char, char) for char in word])
    if not folded.isascii():
        return None
    if folded in PROTECTED or folded.startswith("action_"):
        return folded
    for plain in _by_strokes.get(folded.translate(STROKES), ()):
        if all(own == char or char in data.fold for own, char in zip(plain, word, strict=True)):
            return plain
    return None


STROKES = str.maketrans("iI10", "lllO")
_by_strokes: dict[str, list[str]] = {}
for _name in sorted(PROTECTED):
    _by_strokes.setdefault(_name.translate(STROKES), []).append(_name)


def _folded_in(word: str, data: _Table) -> set[str]:
    """The look-alikes of a word that are to be folded in it for the company they keep."""
    chars = set(word)
    alike = {char for char in chars if char in data.fold}
    if not alike:
        return alike
    folded = "".join(data.fold.get(char, char) for char in word)
    scripts = {data.script(char) for char in chars} - NO_SCRIPT
    if len(scripts) < 2 or any(scripts <= allowed for allowed in _COMBINATIONS):
        if not any(char.isascii() and char.isalpha() for char in chars):
            return set()
        alike = {char for char in alike if is_styled(char)}
    if not folded.isascii():
        alike = {char for char in alike if ucd_3_2_0.bidirectional(char) not in ("R", "AL")}
    return {char for char in alike if ucd_3_2_0.category(char) != "Nd"}


def is_styled(char: str) -> bool:
    """Whether the character is a wide or mathematical form of an ASCII letter."""
    return "\U0001d400" <= char <= "\U0001d7ff" or "\uff21" <= char <= "\uff5a"
