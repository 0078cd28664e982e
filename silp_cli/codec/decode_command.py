"""``silp decode``: surface text in, IR JSON out."""

from __future__ import annotations

from silp_cli.frontends.chosen import chosen_frontend
from silp_cli.ir.errors import SilpError
from silp_cli.text.command import CommandError
from silp_cli.text.jobs import with_jobs
from silp_cli.text.output import json_writer
from silp_cli.text.stream import Stream
from silp_cli.text.verb_list import chosen_verbs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any, TypeAlias, Unpack

    from silp_cli.codec.extract_command import ExtractOptions
    from silp_cli.text.records import Record
    from silp_cli.text.sanitize.engine import Finding
    from silp_cli.text.stream import StreamOptions

    # A payload, the IR that it became or its error, and warnings.
    Decoded: TypeAlias = tuple[Record, dict[str, Any] | SilpError | None, Sequence[SilpError]]

COMMAND = "silp decode"


@with_jobs(COMMAND, alone=lambda arguments: bool(arguments["extract"]))  # a call may span any number of lines
def run(
    *, frontend: str | None, policy: str | None, extract: bool, sanitize: str | None, no_sanitize: bool,
    pretty: bool, verbs: str | None, any_verb: bool, as_: str | None, lines: bool,
    typed: bool, tools: str | None, map_file: str | None,
    dialect: str | None, dialects: str | None, reasoning: bool, prose: bool, **stream: Unpack[StreamOptions],
) -> int:
    """Decode every record; return the exit status."""
    if no_sanitize and sanitize is not None:
        raise CommandError(f"{COMMAND}: --sanitize and --no-sanitize exclude one another (see '{COMMAND} --help')")
    how = "off" if no_sanitize else sanitize or "clean"
    dumps = json_writer(pretty=pretty)
    allowed = chosen_verbs(verbs, any_verb, COMMAND)
    options: ExtractOptions = {
        "as_": as_, "lines": lines, "typed": typed, "tools": tools, "map_file": map_file, "dialect": dialect,
        "dialects": dialects, "reasoning": reasoning, "prose": prose,
    }
    if extract:
        if policy is not None:
            raise CommandError(f"{COMMAND}: --policy reads payloads that a policy wrote, --extract what a model wrote")
        from silp_cli.codec.extract_command import run as run_extract

        return run_extract(Stream(COMMAND, **stream), dumps, COMMAND, verbs=allowed, sanitize=how, **options)
    if any(options.values()):
        from silp_cli.codec.extract_command import refuse_options

        refuse_options(COMMAND, **options)
    read = reader_of(frontend) if policy is None else policy_reader(policy, frontend)
    filter = Stream(COMMAND, **stream)
    found = decode_records(filter.reader.payloads(), read, sanitize=how)
    return filter.write(
        (record, outcome if outcome is None or isinstance(outcome, SilpError) else dumps(outcome), warnings)
        for record, outcome, warnings in found
    )


def decode_records(
    records: Iterable[Record], read: Callable[[str], dict[str, Any]], *, sanitize: str = "clean"
) -> Iterator[Decoded]:
    """Decode payloads.

    Args:
        records: the payloads.
        read: the decode function of a frontend, such as ``reader_of`` gives.
        sanitize: what to do about disguises in the structure: ``"clean"``, ``"refuse"`` or ``"off"``.

    Yields:
        For each record its IR or its error; and warnings.
    """
    for record in records:
        if record.error is not None:
            yield record, record.error, ()
            continue
        text = record.text
        findings: list[Finding] = []
        try:
            if sanitize != "off" and not (text.isascii() and text.isprintable()):
                text, findings = _sanitized(text, sanitize)
            yield record, read(text), _warnings(findings)
        except SilpError as error:
            yield record, _moved(error, findings), _warnings(findings)


def _sanitized(text: str, how: str) -> tuple[str, list[Finding]]:
    """The text without disguises in its structure, and what they were.

    Raises:
        SilpError: under ``refuse``, when there is any.
    """
    from silp_cli.text.sanitize.engine import refusal, sanitize_structure

    text, findings = sanitize_structure(text)
    if findings and how == "refuse":
        raise refusal(findings)
    return text, findings


def _warnings(findings: list[Finding]) -> Sequence[SilpError]:
    if not findings:
        return ()
    from silp_cli.text.sanitize.engine import warning

    return (warning(findings),)


def _moved(error: SilpError, findings: list[Finding]) -> SilpError:
    """The error with its positions in the text as it came."""
    if findings:
        from silp_cli.text.sanitize.engine import original_position

        for each in error.all():
            if each.position is not None:
                each.position = original_position(findings, each.position)
    return error


def reader_of(name: str | None) -> Callable[[str], dict[str, Any]]:
    """The decode function of a frontend, or one that finds the frontend by reading.

    Raises:
        CommandError: when there is no such frontend.
    """
    if name is not None:
        return chosen_frontend(name, COMMAND).decode
    read = {"{": chosen_frontend("json", COMMAND).decode}
    code = chosen_frontend("code", COMMAND).decode
    get = read.get
    return lambda text: get(text.lstrip(" \t\r\n")[:1], code)(text)


def policy_reader(path: str, frontend: str | None) -> Callable[[str], dict[str, Any]]:
    """The decode function of a policy.

    Raises:
        CommandError: for a policy that cannot be read.
    """
    from silp_cli.policy.policy import read_policy

    if frontend is not None:
        chosen_frontend(frontend, COMMAND)
    policy = read_policy(path, COMMAND)
    return lambda text: policy.decode(text, frontend)
