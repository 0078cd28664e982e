"""The engine: llmlingua's own compressor over a trained model, followed word by word."""

from __future__ import annotations

import json
import os
import random
import shutil
from pathlib import Path
from typing import Any

import numpy
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from silp_cli import compile
from silp_cli.frontends.llmlingua2 import LlmLingua2Frontend, Options
from silp_cli.frontends.llmlingua2.engine import Result, engine_for
from silp_cli.frontends.llmlingua2.loading import own_randomness
from silp_cli.frontends.llmlingua2.survival import protected_spans
from silp_cli.frontends.natural import pieces, prose
from silp_cli.ir.errors import ErrorCode, SilpError

from .conftest import Compressor, irs
from .tiny import FILLERS

ORDERS = irs("orders.jsonl")
WORDY = {
    "intent": "!BOOK",
    "entities": [{"id": "act", "value": "the very red shoes that really please a hotel"}],
    "meta": {"req_id": "abcd1234"},
}


def result(frontend: LlmLingua2Frontend, ir: dict[str, Any]) -> Result:
    answer = frontend.results([ir])[0]
    assert isinstance(answer, Result), answer
    return answer


def refusal(frontend: LlmLingua2Frontend, ir: dict[str, Any]) -> SilpError:
    answer = frontend.results([ir])[0]
    assert isinstance(answer, SilpError)
    return answer


def entity(value: str, **fields: Any) -> dict[str, Any]:
    return {"intent": "!START", "entities": [{"id": "act", "value": value, **fields}], "meta": {"req_id": "abcd"}}


def test_the_model_drops_fillers_and_keeps_the_rest(compressor: Compressor) -> None:
    words = prose(WORDY).strip(".").split()
    kept = result(compressor(0.5), WORDY).text.strip(".").split()
    assert {"red", "shoes", "hotel"} <= set(kept)
    assert not set(kept) & set(FILLERS)
    assert len(kept) <= len(words) - 5


@pytest.mark.parametrize("rate", [0.2, 0.5, 0.8])
def test_the_words_are_those_that_llmlingua_keeps(
    compressor: Compressor, model: Path, tmp_path: Path, rate: float
) -> None:
    from llmlingua import PromptCompressor

    compressor().compile(WORDY)  # puts the encoding in place
    named = tmp_path / "xlm-roberta-large"  # llmlingua by itself goes by the name
    shutil.copytree(model, named)
    with own_randomness():
        plain = PromptCompressor(
            str(named), device_map="cpu", use_llmlingua2=True, model_config={"trust_remote_code": False}
        )
    for ir in [*ORDERS, WORDY]:
        expected = plain.compress_prompt([prose(ir)], rate=rate)["compressed_prompt"]
        assert result(compressor(rate), ir).text.replace(" ", "") == expected.replace(" ", "")


def test_a_higher_rate_keeps_more_and_rate_1_keeps_all(compressor: Compressor) -> None:
    for ir in ORDERS:
        sizes = [result(compressor(rate), ir).tokens_after for rate in (0.3, 0.6, 0.9, 1.0)]
        assert sizes == sorted(sizes)
        assert sizes[0] < sizes[-1]
        assert result(compressor(1.0), ir).text == prose(ir)
        assert result(compressor(1.0), ir).lost == []


def test_the_achieved_rate_is_near_the_asked_one(compressor: Compressor) -> None:
    answers = [result(compressor(0.5), ir) for ir in ORDERS]
    total = sum(each.tokens_after for each in answers) / sum(each.tokens_before for each in answers)
    assert 0.3 < total < 0.7
    assert answers[0].to_dict() == {
        "lost": answers[0].lost, "tokens_before": answers[0].tokens_before,
        "tokens_after": answers[0].tokens_after, "rate_asked": 0.5, "rate_achieved": round(answers[0].rate, 4),
    }


