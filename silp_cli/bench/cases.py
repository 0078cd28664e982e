"""The cases of an evaluation: an IR, and the plain request that says the same."""

from __future__ import annotations

import hashlib
from typing import Any, NamedTuple

from silp_cli.ir.check import require_valid
from silp_cli.ir.errors import ErrorCode, SilpError
from silp_cli.ir.jsontext import canonical_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from silp_cli.text.records import Record

SPLITS = ("tune", "final")


class Case(NamedTuple):
    """One case.

    Attributes:
        id: its name in the results.
        ir: a valid IR.
        request: what a person would say; for a bare IR, the prose of the natural frontend.
        field: the field of work, or "".
        split: ``tune``, ``final`` or "".
    """

    id: str
    ir: dict[str, Any]
    request: str
    field: str = ""
    split: str = ""


def case_of(value: Any) -> Case:
    """Make a case of a record: an object with ``ir`` and perhaps ``id``, ``request``, ``field``, ``split``; or an IR.

    A bare IR is named after its content, so that a run resumes whatever the order of its input.

    Raises:
        SilpError: for what is neither, or an IR that is not valid.
    """
    if not isinstance(value, dict) or "ir" not in value:
        require_valid(value)
        return Case(_name(value), value, _prose(value))
    ir = value["ir"]
    require_valid(ir)
    texts = {key: value.get(key) or "" for key in ("id", "request", "field", "split")}
    for key, text in texts.items():
        if not isinstance(text, str):
            raise SilpError(
                ErrorCode.INVALID_SYNTAX, f"a case's {key} is a string", rule="case.type", path=f"/{key}"
            )
    return Case(texts["id"] or _name(ir), ir, texts["request"] or _prose(ir), texts["field"], texts["split"])


def select(
    cases: Iterable[Case], split: str | None = None, fields: Iterable[str] = (), limit: int | None = None
) -> list[Case]:
    """The cases that are wanted.

    Args:
        cases: all of them.
        split: only this half.
        fields: only these fields of work; none: all.
        limit: at most so many, spread over the fields of work.
    """
    wanted = set(fields)
    chosen = [
        each for each in cases
        if (split is None or each.split == split) and (not wanted or each.field in wanted)
    ]
    return chosen if limit is None else _spread(chosen, limit)


def _spread(cases: list[Case], limit: int) -> list[Case]:
    """The first of every field, then the second of every field, and so on; in the order of the input."""
    rank: dict[str, int] = {}
    turns = []
    for index, case in enumerate(cases):
        turns.append((rank.setdefault(case.field, 0), index))
        rank[case.field] += 1
    return [cases[index] for index in sorted(index for _, index in sorted(turns)[:limit])]


def read_cases(records: Iterable[Record]) -> Iterator[Case | SilpError]:
    """The case of every record, or what is wrong with it, placed in its source.

    Args:
        records: JSON records.
    """
    seen: set[str] = set()
    for record in records:
        if record.error is not None:
            yield record.place(record.error)
            continue
        try:
            case = case_of(record.value)
            if case.id in seen:
                raise SilpError(
                    ErrorCode.INVALID_SYNTAX, f"the case '{case.id}' is there already", rule="case.twice", path="/id",
                    hint="results are told apart by the case's id",
                )
        except SilpError as error:
            yield record.place(error)
        else:
            seen.add(case.id)
            yield case


def _name(ir: Mapping[str, Any]) -> str:
    return "ir-" + hashlib.sha256(canonical_bytes(ir)).hexdigest()[:12]


def _prose(ir: dict[str, Any]) -> str:
    from silp_cli.frontends.registry import get_frontend

    return get_frontend("natural").compile(ir)
