"""Where a diagnostic points: the line and the column in the source, and the line shown with a caret under it."""

from __future__ import annotations

import pytest
from support import shell, silp

GOOD = '{"intent":"!CANCEL","meta":{"speaker":"a","listener":"b"}}'


def _caret(text: str, word: str) -> str:
    """The excerpt of a one-line text with a caret under a word, as a diagnostic shows it."""
    return f"  {text}\n  {' ' * text.index(word)}^\n"


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ('{} {"zz":1}', '"zz"'),
        ('{}{"zz":1}', '"zz"'),
        ('[1]\t  {"a":{}} {"zz":1} {}', '"zz"'),
        ("{} junk", "junk"),
        ('{}{} {"a":@}', "@"),
        ('{"é": "日本"} {} junk', "junk"),
    ],
)
def test_a_document_that_does_not_start_its_line_is_placed_on_it(text: str, word: str) -> None:
    column = text.index(word) + 1
    found = silp("validate", "--errors", "json", given=text).diagnostics
    starts = {(each["line"], each["column"]) for each in found}
    # a member's own column is that of its value or of its name
    assert {(1, column), (1, column + len(word) + 1)} & starts


@pytest.mark.parametrize("text", ["{} junk", '{}{} {"a":@}', '[1]\t{} {"a" 2}'])
def test_the_excerpt_is_the_source_line_with_the_caret_where_the_column_says(text: str) -> None:
    last = silp("compile", "--errors", "json", given=text).diagnostics[-1]
    shown = silp("compile", given=text).err
    word = text[last["column"] - 1]
    line = text.replace("\t", "\\u0009")
    assert f"  {line}\n  {' ' * line.rindex(word)}^" in shown


def test_text_after_a_document_of_several_lines_is_placed_on_the_last_of_them() -> None:
    text = '{\n "a": 1\n} junk\n'
    last = silp("compile", "--errors", "json", given=text).diagnostics[-1]
    assert (last["line"], last["column"]) == (3, 3)
    assert _caret("} junk", "junk").rstrip() in silp("compile", given=text).err


def test_a_document_that_starts_in_a_line_and_ends_in_another_is_placed_by_line() -> None:
    text = '{} {"a":\n  @}\n{} {"b" 1,\n "c":2}\n'
    found = [
        (each["line"], each["column"])
        for each in silp("compile", "--errors", "json", given=text).diagnostics
        if each["rule"].startswith("json.")
    ]
    assert found[:2] == [(2, 3), (3, 9)]


def test_a_document_at_the_start_of_its_line_is_placed_as_ever() -> None:
    found = silp("compile", "--errors", "json", given=f"{GOOD}\n{{@}}\n").diagnostics
    assert (found[-1]["line"], found[-1]["column"]) == (2, 2)


@pytest.mark.parametrize("command", ["explain", "decode --extract", "decode"])
def test_a_line_that_is_not_utf8_is_shown_with_what_stands_for_the_bytes(command: str) -> None:
    result = shell(f"silp {command}", given=b"cancel(flight)\nx \xff(d)\n")
    assert result.status == 1
    assert "stdin:2:3:" in result.err
    assert "  x \ufffd(d)\n    ^\n" in result.err
