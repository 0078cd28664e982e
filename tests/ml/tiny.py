"""Builds and trains a small XLM-RoBERTa token classifier that drops articles and fillers, and keeps the rest.

It is saved to a directory in the layout of any other model, so that the code under test loads it by path.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

import torch
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers
from transformers import XLMRobertaConfig, XLMRobertaForTokenClassification

FILLERS = ("the", "a", "an", "please", "kindly", "is", "of", "with", "to", "if", "very", "really", "just", "that")
CONTENT = (
    "rain", "hike", "cards", "indoor", "start", "cancel", "flight", "email", "zhangsan", "translate", "book",
    "hotel", "budget", "rating", "weather", "switch", "fetch", "data", "process", "result", "report", "route",
    "ticket", "urgency", "high", "category", "billing", "search", "restaurants", "italian", "update", "order",
    "address", "status", "shipped", "auth", "verified", "notify", "suggest", "city", "nights", "checkin",
    "downtown", "snow", "tea", "meeting", "time", "src", "tgt", "style", "greater", "than", "less", "most",
    "least", "equal", "at", "and", "not", "otherwise", "loc", "me", "beijing", "true", "body", "subject",
    "red", "shoes", "lunch", "noon", "unit", "kg", "open", "now", "query", "filter", "location",
)
NUMBERS = ("1", "2", "3", "30s", "42", "4.0", "500", "t+1", "t+3", "t+1pm", "t+1am", "12:30")
SPECIAL = ["<s>", "<pad>", "</s>", "<unk>"]
LENGTH = 64


def sentence(dice: random.Random) -> str:
    words = []
    for _ in range(dice.randint(3, 24)):
        draw = dice.random()
        word = dice.choice(FILLERS if draw < 0.4 else NUMBERS if draw < 0.5 else CONTENT)
        words.append(word.capitalize() if dice.random() < 0.08 else word)
        if dice.random() < 0.1:
            words[-1] += ","
        elif dice.random() < 0.05:
            words[-1] = f'"{words[-1]}"'
    return " ".join(words) + "."


def build_tokenizer(texts: list[str]) -> Tokenizer:
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.NFKC()
    # This order of pre-tokenizers gives the same pieces under transformers 4 and 5.
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()]
    )
    tokenizer.decoder = decoders.Metaspace()
    alphabet = [chr(code) for code in range(33, 127)] + ["▁"]
    trainer = trainers.UnigramTrainer(
        vocab_size=600, special_tokens=SPECIAL, unk_token="<unk>", initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator(texts, trainer)
    return tokenizer


def encode(tokenizer: Tokenizer, text: str) -> tuple[list[int], list[int]]:
    """Ids and labels of a sentence; a word's label is 0 for a filler, and all its pieces bear it."""
    encoding = tokenizer.encode(text)
    starts = [0] + [index + 1 for index, char in enumerate(text) if char == " "]
    words = text.split(" ")
    labels = []
    for begin, _ in encoding.offsets:
        word = words[max(index for index, start in enumerate(starts) if start <= begin)]
        labels.append(int(word.strip('".,').lower() not in FILLERS))
    return encoding.ids, labels


def build_model(directory: Path, seed: int = 7) -> Path:
    """Train for a few seconds and save; returns the directory."""
    dice = random.Random(seed)
    torch.manual_seed(seed)
    texts = [sentence(dice) for _ in range(1500)]
    tokenizer = build_tokenizer(texts)
    config = XLMRobertaConfig(
        vocab_size=tokenizer.get_vocab_size(), hidden_size=32, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=64, max_position_embeddings=520, pad_token_id=1, bos_token_id=0, eos_token_id=2,
        num_labels=2, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0, type_vocab_size=1,
    )
    model = XLMRobertaForTokenClassification(config)
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
    unknown = 3  # llmlingua frames every text with tokens that this vocabulary does not know
    model.train()
    for step in [*range(0, len(texts) - 50, 50)] * 2:
        ids = torch.full((50, LENGTH), unknown)
        labels = torch.full((50, LENGTH), -100)
        mask = torch.zeros((50, LENGTH), dtype=torch.long)
        for row, text in enumerate(texts[step : step + 50]):
            pieces, marks = encode(tokenizer, text)
            pieces, marks = pieces[: LENGTH - 2], marks[: LENGTH - 2]
            ids[row, 1 : len(pieces) + 1] = torch.tensor(pieces)
            labels[row, 1 : len(pieces) + 1] = torch.tensor(marks)
            mask[row, : len(pieces) + 2] = 1
        loss = model(input_ids=ids, attention_mask=mask, labels=labels).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    directory.mkdir(parents=True, exist_ok=True)
    model.save_pretrained(directory)
    tokenizer.save(str(directory / "tokenizer.json"))
    settings = {
        "tokenizer_class": "PreTrainedTokenizerFast", "bos_token": "<s>", "eos_token": "</s>", "cls_token": "<s>",
        "sep_token": "</s>", "pad_token": "<pad>", "unk_token": "<unk>", "model_max_length": 512,
    }
    (directory / "tokenizer_config.json").write_text(json.dumps(settings))
    return directory
