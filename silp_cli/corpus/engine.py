"""Runs tasks on Dask: a cluster of this machine's cores, or one that is there already."""

from __future__ import annotations

import contextlib
import os
from concurrent.futures import CancelledError

from silp_cli.corpus.files import CorpusError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, TypeVar

    from distributed import Client

    T = TypeVar("T")
    R = TypeVar("R")

# For each thread of the cluster, tasks that wait or run: enough to keep it busy, few enough for the scheduler.
_AHEAD = 3
# A task whose workers die is given up after so many deaths: then it is the task.
_DEATHS = 25
# What comes of taking leave of a scheduler that has gone before.
_GONE = (OSError, TimeoutError, RuntimeError, CancelledError)
_LOST = "the scheduler is gone; the same command goes on with the blocks that are left"


class Engine:
    """A connection to a cluster.

    Args:
        scheduler: the scheduler's address; None starts a cluster on this machine.
        workers: processes of that cluster; 0 for one a core.

    Raises:
        CorpusError: when Dask is not installed or the scheduler does not answer.
    """

    def __init__(self, scheduler: str | None = None, workers: int = 0) -> None:
        try:
            import dask
            from distributed import Client, LocalCluster
        except ImportError:
            raise CorpusError("Dask is not installed; install it with: pip install 'silp-cli[corpus]'") from None
        self._own: LocalCluster | None = None
        dask.config.set({
            "distributed.scheduler.allowed-failures": _DEATHS,
            "distributed.comm.timeouts.connect": "5s",
            "distributed.worker.daemon": True,
            # Samples of what workers do, many times a second, of which nobody would see more than a wait.
            "distributed.worker.profile.enabled": False,
            "distributed.admin.system-monitor.interval": "5s",
            "distributed.admin.log-format": "%(message)s",
        })
        _silence()
        if scheduler is None:
            self._own = LocalCluster(
                n_workers=workers or len(os.sched_getaffinity(0)), threads_per_worker=1, processes=True,
                dashboard_address="127.0.0.1:0", memory_limit=0, silence_logs=60,
            )
        try:
            self.client: Client = Client(self._own if self._own is not None else scheduler)
        except (OSError, ValueError) as error:
            raise CorpusError(f"{scheduler}: no scheduler there ({str(error).splitlines()[0]})") from None

    @property
    def dashboard(self) -> str:
        """Where Dask shows what it does."""
        return str(self.client.dashboard_link)

    def map(self, function: Callable[[T], R], tasks: Iterable[T]) -> Iterator[tuple[T, R | BaseException]]:
        """Run a function over tasks, a bounded number of them at a time, each as often as its workers die.

        Args:
            function: what to do; it is imported by the workers.
            tasks: what to do it with; taken as there is room.

        Yields:
            Each task with its result, or with what the function raised, as they end.

        Raises:
            CorpusError: when the scheduler is gone.
        """
        from distributed import as_completed
        from distributed.scheduler import KilledWorker

        waiting = iter(tasks)
        running: dict[Any, T] = {}
        deaths: dict[Any, int] = {}
        threads = sum(self.client.nthreads().values()) or 1
        queue = as_completed()

        def submit(task: T, died: int = 0) -> None:
            future = self.client.submit(function, task, pure=False)
            running[future] = task
            deaths[future] = died
            queue.add(future)

        try:
            for task in waiting:
                submit(task)
                if len(running) >= threads * _AHEAD:
                    break
            while running:
                future = next(queue)
                task, died = running.pop(future), deaths.pop(future)
                if future.status not in ("finished", "error"):
                    raise CorpusError(_LOST)
                try:
                    error = future.exception()
                    outcome = future.result() if error is None else error
                except (OSError, CancelledError):
                    raise CorpusError(_LOST) from None
                if isinstance(error, KilledWorker) and died < _DEATHS:
                    submit(task, died + 1)
                else:
                    yield task, outcome
                for task in waiting:
                    submit(task)
                    break
        except BaseException:
            with contextlib.suppress(*_GONE):
                self.client.cancel(list(running), force=True)
            raise

    def close(self) -> None:
        """Let the cluster go; end it if it is ours."""
        with contextlib.suppress(*_GONE):
            self.client.close(timeout=2)
        if self._own is not None:
            with contextlib.suppress(*_GONE):
                self._own.close(timeout=5)


def _silence() -> None:
    """Dask reports what it does itself about what goes wrong; what matters of it comes as results."""
    import logging

    logging.disable(logging.CRITICAL)
