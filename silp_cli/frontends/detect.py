"""Which lossless frontend a payload is written in."""

from __future__ import annotations


def detect(text: str) -> str:
    """The lossless frontend that a payload is written in: ``json`` if it starts with a brace, else ``code``."""
    return "json" if text.lstrip(" \t\r\n").startswith("{") else "code"
