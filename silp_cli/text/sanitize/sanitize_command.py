"""``silp sanitize``: strip what readers cannot see and models can."""

from __future__ import annotations

import sys
from collections import Counter

from silp_cli.ir.errors import SilpError
from silp_cli.ir.jsontext import MAX_DEPTH
from silp_cli.text.command import CommandError, color_wanted
from silp_cli.text.jobs import with_jobs
from silp_cli.text.output import Output
from silp_cli.text.records import MAX_RECORD, Record
from silp_cli.text.sanitize.classes import CLASSES, class_list
from silp_cli.text.sanitize.engine import Policy
from silp_cli.text.sanitize.reports import Place, Report
from silp_cli.text.sanitize.stream import Cleaner, Line
from silp_cli.text.sanitize.visible import reveal
from silp_cli.text.stream import Stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Unpack

    from silp_cli.text.records import Source
    from silp_cli.text.sanitize.engine import Finding
    from silp_cli.text.stream import StreamOptions

COMMAND = "silp sanitize"


@with_jobs(COMMAND, alone=lambda given: (given["show"] or given["diff"]) and color_wanted(sys.stdout))
def run(
    *, classes: str | None, keep: str | None, strict: bool, homoglyphs: str, json: bool,
    encoding_errors: str, check: bool, report: str | None, report_file: str | None, diff: bool, show: bool,
    **stream: Unpack[StreamOptions],
) -> int:
    """Clean, check or show the input; return the exit status."""
    if sum((check, diff, show)) > 1:
        raise CommandError(f"{COMMAND}: --check, --diff and --show exclude one another")
    cleaned = CLASSES if classes is None else _classes("--classes", classes)
    kept = _classes("--keep", keep or "")
    policy = Policy(
        [name for name in cleaned if name not in kept],
        strict=strict, homoglyphs=homoglyphs, context=not show,
    )
    filter = Stream(COMMAND, **stream)
    view = "check" if check else "diff" if diff else "show" if show else "clean"
    if report is None and (check or report_file):
        report = "text"
    cleaning = _Run(
        filter, policy, view, report, report_file, replace=encoding_errors == "replace",
        color=stream.get("output") is None and color_wanted(sys.stdout),
    )
    if json:
        limit, depth = stream.get("max_record_size", MAX_RECORD), stream.get("max_depth", MAX_DEPTH)
        return cleaning.run(lambda source: cleaning.json(source, limit, depth))
    return cleaning.run(cleaning.text)


def _classes(option: str, text: str) -> tuple[str, ...]:
    try:
        return class_list(text)
    except ValueError as error:
        raise CommandError(f"{COMMAND}: {option}: {error} (see '{COMMAND} --help')") from None


