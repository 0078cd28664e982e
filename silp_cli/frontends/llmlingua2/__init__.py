"""The ``llmlingua2`` frontend: the prose of ``natural``, shortened by a model (draft, section "LLMLingua-2 Frontend").

Lossy, therefore guarded: what the draft's "Lossy Compression Risks" warns of is refused unless the caller insists,
and every result says which slots of the IR its text no longer holds. The model and its libraries are an optional
extra; nothing of them is imported before the first record is compressed.
"""

from __future__ import annotations

from silp_cli.frontends.base import Frontend
from silp_cli.frontends.llmlingua2.guard import refuse_precise
from silp_cli.frontends.llmlingua2.options import Options
from silp_cli.ir.errors import SilpError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from silp_cli.frontends.llmlingua2.engine import Engine, Result

__all__ = ["LlmLingua2Frontend", "Options"]


class LlmLingua2Frontend(Frontend):
    """Prose compressed by LLMLingua-2; lossy, and cannot be decoded.

    Args:
        options: rate, model, guards; the draft's defaults if left out.
    """

    name = "llmlingua2"
    lossless = False
    slow = True
    summary = "prose shortened by a model; needs pip install 'silp-cli[llmlingua2]'"

    def __init__(self, options: Options | None = None) -> None:
        self.options = options or Options()
        self._engine: Engine | None = None
        self._failure: SilpError | None = None

    def compile(self, ir: dict[str, Any], *, bare: bool = False) -> str:  # noqa: ARG002 - prose has no meta
        """Write a valid IR as shortened prose.

        Args:
            ir: a valid IR; it is not changed.
            bare: changes nothing, as prose never carries meta.

        Returns:
            The words of the prose that the model kept, one line.

        Raises:
            SilpError: ``unsupported_frontend`` when a guard refuses this IR, when a slot was lost and the options
                make that an error, or when the extra or the model is missing.
        """
        return self.compile_with_losses(ir)[0]

    def compile_with_losses(self, ir: dict[str, Any], *, bare: bool = False) -> tuple[str, list[str]]:  # noqa: ARG002
        """Compile, and name the slots that the text no longer holds, such as ``constraint 1 negation``."""
        result = self.results([ir])[0]
        if isinstance(result, SilpError):
            raise result
        return result.text, result.lost

    def compile_many(self, irs: Iterable[dict[str, Any]], *, bare: bool = False) -> Iterator[str | SilpError]:  # noqa: ARG002
        """Compile a stream in batches of ``options.batch_size``. Errors are yielded in place."""
        batch: list[dict[str, Any]] = []
        for ir in irs:
            batch.append(ir)
            if len(batch) == self.options.batch_size:
                yield from map(_text_of, self.results(batch))
                batch = []
        if batch:
            yield from map(_text_of, self.results(batch))

    def results(self, irs: list[dict[str, Any]]) -> list[Result | SilpError]:
        """Compress one batch.

        Args:
            irs: valid IRs.

        Returns:
            For each IR its text with what was lost and achieved, or the reason why it has none.

        Raises:
            SilpError: ``unsupported_frontend`` when the extra or the model is missing, which no record can help.
        """
        from silp_cli.frontends.llmlingua2.loading import require_extra

        require_extra()
        refusals = [None if self.options.allow_lossy else refuse_precise(ir) for ir in irs]
        accepted = [ir for ir, refusal in zip(irs, refusals, strict=True) if refusal is None]
        done: Iterator[Result | SilpError] = iter(self.engine().compress(accepted, self.options) if accepted else ())
        return [next(done) if refusal is None else refusal for refusal in refusals]

    def engine(self) -> Engine:
        """The loaded model.

        Loading happens on the first call, once a process for each model and device. What failed is not tried again.

        Raises:
            SilpError: ``unsupported_frontend`` when something is missing or wrong.
        """
        if self._failure is not None:
            raise self._failure
        if self._engine is None:
            from silp_cli.frontends.llmlingua2.engine import engine_for

            try:
                self._engine = engine_for(self.options)
            except SilpError as error:
                self._failure = error
                raise
        return self._engine

    def installed(self) -> bool:
        """Whether the extra is there; the model may still be missing."""
        from silp_cli.frontends.llmlingua2.loading import extra_installed

        return extra_installed()

    def why_not(self) -> str:
        """Why compressed prose cannot be decoded."""
        return "the compression dropped words, and no grammar leads back from the rest to one IR"


def _text_of(result: Result | SilpError) -> str | SilpError:
    return result if isinstance(result, SilpError) else result.text
