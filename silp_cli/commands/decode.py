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
    from silp_cli.text.sanitize.engine import Finding

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
    guard = parser.add_mutually_exclusive_group()
    guard.add_argument(
        "--sanitize", choices=("clean", "refuse"), default="clean",
        help="invisible characters and look-alikes outside quoted literals: clean and warn, or refuse the record "
        "(default: clean)",
    )
    guard.add_argument(
        "--no-sanitize", dest="sanitize", action="store_const", const="off", help="decode the text as it is"
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
        texts = _extracted(stream.reader.texts(), known, stream, options.sanitize)
        return stream.filter(texts, lambda record: dumps(record.value))
    if options.sanitize == "off":
        return stream.filter(stream.reader.payloads(), lambda record: dumps(decode(record.text)))

    def transform(record: Record) -> str:
        text = record.text
        if text.isascii() and text.isprintable():
            return dumps(decode(text))
        text, findings = _sanitized(record, stream, options.sanitize)
        try:
            return dumps(decode(text))
        except SilpError as error:
            raise _moved(error, findings) from None

    return stream.filter(stream.reader.payloads(), transform)


def _sanitized(record: Record, stream: Stream, how: str) -> tuple[str, list[Finding]]:
    """The record's text without disguises in its structure, and what they were; they have been reported.

    Raises:
        SilpError: under ``refuse``, when there is any.
    """
    from silp_cli.text.sanitize.engine import refusal, sanitize_structure, warning

    text, findings = sanitize_structure(record.text)
    if findings and how == "refuse":
        raise refusal(findings)
    if findings:
        stream.warn(record, [warning(findings)])
    return text, findings


def _moved(error: SilpError, findings: list[Finding]) -> SilpError:
    """The error with its positions in the text as it came."""
    if findings:
        from silp_cli.text.sanitize.engine import original_position

        for each in error.all():
            if each.position is not None:
                each.position = original_position(findings, each.position)
    return error


def _reader_of(name: str | None) -> Callable[[str], dict[str, Any]]:
    """The decode function of a frontend, or one that finds the frontend by reading."""
    if name is not None:
        return frontend_of(name, COMMAND).decode
    read = {"{": frontend_of("json", COMMAND).decode}
    code = frontend_of("code", COMMAND).decode
    get = read.get
    return lambda text: get(text.lstrip(" \t\r\n")[:1], code)(text)


def _extracted(
    texts: Iterator[Record], verbs: frozenset[str], stream: Stream, sanitize: str
) -> Iterator[Record]:
    """Yield a record for each payload found in each text, and one with an error for a text that has none."""
    from silp_cli.frontends.extract import extract

    for text in texts:
        if text.error is not None:
            yield text
            continue
        cleaned = text.text
        findings: list[Finding] = []
        if sanitize != "off":
            try:
                cleaned, findings = _sanitized(text, stream, sanitize)
            except SilpError as error:
                yield text.derived(None, error)
                continue
        found = extract(cleaned, verbs)
        for each in found:
            yield text.derived(each.ir, each.error and _moved(each.error, findings))
        if not found:
            yield text.derived(None, SilpError(
                ErrorCode.DECODE_FAILED, "no payload found in the text", rule="extract.none",
                hint="payloads look like cancel(flight) or {\"intent\":\"!CANCEL\"}",
            ))
