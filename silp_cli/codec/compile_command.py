"""``silp compile``: IR JSON in, surface text out."""

from __future__ import annotations

from silp_cli.frontends import lossy_options
from silp_cli.frontends.chosen import chosen_frontend
from silp_cli.ir.check import require_valid
from silp_cli.ir.errors import SilpError
from silp_cli.text.command import CommandError
from silp_cli.text.jobs import with_jobs
from silp_cli.text.part import current
from silp_cli.text.records import MAX_RECORD, require_size
from silp_cli.text.stream import Stream
from silp_cli.text.verb_list import chosen_verbs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from typing import Unpack

    from silp_cli.frontends.base import Frontend
    from silp_cli.frontends.lossy_options import LossyOptions
    from silp_cli.policy.policy import Policy
    from silp_cli.text.records import Record
    from silp_cli.text.stream import Result, StreamOptions

COMMAND = "silp compile"


@with_jobs(COMMAND, alone=lambda given: given["session"] is not None or given["frontend"] == lossy_options.FRONTEND)
def run(
    *, frontend: str, policy: str | None, bare: bool, degrade: bool, session: str | None, state: str | None,
    verbs: str | None, any_verb: bool, rate: float | None, target_tokens: int | None, model: str | None,
    device: str | None, force_tokens: Sequence[str] | None, keep: bool, allow_lossy: bool, report: bool,
    fail_on_loss: bool, batch_size: int | None, as_: str | None, map_file: str | None, dialects: str | None,
    **stream: Unpack[StreamOptions],
) -> int:
    """Compile every record; return the exit status."""
    allowed = chosen_verbs(verbs, any_verb, COMMAND)
    lossy: LossyOptions = {
        "rate": rate, "target_tokens": target_tokens, "model": model, "device": device, "force_tokens": force_tokens,
        "keep": keep, "allow_lossy": allow_lossy, "report": report, "fail_on_loss": fail_on_loss,
        "batch_size": batch_size,
    }
    if as_ is not None and (degrade or session is not None or frontend != "code" or policy is not None):
        raise CommandError(
            f"{COMMAND}: --as goes without --frontend, --policy, --degrade and --session (see '{COMMAND} --help')"
        )
    if as_ is None and (map_file is not None or dialects is not None):
        option = "--map" if dialects is None else "--dialects"
        raise CommandError(f"{COMMAND}: {option} is for --as (see '{COMMAND} --help')")
    if policy is not None:
        return run_policy(
            policy, allowed, bare, refused=frontend != "code" or degrade or session is not None, lossy=lossy, **stream
        )
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
    if as_ is not None:
        from silp_cli.codec.compile_calls import run as run_calls

        return run_calls(COMMAND, as_, allowed, bare=bare, map_file=map_file, dialects=dialects, **stream)
    write = chosen_frontend(frontend, COMMAND)
    filter = Stream(COMMAND, **stream)
    limit = stream.get("max_record_size", MAX_RECORD)
    return filter.write(compile_records(filter.reader.documents(), write, verbs=allowed, bare=bare, limit=limit))


def run_policy(
    path: str, verbs: Collection[str] | None, bare: bool, *, refused: bool, lossy: LossyOptions,
    **stream: Unpack[StreamOptions],
) -> int:
    """Compile every record as a policy has it; return the exit status.

    Raises:
        CommandError: for a policy that cannot be read, and beside an option that chooses a frontend too.
    """
    from silp_cli.policy.policy import read_policy

    if refused:
        raise CommandError(
            f"{COMMAND}: --policy chooses the frontend; it excludes --frontend, --degrade and --session "
            f"(see '{COMMAND} --help')"
        )
    lossy_options.refuse_options(lossy, COMMAND)
    write = read_policy(path, COMMAND)
    filter = Stream(COMMAND, **stream)
    limit = stream.get("max_record_size", MAX_RECORD)
    return filter.write(compile_records(filter.reader.documents(), write, verbs=verbs, bare=bare, limit=limit))


def compile_records(
    records: Iterable[Record], frontend: Frontend | Policy, *, verbs: Collection[str] | None = None, bare: bool = False,
    limit: int = MAX_RECORD,
) -> Iterator[Result]:
    """Compile IRs.

    Args:
        records: the IRs.
        frontend: the encoding to write, or the policy that chooses it.
        verbs: the action codes that are allowed; None allows any.
        bare: leave out meta, ``silp`` and ``version``.
        limit: the size in bytes that a payload may have: what its readers accept.

    Yields:
        For each record its payload or its error.
    """
    write = frontend.compile
    for record in records:
        if record.error is not None:
            yield record, record.error, ()
            continue
        try:
            require_valid(record.value, verbs)
            text = require_size(write(record.value, bare=bare), limit)
        except SilpError as error:
            yield record, error, ()
        else:
            yield record, text, ()
