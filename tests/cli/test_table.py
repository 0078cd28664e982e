"""``table.py``, which ordinary command lines are read by, says what the declarations say."""

from __future__ import annotations

from silp_cli.cli.make_table import PAGE, TABLE, options_page, table


def test_the_table_is_fresh() -> None:
    assert TABLE.read_text(encoding="utf-8") == table(), "run: make table"


def test_the_page_of_options_is_fresh() -> None:
    assert PAGE.read_text(encoding="utf-8") == options_page(), "run: make table"