class _Run:
    """One run: the sources in turn, and what is written of them.

    Args:
        stream: the inputs and the output.
        policy: what is cleaned.
        view: what comes out: ``"clean"``, ``"check"``, ``"diff"`` or ``"show"``.
        form: of the report, if there is one.
        report_file: where it goes.
        replace: whether bytes that are not UTF-8 are read as U+FFFD.
        color: whether stdout takes colours.
    """

    def __init__(
        self, stream: Stream, policy: Policy, view: str, form: str | None, report_file: str | None, *, replace: bool,
        color: bool,
    ) -> None:
        self.policy = policy
        self.view = view
        self.form = form
        self.report_file = report_file
        self.replace = replace
        self.cleaner = Cleaner(policy, replace=replace)
        self.stream = stream
        self.output = stream.output
        self.color = color and view in ("show", "diff")
        self.report_output: Output | None = None
        self.report: Report | None = None
        self.counts: dict[str, int] = {}
        self.part = stream.part
        self.records = self.part.record if self.part else 0
        if self.part:
            self.part.reads = "text"
            self.part.numbered |= bool(form) or view == "diff"
            if form == "sarif" or report_file:
                raise CommandError(f"{COMMAND}: one report on a whole cannot be written by its parts")

    def run(self, clean: Callable[[Source], bool]) -> int:
        """Clean each source; return the exit status."""
        self._open_report()
        try:
            for source in self.stream.reader.sources:
                if clean(source):
                    break
        except BaseException:
            self.output.discard()
            if self.report_output is not None:
                self.report_output.discard()
            raise
        if self.report is not None:
            self.report.close()
        self.stream.close()
        if self.report_output is not None:
            self.report_output.close()
        return self._verdict()

    def _open_report(self) -> None:
        if self.form is None:
            return
        if self.report_file:
            self.report_output = Output(self.report_file)
            self.report = Report(self.form, self.report_output.line)
        elif self.view == "check":
            self.report = Report(self.form, self.output.line)
        else:
            self.report = Report(self.form, lambda line: self.stream.reporter.say(f"{line}\n"))

    def _verdict(self) -> int:
        if self.part:
            counts = Counter(self.counts)
            for each in self.part.merge or ():
                counts.update(each)
            self.counts = self.part.state = dict(counts)
            self.part.records = self.records
        if self.counts and self.view != "show" and (self.part is None or self.part.merge is not None):
            kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(self.counts.items()))
            verb = "found" if self.view in ("check", "diff") else "cleaned"
            total = sum(self.counts.values())
            self.stream.reporter.note(f"{verb} {total} character{'s' if total > 1 else ''}: {kinds}")
        if self.counts and self.view == "check":
            return self.stream.status or 1
        return self.stream.status

    def text(self, source: Source) -> bool:
        """Any text, line by line; True when the stream has to stop."""
        silent = self.view in ("check", "diff")
        for piece in self.cleaner.read(source.descriptor, self.output.flush, source.line, source.offset):
            if not isinstance(piece, Line):
                if not silent and piece:
                    self.output.raw(piece)
                continue
            if piece.error is not None:
                record = Record(source.name, piece.number, piece.number, piece.text.rstrip("\r\n"))
                record.column = piece.column + 1
                if piece.column and not silent:
                    self.output.raw(b"\n")  # what came before of a very long line is written already
                if self.stream.fail(record, piece.error):
                    return True
                continue
            self._found(piece.findings, piece.text, source.name, piece.number, piece.column, [])
            self._write(piece.text, piece.cleaned(), piece.findings, f"{source.name}:{piece.number}")
        return False

    def json(self, source: Source, limit: int, depth: int) -> bool:
        """JSON, string by string; True when the stream has to stop."""
        from silp_cli.text.sanitize.jsonmode import chunks, clean_json
        from silp_cli.text.sanitize.lines import read_raw_lines

        lines = read_raw_lines(source, limit, self.output.flush, replace=self.replace)
        for chunk in chunks(lines, limit):
            error = chunk.error
            try:
                if error is not None:
                    raise error
                cleaned, findings, ends = clean_json(chunk.text, self.policy, depth)
            except SilpError as failure:
                self.records += 1
                if self.stream.fail(Record(source.name, self.records, chunk.line, chunk.text), failure):
                    return True
                continue
            self._found(findings, chunk.text, source.name, chunk.line, 0, ends)
            self.records += len(ends)
            self._write(chunk.text, cleaned, findings, f"{source.name}:{chunk.line}")
        return False

    def _found(
        self, findings: Sequence[Finding], text: str, source: str, line: int, column: int, ends: list[int]
    ) -> None:
        """Count and report. ``ends`` are the ends of JSON documents; without them a record is a line."""
        start = record = passed = 0
        for finding in findings:
            self.counts[finding.kind] = self.counts.get(finding.kind, 0) + 1
            if self.report is None:
                continue
            breaks = text.count("\n", passed, finding.position)
            if breaks:
                line += breaks
                start = text.rfind("\n", 0, finding.position) + 1
                column = 0
            passed = finding.position
            while record < len(ends) and ends[record] <= finding.position:
                record += 1
            number = self.records + 1 + min(record, max(0, len(ends) - 1)) if ends else line
            place = Place(source, number, line, column + finding.position - start + 1)
            self.report.add(finding, text, place)

    def _write(self, text: str, cleaned: str, findings: Sequence[Finding], place: str) -> None:
        if self.view == "check":
            return
        if self.view == "show":
            self._encode(reveal(text, findings, color=self.color))
        elif self.view != "diff":
            self._encode(cleaned)
        elif findings:
            self._diff(text, cleaned, findings, place)

    def _diff(self, text: str, cleaned: str, findings: Sequence[Finding], place: str) -> None:
        red, green, off = ("\x1b[31m", "\x1b[32m", "\x1b[0m") if self.color else ("", "", "")
        self.output.line(f"@@ {place} @@")
        for line in reveal(text, findings).splitlines():
            self.output.line(f"{red}-{line}{off}")
        for line in reveal(cleaned).splitlines():
            self.output.line(f"{green}+{line}{off}")

    def _encode(self, text: str) -> None:
        self.output.raw(text.encode("utf-8", "surrogatepass"))
