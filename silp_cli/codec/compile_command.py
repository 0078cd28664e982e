"""``silp compile``: IR JSON in, surface text out."""

from __future__ import annotations

from silp_cli.frontends import lossy_options
from silp_cli.frontends.chosen import chosen_frontend
from silp_cli.ir.check import require_valid
from silp_cli.ir.errors import ErrorCode, SilpError
from silp_cli.text.command import CommandError
from silp_cli.text.jobs import with_jobs
from silp_cli.text.part import current
from silp_cli.text.records import MAX_RECORD
from silp_cli.text.stream import Stream
from silp_cli.text.verb_list import chosen_verbs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from typing import Unpack

    from silp_cli.frontends.base import Frontend
    from silp_cli.frontends.lossy_options import LossyOptions
    from silp_cli.text.records import Record
    from silp_cli.text.stream import Result, StreamOptions

COMMAND = "silp compile"


@with_jobs(COMMAND, alone=lambda given: given["session"] is not None or given["frontend"] == lossy_options.FRONTEND)
def run(
    *, frontend: str, bare: bool, degrade: bool, session: str | None, state: str | None, verbs: str | None,
    any_verb: bool, rate: float | None, target_tokens: int | None, model: str | None, device: str | None,
    force_tokens: Sequence[str] | None, keep: bool, allow_lossy: bool, report: bool, fail_on_loss: bool,
    batch_size: int | None, **stream: Unpack[StreamOptions],
) -> int:
    """Compile every record; return the exit status."""
    allowed = chosen_verbs(verbs, any_verb, COMMAND)
    lossy: LossyOptions = {
        "rate": rate, "target_tokens": target_tokens, "model": model, "device": device, "force_tokens": force_tokens,
        "keep": keep, "allow_lossy": allow_lossy, "report": report, "fail_on_loss": fail_on_loss,
        "batch_size": batch_size,
    }
    if frontend == lossy_options.FRONTEND and not degrade and session is None:
        from silp_cli.codec.compile_lossy import run as run_lossy

        return run_lossy(COMMAND, allowed, lossy, **stream)
    lossy_options.refuse_options(lossy, COMMAND)
    if session is not None and current() is not None:
        raise CommandError(f"{COMMAND}: --session counts the turns of the whole input; its parts cannot")
    if degrade or session is not None:
        from silp_cli.codec.compile_session import run as run_session

        if not degrade:
            chosen_frontend(frontend, COMMAND)
        return run_session(
            COMMAND, frontend, allowed, bare=bare, degrade=degrade, session=session, state=state, **stream
        )
    write = chosen_frontend(frontend, COMMAND)
    filter = Stream(COMMAND, **stream)
    limit = stream.get("max_record_size", MAX_RECORD)
    return filter.write(compile_records(filter.reader.documents(), write, verbs=allowed, bare=bare, limit=limit))


def compile_records(
    records: Iterable[Record], frontend: Frontend, *, verbs: Collection[str] | None = None, bare: bool = False,
    limit: int = MAX_RECORD,
) -> Iterator[Result]:
    """Compile IRs.

    Args:
        records: the IRs.
        frontend: the encoding to write.
        verbs: the action codes that are allowed; None allows any.
        bare: leave out meta, ``silp`` and ``version``.
        limit: the size in bytes above which a payload is warned of.

    Yields:
        For each record its payload or its error; and warnings.
    """
    write = frontend.compile
    long = limit >> 2
    for record in records:
        if record.error is not None:
            yield record, record.error, ()
            continue
        try:
            require_valid(record.value, verbs)
            text = write(record.value, bare=bare)
        except SilpError as error:
            yield record, error, ()
            continue
        if len(text) > long and (size := len(text.encode())) > limit:
            yield record, text, (_over_limit(size, limit),)
        else:
            yield record, text, ()


def _over_limit(size: int, limit: int) -> SilpError:
    return SilpError(
        ErrorCode.INVALID_SYNTAX, f"the payload has {size} bytes, more than the limit of {limit}",
        rule="limit.payload-size", severity="warning", hint="its readers have to raise --max-record-size as well",
    )
