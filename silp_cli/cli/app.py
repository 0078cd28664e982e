"""The typer application: the decorator that declares a command, and the reading of a command line through typer.

``silp_cli.cli`` says how to declare a command.
"""

from __future__ import annotations

import inspect
import os
import sys
from contextlib import redirect_stdout
from functools import cache, wraps
from importlib import import_module
from textwrap import dedent
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from silp_cli.cli import options
from silp_cli.cli.call import Call
from silp_cli.text.command import CommandError
from silp_cli.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

# In the order of the help.
MODULES = (
    "filters",
    "corpus",
    "look",
    "negotiation",
    "session",
    "lock",
    "envelopes",
    "census",
    "vocab",
    "bench_eval",
    "bench_rank",
    "manual",
)

EXAMPLES = """\
silp compile --frontend code < ir.jsonl > payloads.txt
silp decode < payloads.txt | silp validate | jq .intent
"""
_STATUS = "Exit status: 0 all well, 1 some record or gate failed, 2 the command was wrong or could not run."
_SETTINGS = {"help_option_names": ["-h", "--help"]}

CALLS: dict[str, str] = {}  # command -> what it calls
DEFAULTS: dict[str, str | None] = {}  # group of commands -> the one that runs when none is named
_GROUPS: dict[str, typer.Typer] = {}


def _end_of_help(notes: str, examples: str) -> str:
    shown = "".join(f"  {line}\n" for line in dedent(examples).strip().splitlines())
    above = dedent(notes).strip() + "\n" if notes else ""
    return "\n".join(filter(None, [above, f"Examples:\n{shown}" if shown else ""]))


def _write_end(command: TyperCommand | TyperGroup) -> None:
    """Notes and examples line by line; typer would make one paragraph of them."""
    for line in (command.epilog or "").splitlines():
        sys.stdout.write(f" {line}".rstrip() + "\n")


class _Command(TyperCommand):
    """A command whose help ends with notes and examples."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Print the help."""
        ending, self.epilog = self.epilog, None
        super().format_help(ctx, formatter)
        self.epilog = ending
        _write_end(self)


class _Group(TyperGroup):
    """A group of commands, one of which may run when none is named."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Print the help."""
        ending, self.epilog = self.epilog, None
        super().format_help(ctx, formatter)
        self.epilog = ending
        _write_end(self)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the default command's name in front of what is no command's."""
        default = DEFAULTS.get(self.name or "")
        first = args[0] if args else ""
        asked = not args and ctx.resilient_parsing  # a shell asks what may come next: the commands, too
        if default is not None and not asked and first not in (*self.commands, "-h", "--help"):
            args = [default, *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    name="silp", cls=_Group, context_settings=_SETTINGS, no_args_is_help=False, rich_markup_mode="rich",
    help="Unix filters for SILP payloads.", epilog=_end_of_help(_STATUS, EXAMPLES),
    subcommand_metavar="COMMAND [ARGS]...",
)


def _version(wanted: bool) -> None:
    if wanted:
        sys.stdout.write(f"silp {__version__}\n")
        raise typer.Exit


@app.callback()
def _top(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    pass


def group_of_commands(
    name: str, summary: str, *, group: str, default: str | None = None, examples: str = "", notes: str = ""
) -> None:
    """Declare a command that has commands of its own.

    Args:
        name: its name.
        summary: one line.
        group: the panel of ``silp --help`` that it stands in.
        default: the member that runs when none is named.
        examples: command lines, with comments if need be.
        notes: what else the help says.
    """
    _GROUPS[name] = typer.Typer(
        name=name, cls=_Group, help=summary, epilog=_end_of_help(notes, examples), context_settings=_SETTINGS,
    )
    DEFAULTS[name] = default
    app.add_typer(_GROUPS[name], rich_help_panel=group)


def command(
    name: str, *, calls: str, group: str = "", examples: str, notes: str = "", streams: bool = False,
    jobs: bool = False, hidden: bool = False,
) -> Callable[[Callable[..., None]], Callable[..., Call]]:
    """Declare a command by a function without a body; see ``silp_cli.cli``.

    Args:
        name: the command's name, or ``"GROUP NAME"``.
        calls: what runs, as ``module:function``.
        group: the panel of ``silp --help`` that it stands in; members of a group of commands have none.
        examples: command lines, with comments if need be.
        notes: what else the help says.
        streams: whether it has the options of every filter behind its own.
        jobs: whether ``run`` is decorated by ``silp_cli.text.jobs.with_jobs``.
        hidden: leave it out of the help.
    """
    parent, _, own = name.rpartition(" ")
    CALLS[name] = calls

    def declare(function: Callable[..., None]) -> Callable[..., Call]:
        @wraps(function)
        def callback(**arguments: Any) -> Call:
            return Call(calls, arguments)

        if jobs:
            _add_parameters(callback, options.several)
        if streams:
            _add_parameters(callback, options.streams)
        (_GROUPS[parent] if parent else app).command(
            own, cls=_Command, epilog=_end_of_help(notes, examples), context_settings=_SETTINGS, hidden=hidden,
            rich_help_panel=group or None,
        )(callback)
        return callback

    return declare


def _add_parameters(callback: Callable[..., Any], shared: Callable[..., None]) -> None:
    """Have typer see the parameters of another function behind those of a callback."""
    own = inspect.signature(callback, eval_str=True)
    more = inspect.signature(shared, eval_str=True)
    callback.__signature__ = own.replace(  # type: ignore[attr-defined]
        parameters=[*own.parameters.values(), *more.parameters.values()]
    )


@cache
def load() -> Any:
    """Import all declarations; return the whole command as typer builds it."""
    for module in MODULES:
        import_module(f"silp_cli.cli.{module}")
    whole = get_command(app)
    _spare_defaults(whole)
    return whole


def _spare_defaults(command: Any) -> None:
    """Have the converters leave defaults alone, which typer hands them as well."""
    for child in getattr(command, "commands", {}).values():
        _spare_defaults(child)
    for parameter in command.params:
        known = parameter.type_descriptor.parameter_info
        if known.parser is not None and not hasattr(known.parser, "__wrapped__"):
            known.parser = _of_text(known.parser)


def _of_text(convert: Callable[[str], Any]) -> Callable[[Any], Any]:
    @wraps(convert)
    def converted(value: Any) -> Any:
        return convert(value) if isinstance(value, str) else value

    return converted


def read(arguments: Sequence[str]) -> Call | int:
    """The call that a command line stands for, or the exit status when typer has done all there is to do.

    Raises:
        CommandError: for a command line that makes no sense.
    """
    whole = load()
    if "_SILP_COMPLETE" in os.environ:  # a shell asks what may come next
        whole.main(args=list(arguments), prog_name="silp")
    if not arguments:
        with redirect_stdout(sys.stderr):
            read(["--help"])
        return 2
    try:
        with whole.make_context("silp", list(arguments)) as context:
            found = whole.invoke(context)
    except typer.Exit as done:
        return done.exit_code
    except SystemExit:  # which is what rich makes of a closed pipe
        raise BrokenPipeError from None
    except typer.TyperException as error:
        raise CommandError(_one_line(error)) from None
    return found if isinstance(found, Call) else 0


def _one_line(error: typer.TyperException) -> str:
    """A mistake in the command line as one line: where, what, and where to read on."""
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "silp"
    message = " ".join(error.format_message().split()).replace("Value error, ", "").rstrip(".")
    return f"{path}: {message[:1].lower()}{message[1:]} (see '{path} --help')"
