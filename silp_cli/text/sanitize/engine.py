"""Finds what is to be removed or folded in a text, and does it.

A text is read in three steps: invisible characters that do not belong where they stand are removed; in what is then
left, look-alikes are folded; a joiner whose neighbours have thereby become ASCII goes too. The result is a fixed
point: cleaning it again finds nothing.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from functools import cache

from silp_cli.ir.errors import ErrorCode, SilpError
from silp_cli.text.sanitize.classes import CLASSES, DRAFT_FOUR, char_class, class_of
from silp_cli.text.sanitize.clearance import Clearance
from silp_cli.text.sanitize.homoglyphs import folds, lookalikes, may_hold_lookalike
from silp_cli.text.sanitize.policy import DEFAULT as DEFAULT
from silp_cli.text.sanitize.policy import MODES as MODES
from silp_cli.text.sanitize.policy import Policy as Policy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

HOMOGLYPH = "homoglyph"

# Each also matches a literal that is not closed (its group is empty then), so that its rest is read only once.
_PLAIN = bytes(range(0x20, 0x7F))
_JSON_LITERAL = re.compile(r'"(?:[^"\\\n]|\\.)*+("?)')
_SINGLE_LITERAL = re.compile(r"'(?:[^'\\\n]|\\.)*+('?)")
_ANY_LITERAL = re.compile(r"\"(?:[^\"\\\n]|\\.)*+(\"?)|'(?:[^'\\\n]|\\.)*+('?)")


_cleared = Clearance(lambda: DEFAULT)


class Finding:
    """One character that is removed or replaced.

    Attributes:
        position: offset in characters into the text as it came.
        char: the character.
        kind: the class of an invisible character, or ``"homoglyph"``.
        replacement: what stands there afterwards; empty for an invisible character.
    """

    __slots__ = ("char", "kind", "position", "replacement")

    def __init__(self, position: int, char: str, kind: str, replacement: str = "") -> None:
        self.position = position
        self.char = char
        self.kind = kind
        self.replacement = replacement

    def __repr__(self) -> str:
        return f"Finding({self.position}, {self.char!r}, {self.kind!r}, {self.replacement!r})"



def find(text: str, policy: Policy = DEFAULT) -> list[Finding]:
    """Everything that a policy removes or folds, in order of position."""
    if text.isascii():
        return _hidden_in(text, policy)
    hidden = _hidden_in(text, policy)
    if policy.homoglyphs == "off":
        return hidden
    found = hidden + _folded_in(text, policy.homoglyphs, hidden)
    if len(found) > len(hidden) and policy.hidden is not None and policy.hidden.search(text):
        # Fold first, then ask again which joiners still have a reason to stand.
        chars = list(text)
        for finding in found[len(hidden) :]:
            chars[finding.position] = finding.replacement
        found = _hidden_in("".join(chars), policy) + found[len(hidden) :]
    found.sort(key=lambda finding: finding.position)
    return found


def apply(text: str, findings: Sequence[Finding]) -> str:
    """The text with the findings removed or replaced."""
    parts: list[str] = []
    done = 0
    for finding in findings:
        parts += (text[done : finding.position], finding.replacement)
        done = finding.position + 1
    parts.append(text[done:])
    return "".join(parts)


def clean(text: str, policy: Policy = DEFAULT) -> str:
    """The text without what the policy removes."""
    return apply(text, find(text, policy))


def _hidden_in(text: str, policy: Policy) -> list[Finding]:
    """The invisible characters that do not belong where they stand."""
    if policy.hidden is None:
        return []
    found = policy.hidden.search(text)
    if found is None:
        return []
    from silp_cli.text.sanitize.context import flag_end, is_honest

    findings: list[Finding] = []
    kept: list[str] = []
    done = 0
    while found is not None:
        position = found.start()
        char = text[position]
        kept += text[done:position]
        done = position + 1
        if not policy.context:
            findings.append(Finding(position, char, str(class_of(char))))
        elif flag_end(text, position) > position:
            done = flag_end(text, position)
            kept += text[position:done]
        elif not (policy.strict and char in DRAFT_FOUR) and is_honest(kept, char, text[done : done + 2]):
            kept.append(char)
        else:
            findings.append(Finding(position, char, str(class_of(char))))
        found = policy.hidden.search(text, done)
    return findings


def _folded_in(text: str, mode: str, hidden: Sequence[Finding]) -> list[Finding]:
    """The look-alikes to fold. No invisible character ends a word here, unless it is a control that was kept."""
    if not may_hold_lookalike(text):
        return []
    gaps = {finding.position for finding in hidden}
    gaps.update(match.start() for match in _beyond_ascii().finditer(text))
    ends = [*sorted(gaps), len(text)]
    base = "".join([text[start:end] for start, end in zip([0, *(gap + 1 for gap in ends)], ends, strict=False)])
    before = [gap - number for number, gap in enumerate(ends)]  # the offset in base behind each gap
    edits = dict(folds(base))
    if mode == "all":
        quoted = [match.span() for match in _closed(_JSON_LITERAL, base)] + [(len(base), len(base))]
        table = lookalikes()
        start = 0
        for begin, end in quoted:
            for i in range(start, begin):
                if base[i] in table:
                    edits.setdefault(i, table[base[i]])
            start = end
    return [Finding(i + bisect_right(before, i), base[i], HOMOGLYPH, new) for i, new in sorted(edits.items())]


@cache
def _beyond_ascii() -> re.Pattern[str]:
    ranges = tuple(each for ranges in CLASSES.values() for each in ranges if each[0] > 0x9F)
    return re.compile(f"[{char_class(ranges)}\x80-\x9f]")


def sanitize_structure(text: str, policy: Policy = DEFAULT) -> tuple[str, list[Finding]]:
    """Clean a payload outside its quoted literals, so that what it does is what it seems to do.

    In a JSON payload the keys and the values of ``intent`` and ``action`` are structure too.

    Args:
        text: one payload, code or JSON.
        policy: what to look for (default: everything, look-alikes in mixed or reserved words).

    Returns:
        The cleaned text and the findings, with positions in the text as it came.
    """
    if text.isascii() and text.isprintable():
        return text, []
    # Most text beyond ASCII is honest: look at its few characters before the whole is taken apart.
    few = text.encode("utf-8", "surrogatepass").translate(None, _PLAIN).decode("utf-8", "surrogatepass")
    if (policy.hidden is None or policy.hidden.search(few) is None) and not may_hold_lookalike(few):
        return text, []
    if policy is DEFAULT and _cleared(text):
        return text, []
    json_text = text.lstrip().lstrip(DRAFT_FOUR).lstrip().startswith(("{", "["))
    # A stand-in that no rule touches and no word contains takes the place of each literal's inside.
    chars = list(text)
    for start, end in _literals(text, json_text):
        chars[start:end] = ["~"] * (end - start)
    findings = find("".join(chars), policy)
    return apply(text, findings), findings


def _literals(text: str, json_text: bool) -> Iterable[tuple[int, int]]:
    """The insides of the literals that are content."""
    if not json_text:
        for start, end in _code_literals(text):
            yield start + 1, end - 1
        return
    names_action = False
    for match in _closed(_JSON_LITERAL, text):
        rest = text[match.end() : match.end() + 32].lstrip()
        if rest.startswith(":"):
            names_action = clean(match.group()[1:-1]) in ("intent", "action")
        elif names_action:
            names_action = False
        else:
            yield match.start() + 1, match.end() - 1


def _closed(literal: re.Pattern[str], text: str, start: int = 0, end: int = sys.maxsize) -> Iterator[re.Match[str]]:
    """The literals that are closed."""
    return (match for match in literal.finditer(text, start, end) if match.group(1))


def _code_literals(text: str) -> Iterator[tuple[int, int]]:
    """The literals in either quotes. In the rest of one that is not closed there may be literals in the other ones."""
    for match in _ANY_LITERAL.finditer(text):
        if match.group(match.lastindex or 0):
            yield match.span()
        else:
            other = _SINGLE_LITERAL if match.lastindex == 1 else _JSON_LITERAL
            for inner in _closed(other, text, match.start() + 1, match.end()):
                yield inner.span()


def original_position(findings: Sequence[Finding], position: int) -> int:
    """The offset in the text as it came of an offset in the cleaned text."""
    for finding in findings:
        if finding.position > position:
            break
        if not finding.replacement:
            position += 1
    return position


def describe(finding: Finding) -> str:
    """One finding in words: ``removed U+200B ZERO WIDTH SPACE``, ``read U+0441 CYRILLIC SMALL LETTER ES as 'c'``."""
    label = label_of(finding.char)
    return f"read {label} as '{finding.replacement}'" if finding.replacement else f"removed {label}"


def label_of(char: str) -> str:
    """Code point and Unicode name; controls and private use have a name by their kind."""
    return f"U+{ord(char):04X} {name_of(char)}"


def name_of(char: str) -> str:
    """The Unicode name, or for a character without one its kind, such as ``<control>``."""
    from unicodedata import name

    kind = class_of(char) or "unnamed"
    return name(char, "") or _ALIASES.get(char, f"<{kind}>")


_ALIASES = {
    "\x00": "NULL", "\x07": "BELL", "\x08": "BACKSPACE", "\r": "CARRIAGE RETURN", "\x1b": "ESCAPE", "\x7f": "DELETE",
    "\x85": "NEXT LINE",
}


def refusal(findings: Sequence[Finding]) -> SilpError:
    """The findings as an error, for receivers that trust nothing."""
    return _diagnostic(findings, "error")


def warning(findings: Sequence[Finding]) -> SilpError:
    """The findings as a warning: what was removed and read otherwise."""
    return _diagnostic(findings, "warning")


def _listed(findings: Sequence[Finding]) -> str:
    """What was done, each kind of change once, the first few by name."""
    counts: dict[str, int] = {}
    for finding in findings:
        done = f"{describe(finding)} ({finding.kind})"
        counts[done] = counts.get(done, 0) + 1
    shown = [done if count == 1 else f"{done} {count} times" for done, count in list(counts.items())[:_LISTED]]
    left = sum(list(counts.values())[_LISTED:])
    return ", ".join(shown) + (f", and {left} more" if left else "")


_LISTED = 5


def _diagnostic(findings: Sequence[Finding], severity: str) -> SilpError:
    first = findings[0]
    more = f" and {len(findings) - 1} more" if len(findings) > 1 else ""
    if severity == "error":
        return SilpError(
            ErrorCode.INVALID_SYNTAX, f"disguised text: {label_of(first.char)} ({first.kind}){more}",
            rule=f"sanitize.{first.kind}", position=first.position,
            hint="clean it with: silp sanitize; or see it with: silp sanitize --show",
        )
    return SilpError(
        ErrorCode.INVALID_SYNTAX, _listed(findings), rule=f"sanitize.{first.kind}",
        severity="warning", position=first.position, hint="see it with: silp sanitize --show",
    )
