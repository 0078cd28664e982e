"""How far a run has come, for people: a bar on a terminal, nothing elsewhere."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from rich.progress import Progress, TaskID


class Bar:
    """A bar of blocks with the time that is left, on stderr if that is a terminal.

    Args:
        total: how many blocks there are.
        done: how many of them an earlier run did.
    """

    def __init__(self, total: int, done: int) -> None:
        self._progress: Progress | None = None
        self._task: TaskID | None = None
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn, TimeRemainingColumn

            self._progress = Progress(
                "blocks", BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), "left", TimeRemainingColumn(),
                console=Console(stderr=True), transient=True,
            )
            self._task = self._progress.add_task("blocks", total=total, completed=done)

    def __enter__(self) -> Self:
        if self._progress is not None:
            self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._progress is not None:
            self._progress.stop()

    def advance(self) -> None:
        """One more block is done."""
        if self._progress is not None and self._task is not None:
            self._progress.advance(self._task)

    def more(self, blocks: int) -> None:
        """There are so many blocks more to do than was thought."""
        if self._progress is not None and self._task is not None:
            total = self._progress.tasks[0].total or 0
            self._progress.update(self._task, total=total + blocks)
