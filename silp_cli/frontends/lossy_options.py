"""The options of the ``llmlingua2`` frontend, for the commands that compile.

Light enough for every ``silp compile``; the frontend itself is loaded on demand.
"""

from __future__ import annotations

from silp_cli.ir.errors import SilpError
from silp_cli.text.command import CommandError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypedDict

    from silp_cli.frontends.llmlingua2 import LlmLingua2Frontend

    class LossyOptions(TypedDict, total=False):
        """How a model shortens prose, as the command line names it."""

        rate: float | None
        target_tokens: int | None
        model: str | None
        device: str | None
        force_tokens: Sequence[str] | None
        keep: bool
        allow_lossy: bool
        report: bool
        fail_on_loss: bool
        batch_size: int | None


FRONTEND = "llmlingua2"


def refuse_options(options: LossyOptions, command: str) -> None:
    """Raise ``CommandError`` when an option of this frontend was given for another one."""
    for name, value in options.items():
        if value:
            raise CommandError(f"{command}: --{name.replace('_', '-')} goes with -f {FRONTEND} only")


def frontend_from(options: LossyOptions, note: Callable[[str], None], command: str) -> LlmLingua2Frontend:
    """The frontend as the command line has it.

    Args:
        options: the options given.
        note: told that a model is being loaded.
        command: the name for diagnostics.

    Returns:
        The frontend; whether the extra is installed shows when it is used.

    Raises:
        CommandError: for options that exclude one another.
    """
    from silp_cli.frontends.llmlingua2 import LlmLingua2Frontend, Options
    from silp_cli.frontends.llmlingua2.options import DEFAULT_BATCH_SIZE, DEFAULT_RATE

    rate = options.get("rate")
    if rate is not None and options.get("target_tokens") is not None:
        raise CommandError(f"{command}: --rate and --target-tokens exclude one another (see '{command} --help')")
    words = ",".join(options.get("force_tokens") or ()).split(",")
    return LlmLingua2Frontend(
        Options(
            DEFAULT_RATE if rate is None else rate,
            target_tokens=options.get("target_tokens"),
            model=options.get("model"),
            device=options.get("device") or "cpu",
            force_tokens=tuple(word.strip() for word in words if word.strip()),
            keep=options.get("keep", False),
            allow_lossy=options.get("allow_lossy", False),
            fail_on_loss=options.get("fail_on_loss", False),
            batch_size=options.get("batch_size") or DEFAULT_BATCH_SIZE,
            note=note,
        )
    )


def require_installed(command: str) -> None:
    """Raise ``CommandError``, which says how to install the extra, when it is not there."""
    from silp_cli.frontends.llmlingua2.loading import require_extra

    try:
        require_extra()
    except SilpError as error:
        raise cannot_run(error, command) from None


def cannot_run(error: SilpError, command: str) -> CommandError:
    """What concerns every record alike ends the command, in one line."""
    from silp_cli.text.diagnostics import render

    hint = f" ({error.hint})" if error.hint else ""
    error.hint = ""
    return CommandError(render(error, command) + hint)
