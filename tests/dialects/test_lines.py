"""``--lines``: what a line stands for, and where."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from silp_cli import SilpError
from silp_cli.dialects.lines import place_in_line, text_of_line


@given(st.text(), st.booleans(), st.data())
def test_a_string_is_its_text_and_places_lead_back(text: str, ascii_only: bool, data: st.DataObject) -> None:
    line = " " + json.dumps(text, ensure_ascii=ascii_only)
    try:
        line.encode()
    except UnicodeEncodeError:
        return
    assert text_of_line(line) == text
    position = data.draw(st.integers(0, len(text)))
    at = place_in_line(line, position)
    assert json.loads(line[:at] + '"') == text[:position]


@pytest.mark.parametrize("line", ['{"role":"assistant"}', " [1]", "{broken"])
def test_a_message_is_read_as_it_stands(line: str) -> None:
    assert text_of_line(line) == line
    assert place_in_line(line, 3) == 3


@pytest.mark.parametrize("line", ["cancel(flight)", "3", "null", '"open', '"a" "b"', ""])
def test_anything_else_is_an_error(line: str) -> None:
    with pytest.raises(SilpError):
        text_of_line(line)
