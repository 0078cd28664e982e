r"""A grammar of honest text: in what it derives there is nothing to remove or to fold.

The language is regular, so RE2's automaton reads it in linear time, a few nanoseconds a character, whatever the words;
a backtracking engine could be made to take forever. It says less than ``engine.find`` knows: what it does not derive,
bytes that are not UTF-8 included, has to be examined.

Words stand between separators, parts of words between underscores. Each part is one of

* free: no look-alike in it;
* firm: letters of one script, and at least one that no ASCII character looks like, so that it spells nothing in
  ASCII; beside Han, kana and Hangul there may be Latin letters;
* weak: look-alikes of one script and digits; or ASCII letters with ``ı`` or ``×``; or wide letters. It spells no
  reserved word, and no underscore touches it.

Invisible characters are derived in emoji, and between two letters of one script that joins its letters.
"""

from __future__ import annotations

import sys
from bisect import bisect_left
from collections import defaultdict
from functools import cache
from operator import itemgetter
from string import ascii_letters, digits
from unicodedata import category

import re2

from silp_cli.text.sanitize.classes import CLASSES, char_class
from silp_cli.text.sanitize.context import EMOJI_STYLE, FLAG, JOINING, KEYCAP, SUBDIVISIONS, ZWJ, ZWNJ, styled_emoji
from silp_cli.text.sanitize.homoglyphs import ESCAPE, NO_SCRIPT, PROTECTED, STROKES, is_styled, table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TypeAlias

    from silp_cli.text.sanitize.policy import Policy

    _Tree: TypeAlias = "dict[str, _Tree]"

# Scripts in general use today (Unicode UAX 31, table 5). Words in others are derived only if they are free.
_SCRIPTS = (
    "ARABIC", "ARMENIAN", "BENGALI", "CYRILLIC", "DEVANAGARI", "ETHIOPIC", "GEORGIAN", "GREEK", "GUJARATI",
    "GURMUKHI", "HEBREW", "KANNADA", "KHMER", "LAO", "LATIN", "MALAYALAM", "MYANMAR", "ORIYA", "SINHALA", "TAMIL",
    "TELUGU", "THAANA", "THAI", "TIBETAN",
)
_EAST_ASIAN = (("HAN", "HIRAGANA", "KATAKANA"), ("HAN", "HANGUL"))
_ASTRAL = 0x10000
_NONE = ""  # no script
_END = ""  # of a word
_MEMORY = 1 << 26  # bytes, for the program and its states; text in all scripts at once takes a third of it

_HIDDEN = tuple(each for ranges in CLASSES.values() for each in ranges)
_UNSEEN = char_class(_HIDDEN) + r"\x{d800}-\x{dfff}"  # RE2 would take encoded surrogates for characters
_LINE_END = r"\r\n"
_BACKSLASH = r"\\"
# A backslash that begins no escape, and the word behind it.
_BACKSLASHED = r"\\(?:[ac-eg-mo-qsv-zA-Z0-9]|u[0-9A-Fa-f]{0,3}[G-Zg-z])[0-9A-Za-z]*"
_JOINER = f"[{ZWNJ}{ZWJ}]"
_TONES = "\U0001f3fb-\U0001f3ff"


def compile_grammar(policy: Policy) -> Callable[[bytes, int], int]:
    """Make a test that reads text up to the first word that may not be honest.

    Args:
        policy: what to look for. Which classes does not matter: the test is for all of them.

    Returns:
        A function of some bytes and the offset of a separator in them, such as the LF before a line, or 0. Its result
        is an offset too: the policy finds nothing in the lines between the two.
    """
    return _compile(policy.homoglyphs, policy.context and not policy.strict, policy.context)


@cache
def _compile(mode: str, joiners: bool, selectors: bool) -> Callable[[bytes, int], int]:
    options = re2.Options()
    options.max_mem = _MEMORY
    options.longest_match = True
    options.never_capture = True
    options.log_errors = False
    match = re2.compile(_Grammar(joiners=joiners, selectors=selectors).pattern(mode), options).match
    return lambda data, start: int(match(data, start).end())  # there always is a match, of nothing if need be


