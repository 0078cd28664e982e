"""What was found, for people (a line each), for programs (JSON Lines) and for code scanners (SARIF 2.1.0).

Reports are written as the stream goes by, so they take no memory however much is found.
"""

from __future__ import annotations

import re

from silp_cli.ir.jsontext import dumps
from silp_cli.text.safe import escape
from silp_cli.text.sanitize.classes import CLASSES
from silp_cli.text.sanitize.engine import HOMOGLYPH, Finding, name_of
from silp_cli.text.sanitize.visible import reveal
from silp_cli.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

FORMS = ("text", "json", "sarif")
SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"

_CONTEXT = 20  # characters on either side: a report is to stay small where much is found
_separator = re.compile(r"[\s()\[\]{}<>,;:=!@\"'`|&?]")

_RULES = {
    "zero-width": "Zero-width character",
    "bidi": "Bidirectional control (CVE-2021-42574)",
    "tags": "Tag character (ASCII smuggling)",
    "variation": "Variation selector without a base that has variants",
    "ignorable": "Default-ignorable code point",
    "control": "Control character",
    "soft-hyphen": "Soft hyphen",
    "hangul-filler": "Hangul filler",
    "annotation": "Interlinear annotation character",
    "private-use": "Private-use code point",
    "noncharacter": "Noncharacter",
    HOMOGLYPH: "Look-alike of an ASCII letter or digit",
}
assert _RULES.keys() == {*CLASSES, HOMOGLYPH}


class Place:
    """Where a finding is.

    Args:
        source: file name or ``stdin``.
        record: 1-based number of the record.
        line: 1-based line of the source.
        column: 1-based column, in characters.
    """

    __slots__ = ("column", "line", "record", "source")

    def __init__(self, source: str, record: int, line: int, column: int) -> None:
        self.source = source
        self.record = record
        self.line = line
        self.column = column


def word_at(text: str, position: int) -> str:
    """The word in which a character stands: up to white space or structure, or to a few characters, on either side."""
    start = max(0, position - _CONTEXT)
    end = min(len(text), position + _CONTEXT + 1)
    before = list(_separator.finditer(text, start, position))
    after = _separator.search(text, position + 1, end)
    begin = before[-1].end() if before else start
    cut_before = "…" if not before and start and not _separator.match(text, start - 1) else ""
    cut_after = "…" if after is None and end < len(text) and not _separator.match(text, end) else ""
    return cut_before + text[begin : after.start() if after else end] + cut_after


class Report:
    """Writes findings in one of the forms.

    Args:
        form: ``"text"``, ``"json"`` or ``"sarif"``.
        write: takes a line without its end.
    """

    def __init__(self, form: str, write: Callable[[str], None]) -> None:
        self.form = form
        self._write = write
        self._first = True
        if form == "sarif":
            write(_sarif_head())

    def add(self, finding: Finding, text: str, place: Place) -> None:
        """Write one finding.

        Args:
            finding: what was found.
            text: the text it was found in.
            place: where that is.
        """
        word = word_at(text, finding.position)
        if self.form == "text":
            what = f"read as '{finding.replacement}'" if finding.replacement else "removed"
            self._write(
                f"{place.source}:{place.line}:{place.column}: {finding.kind}: U+{ord(finding.char):04X} "
                f"{name_of(finding.char)} {what}, in \"{reveal(word)}\""
            )
        elif self.form == "json":
            self._write(escape(dumps(_facts(finding, word, place))))
        else:
            self._write(("" if self._first else ",") + escape(dumps(_sarif_result(finding, word, place))))
            self._first = False

    def close(self) -> None:
        """Write what ends the report."""
        if self.form == "sarif":
            self._write("]}]}")


def _facts(finding: Finding, word: str, place: Place) -> dict[str, object]:
    return {
        "source": place.source,
        "record": place.record,
        "line": place.line,
        "column": place.column,
        "codepoint": f"U+{ord(finding.char):04X}",
        "name": name_of(finding.char),
        "class": finding.kind,
        "replacement": finding.replacement,
        "word": word,
    }


def _sarif_head() -> str:
    rules = [
        {"id": f"sanitize/{kind}", "shortDescription": {"text": text}} for kind, text in _RULES.items()
    ]
    driver = {"name": "silp sanitize", "version": __version__, "rules": rules}
    head = dumps({"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [
        {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": []}
    ]})
    return head.removesuffix("]}]}")


def _sarif_result(finding: Finding, word: str, place: Place) -> dict[str, object]:
    what = f"reads as '{finding.replacement}'" if finding.replacement else "is invisible"
    message = f"U+{ord(finding.char):04X} {name_of(finding.char)} {what}, in \"{reveal(word)}\""
    region = {"startLine": place.line, "startColumn": place.column, "endColumn": place.column + 1}
    location = {"artifactLocation": {"uri": _uri(place.source)}, "region": region}
    return {
        "ruleId": f"sanitize/{finding.kind}",
        "level": "warning" if finding.kind in ("soft-hyphen", "private-use") else "error",
        "message": {"text": message},
        "locations": [{"physicalLocation": location}],
        "properties": _facts(finding, word, place),
    }


def _uri(source: str) -> str:
    from urllib.parse import quote

    return quote(source)


