"""The parse tree that the pyparsing grammar builds and ``reading.py`` makes an IR of."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Node:
    """What one rule matched.

    Attributes:
        rule: the ABNF rule, or the text itself for punctuation and words of the syntax.
        start: offset of its first character.
        end: offset behind its last character.
        text: the characters, for a node without children.
        children: the nodes within, white space left out.
    """

    rule: str
    start: int
    end: int
    text: str = ""
    children: tuple[Node, ...] = ()

    def find(self, rule: str) -> Node | None:
        """The first child of a rule."""
        return next((child for child in self.children if child.rule == rule), None)

    def all(self, rule: str) -> list[Node]:
        """The children of a rule."""
        return [child for child in self.children if child.rule == rule]

    def leaf(self) -> Node:
        """The innermost node of one that wraps a single other, such as a value."""
        node = self
        while len(node.children) == 1:
            node = node.children[0]
        return node
