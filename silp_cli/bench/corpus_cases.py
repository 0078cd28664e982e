"""The IRs behind results: read from --corpus, compiled by every frontend, counted by the tokenizers that are there."""

from __future__ import annotations

import sys

from silp_cli.bench.cases import read_cases
from silp_cli.frontends.registry import get_frontend
from silp_cli.ir.errors import SilpError
from silp_cli.text.command import CommandError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from silp_cli.bench.cases import Case
    from silp_cli.bench.measures import Tokens
    from silp_cli.census.families import Tokenizer

    Texts = dict[str, dict[str, str]]  # frontend -> case -> payload


def read_corpus(path: str, command: str) -> list[Case]:
    """The cases of a file: those of ``silp eval``, or plain IRs.

    Raises:
        CommandError: with file and line, for what is no valid case.
    """
    from silp_cli.text.diagnostics import render
    from silp_cli.text.stream import Stream

    stream = Stream(command, files=[path])
    cases = []
    for each in read_cases(stream.reader.documents()):
        if isinstance(each, SilpError):
            raise CommandError(render(each, command))
        cases.append(each)
    if stream.status:
        raise CommandError(f"{command}: {path} could not be read")
    return cases


def payloads(cases: Iterable[Case], frontends: Sequence[str]) -> Texts:
    """What each frontend makes of each case, without meta, as ``silp eval`` asks it.

    A case that the frontend must not carry is absent, and so is a slow frontend.
    """
    cases = list(cases)
    texts: Texts = {}
    for name in frontends:
        try:
            frontend = get_frontend(name)
        except SilpError:
            continue  # a frontend of the results that is not installed here: its terms are named as missing
        if frontend.slow:
            continue
        for case in cases:
            try:
                texts.setdefault(name, {})[case.id] = frontend.compile(case.ir, bare=True)
            except SilpError as error:
                sys.stderr.write(f"silp: {case.id}: {name}: {error.message}\n")
    return texts


def tokenizers() -> list[Tokenizer]:
    """The draft's six, as far as their vocabularies are there."""
    from silp_cli.census.tokenizers import TOKENIZERS, installed, load

    there = set(installed())
    return [load(name) for name in TOKENIZERS if name in there]


def count(texts: Texts, counters: Sequence[Tokenizer]) -> Tokens:
    """The token counts of payloads."""
    tokens: Tokens = {}
    for frontend, by_case in texts.items():
        columns = {each.name: each.count_many(list(by_case.values())) for each in counters}
        if columns:
            tokens[frontend] = {
                case: {name: column[number] for name, column in columns.items()} for number, case in enumerate(by_case)
            }
    return tokens
