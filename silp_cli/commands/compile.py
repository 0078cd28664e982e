"""``silp compile``: IR JSON in, surface text out."""

from __future__ import annotations

from silp_cli.commands import CommandError, lossy
from silp_cli.commands.stream import Stream, add_input_options, add_output_option
from silp_cli.commands.verbs import add_verb_options, chosen_verbs
from silp_cli.frontends.registry import get_frontend
from silp_cli.ir.check import require_valid
from silp_cli.ir.errors import ErrorCode, SilpError
from silp_cli.text.diagnostics import render

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from silp_cli.frontends.base import Frontend
    from silp_cli.text.records import Record

COMMAND = "silp compile"


def configure(parser: ArgumentParser) -> None:
    """Add the options of ``silp compile``."""
    parser.add_argument(
        "-f", "--frontend", default="code", metavar="NAME", help="the encoding to write (default: code)"
    )
    parser.add_argument("--bare", action="store_true", help="leave out meta, silp and version")
    parser.add_argument(
        "--degrade", action="store_true",
        help="where the frontend fails, take the next of the chain code, math, json, natural, and say so",
    )
    parser.add_argument("--session", metavar="ID", help="stamp the session's id and count a turn for each payload")
    parser.add_argument("--state", metavar="FILE", help="where sessions are kept (see: silp session --help)")
    add_verb_options(parser)
    add_output_option(parser)
    add_input_options(parser)
    lossy.add_options(parser)
    parser.epilog = """\
examples:
  silp compile < ir.json
  silp compile --frontend json --bare ir.jsonl -o payloads.txt
  jq -c '.[]' array.json | silp compile --on-error stop
  silp compile -f llmlingua2 --rate 0.6 --keep --report ir.jsonl 2> report.jsonl
  silp compile --session a1 --degrade < ir.jsonl
"""


def run(options: Namespace) -> int:
    """Compile every record; return the exit status."""
    verbs = chosen_verbs(options, COMMAND)
    if options.degrade or options.session is not None:
        from silp_cli.commands.compile_session import compile_records

        lossy.refuse_options(options, COMMAND)
        if not options.degrade:
            frontend_of(options.frontend, COMMAND)
        return compile_records(options, verbs)
    if options.frontend == lossy.FRONTEND:
        from silp_cli.commands import lossy_stream

        return lossy_stream.run(options, COMMAND, verbs)
    lossy.refuse_options(options, COMMAND)
    frontend = frontend_of(options.frontend, COMMAND)
    bare = options.bare
    write = frontend.compile
    stream = Stream(options, COMMAND)

    limit = options.max_record_size

    def transform(record: Record) -> str:
        require_valid(record.value, verbs)
        text = write(record.value, bare=bare)
        if len(text) > limit >> 2 and len(text.encode()) > limit:
            stream.warn(record, [_over_limit(len(text.encode()), limit)])
        return text

    return stream.filter(stream.reader.documents(), transform)


def _over_limit(size: int, limit: int) -> SilpError:
    return SilpError(
        ErrorCode.INVALID_SYNTAX, f"the payload has {size} bytes, more than the limit of {limit}",
        rule="limit.payload-size", severity="warning", hint="its readers have to raise --max-record-size as well",
    )


def frontend_of(name: str, command: str) -> Frontend:
    """The frontend of a name given on the command line.

    Raises:
        CommandError: when there is none.
    """
    try:
        return get_frontend(name)
    except SilpError as error:
        raise CommandError(render(error, command)) from None
