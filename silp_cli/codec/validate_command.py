"""``silp validate``: pass valid IR on untouched, withhold and diagnose the rest."""

from __future__ import annotations

from silp_cli.ir.check import problems, together
from silp_cli.text.jobs import with_jobs
from silp_cli.text.stream import Stream
from silp_cli.text.verb_list import chosen_verbs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from typing import Unpack

    from silp_cli.text.records import Record
    from silp_cli.text.stream import Result, StreamOptions

COMMAND = "silp validate"


@with_jobs(COMMAND)
def run(
    *, strict: bool, fail_on: str, quiet: bool, no_warnings: bool, verbs: str | None, any_verb: bool,
    **stream: Unpack[StreamOptions],
) -> int:
    """Check every record; return the exit status."""
    allowed = chosen_verbs(verbs, any_verb, COMMAND)
    filter = Stream(COMMAND, **stream)
    found = validate_records(
        filter.reader.documents(), strict=strict, verbs=allowed, warnings=not no_warnings, fail_on=fail_on
    )
    if quiet:
        found = ((record, None if isinstance(text, str) else text, warnings) for record, text, warnings in found)
    return filter.write(found)


def validate_records(
    records: Iterable[Record], *, strict: bool = False, verbs: Collection[str] | None = None, warnings: bool = True,
    fail_on: str = "error",
) -> Iterator[Result]:
    """Check IRs.

    Args:
        records: the IRs.
        strict: hold to the schema to the letter: no ``null`` for optional fields.
        verbs: the action codes that are allowed; None allows any.
        warnings: whether to look for more than errors.
        fail_on: ``"warning"`` if a record with a warning is not to pass.

    Yields:
        For each record its text as it came, or the first of its errors, which has the others; and its warnings.
    """
    for record in records:
        if record.error is not None:
            yield record, record.error, ()
            continue
        found = problems(record.value, strict=strict, verbs=verbs, warnings=warnings)
        if not found:
            yield record, record.text, found
        elif any(each.severity == "error" or fail_on == "warning" for each in found):
            yield record, together(found), ()
        else:
            yield record, record.text, found
