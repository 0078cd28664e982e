"""A model file behind an OpenAI-compatible endpoint on this machine, by xllamacpp's server."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import contextmanager

from silp_cli.text.command import CommandError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


def start(
    path: str, *, name: str = "model", port: int = 0, threads: int | None = None, context: int = 4096, parallel: int = 1
) -> Any:
    """Load a model and serve it on the loopback interface until the process ends.

    Args:
        path: a model in GGUF format.
        name: what the endpoint calls it.
        port: the port; 0 takes a free one.
        threads: how many threads compute; None takes as many as there are processors.
        context: tokens of prompt and answer, for each request that runs at the same time.
        parallel: how many requests run at the same time.

    Returns:
        The server; ``listening_address`` is its URL without ``/v1``. It must be kept as long as it is to serve.

    Raises:
        CommandError: when the library is not installed or the model cannot be loaded.
    """
    try:
        import xllamacpp
    except ImportError:
        raise CommandError("silp model: serving a model needs xllamacpp; run: pip install xllamacpp") from None
    if not os.path.isfile(path):
        raise CommandError(f"silp model: {path}: no such file")
    params = xllamacpp.CommonParams()
    params.model.path = path
    params.model_alias = {name}
    params.n_parallel = parallel
    params.n_ctx = context * parallel
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads or os.cpu_count() or 1
    params.cpuparams.poll = params.cpuparams_batch.poll = 0  # a thread that waits leaves the processor to others
    params.hostnames = ["127.0.0.1"]
    params.port = port
    params.verbosity = -1
    params.offline = True
    params.ui = False
    try:
        return xllamacpp.Server(params)
    except (RuntimeError, ValueError) as error:
        raise CommandError(f"silp model: {path}: the model cannot be served: {error}") from None


@contextmanager
def served(name: str, *arguments: str) -> Iterator[str]:
    """Serve a fetched model by a process of its own for as long as the context lasts.

    Args:
        name: the model's name, or a file.
        arguments: further options of ``silp model serve``.

    Yields:
        The base URL.

    Raises:
        CommandError: when it cannot be served; the message is the server's.
    """
    command = [sys.executable, "-m", "silp_cli", "model", "serve", name, "--until-eof", *arguments]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE,  # which ends with this process, however that ends
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True,  # an interrupt at the terminal is for this process
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            url = process.stdout.readline().strip()
            if not url:
                said = process.stderr.read().strip().splitlines()
                raise CommandError(said[-1] if said else f"silp model: {name} cannot be served")
            yield url
        finally:
            process.terminate()
            if process.stdin is not None:
                process.stdin.close()
            process.stdout.close()
            process.stderr.close()
