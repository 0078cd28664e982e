"""The tokenizers that a command line names."""

from __future__ import annotations

from silp_cli.census.tokenizers import load
from silp_cli.census.vocabularies import VocabularyError
from silp_cli.text.command import CommandError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from silp_cli.census.families import Tokenizer


def chosen_tokenizers(
    names: str | None, directory: str | None, command: str, default: Callable[[str | None], Sequence[str]]
) -> list[Tokenizer]:
    """The tokenizers of a comma-separated list, loaded.

    Args:
        names: the list.
        directory: where the vocabularies are, if not in the usual place.
        command: the name for diagnostics.
        default: the names when none are given, by directory.

    Raises:
        CommandError: when one is unknown, missing or damaged.
    """
    try:
        if names is None:
            wanted = list(default(directory))
        else:
            wanted = list(dict.fromkeys(filter(None, map(str.strip, names.split(",")))))
        if not wanted:
            raise CommandError(f"{command}: --tokenizers names none")
        return [load(name, directory) for name in wanted]
    except VocabularyError as error:
        raise CommandError(f"{command}: {error}") from None
