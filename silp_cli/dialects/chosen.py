"""What the options of a command line choose: dialects, definitions of tools, a map of names."""

from __future__ import annotations

from silp_cli.dialects.names import Names, parse_map
from silp_cli.ir.errors import SilpError
from silp_cli.ir.verbs import EXCLUDED, WHITELIST
from silp_cli.text.command import CommandError
from silp_cli.text.output import read_whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from silp_cli.dialects.checking import Tools
    from silp_cli.dialects.reader import Reader


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
    from silp_cli.dialects.table import chosen_dialects

    try:
        table = chosen_dialects(dialect, None if dialects is None else read_whole(dialects, command))
    except SilpError as error:
        raise CommandError(f"{command}: {error.message}" + (f" ({error.hint})" if error.hint else "")) from None
    except ValueError as error:
        raise CommandError(f"{command}: {dialects}: {error}") from None
    known = frozenset((*WHITELIST, *EXCLUDED)) if verbs is None else verbs
    return lambda: Reader(table, verbs=known, reasoning=reasoning, prose=prose)


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
