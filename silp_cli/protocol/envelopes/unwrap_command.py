"""``silp unwrap``: payloads out of the messages of MCP, A2A and AIDIP."""

from __future__ import annotations

from silp_cli.protocol.envelopes.unwrap import unwrap
from silp_cli.text.output import json_writer
from silp_cli.text.stream import Stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Unpack

    from silp_cli.text.records import Record
    from silp_cli.text.stream import StreamOptions

COMMAND = "silp unwrap"


def run(*, field: str | None, json: bool, **stream: Unpack[StreamOptions]) -> int:
    """Unwrap every message; return the exit status."""
    dumps = json_writer(pretty=False)
    filter = Stream(COMMAND, **stream)

    def transform(record: Record) -> str:
        payloads = unwrap(record.value, field)
        if json:
            return "\n".join(dumps({"encoding": each.encoding, "payload": each.text}) for each in payloads)
        return "\n".join(each.text for each in payloads)

    return filter.filter(filter.reader.documents(), transform)