class _Grammar:
    """The grammar as a regular expression, and the sets of characters that it is made of.

    Sets are kept as insides of ``[...]``. What has no script stands in words of any script; of that the astral part is
    left out, because every set would carry it.
    """

    def __init__(self, *, joiners: bool, selectors: bool) -> None:
        self._joiners = joiners
        self._selectors = selectors
        data = table()
        self._free = ""  # word characters that are no look-alikes
        self._firm: dict[str, str] = defaultdict(str)  # the same by script
        self._alike: dict[str, str] = defaultdict(str)  # look-alikes by script, without the styled
        self._wide = ""  # wide forms of ASCII letters
        self._joining: dict[str, str] = defaultdict(str)  # what a joiner may stand between
        holes = sorted([*_HIDDEN, *((ord(char), ord(char)) for char in data.fold)])
        for first, last, script in data.word_ranges():
            for part in _without(first, last, holes):
                self._free += char_class([part])
                if script not in NO_SCRIPT:
                    self._firm[script] += char_class([part])
                elif part[1] < _ASTRAL:
                    self._firm[_NONE] += char_class([part])
                if script in JOINING:
                    self._joining[script] += "".join(filter(_is_letter, map(chr, range(part[0], part[1] + 1))))
        for char in data.fold:
            script = data.script(char)
            if is_styled(char):
                self._wide += char if ord(char) < _ASTRAL else ""
            elif script not in NO_SCRIPT:
                self._alike[script] += char
            elif ord(char) < _ASTRAL:
                self._alike[_NONE] += char
        self._word_chars = self._free + "".join(data.fold)

    def pattern(self, mode: str) -> str:
        """The pattern of text in a mode of folding, from one separator on."""
        if mode == "off":
            return f"(?:{self._any_of([f'[^{_UNSEEN}]', _LINE_END, *self._joined(), *self._emoji()])})*"
        part = self._any_of(self._parts())
        weak = self._any_of(self._weak())
        if mode == "mixed":
            commands = f"(?:{_BACKSLASHED})*"
            signs = [self._sign(), _LINE_END, ESCAPE.pattern, _BACKSLASH + self._sign('"/'), *self._emoji()]
            separator = commands + self._any_of(signs)
            return f"(?:{part}?(?:{commands}{_BACKSLASH}?_|{separator}(?:{weak}{separator})*))*"
        # Look-alikes only inside closed double quotes. Outside no backslash: there it escapes no quote.
        inside = self._any_of([self._sign('"\n'), ESCAPE.pattern, *self._emoji()])
        literal = f'"(?:{weak}{inside})*(?:{part}?(?:_|{inside}(?:{weak}{inside})*))*{part}?"'
        outside = self._any_of([self._sign('"'), _LINE_END, *self._emoji()])
        return f"(?:[0-9A-Za-z{self._free}]*(?:_|{outside}|{literal}))*"

    @staticmethod
    def _any_of(patterns: Iterable[str]) -> str:
        return f"(?:{'|'.join(patterns)})"

    def _sign(self, but: str = "") -> str:
        """A character that is in no word and not invisible; no backslash, and none of ``but``."""
        return f"[^{_UNSEEN}0-9A-Za-z_\\\\{but}{self._word_chars}]"

    def _parts(self) -> Iterator[str]:
        """Free and firm parts of words."""
        yield f"[0-9A-Za-z{self._free}]+"
        for script in _SCRIPTS:
            latin = ascii_letters if script == "LATIN" else ""
            yield self._firm_part(self._firm[script] + self._firm[_NONE], digits + latin + self._all_of([script]))
        for scripts in _EAST_ASIAN:
            own = "".join(self._firm[script] for script in scripts)
            every = digits + self._all_of([*scripts, "LATIN"])
            yield self._firm_part(own, every + ascii_letters)
            yield self._firm_part(own, every + self._wide)
        yield from self._joined()
        if self._selectors:
            yield f"(?:[0-9#*]{EMOJI_STYLE}{KEYCAP})+"

    @staticmethod
    def _firm_part(firm: str, every: str) -> str:
        return f"[{every}]*[{firm}][{every}]*"

    def _all_of(self, scripts: Iterable[str]) -> str:
        return "".join(self._firm[script] + self._alike[script] for script in [*scripts, _NONE])

    def _joined(self) -> Iterator[str]:
        """Parts of words with joiners between letters of one script."""
        if not self._joiners:
            return
        for script in _SCRIPTS:
            if script in JOINING:
                firm = self._joining[script]
                letter = f"[{firm}{''.join(filter(_is_letter, self._alike[script]))}]"
                some = f"(?:[{digits}{self._all_of([script])}]|{letter}(?:{_JOINER}{letter})+)*"
                # With a letter that no ASCII one looks like, so it spells nothing; a joiner never beside a joiner.
                yield f"{some}(?:{letter}{_JOINER})*[{firm}](?:{_JOINER}{letter})*{some}"

    def _weak(self) -> Iterator[str]:
        for script in (*_SCRIPTS, _NONE):
            if self._alike[script]:
                yield _unreserved(self._alike[script] + digits)
        # Of Latin look-alikes the ones in everyday text: Turkish, and 1920×1080.
        yield _unreserved(ascii_letters + digits + "ı×")
        # So many letters that a word is told from the reserved ones by its first alone.
        yield _unreserved(self._wide + self._alike[_NONE] + digits, depth=1)

    def _emoji(self) -> Iterator[str]:
        """Emoji with invisible characters in them."""
        if not self._selectors:
            return
        data = table()
        bases = "".join(char for char in styled_emoji() if not data.is_word_char(char))
        yield f"[{bases}]{EMOJI_STYLE}"
        if self._joiners:
            yield f"[{bases}][{EMOJI_STYLE}{_TONES}]?(?:{ZWJ}[{bases}][{EMOJI_STYLE}{_TONES}]?)+"
        yield from (f"{FLAG}{tags}" for tags in SUBDIVISIONS)


