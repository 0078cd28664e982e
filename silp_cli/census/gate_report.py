"""How failures of gates are said: a line each, for people or for programs."""

from __future__ import annotations

from silp_cli.ir.jsontext import dumps
from silp_cli.text.diagnostics import say, visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from silp_cli.census.gates import Failure


def say_failures(failures: Iterable[Failure], command: str, form: str) -> None:
    """Write failures to stderr.

    Args:
        failures: what did not pass.
        command: the name that stands first on a line.
        form: ``text`` or ``json``.
    """
    for failure in failures:
        if form == "json":
            say(dumps(failure.to_dict()) + "\n")
        else:
            rule = failure.rule.removeprefix("census.")
            say(f"{command}: {visible(failure.source)}:{failure.line}: {rule}: {visible(failure.message)}\n")
