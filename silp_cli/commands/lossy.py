"""The options of the ``llmlingua2`` frontend, for the commands that compile.

Light enough to stand in the help of every ``silp compile``; the frontend itself is loaded on demand.
"""

from __future__ import annotations

from silp_cli.commands import CommandError
from silp_cli.commands.stream import positive
from silp_cli.ir.errors import SilpError
from silp_cli.text.diagnostics import render

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace, _ArgumentGroup
    from collections.abc import Callable

    from silp_cli.frontends.llmlingua2 import LlmLingua2Frontend

FRONTEND = "llmlingua2"
_NAMES = (
    "rate", "target_tokens", "model", "device", "force_tokens", "keep", "allow_lossy", "report",
    "fail_on_loss", "batch_size",
)


def add_options(parser: ArgumentParser) -> None:
    """Add the options of ``silp compile -f llmlingua2``."""
    group = parser.add_argument_group("with -f llmlingua2 (prose shortened by a model; lossy)")
    add_compression_options(group)
    group.add_argument(
        "--report", action="store_true",
        help="what was lost and achieved, as JSON Lines on stderr; implies --errors json",
    )
    group.add_argument(
        "--fail-on-loss", action="store_true", help="withhold a record of which a slot was lost, and exit 1"
    )
    group.add_argument(
        "--batch-size", type=positive, metavar="N", help="records that share a pass of the model (default: 8)"
    )


def add_compression_options(group: _ArgumentGroup | ArgumentParser) -> None:
    """Add those that say how the text is shortened."""
    amount = group.add_mutually_exclusive_group()
    amount.add_argument(
        "--rate", type=_rate, metavar="R", help="share of the tokens to keep, up to 1 (default: 0.5)"
    )
    amount.add_argument("--target-tokens", type=positive, metavar="N", help="keep about N tokens a record")
    group.add_argument(
        "--model", metavar="MODEL",
        help="directory or hub name (default: $SILP_LLMLINGUA_MODEL, or the draft's)",
    )
    group.add_argument("--device", metavar="DEVICE", help="cpu, cuda, cuda:1, mps (default: cpu)")
    group.add_argument(
        "--force-tokens", action="append", metavar="WORDS",
        help="words that survive, comma-separated; repeatable",
    )
    group.add_argument(
        "--keep", action="store_true", help="negation words, verbs, numbers and quoted values survive"
    )
    group.add_argument(
        "--allow-lossy", action="store_true", help="compress negations, != and else branches too"
    )


def _rate(text: str) -> float:
    value = float(text)
    if not 0 < value <= 1:
        raise ValueError
    return value


_rate.__name__ = "rate above 0 and up to 1"  # argparse: "invalid … value"


def refuse_options(options: Namespace, command: str) -> None:
    """Raise ``CommandError`` when an option of this frontend was given for another one."""
    for name in _NAMES:
        if getattr(options, name, None):
            raise CommandError(f"{command}: --{name.replace('_', '-')} goes with -f {FRONTEND} only")


def frontend_from(options: Namespace, note: Callable[[str], None]) -> LlmLingua2Frontend:
    """The frontend as the command line has it.

    Args:
        options: the parsed command line.
        note: told that a model is being loaded.

    Returns:
        The frontend; whether the extra is installed shows when it is used.
    """
    import silp_cli.api  # noqa: F401 - tells the frontends where vocabularies are
    from silp_cli.frontends.llmlingua2 import LlmLingua2Frontend, Options
    from silp_cli.frontends.llmlingua2.options import DEFAULT_BATCH_SIZE, DEFAULT_RATE

    words = ",".join(options.force_tokens or ()).split(",")
    return LlmLingua2Frontend(
        Options(
            DEFAULT_RATE if options.rate is None else options.rate,
            target_tokens=options.target_tokens,
            model=options.model,
            device=options.device or "cpu",
            force_tokens=tuple(word.strip() for word in words if word.strip()),
            keep=options.keep,
            allow_lossy=options.allow_lossy,
            fail_on_loss=getattr(options, "fail_on_loss", False),
            batch_size=getattr(options, "batch_size", None) or DEFAULT_BATCH_SIZE,
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
    hint = f" ({error.hint})" if error.hint else ""
    error.hint = ""
    return CommandError(render(error, command) + hint)
