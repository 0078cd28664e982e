"""``silp error``: payload-level error objects."""

from __future__ import annotations

from silp_cli.ir.errors import ErrorCode, SilpError
from silp_cli.protocol.error_object import DESCRIPTIONS, MEMBER, error_object, is_error_object, read_diagnostic
from silp_cli.text.command import CommandError
from silp_cli.text.output import json_writer, write_whole
from silp_cli.text.rows import write_rows
from silp_cli.text.stream import Stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Unpack

    from silp_cli.text.stream import StreamOptions

COMMAND = "silp error"


def run(
    *, code: str | None, message: str | None, hint: str, req_id: str | None, list: bool, format: str | None,
    **stream: Unpack[StreamOptions],
) -> int:
    """Write error objects; return the exit status."""
    if list:
        write_rows([{"code": str(each), "description": text} for each, text in DESCRIPTIONS.items()], format)
        return 0
    dumps = json_writer(pretty=False)
    if code is None:
        if message is not None or hint:
            raise CommandError(f"{COMMAND}: --message and --hint go with --code")
        filter = Stream(COMMAND, **stream)
        return filter.filter(
            filter.reader.documents(), lambda record: dumps(error_object(described(record.value), req_id))
        )
    if stream.get("files"):
        raise CommandError(f"{COMMAND}: --code takes no input files")
    one = ErrorCode(code)
    error = SilpError(one, DESCRIPTIONS[one] if message is None else message, hint=hint)
    write_whole(dumps(error_object(error, req_id)), stream.get("output"))
    return 0


def described(value: Any) -> SilpError:
    """The error that a value describes: a diagnostic, an emitted one, or an error object.

    Raises:
        SilpError: for anything else.
    """
    if is_error_object(value):
        value = value[MEMBER]
    elif isinstance(value, dict) and isinstance(value.get("error"), dict):
        value = value["error"]
    if not isinstance(value, dict):
        raise SilpError(ErrorCode.INVALID_SYNTAX, "a diagnostic is a JSON object", rule="error.form", position=0)
    return read_diagnostic(value)
