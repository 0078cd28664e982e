"""``silp decode --extract --as calls``: against ``json.loads`` on the same API messages, and on prose with calls in it."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

import pytest

from bench.ratios import Table, best_times
from silp_cli.dialects.call import Call
from silp_cli.dialects.extracting import Extraction
from silp_cli.dialects.reader import Reader, read

if TYPE_CHECKING:
    from silp_cli.dialects.call import Event

SIZE = 1_000_000
JSON_GOAL = 4.0  # times json.loads
PROSE_GOAL = 20.0  # MB/s
PIECE = 1 << 16
WORDS = ["the", "model", "reads", "(and", "writes)", "what", "it", "was", "told,", "e.g.", "a", "list", "[1],", "a", '"quoted"', "word,", "it's", "late;", "see", "f(x)", "or", "https://a.org/b?c=d", "in", "<b>bold</b>", "and", "so", "on", "-", "3", "<", "4", "&", "5", ">", "2", "{sic}:", "done."]


def messages() -> list[str]:
    """Answers of a chat API of many sizes, a megabyte in all."""
    draw = random.Random(1)
    found: list[str] = []
    size = 0
    while size < SIZE:
        calls = [
            {
                "id": f"call_{at}", "type": "function",
                "function": {
                    "name": draw.choice(("get_weather", "write_file", "search")),
                    "arguments": json.dumps({
                        "path": f"src/{draw.randrange(999)}.py", "lines": list(range(draw.randrange(20))),
                        "content": " ".join(draw.choices(WORDS, k=draw.randrange(5, 120))) + "\n",
                    }),
                },
            }
            for at in range(draw.randrange(1, 4))
        ]
        message = {"role": "assistant", "content": None, "tool_calls": calls}
        choice = {"index": 0, "finish_reason": "tool_calls", "message": message}
        usage = {"prompt_tokens": draw.randrange(9999), "completion_tokens": draw.randrange(999)}
        found.append(json.dumps({"id": "chatcmpl-1", "object": "chat.completion", "choices": [choice], "usage": usage}))
        size += len(found[-1])
    return found


def prose() -> str:
    """A megabyte of prose in paragraphs, with ten calls of several dialects in it."""
    draw = random.Random(2)
    calls = (
        "[get_weather(city='Oslo')]", '<tool_call>\n{"name": "f", "arguments": {"a": 1}}\n</tool_call>',
        "```python\nf(a=1)\n```", '{"name": "f", "arguments": {"a": 1}}', '[TOOL_CALLS]f[ARGS]{"a": 1}',
    )
    parts: list[str] = []
    for number in range(10):
        size = 0
        while size < SIZE / 10:
            paragraph = " ".join(draw.choices(WORDS, k=draw.randrange(20, 120)))
            parts.append(paragraph)
            size += len(paragraph) + 2
        parts.append(calls[number % len(calls)])
    return "\n\n".join(parts)


def calls_of(events: list[Event], source: str) -> list[dict[str, Any]]:
    extraction = Extraction(calls=True)
    found = (extraction.found(event, lambda start, end: source[start:end]) for event in events)
    return [each.value for each in found if each is not None and each.value is not None]


def test_api_messages_against_json(capsys: pytest.CaptureFixture[str]) -> None:
    texts = messages()
    size = sum(map(len, texts)) / 1e6

    def plain() -> None:
        for text in texts:
            json.loads(text)

    def ours() -> None:
        for text in texts:
            calls_of(list(read(text)), text)

    expected = sum(len(json.loads(text)["choices"][0]["message"]["tool_calls"]) for text in texts)
    assert sum(len(calls_of(list(read(text)), text)) for text in texts) == expected
    base, taken = best_times((plain, ours))
    with capsys.disabled():
        table = Table("extract as calls, in times of json.loads on the same API messages")
        table.row("chat answers", taken / base, JSON_GOAL, f"{size / taken:.0f} MB/s, json.loads {size / base:.0f} MB/s")
        table.check()


def test_prose_with_ten_calls(capsys: pytest.CaptureFixture[str]) -> None:
    text = prose()
    size = len(text) / 1e6

    def whole() -> None:
        calls_of(list(read(text)), text)

    def live() -> None:
        reader = Reader()
        for at in range(0, len(text), PIECE):
            list(reader.feed(text[at : at + PIECE]))
        list(reader.close())

    assert sum(isinstance(event, Call) for event in read(text)) == 10
    taken, pieces = best_times((whole, live))
    with capsys.disabled():
        table = Table("extract from 1 MB of prose with ten calls, seconds a 20 MB (goal 1: over 20 MB/s)")
        table.row("whole", PROSE_GOAL * taken / size, 1.0, f"{size / taken:.0f} MB/s")
        table.row("in pieces of 64 KiB", PROSE_GOAL * pieces / size, 1.0, f"{size / pieces:.0f} MB/s")
        table.check()
