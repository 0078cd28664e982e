"""How ``silp census`` says which strings and records did not pass a gate."""

from __future__ import annotations

from silp_cli.ir.jsontext import dumps
from silp_cli.text.diagnostics import say as say_line
from silp_cli.text.diagnostics import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from silp_cli.census.gates import Failure


def say(failures: Iterable[Failure], command: str, form: str) -> None:
    """Write failures to stderr, a line each.

    Args:
        failures: what did not pass.
        command: the name that stands first on a line.
        form: ``text`` or ``json``.
    """
    for failure in failures:
        if form == "json":
            say_line(dumps(failure.to_dict()) + "\n")
        else:
            rule = failure.rule.removeprefix("census.")
            say_line(
                f"{command}: {visible(failure.source)}:{failure.line}: {rule}: {visible(failure.message)}\n"
            )