def test_target_tokens_overrides_the_rate(compressor: Compressor) -> None:
    for ir in ORDERS:
        answer = result(compressor(target_tokens=6), ir)
        assert answer.asked == pytest.approx(6 / answer.tokens_before)
        assert answer.tokens_after <= 10
        assert result(compressor(target_tokens=1000), ir).text == prose(ir)


def test_batches_of_any_size_give_the_same_text(compressor: Compressor) -> None:
    stream = ORDERS * 3 + [WORDY]
    expected = [compressor().compile(ir) for ir in stream]
    for size in (1, 2, 5, 64):
        assert list(compressor(batch_size=size).compile_many(stream)) == expected


def test_the_model_is_loaded_once(compressor: Compressor) -> None:
    notes: list[str] = []
    engines = {id(compressor(rate, note=notes.append).engine()) for rate in (0.3, 0.5, 0.7)}
    assert len(engines) == 1
    assert len(notes) <= 1


def test_the_callers_random_numbers_are_left_alone(model: Path, tmp_path: Path) -> None:
    copy = tmp_path / "another"
    shutil.copytree(model, copy)
    random.seed(1)
    numpy.random.seed(1)
    torch.manual_seed(1)
    cudnn = torch.backends.cudnn.deterministic
    hash_seed = os.environ.get("PYTHONHASHSEED")
    expected = random.getstate(), numpy.random.get_state(legacy=False)["state"]["key"].tolist(), torch.get_rng_state().tolist()
    LlmLingua2Frontend(Options(model=str(copy))).compile(ORDERS[0])
    assert (random.getstate(), numpy.random.get_state(legacy=False)["state"]["key"].tolist(), torch.get_rng_state().tolist()) == expected
    assert os.environ.get("PYTHONHASHSEED") == hash_seed
    assert torch.backends.cudnn.deterministic == cudnn


def test_the_python_api_compresses(model: Path) -> None:
    assert compile(ORDERS[0], "llmlingua2") == LlmLingua2Frontend().compile(ORDERS[0])


def test_decode_answers_decode_failed(compressor: Compressor) -> None:
    with pytest.raises(SilpError, match="dropped words") as caught:
        compressor().decode("book hotel")
    assert caught.value.code is ErrorCode.DECODE_FAILED


def test_a_rate_that_leaves_nothing_is_an_error(compressor: Compressor) -> None:
    error = refusal(compressor(0.001), ORDERS[0])
    assert error.code is ErrorCode.UNSUPPORTED_FRONTEND
    assert "nothing is left" in error.message


# ---------------------------------------------------------------- what survives


def test_lost_slots_are_named(compressor: Compressor) -> None:
    ir = irs("precise.jsonl")[2]
    assert prose(ir) == "If rain is true, book flight otherwise start cards at indoor."
    slots = {
        "rain": "constraint 0 type", "true": "constraint 0 value", "book": "intent", "flight": "entity 0 value",
        "otherwise": "else", "start": "alternative 0 action", "cards": "alternative 0 target",
        "indoor": "alternative 0 location",
    }
    for rate in (0.2, 0.4, 0.6):
        answer = result(compressor(rate, allow_lossy=True), ir)
        words = answer.text.replace(",", " ").replace(".", " ").split()
        assert answer.lost == [slot for word, slot in slots.items() if word not in words]
        assert answer.lost


def test_fail_on_loss_turns_a_loss_into_an_error(compressor: Compressor) -> None:
    error = refusal(compressor(0.3, fail_on_loss=True), ORDERS[0])
    assert error.message.startswith("lost: ")
    assert error.rule == "llmlingua2.lost"
    assert isinstance(compressor(1.0, fail_on_loss=True).results([ORDERS[0]])[0], Result)


