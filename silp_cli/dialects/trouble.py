"""What the notations raise: a construct that is broken, or one whose end has not come yet."""

from __future__ import annotations

from silp_cli.ir.errors import ErrorCode, SilpError


class NeedMore(Exception):  # noqa: N818 - no error: the text goes on
    """The text ends inside a construct, and more of it may come."""


class Broken(Exception):  # noqa: N818 - becomes a SilpError once its place in the whole text is known
    """A construct that is no call.

    Args:
        position: where it breaks.
        message: what is wrong, one line.
        rule: the name of the check.
        hint: what to do about it.
    """

    def __init__(self, position: int, message: str, rule: str = "call.syntax", hint: str = "") -> None:
        super().__init__(message)
        self.position = position
        self.message = message
        self.rule = rule
        self.hint = hint

    def error(self) -> SilpError:
        """The diagnostic."""
        return SilpError(
            ErrorCode.INVALID_SYNTAX, self.message, rule=self.rule, hint=self.hint, position=self.position
        )


class Scan:
    """A text as far as it has come.

    Attributes:
        text: the text.
        final: whether no more will come.
    """

    __slots__ = ("final", "text")

    def __init__(self, text: str, *, final: bool = True) -> None:
        self.text = text
        self.final = final

    def cut_off(self, position: int, message: str = "the text ends inside a call", hint: str = "") -> Broken:
        """What to raise where the text ends too early.

        Raises:
            NeedMore: when more may come.
        """
        if not self.final:
            raise NeedMore
        return Broken(position, message, "call.cut-off", hint or "ask for the rest; nothing is guessed")
