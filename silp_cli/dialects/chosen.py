"""What the options of a command line choose: dialects, definitions of tools, a map of names."""

from __future__ import annotations

from silp_cli.dialects.names import Names, parse_map
from silp_cli.ir.verbs import EXCLUDED, WHITELIST
from silp_cli.text.command import CommandError
from silp_cli.text.output import read_whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from silp_cli.dialects.checking import Tools
    from silp_cli.dialects.reader import Reader
    from silp_cli.dialects.table import Table


def chosen_reader(
    command: str, *, verbs: frozenset[str] | None, dialect: str | None, dialects: str | None, reasoning: bool,
    prose: bool,
) -> Callable[[], Reader]:
    """What makes the reader of a text.

    Args:
        command: the name for diagnostics.
        verbs: the action codes whose calls are recognised in running prose; None for those that the draft names.
        dialect: the only dialect to read.
        dialects: a file with further dialects.
        reasoning: read what stands in reasoning, too.
        prose: read running text, too.

    Raises:
        CommandError: when there is no such dialect, or the file cannot be used.
    """
    from silp_cli.dialects.reader import Reader

    table = chosen_table(dialects, command)
    if dialect is not None:
        try:
            table.only(dialect)
        except ValueError as error:
            raise CommandError(f"{command}: {error}") from None
    known = frozenset((*WHITELIST, *EXCLUDED)) if verbs is None else verbs
    return lambda: Reader(table=table, dialect=dialect, verbs=known, reasoning=reasoning, prose=prose)


def chosen_table(path: str | None, command: str) -> Table:
    """The dialects that are known, with what ``--dialects`` adds.

    Raises:
        CommandError: when the file cannot be read or is no table.
    """
    from silp_cli.dialects.table import built_in, read_table

    if path is None:
        return built_in()
    try:
        return built_in().plus(read_table(read_whole(path, command)))
    except ValueError as error:
        raise CommandError(f"{command}: {path}: {error}") from None


def chosen_names(path: str | None, command: str) -> Names:
    """How tools are called in the IR, with what ``--map`` says.

    Raises:
        CommandError: when the file cannot be read or is no map.
    """
    if path is None:
        return Names()
    try:
        return Names(parse_map(read_whole(path, command)))
    except ValueError as error:
        raise CommandError(f"{command}: {path}: {error}") from None


def chosen_tools(path: str | None, command: str) -> Tools | None:
    """The definitions of tools that ``--tools`` names.

    Raises:
        CommandError: when the file cannot be read or holds something else.
    """
    if path is None:
        return None
    from silp_cli.dialects.checking import Tools

    try:
        return Tools.parse(read_whole(path, command))
    except ValueError as error:
        raise CommandError(f"{command}: {path}: {error}") from None
