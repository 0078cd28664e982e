"""The tokenizers count as the originals do, whatever the text."""

from __future__ import annotations

import hashlib
import unicodedata
from typing import TYPE_CHECKING

import pytest
from census_helpers import six, tiny_ranks, vocabulary_path
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from silp_cli.census.families import SPLITS, RanksTokenizer
from silp_cli.census.tokenizers import Tokenizer, build, load
from silp_cli.census.vocabularies import Vocabulary
from silp_cli.ir.errors import SilpError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PAYLOADS = [
    "if loc(me,Beijing,t+1am): cancel(flight,t+1pm); email(zhangsan)",
    "translate(src=fr_rev_bold,tgt=shakespeare_en,style=archaic_heavy)",
    '{"intent":"!CANCEL","act":"flight","action_email":["zhangsan"]}',
    "They're here, we'LL see; it'd cost 1234567 don't you think?\n\n  \t x\r\n",
    "naïve Ünïcödé Привет 你好世界 مرحبا שלום हिन्दी ไทย 한국어 👩‍👩‍👧 e\u0301 ﬁ ① Å",
    "   leading and trailing   ", "a\x00b\x07c", "\u200b\u200d\ufeff\u202e", "9" * 50, "(" * 300, "",
]
SPECIAL = [
    "<|endoftext|>", "<|im_start|>", "<|endofprompt|>", "<|fim_prefix|>", "<s>", "</s>", "<unk>", "<bos>", "<eos>",
    "<pad>", "<EOT>", "<META>", "<META_START>", "<SOS>", "<start_of_turn>", "<end_of_turn>", "[@BOS@]", "<mask>",
    "<2mass>", "<META_END>", "<0x41>",
]
TEXTS = st.one_of(
    st.text(max_size=60),
    st.lists(st.sampled_from([*PAYLOADS, *SPECIAL, " ", "\n", "cancel", "\ud800", "😀"]), max_size=4).map("".join),
)


@pytest.fixture(scope="module")
def originals(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Callable[[str], list[int]]]:
    """The libraries with the vocabularies as their publishers set them up."""
    import sentencepiece
    import tiktoken
    import tokenizers
    from tiktoken_ext import openai_public  # type: ignore[import-untyped]

    cache = tmp_path_factory.mktemp("tiktoken")
    encodings = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TIKTOKEN_CACHE_DIR", str(cache))
        for name, ours, make in (
            ("o200k_base", "gpt-4o", openai_public.o200k_base),
            ("cl100k_base", "gpt-3.5", openai_public.cl100k_base),
        ):
            url = next(
                constant for constant in make.__code__.co_consts if str(constant).endswith(f"{name}.tiktoken")
            )
            # tiktoken looks here before the network, and checks the hash that it knows itself.
            target = cache / hashlib.sha1(url.encode()).hexdigest()
            target.write_bytes(vocabulary_path(f"{ours}.tiktoken").read_bytes())
            encodings[ours] = tiktoken.Encoding(**make())
    llama = sentencepiece.SentencePieceProcessor(model_file=str(vocabulary_path("llama-2.model")))
    gemma = sentencepiece.SentencePieceProcessor(model_file=str(vocabulary_path("gemini.model")))
    claude = tokenizers.Tokenizer.from_file(str(vocabulary_path("claude.json")))
    return {
        "gpt-4o": encodings["gpt-4o"].encode_ordinary,
        "gpt-3.5": encodings["gpt-3.5"].encode_ordinary,
        "llama-2": llama.encode,
        "gemini": gemma.encode,
        "claude": lambda text: list(claude.encode(text, add_special_tokens=False).ids),
    }


@pytest.mark.parametrize("text", PAYLOADS)
def test_ids_are_those_of_the_original(text: str, originals: dict[str, Callable[[str], list[int]]]) -> None:
    for name, encode in originals.items():
        assert load(name).encode(text) == encode(text), name


@settings(max_examples=300, deadline=None)
@given(text=st.text(st.characters(exclude_categories=["Cs"]), max_size=80))
def test_ids_are_those_of_the_original_for_any_text(
    text: str, originals: dict[str, Callable[[str], list[int]]]
) -> None:
    # These the libraries would take for the special token itself; ours count them as the text they are.
    assume(not any(mark in text for mark in SPECIAL))
    for name, encode in originals.items():
        assert load(name).encode(text) == encode(text), name


@settings(max_examples=500, deadline=None)
@given(text=TEXTS)
def test_tokens_spell_the_text_and_every_way_of_counting_agrees(text: str) -> None:
    for tokenizer in six():
        tokens = tokenizer.tokens(text)
        spelled = b"".join(
            token.piece if isinstance(token.piece, bytes) else token.piece.encode() for token in tokens
        ).decode()
        seen = tokenizer.normalize(text)
        # sentencepiece sets a space before the text where the model says so (Llama 2).
        assert spelled in (seen, " " + seen)
        count = tokenizer.count(text)
        assert count == len(tokens) == len(tokenizer.encode(text)) == len(tokenizer.pieces(text))
        assert tokenizer.count_many([text, text]) == [count, count]
        assert [token.id for token in tokens] == tokenizer.encode(text)
        data = seen.encode()
        for token in tokens[1:]:
            piece = token.piece if isinstance(token.piece, bytes) else token.piece.encode()
            assert data[token.start : token.end] == piece


