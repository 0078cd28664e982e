"""How failures of gates are said: a line each, for people or for programs."""

from __future__ import annotations

from silp_cli.ir.jsontext import dumps
from silp_cli.text.diagnostics import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from silp_cli.census.gates import Failure
    from silp_cli.text.diagnostics import Reporter


def say_failures(failures: Iterable[Failure], reporter: Reporter) -> None:
    """Write failures to stderr, a line each, as many of each rule as the reporter admits.

    Args:
        failures: what did not pass.
        reporter: what counts them, and knows the form.
    """
    for failure in failures:
        if not reporter.admits(failure.rule):
            continue
        if reporter.form == "json":
            reporter.say_of(failure.rule, dumps(failure.to_dict()) + "\n")
        else:
            rule = failure.rule.removeprefix("census.")
            place = f"{visible(failure.source)}:{failure.line}"
            reporter.say_of(failure.rule, f"{reporter.command}: {place}: {rule}: {visible(failure.message)}\n")
