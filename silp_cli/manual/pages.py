"""The pages of the manual: each is one Markdown file of this directory, whose first heading is its title."""

from __future__ import annotations

import os

_HERE = os.path.dirname(os.path.abspath(__file__))


def topics() -> dict[str, str]:
    """The name of each written page and its title, by name."""
    names = sorted(name.removesuffix(".md") for name in os.listdir(_HERE) if name.endswith(".md"))
    return {name: _title(page(name)) for name in names}


def page(topic: str) -> str:
    """The Markdown of one written page.

    Raises:
        KeyError: when there is no such page.
    """
    if not topic.replace("-", "").isalnum():
        raise KeyError(topic)
    try:
        with open(os.path.join(_HERE, f"{topic}.md"), encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        raise KeyError(topic) from None


def _title(text: str) -> str:
    return text.split("\n", 1)[0].removeprefix("# ")
