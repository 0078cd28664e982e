"""A body that ends before its arguments do is no shorter call: what stands behind it says that it was cut."""

from __future__ import annotations

import pytest

from silp_cli.dialects.call import Call, Problem
from silp_cli.dialects.reader import read


@pytest.mark.parametrize(
    "text",
    [
        '<tool_call>{"name":"f","arguments":{"a":1}},"b":2}</tool_call>',
        '<tool_call>{"name":"f","arguments":{"a":1}}}</tool_call>',
        '[TOOL_CALLS]f[ARGS]{"a":1}, "b": 2}',
        '<function=f>{"a":1},"b":2}</function>',
        '>>>f\n{"a":1}}',
    ],
)
def test_a_body_closed_too_early_is_an_error(text: str) -> None:
    found = list(read(text))
    assert not [each for each in found if isinstance(each, Call)]
    assert [each for each in found if isinstance(each, Problem)]


def test_objects_in_a_row_are_a_call_each() -> None:
    found = list(read('{"name":"f","arguments":{"a":1}}{"name":"g","arguments":{}}\n{"name":"h","arguments":{}}'))
    assert [each.name for each in found if isinstance(each, Call)] == ["f", "g", "h"]