@pytest.mark.parametrize("rate", [0.05, 0.5])
def test_keep_saves_negations_verbs_numbers_and_quoted_values(compressor: Compressor, rate: float) -> None:
    keep = compressor(rate, keep=True, allow_lossy=True)
    assert "please, the meeting is at 12:30" in result(keep, ORDERS[2]).text
    hike, update, flight = (result(keep, ir).text for ir in irs("precise.jsonl"))
    assert "not" in hike.split()
    assert "t+1" in hike
    assert "start" in hike
    assert "not" in update.split()
    assert "update" in update
    assert "otherwise" in flight.split()
    assert {"book", "start"} <= set(flight.split())


def test_forced_words_survive_as_whole_words(compressor: Compressor) -> None:
    plain = result(compressor(0.2), WORDY).text.split()
    assert "that" not in plain
    forced = result(compressor(0.2, force_tokens=("that", "very red")), WORDY).text
    assert "that" in forced.split()
    assert "very red" in forced


@pytest.mark.parametrize(
    ("word", "found"),
    [("not", ["not", "Not"]), ("not a", ["not a"]), (",", [","]), ("knot", []), ("a.b", []), ("", [])],
)
def test_a_forced_word_is_no_part_of_another(word: str, found: list[str]) -> None:
    text = "note not a, axb Not"
    assert [text[start:end] for start, end in protected_spans([], text, Options(force_tokens=(word,)))] == found


TEXT = st.text(max_size=12) | st.sampled_from(
    ["red shoes", "the very", "a, b", "not now", "-5", "4.0", '"', "\\", "\n", "👩\u200d🚀", "ＡＢ①…", "<mask>", "</s>",
     "<|endoftext|>", "[PAD]", "\ud800", "مرحبا", "e\u0301", "x" * 40]
)
PART = st.fixed_dictionaries({"id": TEXT, "value": TEXT})
TASKS = st.fixed_dictionaries({
    "intent": st.sampled_from(["!START", "!BOOK", "!EMAIL"]),
    "meta": st.just({"req_id": "abcd1234"}),
    "entities": st.lists(PART, max_size=4),
    "constraints": st.lists(
        st.fixed_dictionaries({"type": TEXT, "value": TEXT}, optional={"time": TEXT, "operator": TEXT}), max_size=2
    ),
    "alternatives": st.lists(st.fixed_dictionaries({"action": st.just("!FETCH"), "target": TEXT}), max_size=1),
})
RATES = st.sampled_from([0.1, 0.5, 0.9])
SETTINGS = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def inner(piece: str) -> str:
    quoted = len(piece) > 2 and piece.startswith('"') and piece.endswith('"')
    return piece[1:-1].strip() if quoted else piece


@SETTINGS
@given(ir=TASKS, rate=RATES, keep=st.booleans())
def test_a_slot_that_is_not_reported_lost_stands_in_the_text(ir: dict[str, Any], rate: float, keep: bool) -> None:
    answer = LlmLingua2Frontend(Options(rate, allow_lossy=True, keep=keep)).results([ir])[0]
    if isinstance(answer, SilpError):
        assert answer.rule == "llmlingua2.empty"
        assert not keep
        return
    assert len(answer.text.splitlines()) == 1
    answer.text.encode()
    for piece, slot in pieces(ir):
        if slot and slot not in answer.lost:
            assert inner(piece) in answer.text
        if keep and (slot == "intent" or slot.endswith((" action", "negation")) or (slot and piece[0] == '"')):
            assert slot not in answer.lost or slot.endswith((" id", "field"))
            assert piece in answer.text


@SETTINGS
@given(ir=TASKS, rate=RATES)
def test_compression_only_drops(ir: dict[str, Any], rate: float) -> None:
    answer = LlmLingua2Frontend(Options(rate, allow_lossy=True)).results([ir])[0]
    if isinstance(answer, Result):
        rest = iter(prose(ir).replace(" ", ""))
        assert all(char in rest for char in answer.text.replace(" ", ""))


# ---------------------------------------------------------------- size


