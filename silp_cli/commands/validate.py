"""``silp validate``: pass valid IR on untouched, withhold and diagnose the rest."""

from __future__ import annotations

from silp_cli.commands.stream import Stream, add_input_options, add_output_option
from silp_cli.commands.verbs import add_verb_options, chosen_verbs
from silp_cli.ir.check import problems, raise_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from silp_cli.text.records import Record

COMMAND = "silp validate"


def configure(parser: ArgumentParser) -> None:
    """Add the options of ``silp validate``."""
    parser.add_argument(
        "--strict", action="store_true", help="hold to the schema to the letter: no null for optional fields"
    )
    parser.add_argument(
        "--fail-on", choices=("error", "warning"), default="error",
        help="what makes a record fail (default: error)",
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="write no records, only diagnostics")
    parser.add_argument("--no-warnings", action="store_true", help="look for errors only")
    add_verb_options(parser)
    add_output_option(parser)
    add_input_options(parser)
    parser.epilog = """\
examples:
  silp validate < ir.jsonl | silp compile
  silp validate --fail-on warning --quiet ir/*.json     # a gate in CI
  silp validate --errors json ir.jsonl 2>&1 >/dev/null | jq .rule
"""


def run(options: Namespace) -> int:
    """Check every record; return the exit status."""
    verbs = chosen_verbs(options, COMMAND)
    stream = Stream(options, COMMAND)

    def transform(record: Record) -> str | None:
        found = problems(record.value, strict=options.strict, verbs=verbs, warnings=not options.no_warnings)
        if not found:
            return None if options.quiet else record.text
        if any(each.severity == "error" or options.fail_on == "warning" for each in found):
            raise_all(found)
        stream.warn(record, found)
        return None if options.quiet else record.text

    return stream.filter(stream.reader.documents(), transform)
