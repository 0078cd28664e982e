"""Which frontend two parties use (draft, section "Frontend Negotiation")."""

from __future__ import annotations

from enum import Enum

from silp_cli.ir.errors import ErrorCode, SilpError
from silp_cli.protocol.negotiation.messages import Message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

# The draft's order. It names `math` and defines it nowhere: it counts only where somebody registered it.
CHAIN: tuple[str, ...] = ("code", "math", "json", "natural")
_PRIORITY: tuple[str, ...] = (*CHAIN, "nl_json", "llmlingua2")


def by_priority(names: Iterable[str]) -> list[str]:
    """Frontends by priority, the highest first: the draft's chain, its other two, then the rest by name.

    The order depends on the names alone, so both parties arrive at the same one.
    """
    rank = {name: place for place, name in enumerate(_PRIORITY)}
    return sorted(set(names), key=lambda name: (rank.get(name, len(rank)), name))


def choose(one: Message, other: Message) -> str:
    """The frontend both parties use: the highest priority that both support.

    A preference that both support goes before the priority order; of two different ones, the priority order
    decides.
    The result is the same whichever of the two sent the ping.

    Args:
        one: a ping or a pong.
        other: the other party's.

    Returns:
        The frontend's name, one of both lists.

    Raises:
        SilpError: ``unsupported_frontend`` when they have none in common.
    """
    common = set(one.frontends) & set(other.frontends)
    preferred = {message.prefer for message in (one, other) if message.prefer is not None} & common
    ranked = by_priority(preferred or common)
    if not ranked:
        raise SilpError(
            ErrorCode.UNSUPPORTED_FRONTEND,
            "no frontend in common",
            rule="negotiation.none",
            hint=f"one side has {', '.join(one.frontends)}; the other has {', '.join(other.frontends)}",
        )
    return ranked[0]


def answer(ping: Message, frontends: Collection[str], prefer: str | None = None) -> Message:
    """The pong to a ping.

    Args:
        ping: the probe.
        frontends: what the receiver supports.
        prefer: what it would rather use; by default what both will use, left out when nothing is common.

    Returns:
        The answer, with the probe's ``id`` if it had one.
    """
    names = tuple(by_priority(frontends))
    echo = {"id": ping.id} if ping.id is not None else {}
    if prefer is None:
        try:
            prefer = choose(ping, Message("pong", names))
        except SilpError:
            prefer = None  # the list alone says so
    return Message("pong", names, prefer, parameters=echo)


class State(Enum):
    """Where an exchange stands."""

    IDLE = "idle"
    PROBED = "probed"
    AGREED = "agreed"
    FAILED = "failed"


class Exchange:
    """The state machine of one negotiation, as either party or an onlooker sees it.

        idle --ping--> probed --pong--> agreed
                       probed --pong without a common frontend, or error--> failed
        agreed, failed --ping--> probed

    Any other message is out of order and leaves the state as it was.
    """

    def __init__(self) -> None:
        self.state = State.IDLE
        self.frontend: str | None = None
        self._ping: Message | None = None

    def take(self, message: Message) -> str | None:
        """Take the next message.

        Returns:
            The agreed frontend when this message settles it.

        Raises:
            SilpError: ``invalid_syntax`` (rule ``negotiation.order``) for a message that cannot come now;
                ``unsupported_frontend`` when the parties have none in common; an error message's own code.
        """
        if message.kind == "ping":
            if self.state is State.PROBED:
                raise _out_of_order("a second ping, the first is not answered yet")
            self._ping, self.state, self.frontend = message, State.PROBED, None
            return None
        if self.state is not State.PROBED or self._ping is None:
            raise _out_of_order(f"{message.kind} without a ping")
        if message.id is not None and message.id != self._ping.id:
            raise _out_of_order(f"{message.kind} to another ping, its id differs")
        if message.kind == "error":
            self.state = State.FAILED
            code = message.code or ErrorCode.DECODE_FAILED
            raise SilpError(
                code,
                message.parameters.get("message") or "the receiver refused the probe",
                rule="negotiation.refused",
            )
        try:
            self.frontend = choose(self._ping, message)
        except SilpError:
            self.state = State.FAILED
            raise
        self.state = State.AGREED
        return self.frontend

    def end(self) -> None:
        """Say that no more messages come.

        Raises:
            SilpError: ``timeout`` when a ping is left without an answer.
        """
        if self.state is State.PROBED:
            raise SilpError(ErrorCode.TIMEOUT, "the ping was never answered", rule="negotiation.unanswered")


def _out_of_order(message: str) -> SilpError:
    return SilpError(
        ErrorCode.INVALID_SYNTAX,
        f"out of order: {message}",
        rule="negotiation.order",
        hint="one //ping, then one //pong or //error",
    )


def degradation(start: str, registered: Collection[str]) -> list[str]:
    """The frontends to try, in order, when ``start`` is wanted (draft: code, math, json, natural).

    Args:
        start: the negotiated frontend; one outside the chain is followed by the whole chain.
        registered: the frontends there are; a chain member that is not there is skipped.

    Returns:
        ``start`` and what comes after it.
    """
    rest = CHAIN[CHAIN.index(start) + 1 :] if start in CHAIN else CHAIN
    return [start, *(name for name in rest if name in registered)]
