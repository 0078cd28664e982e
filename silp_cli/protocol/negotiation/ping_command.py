"""``silp ping``: ask which frontends the other side has."""

from __future__ import annotations

from silp_cli.protocol.negotiation.messages import Message
from silp_cli.protocol.negotiation.offers import offered
from silp_cli.text.output import write_whole

COMMAND = "silp ping"


def run(*, frontends: str | None, prefer: str | None, any_frontend: bool, id: str | None, output: str | None) -> int:
    """Write the probe; return the exit status."""
    parameters = {} if id is None else {"id": id}
    names = offered(frontends, prefer, any_frontend, COMMAND)
    write_whole(str(Message("ping", tuple(names), prefer, parameters=parameters)), output)
    return 0
