"""``silp rule``: what the rule of a diagnostic means."""

from __future__ import annotations

from silp_cli.manual.rules import rules
from silp_cli.manual.terminal import show
from silp_cli.text.command import CommandError


def run(*, name: str | None) -> int:
    """Show a rule, or the list of all; return the exit status.

    Raises:
        CommandError: when there is no such rule.
    """
    known = rules()
    if name is None:
        rows = "\n".join(f"| `{rule.name}` | {rule.says} |" for rule in known.values())
        show(f"# Rules\n\n| rule | what it says |\n| --- | --- |\n{rows}\n")
        return 0
    if name not in known:
        from difflib import get_close_matches

        close = get_close_matches(name, known, n=1)
        hint = f"; did you mean '{close[0]}'?" if close else ""
        raise CommandError(f"silp rule: no rule '{name}'{hint} (see 'silp rule')")
    show(known[name].page().removeprefix("#"))
    return 0
