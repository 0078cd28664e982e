"""Writes Markdown as a man page (the macros of groff's man package)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markdown_it.token import Token


def man_page(name: str, summary: str, version: str, markdown: str) -> str:
    """A page of section 1.

    Args:
        name: the command.
        summary: what it is, for the NAME section.
        version: of the program.
        markdown: the rest; headings of the first level become sections.

    Returns:
        Text for ``man -l -``.
    """
    from markdown_it import MarkdownIt

    tokens = MarkdownIt("commonmark").enable("table").parse(markdown)
    head = f'.TH {name.upper()} 1 "" "{name} {version}"\n.SH NAME\n{name} \\- {_safe(summary)}\n'
    return head + "\n".join(_lines(tokens)) + "\n"


def _lines(tokens: Sequence[Token]) -> Iterator[str]:
    depth = 0
    cells: list[str] = []
    for index, token in enumerate(tokens):
        kind = token.type
        if kind == "heading_open":
            title = _inline(tokens[index + 1])
            yield f".SH {title.upper()}" if token.tag == "h1" else f".SS {title}"
        elif kind == "paragraph_open":
            yield ".PP" if not depth else f'.IP \\(bu {2 * depth}'
        elif kind in ("bullet_list_open", "ordered_list_open"):
            depth += 1
        elif kind in ("bullet_list_close", "ordered_list_close"):
            depth -= 1
        elif kind in ("fence", "code_block"):
            yield ".PP\n.nf\n" + _safe(token.content.rstrip("\n")) + "\n.fi"
        elif kind == "tr_open":
            cells = []
        elif kind == "tr_close":
            yield ".TP\n" + "\n".join([cells[0], "; ".join(cell for cell in cells[1:] if cell) or r"\&"])
        elif kind == "inline" and tokens[index - 1].type in ("th_open", "td_open"):
            cells.append(_inline(token))
        elif kind == "inline" and tokens[index - 1].type == "paragraph_open":
            yield _inline(token)


_FONTS = {"strong_open": r"\fB", "strong_close": r"\fR", "em_open": r"\fI", "em_close": r"\fR"}


def _inline(token: Token) -> str:
    parts: list[str] = []
    for child in token.children or ():
        if child.type in _FONTS:
            parts.append(_FONTS[child.type])
        elif child.type == "code_inline":
            parts.append(rf"\fB{_safe(child.content)}\fR")
        elif child.type in ("softbreak", "hardbreak"):
            parts.append(" ")
        else:
            parts.append(_safe(child.content))
    return "".join(parts)


def _safe(text: str) -> str:
    """Text without anything that troff would obey."""
    escaped = text.replace("\\", r"\e").replace("-", r"\-")
    return "\n".join(rf"\&{line}" if line.startswith((".", "'")) else line for line in escaped.split("\n"))
