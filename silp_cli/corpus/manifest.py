"""The record of a run: what went in, what came out, by what. It is written last; without it a run is unfinished."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import asdict

from silp_cli.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from silp_cli.corpus.files import Input
    from silp_cli.corpus.worker import Result

MANIFEST = "manifest.json"
FORMAT = "silp-corpus/1"


def versions() -> dict[str, str]:
    """The versions of what has a say in the result."""
    import platform
    from importlib.metadata import version

    named = {name: version(name) for name in ("dask", "distributed", "fsspec")}
    return {"silp": __version__, "python": platform.python_version(), **named}


def identity(inputs: Sequence[Input], command: Sequence[str], block_size: int) -> str:
    """What two runs have in common if one can go on where the other ended."""
    facts = [FORMAT, __version__, list(command), block_size, [[each.url, each.size, each.version] for each in inputs]]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


def manifest(
    run: str, inputs: Sequence[Input], command: Sequence[str], block_size: int, results: Iterable[Result]
) -> dict[str, Any]:
    """The manifest of a run that is done.

    Args:
        run: the run's identity.
        inputs: the files.
        command: the filter's command line.
        block_size: bytes of a block.
        results: what became of the blocks, in order.
    """
    rules: Counter[str] = Counter()
    blocks = []
    records = lines = status = 0
    for each in results:
        status = max(status, each.status)
        rules.update(each.rules)
        records += each.records
        lines += each.lines
        block = each.block
        blocks.append({
            "file": block.file, "start": block.start, "end": block.end, "records": each.records, "lines": each.lines,
            "status": each.status, "output": each.output, "size": each.size, "sha256": each.sha256,
            "diagnostics": each.rules,
        })
    return {
        "format": FORMAT, "run": run, "versions": versions(), "command": ["silp", *command],
        "block_size": block_size, "records": records, "lines": lines,
        "status": status, "diagnostics": dict(sorted(rules.items())),
        "inputs": [asdict(each) for each in inputs], "blocks": blocks,
    }
