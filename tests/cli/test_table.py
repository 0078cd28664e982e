"""``table.py``, which ordinary command lines are read by, says what the declarations say."""

from __future__ import annotations

from silp_cli.cli.make_table import TABLE, table


def test_the_table_is_fresh() -> None:
    assert TABLE.read_text(encoding="utf-8") == table(), "run: make table"
