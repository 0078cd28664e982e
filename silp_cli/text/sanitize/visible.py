"""Invisible characters and look-alikes made visible, as ``cat -v`` does for controls."""

from __future__ import annotations

import re
from functools import cache

from silp_cli.text.sanitize.classes import CLASSES, char_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from silp_cli.text.sanitize.engine import Finding

_MARK, _END = "\x1b[7m", "\x1b[0m"


def reveal(text: str, findings: Sequence[Finding] = (), *, color: bool = False) -> str:
    """A text in which every invisible character stands as ``<U+200B>``.

    Args:
        text: one or more lines; tab, LF and CR LF stay.
        findings: look-alikes among them are shown with what they are read as: ``<U+0441=c>``.
        color: show the marks in reverse video.
    """
    parts: list[str] = []
    done = 0
    for finding in findings:
        if finding.replacement:
            parts.append(_reveal_hidden(text[done : finding.position], color))
            parts.append(_mark(f"{ord(finding.char):04X}={finding.replacement}", color))
            done = finding.position + 1
    parts.append(_reveal_hidden(text[done:], color))
    return "".join(parts)


@cache
def _hidden() -> re.Pattern[str]:
    ranges = tuple(each for name, ranges in CLASSES.items() if name != "control" for each in ranges)
    return re.compile(f"[{char_class(ranges)}\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f\\u2028\\u2029]|\\r(?!\\n)")


def _reveal_hidden(text: str, color: bool) -> str:
    return _hidden().sub(lambda match: _mark(f"{ord(match.group()):04X}", color), text)


def _mark(label: str, color: bool) -> str:
    return f"{_MARK}<U+{label}>{_END}" if color else f"<U+{label}>"
