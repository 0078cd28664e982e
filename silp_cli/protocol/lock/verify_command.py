"""``silp lock verify``: report the first line of each lock that does not hold."""

from __future__ import annotations

import os

from silp_cli.ir.errors import SilpError
from silp_cli.ir.jsontext import limit_depth
from silp_cli.protocol.lock.file import LockFile, read_lock_file
from silp_cli.protocol.lock.verify import last_head, require_head, require_irs, require_surfaces
from silp_cli.text.command import CommandError
from silp_cli.text.records import Reader, Source
from silp_cli.text.rows import write_rows
from silp_cli.text.stream import reporter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from silp_cli.text.records import Record

COMMAND = "silp lock verify"
DEFAULT_LOCK = "compile.lock"


def run(
    *, locks: Sequence[str] | None, ir: str | None, surface: str | None, head: str | None, repair: bool,
    format: str | None, errors: str, all: bool, max_diagnostics: int, max_record_size: int, max_depth: int,
) -> int:
    """Verify locks; return the exit status: 0 when all hold, 1 otherwise."""
    limit_depth(max_depth)
    diagnostics = reporter(COMMAND, errors=errors, all=all, max_diagnostics=max_diagnostics)
    paths = locks or [DEFAULT_LOCK]
    rows: list[dict[str, object]] = []
    for path in paths:
        try:
            repaired = {"repaired": _repaired(path)} if repair else {}
            entries = read_lock_file(path)
            if head is not None:
                require_head(entries, head)
            surfaces = None if surface is None else _records(surface, max_record_size, documents=False)
            if ir is not None:
                require_irs(entries, _records(ir, max_record_size, documents=True), surfaces)
            elif surfaces is not None:
                require_surfaces(entries, surfaces)
            rows.append({"lock": path, "entries": len(entries), "head": last_head(entries), **repaired})
        except SilpError as error:
            error.source = error.source or path
            diagnostics.report(error)
    diagnostics.finish()
    write_rows(rows, format)
    return 0 if len(rows) == len(paths) else 1


def _repaired(path: str) -> str:
    if not os.path.exists(path):
        raise CommandError(f"{COMMAND}: {path}: No such file or directory")
    with LockFile(path) as lock:
        return lock.repair()


def _records(path: str, limit: int, *, documents: bool) -> Iterator[Record]:
    with open(path, "rb") as file:
        reader = Reader(iter([Source(path, file.fileno())]), limit)
        for record in reader.documents() if documents else reader.payloads():
            if record.error is not None:
                raise record.place(record.error)
            yield record
