"""``silp wrap``, ``unwrap``, ``error``: payloads in the messages of other protocols."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from silp_cli.cli.app import command
from silp_cli.cli.options import Files, TableFormat

GROUP = "Between agents"


@command("wrap", calls="silp_cli.protocol.envelopes.wrap_command:run", streams=True, group=GROUP, notes="""\
    Payloads come in one a line: what compile wrote, error objects, negotiation messages. With --frontend, each
    must be written in it, or be an error object or a negotiation message, which say so themselves.
    """, examples="""\
    silp compile < ir.jsonl | silp wrap mcp --tool plan --arguments '{"city":"Oslo"}'
    silp compile < ir.jsonl | silp wrap mcp --tool plan --replace instruction
    silp compile < ir.jsonl | silp wrap a2a --into message.json
    silp compile < ir.jsonl | silp wrap aidip | silp unwrap | silp decode
    """)
def wrap(
    protocol: Annotated[
        Literal["mcp", "a2a", "aidip"], typer.Argument(metavar="PROTOCOL", help="Whose message: mcp, a2a or aidip.")
    ],
    files: Files = (),
    frontend: Annotated[
        str | None,
        typer.Option(
            "--frontend", "-f", metavar="NAME", show_default="found by reading",
            help="What the payloads are written in.",
        ),
    ] = None,
    into: Annotated[
        str | None,
        typer.Option(
            "--into", metavar="FILE", help="Put each payload into a copy of this message, the rest of it unchanged."
        ),
    ] = None,
    answer: Annotated[
        bool,
        typer.Option("--answer", help="An answer (mcp: result, a2a: the agent's role, aidip: outputs)."),
    ] = False,
    replace: Annotated[
        str | None,
        typer.Option(
            "--replace", metavar="NAME", help="mcp, aidip: put the bare string in place of this argument."
        ),
    ] = None,
    id: Annotated[
        str | None,
        typer.Option(
            "--id", metavar="ID",
            help="mcp: number of the first request, by default 1; a2a: id of the message or artifact.",
        ),
    ] = None,
    tool: Annotated[
        str | None, typer.Option("--tool", metavar="NAME", help="The tool to call.", rich_help_panel="mcp")
    ] = None,
    arguments: Annotated[
        str | None,
        typer.Option(
            "--arguments", metavar="JSON", help="The tool's other arguments, one JSON object.", rich_help_panel="mcp"
        ),
    ] = None,
    artifact: Annotated[
        bool, typer.Option("--artifact", help="An artifact instead of a message.", rich_help_panel="a2a")
    ] = False,
    rpc: Annotated[
        bool, typer.Option("--rpc", help="The JSON-RPC request that sends the message.", rich_help_panel="a2a")
    ] = False,
    plain: Annotated[
        bool,
        typer.Option(
            "--plain", help="The bare string becomes 'inputs' (or 'outputs') itself.", rich_help_panel="aidip"
        ),
    ] = False,
) -> None:
    """Put payloads into messages of MCP, A2A or AIDIP."""


@command("unwrap", calls="silp_cli.protocol.envelopes.unwrap_command:run", streams=True, group=GROUP, notes="""\
    The protocol, and where the payload stands, are found by reading. A payload-level error object in a message,
    and an error of the outer protocol, are diagnosed, each as what it is.
    """, examples="""\
    silp compile < ir.jsonl | silp wrap mcp --tool plan | silp unwrap | silp decode
    silp unwrap --field instruction request.json | silp decode
    """)
def unwrap(
    files: Files = (),
    field: Annotated[
        str | None,
        typer.Option("--field", metavar="NAME", help="Take the argument of this name, and nothing else."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Write payload and encoding as JSON Lines.")] = False,
) -> None:
    """Take payloads out of such messages."""


@command("error", calls="silp_cli.protocol.error_command:run", streams=True, group=GROUP, notes="""\
    Without --code, diagnostics come in as JSON Lines ('--errors json', or '--on-error emit') and go out as
    error objects. An error object stands where a payload would and fits into every envelope; it is no JSON-RPC
    error.
    """, examples="""\
    silp error --code session_expired
    silp decode --errors json < payloads.txt 2>&1 >/dev/null | silp error
    silp error --code timeout | silp wrap mcp --answer
    """)
def error(
    files: Files = (),
    code: Annotated[
        Literal[
            "invalid_syntax", "unsupported_frontend", "unsupported_version", "session_expired", "timeout",
            "decode_failed",
        ]
        | None,
        typer.Option("--code", help="Write one error of this code."),
    ] = None,
    message: Annotated[
        str | None,
        typer.Option(
            "--message", metavar="TEXT", help="What went wrong, one line.",
            show_default="what the draft says of the code",
        ),
    ] = None,
    hint: Annotated[str, typer.Option("--hint", metavar="TEXT", help="What to do about it, one line.")] = "",
    req_id: Annotated[
        str | None, typer.Option("--req-id", metavar="HEX", help="The request that the error answers.")
    ] = None,
    list: Annotated[bool, typer.Option("--list", help="List the six codes.")] = False,
    format: TableFormat = None,
) -> None:
    """Write errors as payloads."""
