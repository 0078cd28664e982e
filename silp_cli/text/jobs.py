"""``--jobs N``: the same filter by several processes. Only this much is loaded where there is but one."""

from __future__ import annotations

from functools import wraps

from silp_cli.text.part import current

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def with_jobs(
    command: str, alone: Callable[[dict[str, Any]], bool] = lambda _: False,
    settled: Callable[[dict[str, Any]], dict[str, Any]] = lambda arguments: arguments,
) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Give a filter's ``run`` the parameter ``jobs``; what it does stays the same to the byte.

    Args:
        command: the filter's name for diagnostics.
        alone: says of the arguments that the filter needs the whole input in one process.
        settled: gives the arguments with everything decided that depends on where output goes.
    """
    def decorate(run: Callable[..., int]) -> Callable[..., int]:
        @wraps(run)
        def start(*, jobs: int = 1, **arguments: Any) -> int:
            if jobs == 1 or current() is not None or alone(arguments):
                return run(**arguments)
            from silp_cli.text.pool import run_in_jobs

            return run_in_jobs(run, command, settled(arguments), jobs)

        return start

    return decorate
