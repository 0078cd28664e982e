"""Finds the files of ``grammars/``: in the wheel they lie inside the package, in a checkout beside it."""

from __future__ import annotations

import os

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_PLACES = (os.path.join(_PACKAGE, "grammars"), os.path.join(os.path.dirname(_PACKAGE), "grammars"))


def resource_names(suffix: str) -> list[str]:
    """Names of the shipped files that end in ``suffix``, sorted."""
    return sorted(name for name in os.listdir(_directory()) if name.endswith(suffix))


def read_resource(name: str) -> str:
    """The text of one shipped file.

    Raises:
        FileNotFoundError: when there is none of that name.
    """
    with open(os.path.join(_directory(), name), encoding="utf-8") as file:
        return file.read()


def _directory() -> str:
    for place in _PLACES:
        if os.path.isdir(place):
            return place
    raise FileNotFoundError(2, "the grammars are missing from this installation", _PLACES[0])
