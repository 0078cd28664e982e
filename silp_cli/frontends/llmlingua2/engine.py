"""Runs llmlingua over batches of prose and follows, word by word, what it kept."""

from __future__ import annotations

from threading import Lock

from silp_cli.frontends.llmlingua2.chunk import Chunk, Word
from silp_cli.frontends.llmlingua2.loading import load, model_name, own_randomness
from silp_cli.frontends.llmlingua2.survival import lost_slots, protected_spans
from silp_cli.frontends.llmlingua2.unusable import unusable
from silp_cli.frontends.llmlingua2.words import assemble, split
from silp_cli.frontends.natural import pieces
from silp_cli.ir.errors import ErrorCode, SilpError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from silp_cli.frontends.llmlingua2.options import Options

_MAX_LENGTH = 512  # of the models that llmlingua supports, with the two tokens of the frame
_FRAME = 2
_STEP = 16  # lengths are rounded up, so that few shapes of input occur
_LOWEST_RATE = 0.01  # below this llmlingua asks for more than the hundredth percentile
_WORD_END, _LABEL = "\x1e", "\x1f"  # prose holds no control characters

_engines: dict[tuple[str, str], Engine] = {}


class Result:
    """One compressed IR.

    Attributes:
        text: the payload.
        lost: the slots that the text no longer holds, such as ``constraint 1 negation``.
        tokens_before: cl100k tokens of the prose.
        tokens_after: cl100k tokens of ``text``.
        asked: the rate that was asked for, as a share of the tokens.
    """

    def __init__(self, text: str, lost: list[str], tokens_before: int, tokens_after: int, asked: float) -> None:
        self.text = text
        self.lost = lost
        self.tokens_before = tokens_before
        self.tokens_after = tokens_after
        self.asked = asked

    @property
    def rate(self) -> float:
        """The share of the tokens that was kept."""
        return self.tokens_after / self.tokens_before

    def to_dict(self) -> dict[str, Any]:
        """The result without its text, as the JSON object of ``--report``."""
        return {
            "lost": self.lost, "tokens_before": self.tokens_before, "tokens_after": self.tokens_after,
            "rate_asked": round(self.asked, 4), "rate_achieved": round(self.rate, 4),
        }


def engine_for(options: Options) -> Engine:
    """The engine of a model on a device; the second call gets the first one's."""
    key = (model_name(options), options.device)
    if key not in _engines:
        _engines[key] = Engine(*load(options))
    return _engines[key]


class Engine:
    """A loaded model.

    Args:
        compressor: llmlingua's ``PromptCompressor``.
        family: its kind of tokenizer, by llmlingua's name for it.
    """

    def __init__(self, compressor: Any, family: str) -> None:
        self.compressor = compressor
        self.family = family
        self.lock = Lock()  # llmlingua keeps settings in itself
        self.model = _BatchedModel(compressor.model, compressor.tokenizer, compressor.device)
        compressor.model = self.model
        compressor.oai_tokenizer = _PlainEncoding(compressor.oai_tokenizer)

    def compress(self, irs: list[dict[str, Any]], options: Options) -> list[Result | SilpError]:
        """Compress a batch.

        Args:
            irs: valid IRs.
            options: rate and guards.

        Returns:
            A result or an error for each IR, in order.
        """
        with self.lock, own_randomness():
            jobs = [_Job(ir, options, self) for ir in irs]
            self.model.prepare([chunk for job in jobs for chunk in job.chunks], options.batch_size)
            try:
                return [self._finish(job, options) for job in jobs]
            finally:
                self.model.forget()

    def count(self, text: str) -> int:
        """cl100k tokens of a text, by which llmlingua reckons rates."""
        return len(self.compressor.oai_tokenizer.encode(text))

    def _finish(self, job: _Job, options: Options) -> Result | SilpError:
        before = self.count(job.text)
        rate = min(1.0, options.target_tokens / before) if options.target_tokens else options.rate
        if rate < 1:
            try:
                labels = iter(self._labels(job.chunks, max(rate, _LOWEST_RATE)))
            except SilpError as error:
                return error
            for word in job.words:
                if word.known:
                    word.kept = bool(next(labels))
        for word in job.words:
            word.kept = word.kept or word.forced or rate >= 1
        text = job.text if rate >= 1 else assemble(job.text, job.words)
        if not text:
            return SilpError(
                ErrorCode.UNSUPPORTED_FRONTEND, f"nothing is left of the prose at rate {rate:g}",
                rule="llmlingua2.empty", hint="raise --rate or --target-tokens, or use --keep",
            )
        lost = lost_slots(job.pieces, job.words)
        if lost and options.fail_on_loss:
            return SilpError(
                ErrorCode.UNSUPPORTED_FRONTEND, "lost: " + ", ".join(lost), rule="llmlingua2.lost",
                hint="raise --rate, or use --keep, or use code or json, which lose nothing",
            )
        return Result(text, lost, before, self.count(text), rate)

    def _labels(self, chunks: list[Chunk], rate: float) -> list[int]:
        """Ask llmlingua which words to keep; 0 or 1 for each word that its tokenizer knows."""
        chunks = [chunk for chunk in chunks if any(word.known for word in chunk.words)]
        if not chunks:
            return []
        self.model.force([chunk.forced_tokens for chunk in chunks])
        self.compressor.max_seq_len = padded(max(len(chunk.ids) for chunk in chunks))
        try:
            answer = self.compressor.compress_prompt_llmlingua2(
                [chunk.text for chunk in chunks], rate=rate, return_word_label=True,
                word_sep=_WORD_END, label_sep=_LABEL,
            )
        finally:
            self.compressor.max_seq_len = _MAX_LENGTH
        labelled = answer["fn_labeled_original_prompt"].split(_WORD_END)
        expected = sum(word.known for chunk in chunks for word in chunk.words)
        if len(labelled) != expected:
            raise unusable(
                f"llmlingua found {len(labelled)} words where there are {expected}", "llmlingua2.model",
                "its release may not fit this one: pip install llmlingua==0.2.2",
            )
        return [int(each.rpartition(_LABEL)[2]) for each in labelled]


