"""``silp decode``: surface text in, IR JSON out."""

from __future__ import annotations

from silp_cli.commands.compile import frontend_of
from silp_cli.commands.stream import Stream, add_input_options, add_output_option, json_writer
from silp_cli.commands.verbs import add_verb_options, chosen_verbs
from silp_cli.ir.errors import ErrorCode, SilpError
from silp_cli.ir.verbs import EXCLUDED, WHITELIST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Iterator
    from typing import Any

    from silp_cli.text.records import Record

COMMAND = "silp decode"


def configure(parser: ArgumentParser) -> None:
    """Add the options of ``silp decode``."""
    parser.add_argument(
        "-f", "--frontend", metavar="NAME", help="the encoding of the input (default: found by reading, '{' is json)"
    )
    parser.add_argument(
        "--extract", action="store_true",
        help="find payloads in what a model wrote: code fences, tool calls, prose around",
    )
    parser.add_argument("--pretty", action="store_true", help="indent the JSON")
    add_verb_options(parser)
    add_output_option(parser)
    add_input_options(parser)
    parser.epilog = """\
With --extract each input is one text, and calls in the middle of prose count only if their verb is on the whitelist.

examples:
  silp decode < payloads.txt | silp validate
  echo 'cancel(flight); email(zhangsan)' | silp decode --pretty
  model-answer | silp decode --extract | jq .intent
"""


def run(options: Namespace) -> int:
    """Decode every record; return the exit status."""
    dumps = json_writer(pretty=options.pretty)
    verbs = chosen_verbs(options, COMMAND)
    decode = _reader_of(options.frontend)
    stream = Stream(options, COMMAND)
    if options.extract:
        known = frozenset((*WHITELIST, *EXCLUDED)) if verbs is None else verbs
        return stream.filter(_extracted(stream.reader.texts(), known), lambda record: dumps(record.value))
    return stream.filter(stream.reader.payloads(), lambda record: dumps(decode(record.text)))


def _reader_of(name: str | None) -> Callable[[str], dict[str, Any]]:
    """The decode function of a frontend, or one that finds the frontend by reading."""
    if name is not None:
        return frontend_of(name, COMMAND).decode
    read = {"{": frontend_of("json", COMMAND).decode}
    code = frontend_of("code", COMMAND).decode
    get = read.get
    return lambda text: get(text.lstrip(" \t\r\n")[:1], code)(text)


def _extracted(texts: Iterator[Record], verbs: frozenset[str]) -> Iterator[Record]:
    """Yield a record for each payload found in each text, and one with an error for a text that has none."""
    from silp_cli.frontends.extract import extract

    for text in texts:
        if text.error is not None:
            yield text
            continue
        found = extract(text.text, verbs)
        for each in found:
            yield text.derived(each.ir, each.error)
        if not found:
            yield text.derived(None, SilpError(
                ErrorCode.DECODE_FAILED, "no payload found in the text", rule="extract.none",
                hint="payloads look like cancel(flight) or {\"intent\":\"!CANCEL\"}",
            ))
