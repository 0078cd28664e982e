"""Freezing: what goes into the lock for an IR, compiled now or compiled before."""

from __future__ import annotations

from silp_cli.frontends.detect import detect
from silp_cli.frontends.registry import get_frontend
from silp_cli.ir.check import require_valid
from silp_cli.ir.errors import ErrorCode, SilpError
from silp_cli.ir.normal import equivalent
from silp_cli.ir.resources import read_resource
from silp_cli.protocol.lock.file import Frozen
from silp_cli.protocol.lock.format import ir_hash, sha256, surface_hash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any


def freeze(
    ir: Any, surface: str | None = None, frontend: str | None = None, *, bare: bool = False,
    verbs: Collection[str] | None = None,
) -> tuple[str, Frozen]:
    """The payload of an IR, and what of it goes into the lock (draft, section "Compile Lock").

    Args:
        ir: the IR.
        surface: its payload, if it was compiled before; None compiles it now.
        frontend: the frontend's name; None is ``code``, or what a given payload is written in.
        bare: leave out meta, ``silp`` and ``version``.
        verbs: the action codes that are allowed; None allows any.

    Raises:
        SilpError: for an IR that is not valid, or a payload that is not its.
    """
    require_valid(ir, verbs)
    if surface is None:
        frontend = frontend or "code"
        surface = get_frontend(frontend).compile(ir, bare=bare)
    else:
        frontend = frontend or detect(surface)
        _require_match(ir, surface, frontend, bare=bare)
    return surface, Frozen(ir_hash(ir), surface_hash(surface), frontend, grammar_version(frontend))


def grammar_version(frontend: str) -> str:
    """The start of the hash of a frontend's ABNF, which says what its grammar was; ``none`` without one."""
    try:
        return sha256(read_resource(f"{frontend}.abnf").encode())[:12]
    except FileNotFoundError:
        return "none"


def _require_match(ir: Any, surface: str, frontend: str, *, bare: bool) -> None:
    """Hold a given payload to its IR, as far as its frontend can be read back."""
    if not surface:
        raise SilpError(
            ErrorCode.DECODE_FAILED, "there is no payload for this IR", rule="lock.surface-missing"
        )
    encoder = get_frontend(frontend)
    if not encoder.lossless:
        return
    meant = encoder.decode(encoder.compile(ir, bare=True)) if bare else ir
    try:
        found = encoder.decode(surface)
    except SilpError as error:
        raise SilpError(
            ErrorCode.DECODE_FAILED,
            f"the payload of this IR cannot be decoded: {error.message}",
            rule="lock.surface",
        ) from None
    if not equivalent(found, meant):
        raise SilpError(
            ErrorCode.DECODE_FAILED,
            "the payload does not decode to this IR",
            rule="lock.surface",
            hint="are the payloads in the order of the IRs? were they compiled with --bare?",
        )
