"""The ``--format`` option of commands that are not declared in ``silp_cli.cli`` yet."""

from __future__ import annotations

from silp_cli.text.rows import write_rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser

__all__ = ["add_format_option", "write_rows"]


def add_format_option(parser: ArgumentParser) -> None:
    """Add ``--format``."""
    parser.add_argument(
        "--format", choices=("table", "json"), help="default: a table on a terminal, JSON Lines otherwise"
    )
