"""The rules that diagnostics name: what each says, what to do, and a command line that breaks it."""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass

_FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "rules.toml")


@dataclass(frozen=True)
class Rule:
    """One rule.

    Attributes:
        name: what stands under ``rule`` in a diagnostic, such as ``verb.excluded``.
        says: what is wrong when a diagnostic names it, in Markdown.
        remedy: what to do about it, in Markdown.
        breaks: a command line that breaks it; empty where none can.
        shows: what that command line says, where it ends before it reads a record and so names no rule.
    """

    name: str
    says: str
    remedy: str
    breaks: str = ""
    shows: str = ""

    def page(self) -> str:
        """The rule as a section in Markdown."""
        example = f"\n    {self.breaks.strip()}\n" if self.breaks else ""
        return f"## {self.name}\n\n{self.says}\n{example}\nRemedy: {self.remedy}\n"


def rules() -> dict[str, Rule]:
    """All rules by name, in the order of the table."""
    with open(_FILE, "rb") as file:
        return {name: Rule(name, **fields) for name, fields in tomllib.load(file).items()}


def rules_page() -> str:
    """The reference page of all rules, in Markdown."""
    return "# Rules\n\nWhat `rule` in a diagnostic can be.\n\n" + "\n".join(rule.page() for rule in rules().values())
