"""``silp error``: payload-level error objects."""

from __future__ import annotations

from silp_cli.commands import CommandError
from silp_cli.commands.rows import add_format_option, write_rows
from silp_cli.commands.stream import Output, Stream, add_input_options, add_output_option, json_writer
from silp_cli.ir.errors import ErrorCode, SilpError
from silp_cli.protocol.error_object import (
    DESCRIPTIONS,
    MEMBER,
    error_object,
    is_error_object,
    read_diagnostic,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from silp_cli.text.records import Record

COMMAND = "silp error"


def configure(parser: ArgumentParser) -> None:
    """Add the options of ``silp error``."""
    parser.add_argument(
        "--code", choices=[str(code) for code in ErrorCode], help="write one error of this code"
    )
    parser.add_argument(
        "--message", help="what went wrong, one line (default: what the draft says of the code)"
    )
    parser.add_argument("--hint", default="", help="what to do about it, one line")
    parser.add_argument("--req-id", metavar="HEX", help="the request that the error answers")
    parser.add_argument("--list", action="store_true", help="list the six codes")
    add_format_option(parser)
    add_output_option(parser)
    add_input_options(parser)
    parser.epilog = """\
Without --code, diagnostics come in as JSON Lines ('--errors json', or '--on-error emit') and go out as
error objects. An error object stands where a payload would and fits into every envelope; it is no JSON-RPC
error.

examples:
  silp error --code session_expired
  silp decode --errors json < payloads.txt 2>&1 >/dev/null | silp error
  silp error --code timeout | silp wrap mcp --answer
"""


def run(options: Namespace) -> int:
    """Write error objects; return the exit status."""
    if options.list:
        write_rows(
            [{"code": str(code), "description": text} for code, text in DESCRIPTIONS.items()], options.format
        )
        return 0
    dumps = json_writer(pretty=False)
    if options.code is None:
        if options.message is not None or options.hint:
            raise CommandError(f"{COMMAND}: --message and --hint go with --code")
        stream = Stream(options, COMMAND)
        return stream.filter(
            stream.reader.documents(), lambda record: dumps(error_object(_diagnostic(record), options.req_id))
        )
    if options.files:
        raise CommandError(f"{COMMAND}: --code takes no input files")
    code = ErrorCode(options.code)
    message = DESCRIPTIONS[code] if options.message is None else options.message
    output = Output(options.output)
    output.line(dumps(error_object(SilpError(code, message, hint=options.hint), options.req_id)))
    output.close()
    return 0


def _diagnostic(record: Record) -> SilpError:
    """The error that a record describes: a diagnostic, an emitted one, or an error object."""
    value = record.value
    if is_error_object(value):
        value = value[MEMBER]
    elif isinstance(value, dict) and isinstance(value.get("error"), dict):
        value = value["error"]
    if not isinstance(value, dict):
        raise SilpError(
            ErrorCode.INVALID_SYNTAX, "a diagnostic is a JSON object", rule="error.form", position=0
        )
    return read_diagnostic(value)
