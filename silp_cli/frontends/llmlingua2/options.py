"""What a user may choose about compression."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

DEFAULT_MODEL = "microsoft/llmlingua-2-xlm-roberta-large-meetingbank"
DEFAULT_RATE = 0.5
DEFAULT_BATCH_SIZE = 8
MODEL_VARIABLE = "SILP_LLMLINGUA_MODEL"


def _silent(_: str) -> None:
    return None


class Options:
    """The settings of one ``LlmLingua2Frontend``.

    Args:
        rate: share of the tokens to keep, above 0 and up to 1; the achieved rate is near it, seldom equal.
        target_tokens: keep about this many cl100k tokens instead.
        model: a local directory or a hub name; None: ``SILP_LLMLINGUA_MODEL``, else the draft's model.
        device: where the model runs: ``cpu``, ``cuda``, ``cuda:1``, ``mps``.
        force_tokens: words that survive wherever they stand in the prose.
        keep: negation words, verbs, numbers and quoted values survive.
        allow_lossy: compress even what the draft says must not be compressed.
        fail_on_loss: a lost slot is an error.
        batch_size: records that go through the model together.
        note: told when something takes time.
    """

    def __init__(
        self,
        rate: float = DEFAULT_RATE,
        *,
        target_tokens: int | None = None,
        model: str | None = None,
        device: str = "cpu",
        force_tokens: tuple[str, ...] = (),
        keep: bool = False,
        allow_lossy: bool = False,
        fail_on_loss: bool = False,
        batch_size: int = DEFAULT_BATCH_SIZE,
        note: Callable[[str], None] = _silent,
    ) -> None:
        if not 0 < rate <= 1:
            raise ValueError(f"the rate must lie above 0 and not above 1, not {rate}")
        if target_tokens is not None and target_tokens < 1:
            raise ValueError(f"at least one token must be left, not {target_tokens}")
        if batch_size < 1:
            raise ValueError(f"a batch holds at least one record, not {batch_size}")
        self.rate = rate
        self.target_tokens = target_tokens
        self.model = model
        self.device = device
        self.force_tokens = tuple(token for token in force_tokens if token)
        self.keep = keep
        self.allow_lossy = allow_lossy
        self.fail_on_loss = fail_on_loss
        self.batch_size = batch_size
        self.note = note
