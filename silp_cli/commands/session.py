"""``silp session``: begin, count, look at and end sessions, and play one through."""

from __future__ import annotations

import argparse
import sqlite3
import sys

from silp_cli.commands import CommandError, color_wanted
from silp_cli.commands.rows import add_format_option, write_rows
from silp_cli.commands.stream import Output, positive
from silp_cli.ir.errors import SilpError
from silp_cli.protocol.sessions import (
    DEFAULT_N,
    HEARTBEATS,
    MAX_TURNS,
    REQ_ID_DIGITS,
    SessionStore,
    default_state_file,
)
from silp_cli.text.diagnostics import Reporter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

COMMAND = "silp session"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the actions of ``silp session`` and their options."""
    actions = parser.add_subparsers(
        dest="action", metavar="ACTION", required=True, parser_class=type(parser), title="actions"
    )
    new = _action(actions, "new", "begin a session", "silp session new --n 5 --ttl 600", state=True)
    new.add_argument(
        "--n",
        type=int,
        choices=HEARTBEATS,
        default=DEFAULT_N,
        help=f"heartbeat interval in turns; 9999 for none (default: {DEFAULT_N})",
    )
    new.add_argument(
        "--ttl", type=_seconds, metavar="SECONDS", help="longest pause between two turns (default: none)"
    )
    new.add_argument("--id", metavar="XX", help="two letters or digits (default: a free one)")

    turn = _action(actions, "turn", "count a turn", "silp session turn a1 --hex 4", state=True)
    turn.add_argument("id", metavar="ID", help="the session")
    turn.add_argument(
        "--count", type=_turns, default=1, metavar="N", help="count this many turns (default: 1)"
    )
    turn.add_argument(
        "--hex",
        type=int,
        choices=REQ_ID_DIGITS,
        help="give out a req_id of so many digits, unique in the session",
    )

    show = _action(actions, "show", "show one session, or all", "silp session show", state=True)
    show.add_argument("id", metavar="ID", nargs="?", help="the session (default: all)")

    expire = _action(actions, "expire", "end a session", "silp session expire a1", state=True)
    expire.add_argument("id", metavar="ID", help="the session")

    play = _action(
        actions,
        "simulate",
        "show how many turns of context a receiver holds for each N",
        "silp session simulate --turns 60 --plot context.svg",
    )
    play.add_argument(
        "--turns", type=positive, default=60, metavar="N", help="length of the session (default: 60)"
    )
    play.add_argument(
        "--n",
        type=_intervals,
        default=list(HEARTBEATS),
        metavar="N,…",
        help="heartbeat intervals (default: all six)",
    )
    play.add_argument("--plot", metavar="FILE", help="write a picture as SVG")
    parser.epilog = """\
A session whose pause was longer than its --ttl answers 'timeout' once, and 'session_expired' from then on,
as one does that was ended or never was.

examples:
  silp session new --n 5
  silp session turn a1
  silp compile --session a1 < ir.jsonl
  silp session simulate --turns 60 --format table
"""


def _action(
    actions: argparse._SubParsersAction[argparse.ArgumentParser],
    name: str,
    summary: str,
    example: str,
    *,
    state: bool = False,
) -> argparse.ArgumentParser:
    parser = actions.add_parser(
        name,
        help=summary,
        description=summary[0].upper() + summary[1:] + ".",
        allow_abbrev=False,
        epilog=f"examples:\n  {example}\n",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_format_option(parser)
    if state:
        add_state_options(parser)
        parser.add_argument(
            "--errors", choices=("text", "json"), default="text", help="how diagnostics are written"
        )
    return parser


def add_state_options(parser: argparse.ArgumentParser) -> None:
    """Add ``--state``."""
    parser.add_argument(
        "--state",
        metavar="FILE",
        help="where sessions are kept (default: $SILP_STATE, or in the user's state directory)",
    )


def run(options: argparse.Namespace) -> int:
    """Carry out one action; return the exit status."""
    if options.action == "simulate":
        return _simulate(options)
    try:
        with SessionStore(options.state or default_state_file()) as store:
            return _with_store(store, options)
    except SilpError as error:
        Reporter(COMMAND, sys.stderr, options.errors, color=color_wanted(sys.stderr)).report(error)
        return 1
    except ValueError as error:
        raise CommandError(f"{COMMAND}: {error}") from None
    except sqlite3.Error as error:
        raise CommandError(f"{COMMAND}: {options.state or default_state_file()}: {error}") from None


def _with_store(store: SessionStore, options: argparse.Namespace) -> int:
    actions: dict[str, Callable[[], list[dict[str, object]]]] = {
        "new": lambda: [store.new(options.n, options.ttl, options.id).to_dict()],
        "turn": lambda: [store.turn(options.id, options.count, options.hex).to_dict()],
        "show": lambda: [
            each.to_dict() for each in ([store.show(options.id)] if options.id else store.all())
        ],
        "expire": lambda: [store.expire(options.id).to_dict()],
    }
    write_rows(actions[options.action](), options.format)
    return 0


def _simulate(options: argparse.Namespace) -> int:
    from silp_cli.protocol.simulation import plot, simulate

    courses = simulate(options.turns, options.n)
    columns = ("n", "turns", "heartbeats", "mean", "max", "last", "total")
    write_rows([course.to_dict() for course in courses], options.format, columns)
    if options.plot is not None:
        output = Output(options.plot)
        output.line(plot(courses).rstrip("\n"))
        output.close()
    return 0


def _turns(text: str) -> int:
    value = positive(text)
    if value > MAX_TURNS:
        raise argparse.ArgumentTypeError(f"at most {MAX_TURNS} turns can be counted")
    return value


def _seconds(text: str) -> float:
    value = float(text)
    if not 0 <= value < float("inf"):
        raise ValueError
    return value


def _intervals(text: str) -> list[int]:
    values = [int(part) for part in text.split(",")]
    if any(value not in HEARTBEATS for value in values):
        raise argparse.ArgumentTypeError("N is one of " + ", ".join(map(str, HEARTBEATS)))
    return list(dict.fromkeys(values))
