"""``silp ping``, ``pong``, ``negotiate``: two sides settle on a frontend."""

from __future__ import annotations

from typing import Annotated

import typer

from silp_cli.cli.app import command
from silp_cli.cli.options import Files, OutputFile

GROUP = "Between agents"

Offer = Annotated[
    str | None,
    typer.Option(
        "--frontends", metavar="NAME,…", show_default="the lossless frontends that are installed",
        help="What this side supports.",
    ),
]
Prefer = Annotated[
    str | None, typer.Option("--prefer", metavar="NAME", help="The one of them this side would rather use.")
]
AnyFrontend = Annotated[
    bool,
    typer.Option("--any-frontend", help="Allow names that are not installed here, to speak for somebody else."),
]


@command("ping", calls="silp_cli.protocol.negotiation.ping_command:run", group=GROUP, notes="""\
    The form of the line: silp grammar negotiation, or grammars/negotiation.abnf.
    """, examples="""\
    silp ping --frontends code,json
    silp ping --frontends code,json | silp pong --frontends json,natural --echo | silp negotiate
    """)
def ping(
    frontends: Offer = None,
    prefer: Prefer = None,
    any_frontend: AnyFrontend = False,
    id: Annotated[str | None, typer.Option("--id", metavar="TEXT", help="What the answer has to repeat.")] = None,
    output: OutputFile = None,
) -> None:
    """Ask which frontends the other side has."""


@command("pong", calls="silp_cli.protocol.negotiation.pong_command:run", streams=True, group=GROUP, notes="""\
    A line that is no probe is diagnosed and answered with an //error message, so the other side hears of it.
    """, examples="""\
    silp ping --frontends code,json | silp pong --frontends json,natural
    echo '//ping v1 frontends=code,json id=7' | silp pong --prefer json
    """)
def pong(
    files: Files = (),
    frontends: Offer = None,
    prefer: Prefer = None,
    any_frontend: AnyFrontend = False,
    echo: Annotated[bool, typer.Option("--echo", help="Write each probe in front of its answer.")] = False,
) -> None:
    """Answer a ping."""


@command("negotiate", calls="silp_cli.protocol.negotiation.negotiate_command:run", streams=True, group=GROUP, notes="""\
    Reads messages one a line, in the order in which they were sent, and writes one frontend for each probe that
    was answered: the highest priority that both sides have, or the preference that both can meet. Nothing in
    common is an 'unsupported_frontend' error, a message out of order 'invalid_syntax', a probe without an answer
    'timeout'.
    """, examples="""\
    silp negotiate ping.txt pong.txt
    silp ping --frontends code,json | silp pong --frontends json,natural --echo | silp negotiate
    """)
def negotiate(
    files: Files = (),
) -> None:
    """Find the frontend that a ping and its answer settle on."""
