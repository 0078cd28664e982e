"""Heartbeats: the context of a session is reset every N turns (draft, section "Session Management")."""

from __future__ import annotations

HEARTBEATS: tuple[int, ...] = (1, 5, 10, 15, 20, 9999)
NO_HEARTBEAT = 9999
DEFAULT_N = 10
MAX_TURNS = 2**63 - 1  # the widest integer that the state file holds
REQ_ID_DIGITS: tuple[int, ...] = (4, 6, 8)


def context_after(turns: int, n: int) -> int:
    """How many turns of context a receiver holds after ``turns`` turns, with a reset every ``n``."""
    if turns == 0 or n == NO_HEARTBEAT:
        return turns
    return (turns - 1) % n + 1


def heartbeats_before(turns: int, n: int) -> int:
    """How many times the context was reset before turn number ``turns``."""
    return 0 if turns == 0 or n == NO_HEARTBEAT else (turns - 1) // n
