"""``silp help`` and ``silp rule``: the manual."""

from __future__ import annotations

from typing import Annotated

import typer

from silp_cli.cli.app import command

GROUP = "Read"


@command("help", calls="silp_cli.manual.help_command:run", group=GROUP, examples="""\
    silp help                  # the topics
    silp help extract          # one page, with a pager on a terminal
    silp help --man > silp.1   # all of it as a man page
    """)
def help(
    topic: Annotated[str | None, typer.Argument(metavar="TOPIC", help="The page; none: the list of pages.")] = None,
    man: Annotated[bool, typer.Option("--man", help="Write a man page.")] = False,
) -> None:
    """Show a page of the manual."""


@command("rule", calls="silp_cli.manual.rule_command:run", group=GROUP, examples="""\
    silp rule                  # all names
    silp rule verb.excluded    # what it says, an example that breaks it, the remedy
    """)
def rule(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="The rule; none: the list of rules.")] = None,
) -> None:
    """Say what a rule of a diagnostic means and what to do about it."""