def padded(tokens: int) -> int:
    """The input length for a chunk: far below 512 for a short one, which llmlingua would pad to 512."""
    return min(_MAX_LENGTH, -(-(tokens + _FRAME) // _STEP) * _STEP)


class _Job:
    """An IR on its way through the model."""

    def __init__(self, ir: dict[str, Any], options: Options, engine: Engine) -> None:
        self.pieces = pieces(ir)
        self.text = "".join([text for text, _ in self.pieces])
        spans = protected_spans(self.pieces, self.text, options)
        compressor = engine.compressor
        self.chunks: list[Chunk] = split(
            self.text, compressor.tokenizer, engine.family, compressor.special_tokens, _MAX_LENGTH - _FRAME, spans
        )
        self.words: list[Word] = [word for chunk in self.chunks for word in chunk.words]


class _PlainEncoding:
    """A tiktoken encoding that takes ``<|endoftext|>`` in a text for the text it is."""

    def __init__(self, encoding: Any) -> None:
        self.encode = encoding.encode_ordinary


class _Output:
    """What llmlingua reads of a model's answer."""

    loss = None

    def __init__(self, logits: Any) -> None:
        self.logits = logits


class _BatchedModel:
    """Stands between llmlingua and the model: many records in one pass, and protected tokens always kept.

    llmlingua applies one rate and one set of forced tokens to all it is given, so each record is its own call.
    The model's part of the work is done beforehand, for the whole batch.
    """

    def __init__(self, model: Any, tokenizer: Any, device: Any) -> None:
        self.inner = model
        self.tokenizer = tokenizer
        self.device = device
        self._answers: dict[tuple[int, ...], Any] = {}
        self._forced: list[frozenset[int]] = []

    def prepare(self, chunks: list[Chunk], batch_size: int) -> None:
        """Run the model over the chunks, like with like in length, and keep the answers."""
        from llmlingua.utils import TokenClfDataset
        from torch.utils.data import DataLoader

        by_length = sorted({chunk.text: chunk for chunk in chunks}.values(), key=lambda chunk: len(chunk.ids))
        for start in range(0, len(by_length), batch_size):
            group = by_length[start : start + batch_size]
            dataset = TokenClfDataset(
                [chunk.text for chunk in group], tokenizer=self.tokenizer,
                max_len=padded(max(len(chunk.ids) for chunk in group)),
            )
            for rows in DataLoader(dataset, batch_size=batch_size):
                self._run(rows["ids"].to(self.device), rows["mask"].to(self.device) == 1)

    def force(self, tokens: list[frozenset[int]]) -> None:
        """Name the tokens of each chunk of the next call, counted within the chunk, that must be kept."""
        self._forced = list(tokens)

    def forget(self) -> None:
        """Drop the answers of a batch."""
        self._answers.clear()

    def __call__(self, *, input_ids: Any, attention_mask: Any) -> _Output:
        import torch

        logits = torch.zeros((*input_ids.shape, 2), device=self.device)
        for row, key in enumerate(_keys(input_ids, attention_mask)):
            if key not in self._answers:
                self._run(input_ids[row : row + 1], attention_mask[row : row + 1])
            logits[row, : len(key)] = self._answers[key]
            for token in self._forced.pop(0):
                logits[row, token + 1] = torch.tensor([-200.0, 200.0])
        return _Output(logits)

    def _run(self, ids: Any, mask: Any) -> None:
        import torch

        with torch.no_grad():
            logits = self.inner(input_ids=ids, attention_mask=mask).logits.float()
        for row, key in enumerate(_keys(ids, mask)):
            self._answers[key] = logits[row, : len(key), :2]


def _keys(ids: Any, mask: Any) -> list[tuple[int, ...]]:
    """Each row's token ids without the padding; no two different inputs share them."""
    return [tuple(row[kept].tolist()) for row, kept in zip(ids, mask, strict=True)]
