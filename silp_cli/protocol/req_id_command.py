"""``silp req-id``: measure how often request ids collide."""

from __future__ import annotations

from silp_cli.protocol.request_ids import DIGITS, measure
from silp_cli.text.command import CommandError
from silp_cli.text.rows import write_rows

COMMAND = "silp req-id"


def run(*, n: int, hex: str, trials: int, seed: int, format: str | None) -> int:
    """Measure and report; return the exit status."""
    write_rows([each.to_dict() for each in measure(n, _lengths(hex), trials, seed)], format)
    return 0


def _lengths(text: str) -> list[int]:
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isascii() and part.isdigit() and int(part) in DIGITS for part in parts):
        raise CommandError(f"{COMMAND}: --hex: lengths are {DIGITS[0]} to {DIGITS[-1]} digits, not '{text}'")
    return list(dict.fromkeys(map(int, parts)))
