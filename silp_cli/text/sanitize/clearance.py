"""Clears text that is honest beyond doubt, quickly, once a process has seen enough of it to repay the grammar."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from silp_cli.text.sanitize.policy import Policy

# Bytes that can be examined in the time that making the grammar takes.
_REPAID = 1 << 17


class Clearance:
    """A quick yes to the question whether a policy finds nothing in a text.

    Args:
        policy: gives what is looked for; asked once, when the grammar is made.
    """

    def __init__(self, policy: Callable[[], Policy]) -> None:
        self._policy = policy
        self._seen = 0
        self._honest_end: Callable[[bytes, int], int] | None = None

    def __call__(self, text: str) -> bool:
        """True if the policy finds nothing in one line of text; False says nothing."""
        if self._honest_end is None:
            self._seen += len(text)
            if self._seen < _REPAID:
                return False
            from silp_cli.text.sanitize.honest_grammar import compile_grammar

            self._honest_end = compile_grammar(self._policy())
        line = f"\n{text}\n".encode("utf-8", "surrogatepass")
        return self._honest_end(line, 0) >= len(line) - 1
