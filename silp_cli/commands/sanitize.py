"""``silp sanitize``: strip what readers cannot see and models can."""

from __future__ import annotations

import sys
from collections import Counter

from silp_cli.commands import CommandError, color_wanted
from silp_cli.commands.stream import Output, Stream, add_input_options, add_output_option
from silp_cli.ir.errors import SilpError
from silp_cli.text.diagnostics import say
from silp_cli.text.records import Record
from silp_cli.text.sanitize.classes import CLASSES
from silp_cli.text.sanitize.engine import MODES, Policy
from silp_cli.text.sanitize.reports import FORMS, Place, Report
from silp_cli.text.sanitize.stream import Cleaner, Line
from silp_cli.text.sanitize.visible import reveal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Iterator, Sequence

    from silp_cli.text.records import Source
    from silp_cli.text.sanitize.engine import Finding

COMMAND = "silp sanitize"


def configure(parser: ArgumentParser) -> None:
    """Add the options of ``silp sanitize``."""
    what = parser.add_argument_group("what is cleaned")
    what.add_argument(
        "--classes", type=_class_list, metavar="LIST",
        help="clean only these classes of invisible characters, 'none' for none (default: all)",
    )
    what.add_argument("--keep", type=_class_list, default=(), metavar="LIST", help="leave these classes alone")
    what.add_argument(
        "--strict", action="store_true",
        help="strip U+200B, U+200C, U+200D and U+FEFF even in emoji and in scripts that are spelled with them",
    )
    what.add_argument(
        "--homoglyphs", choices=MODES, default="mixed",
        help="fold look-alikes of ASCII in words that mix scripts or spell a reserved word (mixed), everywhere "
        "outside double-quoted literals (all), or not (off); default: mixed",
    )
    what.add_argument(
        "--json", action="store_true", help="the input is JSON: clean the strings in it, escapes and keys too"
    )
    what.add_argument(
        "--encoding-errors", choices=("strict", "replace"), default="strict",
        help="bytes that are not UTF-8: refuse the line, or read U+FFFD (default: strict)",
    )
    how = parser.add_argument_group("what comes out")
    how.add_argument(
        "--check", action="store_true", help="write only the report; exit 1 if anything was found"
    )
    how.add_argument(
        "--report", choices=FORMS, help="report each finding, on stderr, with --check on stdout"
    )
    how.add_argument("--report-file", metavar="FILE", help="write the report there")
    how.add_argument(
        "--diff", action="store_true", help="write changed lines only, before and after, invisible made visible"
    )
    how.add_argument(
        "--show", action="store_true", help="clean nothing, write all text with the invisible made visible"
    )
    add_output_option(parser)
    add_input_options(parser)
    parser.epilog = f"""\
classes: {', '.join(CLASSES)}
Emoji sequences, joiners in scripts spelled with them and text wholly in one script stay as they are.
Text may have lines of any length, but those of more than a megabyte are judged and withheld in pieces, and with
--homoglyphs all a literal has to end in the piece it began in. --max-record-size and --max-depth hold for --json.

examples:
  silp sanitize < payloads.txt > clean.txt
  silp sanitize --check --report sarif payloads.txt > findings.sarif
  silp sanitize --json ir.jsonl | silp compile
  silp sanitize --show suspicious.txt
"""


def _class_list(text: str) -> tuple[str, ...]:
    from argparse import ArgumentTypeError

    names = tuple(name for name in text.replace(" ", "").split(",") if name not in ("", "none"))
    for name in names:
        if name not in CLASSES:
            raise ArgumentTypeError(f"no class '{name}'; there are: {', '.join(CLASSES)}")
    return names


def run(options: Namespace) -> int:
    """Clean, check or show the input; return the exit status."""
    if sum((options.check, options.diff, options.show)) > 1:
        raise CommandError(f"{COMMAND}: --check, --diff and --show exclude one another")
    return _Run(options).run()


class _Run:
    """One run: the sources in turn, and what is written of them."""

    def __init__(self, options: Namespace) -> None:
        self.options = options
        names = [name for name in options.classes or CLASSES if name not in options.keep]
        if options.classes == ():
            names = []
        self.policy = Policy(
            names, strict=options.strict, homoglyphs=options.homoglyphs, context=not options.show
        )
        self.cleaner = Cleaner(self.policy, replace=options.encoding_errors == "replace")
        self.stream = Stream(options, COMMAND)
        self.output = self.stream.output
        self.color = (options.show or options.diff) and options.output is None and color_wanted(sys.stdout)
        self.report_output: Output | None = None
        self.report: Report | None = None
        self.counts: dict[str, int] = {}
        self.part = self.stream.part
        self.records = self.part.record if self.part else 0
        if self.part:
            self.part.reads = "documents" if options.json else "lines"
            self.part.numbered = bool(options.check or options.report or options.diff)
            if options.report == "sarif" or options.report_file:
                raise CommandError(f"{COMMAND}: one report on a whole cannot be written by its parts")

    def run(self) -> int:
        self._open_report()
        try:
            for source in self.stream.reader.sources:
                stop = self._json(source) if self.options.json else self._text(source)
                if stop:
                    break
        except BaseException:
            self.output.discard()
            if self.report_output is not None:
                self.report_output.discard()
            raise
        if self.report is not None:
            self.report.close()
        self.output.close()
        if self.report_output is not None:
            self.report_output.close()
        return self._verdict()

    def _open_report(self) -> None:
        form = self.options.report
        if form is None and (self.options.check or self.options.report_file):
            form = "text"
        if form is None:
            return
        if self.options.report_file:
            self.report_output = Output(self.options.report_file)
            self.report = Report(form, self.report_output.line)
        elif self.options.check:
            self.report = Report(form, self.output.line)
        else:
            self.report = Report(form, lambda line: say(f"{line}\n"))

    def _verdict(self) -> int:
        if self.part:
            counts = Counter(self.counts)
            for each in self.part.merge or ():
                counts.update(each)
            self.counts = self.part.state = dict(counts)
            self.part.records = self.records
        if self.counts and not self.options.show and (self.part is None or self.part.merge is not None):
            kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(self.counts.items()))
            verb = "found" if self.options.check or self.options.diff else "cleaned"
            total = sum(self.counts.values())
            self.stream.reporter.note(f"{verb} {total} character{'s' if total > 1 else ''}: {kinds}")
        if self.counts and self.options.check:
            return self.stream.status or 1
        return self.stream.status

    def _text(self, source: Source) -> bool:
        """Any text, line by line; True when the stream has to stop."""
        silent = self.options.check or self.options.diff
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

    def _json(self, source: Source) -> bool:
        from silp_cli.text.sanitize.jsonmode import chunks, clean_json

        lines = _decoded_lines(source, self.options, self.output.flush)
        for chunk in chunks(lines, self.options.max_record_size):
            error = chunk.error
            try:
                if error is not None:
                    raise error
                cleaned, findings, ends = clean_json(chunk.text, self.policy, self.options.max_depth)
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
        if self.options.check:
            return
        if self.options.show:
            self._encode(reveal(text, findings, color=self.color))
        elif not self.options.diff:
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


def _decoded_lines(
    source: Source, options: Namespace, before_read: Callable[[], None]
) -> Iterator[tuple[int, str, SilpError | None]]:
    """The lines of a source with their ends, as text, and what is wrong with them."""
    from silp_cli.text.sanitize.lines import read_raw_lines

    return read_raw_lines(
        source, options.max_record_size, before_read, replace=options.encoding_errors == "replace"
    )


