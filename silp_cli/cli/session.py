"""``silp session`` and ``silp req-id``: turns, heartbeats, request ids."""

from __future__ import annotations

from typing import Annotated

import typer

from silp_cli.cli import values
from silp_cli.cli.app import command, group_of_commands
from silp_cli.cli.options import Errors, TableFormat
from silp_cli.protocol.sessions.heartbeats import DEFAULT_N, HEARTBEATS, NO_HEARTBEAT, REQ_ID_DIGITS

GROUP = "Between agents"

StateFile = Annotated[
    str | None,
    typer.Option(
        "--state", metavar="FILE", show_default="$SILP_STATE, or in the user's state directory",
        help="Where sessions are kept.",
    ),
]
SessionId = Annotated[str, typer.Argument(metavar="ID", help="The session.")]

group_of_commands(
    "session", "Begin, count, show and end sessions.", group=GROUP, notes="""\
    A session whose pause was longer than its --ttl answers 'timeout' once, and 'session_expired' from then on,
    as one does that was ended or never was.
    """, examples="""\
    silp session new --n 5
    silp session turn a1
    silp compile --session a1 < ir.jsonl
    silp session simulate --turns 60 --format table
    """,
)


@command("session new", calls="silp_cli.protocol.sessions.session_command:new", examples="""\
    silp session new --n 5 --ttl 600
    """)
def new(
    n: Annotated[
        int,
        typer.Option(
            "--n", metavar="N", parser=values.heartbeat,
            help=f"Heartbeat interval in turns: {', '.join(map(str, HEARTBEATS))}; {NO_HEARTBEAT} is none.",
        ),
    ] = DEFAULT_N,
    ttl: Annotated[
        float | None,
        typer.Option(
            "--ttl", metavar="SECONDS", parser=values.seconds, show_default="none",
            help="Longest pause between two turns.",
        ),
    ] = None,
    id: Annotated[
        str | None, typer.Option("--id", metavar="XX", show_default="a free one", help="Two letters or digits.")
    ] = None,
    format: TableFormat = None,
    state: StateFile = None,
    errors: Errors = "text",
) -> None:
    """Begin a session."""


@command("session turn", calls="silp_cli.protocol.sessions.session_command:turn", examples="""\
    silp session turn a1 --hex 4
    """)
def turn(
    id: SessionId,
    count: Annotated[
        int, typer.Option("--count", metavar="N", parser=values.positive, help="Count this many turns.")
    ] = 1,
    hex: Annotated[
        int | None,
        typer.Option(
            "--hex", metavar="N", parser=values.req_id_digits,
            help="Give out a req_id of so many digits, unique in the session: "
            f"{', '.join(map(str, REQ_ID_DIGITS))}.",
        ),
    ] = None,
    format: TableFormat = None,
    state: StateFile = None,
    errors: Errors = "text",
) -> None:
    """Count a turn."""


@command("session show", calls="silp_cli.protocol.sessions.session_command:show", examples="""\
    silp session show
    """)
def show(
    id: Annotated[str | None, typer.Argument(metavar="ID", help="The session.", show_default="all")] = None,
    format: TableFormat = None,
    state: StateFile = None,
    errors: Errors = "text",
) -> None:
    """Show one session, or all."""


@command("session expire", calls="silp_cli.protocol.sessions.session_command:expire", examples="""\
    silp session expire a1
    """)
def expire(
    id: SessionId, format: TableFormat = None, state: StateFile = None, errors: Errors = "text",
) -> None:
    """End a session."""


@command("session simulate", calls="silp_cli.protocol.sessions.session_command:simulate", examples="""\
    silp session simulate --turns 60 --plot context.svg
    """)
def simulate(
    turns: Annotated[
        int, typer.Option("--turns", metavar="N", parser=values.positive, help="Length of the session.")
    ] = 60,
    n: Annotated[
        str | None, typer.Option("--n", metavar="N,…", show_default="all six", help="Heartbeat intervals.")
    ] = None,
    plot: Annotated[str | None, typer.Option("--plot", metavar="FILE", help="Write a picture as SVG.")] = None,
    format: TableFormat = None,
) -> None:
    """Show how many turns of context a receiver holds for each N."""


@command("req-id", calls="silp_cli.protocol.req_id_command:run", group=GROUP, notes="""\
    The ids are drawn as decode derives them: SHA-256 of a payload, cut to length. Beside what was measured
    stands what theory says: 'expected_collisions' for the ids that repeat an earlier one, 'p_birthday' for at
    least one of them.
    """, examples="""\
    silp req-id
    silp req-id --n 100000 --hex 8 --trials 20 --format json
    """)
def req_id(
    n: Annotated[int, typer.Option("--n", metavar="N", parser=values.positive, help="Ids in a trial.")] = 1000,
    hex: Annotated[
        str, typer.Option("--hex", metavar="N,…", help="Lengths in hexadecimal digits, 1 to 16.")
    ] = "4,6,8",
    trials: Annotated[
        int, typer.Option("--trials", metavar="N", parser=values.positive, help="How many trials.")
    ] = 100,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Draw other ids.")] = 0,
    format: TableFormat = None,
) -> None:
    """Measure how often request ids collide."""
