"""Gates for CI: limits on what strings and payloads may cost, and a baseline they must not outgrow."""

from __future__ import annotations

import json
from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from silp_cli.census.payloads import Counts, Row
    from silp_cli.census.words import WordAudit

_FORMAT = "silp-census-baseline/1"


class Failure(NamedTuple):
    """A gate that a string or record did not pass.

    Attributes:
        rule: stable name: ``census.single-token``, ``census.unk``, ``census.max-tokens``,
            ``census.max-range`` or ``census.baseline``.
        message: what is too much, one line.
        source: where the string or record came from; empty for totals.
        line: its line there.
        record: its number, for records.
    """

    rule: str
    message: str
    source: str = ""
    line: int = 0
    record: int = 0

    def to_dict(self) -> dict[str, object]:
        """The failure as JSON data; absent facts are left out."""
        fields = {
            "rule": self.rule, "severity": "error", "message": self.message, "source": self.source,
            "record": self.record, "line": self.line,
        }
        return {name: value for name, value in fields.items() if value}


class BaselineError(ValueError):
    """A baseline file cannot be used; the message is one line."""


class Baseline:
    """Counts of an earlier run: by string or record, then by encoding, then by tokenizer.

    Args:
        mode: what is counted, such as ``words:bare``; two runs compare only if theirs is the same.
        counts: the earlier counts.
    """

    def __init__(self, mode: str, counts: dict[str, Counts] | None = None) -> None:
        self.mode = mode
        self.earlier = counts or {}
        self.now: dict[str, Counts] = {}

    @classmethod
    def parse(cls, text: str, mode: str) -> Baseline:
        """Read a baseline file's text.

        Raises:
            BaselineError: when it is no baseline, or one of another kind of run.
        """
        try:
            value = json.loads(text)
            known = value["format"] == _FORMAT
            found, counts = value["mode"], value["counts"]
            sound = all(
                isinstance(count, int)
                for encodings in counts.values() for each in encodings.values() for count in each.values()
            )
        except (ValueError, KeyError, TypeError, AttributeError):
            known = sound = False
        if not known or not sound:
            raise BaselineError("not a baseline; write one with --update-baseline")
        if found != mode:
            raise BaselineError(f"a baseline of {found}, and this run is {mode}")
        return cls(mode, counts)

    def add(self, key: str, counts: Counts) -> list[str]:
        """Take in the counts of a string or record; return what grew, one phrase each."""
        self.now[key] = counts
        grown = []
        for encoding, each in counts.items():
            before = self.earlier.get(key, {}).get(encoding, {})
            for name, count in each.items():
                if count > before.get(name, count):
                    under = f" ({encoding})" if encoding else ""
                    grown.append(f"{count} tokens in {name}{under}, {before[name]} in the baseline")
        return grown

    def render(self) -> str:
        """The text of a baseline file with the counts of this run; the same counts give the same bytes."""
        value = {"format": _FORMAT, "mode": self.mode, "counts": self.now}
        return json.dumps(value, ensure_ascii=True, indent=1, sort_keys=True) + "\n"


class Gates(NamedTuple):
    """What is asked of every string or record.

    Attributes:
        check: single-token and UNK-free in all tokenizers (strings only).
        max_tokens: most tokens in any tokenizer.
        max_range: largest difference between tokenizers.
        baseline: counts that must not grow.
        compare: whether growth over the baseline fails; not so where the baseline is only being written.
    """

    check: bool = False
    max_tokens: int | None = None
    max_range: int | None = None
    baseline: Baseline | None = None
    compare: bool = True

    def judge_word(self, audit: WordAudit) -> list[Failure]:
        """The gates that a string does not pass. Excluded verbs are shown, not judged."""
        word = audit.word
        found: list[tuple[str, str]] = []
        if word.excluded:
            return []
        if self.check:
            many = {name: count for name, count in audit.counts.items() if count != 1}
            merged = [name for name, reading in audit.readings.items() if reading.merged]
            if many:
                found.append(("census.single-token", _listing(many)))
            if merged:
                found.append(("census.single-token", f"runs into what follows it in {', '.join(merged)}"))
            unknown = [name for name, reading in audit.readings.items() if reading.unknown]
            if unknown:
                found.append(("census.unk", f"unknown to {', '.join(unknown)}"))
        found += self._limits({"": audit.counts})
        found += self._growth(word.text, {"": audit.counts})
        return [Failure(rule, f"{word.text!r}: {text}", word.source, word.line) for rule, text in found]

    def judge_row(self, row: Row, encodings: Sequence[str]) -> list[Failure]:
        """The gates that a record does not pass in the given encodings."""
        judged = {
            "" if len(encodings) == 1 else encoding: row.counts[encoding]
            for encoding in encodings if encoding in row.counts
        }
        found = self._limits(judged) + self._growth(row.item.key, judged)
        item = row.item
        return [Failure(rule, text, item.source, item.line, item.number) for rule, text in found]

    def _limits(self, counts: Mapping[str, Mapping[str, int]]) -> list[tuple[str, str]]:
        found = []
        for encoding, each in counts.items():
            under = f" ({encoding})" if encoding else ""
            if self.max_tokens is not None:
                over = {name: count for name, count in each.items() if count > self.max_tokens}
                if over:
                    text = f"{_listing(over)}{under}, more than {self.max_tokens}"
                    found.append(("census.max-tokens", text))
            spread = max(each.values()) - min(each.values())
            if self.max_range is not None and spread > self.max_range:
                found.append((
                    "census.max-range",
                    f"{min(each.values())} to {max(each.values())} tokens{under}, a range of {spread}, "
                    f"more than {self.max_range}",
                ))
        return found

    def _growth(self, key: str, counts: Counts) -> list[tuple[str, str]]:
        if self.baseline is None:
            return []
        grown = self.baseline.add(key, counts)
        return [("census.baseline", text) for text in grown] if self.compare else []


def _listing(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} token{'s' * (count != 1)} in {name}" for name, count in counts.items())