def test_prose_beyond_512_tokens_goes_through_in_parts(compressor: Compressor) -> None:
    ir = entity("red shoes and the weather " * 800 + "end")
    answer = result(compressor(0.5), ir)
    assert answer.tokens_before > 3500
    assert 0.3 < answer.rate < 0.7
    assert "the" not in answer.text.split()[10:]
    everything = result(compressor(0.3, force_tokens=("red", "weather")), ir).text
    assert everything.count("red") == everything.count("weather") == 800


def test_one_word_beyond_512_tokens_goes_through(compressor: Compressor) -> None:
    word = "Qx+/9zA" * 900
    kept = result(compressor(0.5, keep=True), entity(word)).text
    assert word in kept


def test_time_grows_linearly(compressor: Compressor) -> None:
    from time import perf_counter

    frontend = compressor(0.5)
    frontend.compile(entity("warm up"))

    def seconds(words: int) -> float:
        ir = entity("red shoes weather lunch " * words)
        start = perf_counter()
        frontend.compile(ir)
        return perf_counter() - start

    small = min(seconds(500) for _ in range(3))
    assert seconds(5000) < 25 * small


# ---------------------------------------------------------------- models


def test_the_encoding_comes_from_the_census(compressor: Compressor) -> None:
    engine = engine_for(compressor().options)
    assert engine.count("the quick brown fox <|endoftext|>") == 10


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"]}, "of the kind 'gpt2'"),
        ({"architectures": ["XLMRobertaForMaskedLM"]}, "does not classify tokens"),
        ({"architectures": None}, "does not classify tokens"),
        ({"model_type": "no-such-kind"}, "cannot be loaded"),
    ],
)
def test_a_model_of_another_kind_is_refused_with_the_reason(
    model: Path, tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    copy = tmp_path / "model"
    shutil.copytree(model, copy)
    config = json.loads((copy / "config.json").read_text())
    (copy / "config.json").write_text(json.dumps({**config, **change}))
    with pytest.raises(SilpError, match=message):
        LlmLingua2Frontend(Options(model=str(copy))).compile(WORDY)


@pytest.mark.parametrize("damage", ["config.json", "model.safetensors", "tokenizer.json"])
def test_a_model_with_a_damaged_or_missing_file_is_one_line(model: Path, tmp_path: Path, damage: str) -> None:
    for name, spoil in (("missing", Path.unlink), ("damaged", lambda path: path.write_bytes(b"\xff{"))):
        copy = tmp_path / name
        shutil.copytree(model, copy)
        spoil(copy / damage)
        with pytest.raises(SilpError) as caught:
            LlmLingua2Frontend(Options(model=str(copy))).compile(WORDY)
        assert caught.value.code is ErrorCode.UNSUPPORTED_FRONTEND
        assert "\n" not in caught.value.message


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"model": "./nowhere"}, "not a directory"),
        ({"model": "a/b/c"}, "not a directory"),
        ({"model": "no such name!"}, "no model name"),
        ({"device": "abacus"}, "no device 'abacus'"),
        ({"device": "cuda:7"}, "not available"),
    ],
)
def test_what_is_not_there_is_said(options: dict[str, Any], message: str) -> None:
    with pytest.raises(SilpError, match=message) as caught:
        LlmLingua2Frontend(Options(**options)).compile(WORDY)
    assert caught.value.code is ErrorCode.UNSUPPORTED_FRONTEND


def test_a_failed_load_is_not_tried_again() -> None:
    frontend = LlmLingua2Frontend(Options(model="./nowhere"))
    errors = []
    for _ in range(2):
        with pytest.raises(SilpError) as caught:
            frontend.compile(WORDY)
        errors.append(caught.value)
    assert errors[0] is errors[1]


@pytest.mark.parametrize(
    "wrong", [{"rate": 0.0}, {"rate": 1.5}, {"rate": -1.0}, {"target_tokens": 0}, {"batch_size": 0}]
)
def test_options_are_checked(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="not"):
        Options(**wrong)
