"""``silp decode --extract``: the calls and payloads in what a model wrote, as IR or as plain calls."""

from __future__ import annotations

from silp_cli.dialects.chosen import chosen_names, chosen_reader, chosen_tools
from silp_cli.dialects.extracting import Extraction
from silp_cli.dialects.lines import place_in_line, text_of_line
from silp_cli.dialects.pipeline import Pipeline
from silp_cli.ir.errors import SilpError
from silp_cli.text.command import CommandError
from silp_cli.text.live import LiveText, read_pieces
from silp_cli.text.records import Record, read_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, TypedDict, Unpack

    from silp_cli.text.records import Reader
    from silp_cli.text.stream import Result, Stream

    class ExtractOptions(TypedDict):
        """The options of ``--extract``, as the command line names them."""

        as_: str | None
        lines: bool
        typed: bool
        tools: str | None
        map_file: str | None
        dialect: str | None
        dialects: str | None
        reasoning: bool
        prose: bool


def run(
    stream: Stream, dumps: Callable[[Any], str], command: str, *, verbs: frozenset[str] | None, sanitize: str,
    **options: Unpack[ExtractOptions],
) -> int:
    """Extract from every input; return the exit status.

    Args:
        stream: the inputs and the output.
        dumps: writes a record.
        command: the name for diagnostics.
        verbs: the action codes whose calls are recognised in running prose; None for those that the draft names.
        sanitize: what to do about invisible characters and look-alikes: ``clean``, ``refuse`` or ``off``.
        options: the options of ``--extract``.

    Raises:
        CommandError: when a file that an option names cannot be used, or there is no such dialect.
    """
    calls = options["as_"] == "calls"
    if calls and options["typed"]:
        raise CommandError(f"{command}: --typed is for --as ir; calls have JSON types (see '{command} --help')")
    extraction = Extraction(
        calls=calls, typed=options["typed"], tools=chosen_tools(options["tools"], command),
        names=chosen_names(options["map_file"], command),
    )
    reader = chosen_reader(
        command, verbs=verbs, dialect=options["dialect"], dialects=options["dialects"], reasoning=options["reasoning"],
        prose=options["prose"],
    )
    pipeline = Pipeline(reader, extraction, sanitize)
    if not options["lines"]:
        return stream.write(texts(stream.reader, pipeline, dumps))
    if calls and stream.on_error == "emit":
        return stream.write(_lists(stream, pipeline, dumps))
    return stream.write(_one_by_one(stream.reader, pipeline, dumps))


def refuse_options(command: str, **options: Unpack[ExtractOptions]) -> None:
    """Refuse the options of ``--extract`` where it is not given.

    Raises:
        CommandError: naming the first of them.
    """
    for name, value in options.items():
        if value:
            option = name.removesuffix("_").removesuffix("_file")
            raise CommandError(f"{command}: --{option} is for --extract (see '{command} --help')")


def texts(reader: Reader, pipeline: Pipeline, dumps: Callable[[Any], str]) -> Iterator[Result]:
    """Each input as one text; what is found in it is given as soon as it is complete."""
    for source in reader.sources:
        reader.count += 1
        record = Record(source.name, reader.count, 1, "")
        so_far = LiveText()
        for found in pipeline.live(read_pieces(source, reader.max_record, reader.before_read), so_far):
            warnings = [so_far.place(each) for each in found.warnings]
            yield record, so_far.place(found.error) if found.error is not None else dumps(found.value), warnings


def _one_by_one(reader: Reader, pipeline: Pipeline, dumps: Callable[[Any], str]) -> Iterator[Result]:
    for record in _lines(reader):
        if not record.text.strip() and record.error is None:
            continue
        for value, error, warnings in _of_line(record, pipeline):
            yield record, dumps(value) if error is None else error, warnings


def _lists(stream: Stream, pipeline: Pipeline, dumps: Callable[[Any], str]) -> Iterator[Result]:
    """One list for each line, so that input and output stay aligned; errors stand in it where they were found."""
    for record in _lines(stream.reader):
        out: list[Any] = []
        told: list[SilpError] = []
        if record.text.strip() or record.error is not None:
            for value, error, warnings in _of_line(record, pipeline):
                told += warnings
                if error is None:
                    out.append(value)
                    continue
                stream.diagnose(record, error)
                out.append({"error": error.to_dict()})
        yield record, dumps(out), told


def _lines(reader: Reader) -> Iterator[Record]:
    for source in reader.sources:
        for line in read_lines(source, reader.max_record, reader.before_read):
            reader.count += 1
            yield Record(source.name, reader.count, line.number, line.text, error=line.error)


def _of_line(record: Record, pipeline: Pipeline) -> Iterable[tuple[Any, SilpError | None, list[SilpError]]]:
    if record.error is not None:
        yield None, record.error, []
        return
    line = record.text
    try:
        text = text_of_line(line)
    except SilpError as error:
        yield None, error, []
        return
    for found in pipeline.text(text):
        for told in (*found.warnings, *(() if found.error is None else (found.error,))):
            for each in told.all():
                if each.position is not None:
                    each.position = place_in_line(line, each.position)
        yield found.value, found.error, found.warnings
