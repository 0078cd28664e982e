"""Shows Markdown to whoever reads: laid out with a pager on a terminal, as it is in a pipe."""

from __future__ import annotations

import os
import sys


def show(markdown: str) -> None:
    """Write a page to stdout.

    Args:
        markdown: the page.
    """
    if not sys.stdout.isatty():
        sys.stdout.write(markdown)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
    console = Console(no_color=plain, width=min(Console().width, 110))
    # less shows colours only when told to; a short page needs no pager at all.
    os.environ.setdefault("LESS", "-FRX")
    with console.pager(styles=not plain):
        console.print(Markdown(markdown))
