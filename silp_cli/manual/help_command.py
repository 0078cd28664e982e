"""``silp help``: the pages of the manual."""

from __future__ import annotations

import sys

from silp_cli.manual.codes import codes_page
from silp_cli.manual.pages import page, topics
from silp_cli.manual.rules import rules_page
from silp_cli.manual.terminal import show
from silp_cli.text.command import CommandError
from silp_cli.version import __version__

COMMAND = "silp help"
SUMMARY = "Unix filters for what language-model agents ask of each other"
# Pages that are made from the code when they are asked for.
_MADE = {"errors": ("Error codes", codes_page), "rules": ("Rules", rules_page)}


def run(*, topic: str | None, man: bool) -> int:
    """Show a page, the list of pages, or all of them as a man page; return the exit status.

    Raises:
        CommandError: when there is no such page.
    """
    if man:
        from silp_cli.manual.roff import man_page

        everything = "\n".join(text_of(name) for name in listing())
        sys.stdout.write(man_page("silp", SUMMARY, __version__, everything))
        return 0
    if topic is None:
        rows = "\n".join(f"| `{name}` | {title} |" for name, title in listing().items())
        show(f"# The manual of silp\n\n`silp help TOPIC` shows a page.\n\n| topic | page |\n| --- | --- |\n{rows}\n")
        return 0
    show(text_of(topic))
    return 0


def listing() -> dict[str, str]:
    """The names of all pages and their titles."""
    return dict(sorted({**topics(), **{name: title for name, (title, _) in _MADE.items()}}.items()))


def text_of(topic: str) -> str:
    """A page in Markdown.

    Raises:
        CommandError: when there is none.
    """
    if topic in _MADE:
        return _MADE[topic][1]()
    try:
        return page(topic)
    except KeyError:
        found = page("options").partition(f"\n## silp {topic}\n")[2]
        if found:
            return f"# silp {topic}\n" + found.partition("\n## ")[0]
        from difflib import get_close_matches

        close = get_close_matches(topic, listing(), n=1)
        hint = f"; did you mean '{close[0]}'?" if close else ""
        raise CommandError(f"{COMMAND}: no page '{topic}'{hint} (see 'silp help', or 'silp {topic} --help')") from None
