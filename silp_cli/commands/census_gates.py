"""How ``silp census`` says which strings and records did not pass a gate."""

from __future__ import annotations

import sys

from silp_cli.ir.jsontext import dumps
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
            sys.stderr.write(dumps(failure.to_dict()) + "\n")
        else:
            rule = failure.rule.removeprefix("census.")
            sys.stderr.write(
                f"{command}: {visible(failure.source)}:{failure.line}: {rule}: {visible(failure.message)}\n"
            )
    sys.stderr.flush()
