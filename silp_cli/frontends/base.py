"""What a frontend is.

Third parties subclass ``Frontend`` and name their class in the entry-point group ``silp.frontends``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from silp_cli.ir.errors import ErrorCode, SilpError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any


class Frontend(ABC):
    """A surface encoding of the IR (draft, section "Layer 2: Surface Layer").

    Attributes:
        name: what users type after ``--frontend``.
        lossless: whether ``decode(compile(ir))`` is equivalent to ``ir`` for every valid IR.
        summary: one line for ``silp frontends``.
        slow: whether it has to load a model; such a frontend counts tokens only where it is named.
    """

    name: str
    lossless: bool = False
    slow: bool = False
    summary: str = ""

    @abstractmethod
    def compile(self, ir: dict[str, Any], *, bare: bool = False) -> str:
        """Write a valid IR as one line of text.

        Args:
            ir: a valid IR (plain JSON data, see ``silp_cli.ir.model``); it is not changed.
            bare: leave out meta, ``silp`` and ``version``.

        Returns:
            The surface text: one line without control characters.

        Raises:
            SilpError: ``unsupported_frontend`` when this frontend must not carry this IR.
        """

    def compile_many(self, irs: Iterable[dict[str, Any]], *, bare: bool = False) -> Iterator[str | SilpError]:
        """Compile a stream; frontends that gain from batches override this. Errors are yielded in place."""
        for ir in irs:
            try:
                yield self.compile(ir, bare=bare)
            except SilpError as error:
                yield error

    def compile_with_losses(self, ir: dict[str, Any], *, bare: bool = False) -> tuple[str, list[str]]:
        """Compile, and name the slots that the text does not hold; frontends that drop some override this."""
        return self.compile(ir, bare=bare), []

    def decode(self, text: str) -> dict[str, Any]:  # noqa: ARG002 - for those that can
        """Read surface text back into an IR.

        Args:
            text: one payload, without its line's end.

        Returns:
            A valid IR; its ``meta.req_id`` is derived from the text.

        Raises:
            SilpError: ``invalid_syntax`` with a position, or ``decode_failed`` for frontends that are not lossless.
        """
        raise SilpError(
            ErrorCode.DECODE_FAILED,
            f"the {self.name} frontend does not support decode: {self.why_not()}",
            rule="frontend.one-way",
            hint="send code or json, the lossless frontends, to get an IR back",
        )

    def installed(self) -> bool:
        """Whether what this frontend needs is there; its libraries may be an extra."""
        return True

    def why_not(self) -> str:
        """Why this frontend cannot be decoded, as the end of a sentence."""
        return "its text does not determine the IR"
