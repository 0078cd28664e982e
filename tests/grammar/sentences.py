"""Sentences out of an ABNF: a random walk through its rules that always comes to an end."""

from __future__ import annotations

import os
from collections import Counter
from random import Random
from typing import TYPE_CHECKING, Any

os.environ.setdefault("ABNF_NO_RUST", "1")  # the walk reads the Python parser's own objects

from abnf import Rule
from abnf.parser import Alternation, Concatenation, Literal, Option, Repetition

from silp_cli.ir.resources import read_resource

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

CORE_RULES = frozenset(("ALPHA", "DIGIT", "HEXDIG", "DQUOTE"))
_FAR = 10**6


def load(name: str) -> type[Rule]:
    """The rules of a shipped ABNF file."""
    rules: type[Rule] = type(f"Rules_{name}", (Rule,), {})
    # The library reads the line ends of RFC 5234.
    rules.load_grammar(read_resource(f"{name}.abnf").replace("\n", "\r\n"))
    return rules


def _rules(rules: type[Rule]) -> list[Rule]:
    found: list[Rule] = rules.rules()  # type: ignore[no-untyped-call]
    return found


def names(rules: type[Rule]) -> set[str]:
    """The rules that the file defines."""
    return {rule.name for rule in _rules(rules) if rule.name not in CORE_RULES}


def accepts(rules: type[Rule], text: str, start: str = "payload") -> bool:
    """Whether the ABNF, without its notes, has a text."""
    from abnf import ParseError

    try:
        rules(start).parse_all(text)
    except ParseError:
        return False
    return True


class Walk:
    """Generates sentences.

    Args:
        rules: the ABNF.
        random: the source of chance.
        special: for some rules, a function that makes their text out of the walk.
    """

    def __init__(
        self, rules: type[Rule], random: Random, special: Mapping[str, Callable[[Walk], str | None]]
    ) -> None:
        self.rules = rules
        self.random = random
        self.special = special
        self.used: Counter[str] = Counter()
        self._cost: dict[str, int] = {}
        self._work_out_costs()

    def sentence(self, rule: str = "payload", room: int = 26) -> str:
        """A text that the rule derives; ``room`` bounds how deep rules nest where a shorter way exists."""
        self.used[rule] += 1
        if rule in self.special:
            made = self.special[rule](self)
            if made is not None:
                return made
        return self._make(self.rules(rule).definition, room - 1)

    def _make(self, part: Any, room: int) -> str:
        if isinstance(part, Rule):
            return self.sentence(part.name, room)
        if isinstance(part, Literal):
            return self._literal(part)
        if isinstance(part, Concatenation):
            return "".join([self._make(each, room) for each in part.parsers])
        if isinstance(part, Alternation):
            short = [each for each in part.parsers if self._cost_of(each) <= room]
            return self._make(self.random.choice(short or [min(part.parsers, key=self._cost_of)]), room)
        if isinstance(part, Option):
            return self._make(part.alternation, room) if self._enough(part.alternation, room) else ""
        assert isinstance(part, Repetition), part
        most = part.repeat.max if part.repeat.max is not None else part.repeat.min + 3
        times = part.repeat.min
        while times < most and self._enough(part.element, room):
            times += 1
        return "".join([self._make(part.element, room) for _ in range(times)])

    def _enough(self, part: Any, room: int) -> bool:
        return self._cost_of(part) <= room and self.random.random() < 0.5

    def _literal(self, part: Literal) -> str:
        if isinstance(part.value, tuple):
            low, high = (ord(end) for end in part.value)
            return chr(self.random.randint(low, high))
        return str(part.value)

    def _work_out_costs(self) -> None:
        """How many rules deep the shortest text of each rule is."""
        changed = True
        while changed:
            changed = False
            for rule in _rules(self.rules):
                cost = 1 + self._cost_of(rule.definition)
                if cost < self._cost.get(rule.name, _FAR):
                    self._cost[rule.name] = cost
                    changed = True

    def _cost_of(self, part: Any) -> int:
        if isinstance(part, Rule):
            return self._cost.get(part.name, _FAR if part.name not in CORE_RULES else 1)
        if isinstance(part, Literal | Option):
            return 0
        if isinstance(part, Concatenation):
            return max(self._cost_of(each) for each in part.parsers)
        if isinstance(part, Alternation):
            return min(self._cost_of(each) for each in part.parsers)
        return self._cost_of(part.element) if part.repeat.min else 0


def edited(text: str, random: Random) -> str:
    """A text with a few characters changed, mostly to ones that mean something."""
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        place = random.randrange(len(text) + 1)
        other = random.randrange(place, min(len(text), place + 8) + 1)
        mark = random.choice(_MARKS)
        text = random.choice((
            text[:place] + mark + text[place:],
            text[:place] + text[other:],
            text[:place] + mark + text[place + 1 :],
            text[:other] + text[place:],
        ))
    return text


_MARKS = (
    *"()[]{},;:@!=<>-+\"'\\ \n\tat1_.é", ":=", "->", " and ", " else ", "else:", " with ", "if ", " then ",
    "==", "\x00", "\u2028", "\ud800", "“", "😀", "null", "loc=", "time=", "t+1",
)
