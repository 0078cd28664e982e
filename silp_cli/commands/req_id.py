"""``silp req-id``: measure how often request ids collide."""

from __future__ import annotations

import argparse

from silp_cli.commands.rows import add_format_option, write_rows
from silp_cli.commands.stream import positive
from silp_cli.protocol.request_ids import DIGITS, measure


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``silp req-id``."""
    parser.add_argument("--n", type=positive, default=1000, help="ids in a trial (default: 1000)")
    parser.add_argument(
        "--hex",
        type=_lengths,
        default=[4, 6, 8],
        metavar="N,…",
        help="lengths in hexadecimal digits (default: 4,6,8)",
    )
    parser.add_argument("--trials", type=positive, default=100, help="how many trials (default: 100)")
    parser.add_argument("--seed", type=int, default=0, help="draw other ids (default: 0)")
    add_format_option(parser)
    parser.epilog = """\
The ids are drawn as decode derives them: SHA-256 of a payload, cut to length. Beside what was measured
stands what theory says: 'expected_collisions' for the ids that repeat an earlier one, 'p_birthday' for at
least one of them.

examples:
  silp req-id
  silp req-id --n 100000 --hex 8 --trials 20 --format json
"""


def run(options: argparse.Namespace) -> int:
    """Measure and report; return the exit status."""
    rows = [each.to_dict() for each in measure(options.n, options.hex, options.trials, options.seed)]
    write_rows(rows, options.format)
    return 0


def _lengths(text: str) -> list[int]:
    lengths = [int(part) for part in text.split(",")]
    if not all(length in DIGITS for length in lengths):
        raise argparse.ArgumentTypeError(f"lengths are {DIGITS[0]} to {DIGITS[-1]} digits")
    return list(dict.fromkeys(lengths))