def _without(first: int, last: int, holes: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """What sorted holes leave of a range."""
    for start, end in holes[bisect_left(holes, first, key=itemgetter(1)) :]:
        if start > last:
            break
        if start > first:
            yield first, start - 1
        first = max(first, end + 1)
    if first <= last:
        yield first, last


def _is_letter(char: str) -> bool:
    return category(char)[0] in "LM"


def _unreserved(letters: str, depth: int = sys.maxsize) -> str:
    """A pattern of words that spell no reserved word.

    Args:
        letters: what the words consist of: look-alikes, and ASCII letters and digits.
        depth: how many letters are compared; what begins like a reserved word as far as that is not matched.
    """
    fold = table().fold
    written: dict[str, str] = defaultdict(str)  # what a letter means -> all that look like it
    for char in letters:
        written[fold.get(char, char).translate(STROKES)] += char
    tree: _Tree = {_END: {}}  # reserved words by letter, the empty word too
    for word in PROTECTED:
        name = word.translate(STROKES)
        node = tree
        if written.keys() >= set(name):
            for char in name[:depth]:
                node = node.setdefault(char, {})
            node[_END] = {}

    def leaving(node: _Tree, left: int) -> str:
        """What may follow: a letter that leaves the tree and then any, or one within it; an end where no name ends."""
        begun = "".join(written[char] for char in node if char != _END)
        others = "".join(char for char in letters if char not in begun)
        ways = [f"[{others}][{letters}]*"] if others else []
        if left > 1:
            ways += [f"[{written[char]}]{leaving(child, left - 1)}" for char, child in node.items() if char != _END]
        return f"(?:{'|'.join(ways)})" + ("" if _END in node else "?")

    return leaving(tree, depth)
