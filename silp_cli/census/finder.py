"""Tells the frontends where the census keeps its vocabularies; importing this module is what does it."""

from __future__ import annotations

from silp_cli.frontends.vocabulary import set_finder


def find_vocabulary(name: str) -> str | None:
    """The path of a vocabulary that ``silp vocab pull`` has fetched, or None."""
    from silp_cli.census.vocabularies import VocabularyError, path_of

    try:
        return path_of(name)
    except VocabularyError:
        return None


set_finder(find_vocabulary)
