"""``silp compile --as DIALECT``: the tool call that an IR is, in a dialect's own form."""

from __future__ import annotations

from silp_cli.dialects.chosen import chosen_names, chosen_table
from silp_cli.dialects.from_ir import from_ir, require_no_other_meta
from silp_cli.dialects.write import write, written_as
from silp_cli.ir.check import require_valid
from silp_cli.ir.errors import SilpError
from silp_cli.text.command import CommandError
from silp_cli.text.stream import Stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Unpack

    from silp_cli.text.records import Record
    from silp_cli.text.stream import StreamOptions


def run(
    command: str, dialect: str, verbs: Collection[str] | None, *, bare: bool, map_file: str | None,
    dialects: str | None, **stream: Unpack[StreamOptions],
) -> int:
    """Write the call of every record; return the exit status.

    Args:
        command: the name for diagnostics.
        dialect: the dialect to write.
        verbs: the action codes that are allowed; None allows any.
        bare: leave out the call's id, and do not mind what else stands in meta.
        map_file: action codes of tools.
        dialects: a file with further dialects.
        stream: files, output, errors, limits.

    Raises:
        CommandError: when there is no such dialect, or the map cannot be used.
    """
    names = chosen_names(map_file, command)
    table = chosen_table(dialects, command)
    try:
        written_as(dialect, table)
    except SilpError as error:
        raise CommandError(f"{command}: {error.message} ({error.hint})") from None

    def transform(record: Record) -> str:
        require_valid(record.value, verbs)
        call = from_ir(record.value, names=names)
        if bare:
            call.id = None
        else:
            require_no_other_meta(record.value)
        return write(call, dialect, table)

    filter = Stream(command, **stream)
    return filter.filter(filter.reader.documents(), transform)