@pytest.mark.parametrize("text", SPECIAL)
def test_the_spelling_of_a_special_token_is_ordinary_text(text: str) -> None:
    for tokenizer in six():
        ids = tokenizer.encode(text)
        # Gemma's vocabulary has HTML tags, <s> (struck out) among them, as ordinary entries.
        assert len(ids) > 1 or (tokenizer.name == "gemini" and text in ("<s>", "</s>")), (tokenizer.name, ids)
        assert tokenizer.unknown(text) == 0


def test_qwen_composes_and_claude_folds_compatibility_forms() -> None:
    decomposed, ligature = "e\u0301", "\ufb01"
    assert load("qwen2.5").pieces(decomposed) == ["é"]
    assert load("gpt-4o").pieces(decomposed) == ["e", "\u0301"]
    assert load("claude").normalize(ligature) == "fi"
    assert load("qwen2.5").normalize(ligature) == ligature
    text = "Å① Ⅳ ｆｕｌｌ"
    assert load("claude").encode(text) == load("claude").encode(unicodedata.normalize("NFKC", text))


def test_llama_and_gemini_fall_back_to_bytes_and_say_so() -> None:
    for name, text in (("llama-2", "😀"), ("gemini", "\U0010fffd")):
        tokenizer = load(name)
        assert tokenizer.byte_fallback(text) == 4
        assert tokenizer.unknown(text) == 0
        assert b"".join(piece for piece in tokenizer.pieces(text) if isinstance(piece, bytes)) == text.encode()
    assert load("gpt-4o").byte_fallback("\U0010fffd") == 0


def test_a_lone_surrogate_counts_as_the_replacement_character() -> None:
    for tokenizer in six():
        assert tokenizer.encode("a\ud800b") == tokenizer.encode("a\ufffdb")
        assert tokenizer.count_many(["a\ud800b", "\udfff"]) == [
            tokenizer.count("a\ufffdb"), tokenizer.count("\ufffd")
        ]


@pytest.mark.parametrize("text", ["a" * 300_000, "^" * 300_000, "中" * 100_000, " " * 300_000, "\n" * 300_000])
def test_a_long_run_is_counted_in_time(text: str) -> None:
    for tokenizer in six():
        assert 0 < tokenizer.count(text) <= len(text.encode()) + 1


def test_white_space_beyond_what_tiktoken_takes_is_an_error_with_a_position() -> None:
    with pytest.raises(SilpError, match="white space") as caught:
        load("gpt-4o").count("ab" + " " * 1_000_000 + "c")
    assert caught.value.position == 2


def test_every_split_belongs_to_a_tokenizer() -> None:
    assert set(SPLITS) == {"gpt-4o", "gpt-3.5", "qwen2.5"}


# ---------------------------------------------------------------- the fast copy of the ranks


def _tiny(directory: Path, data: bytes) -> Tokenizer:
    digest = hashlib.sha256(data).hexdigest()
    return build(Vocabulary("tiny", "ranks", digest, len(data), rules="gpt-3.5"), data, str(directory))


def test_ranks_are_parsed_once_and_then_read_from_the_fast_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tiny_ranks(b"ca", b"cat")
    assert _tiny(tmp_path, data).pieces("cat") == ["cat"]
    monkeypatch.setattr("silp_cli.census.ranks.parse_ranks", lambda _: pytest.fail("parsed again"))
    assert _tiny(tmp_path, data).pieces("cat") == ["cat"]


@pytest.mark.parametrize("damage", [b"", b"rubbish", None])
def test_a_damaged_fast_copy_is_rebuilt(tmp_path: Path, damage: bytes | None) -> None:
    data = tiny_ranks(b"ca", b"cat")
    _tiny(tmp_path, data)
    (copy,) = (tmp_path / "fast").iterdir()
    whole = copy.read_bytes()
    copy.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]) if damage is None else damage)
    assert _tiny(tmp_path, data).pieces("cat") == ["cat"]
    assert copy.read_bytes() == whole


def test_another_vocabulary_has_another_copy(tmp_path: Path) -> None:
    assert _tiny(tmp_path, tiny_ranks(b"ca", b"cat")).count("cat") == 1
    assert _tiny(tmp_path, tiny_ranks(b"at")).count("cat") == 2


def test_where_no_copy_can_be_written_ranks_are_parsed(tmp_path: Path) -> None:
    (tmp_path / "fast").write_text("a file where the directory should be")
    assert isinstance(_tiny(tmp_path, tiny_ranks(b"at")), RanksTokenizer)
