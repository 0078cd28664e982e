"""``silp decode --extract --prose``: payloads in running text. Each ``fixtures/answers/NAME.txt`` has its outcome beside it.

Where payloads may stand without ``--prose``, and how tool calls are read, is tested in ``tests/dialects``.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support import FIXTURES, silp

from silp_cli import SilpError, decode
from silp_cli.api import decode_all

ANSWERS = FIXTURES / "answers"
TEXTS = sorted(ANSWERS.glob("*.txt"))


def beside(text: Path, suffix: str) -> str:
    """The content of the file with that suffix beside an answer, or nothing."""
    file = text.with_suffix(suffix)
    return file.read_text(encoding="utf-8") if file.exists() else ""


@pytest.mark.parametrize("text", TEXTS, ids=lambda path: path.stem)
def test_answer(text: Path) -> None:
    found = silp("decode", "--extract", "--prose", "--errors", "json", text.name, cwd=ANSWERS)
    wanted, errors = beside(text, ".jsonl"), beside(text, ".errors.jsonl")
    assert wanted or errors
    assert (found.out, found.err) == (wanted, errors)
    assert found.status == (1 if errors else 0)


@pytest.mark.parametrize("text", TEXTS, ids=lambda path: path.stem)
def test_api_gives_the_same(text: Path) -> None:
    content = text.read_text(encoding="utf-8")
    if beside(text, ".errors.jsonl"):
        with pytest.raises(SilpError):
            decode_all(content, prose=True)
    else:
        assert decode_all(content, prose=True) == [json.loads(line) for line in beside(text, ".jsonl").splitlines()]


def test_every_fixture_has_an_outcome_and_every_outcome_an_answer() -> None:
    stems = {path.stem for path in TEXTS}
    assert len(stems) >= 15
    assert {path.name.split(".")[0] for path in ANSWERS.iterdir()} == stems


def test_without_extract_stray_text_is_an_error() -> None:
    for path in TEXTS:
        if path.stem in ("single-quotes",):  # that one is a payload as it stands
            continue
        assert silp("decode", str(path)).status == 1, path.name


def test_the_req_id_is_that_of_the_payload_alone() -> None:
    payload = 'notify(a, text="x, y")'
    for text in (payload, f"```\n{payload}\n```", f"Well: {payload}. Done.", f"1. `{payload}`", f"{payload}."):
        assert [ir["meta"]["req_id"] for ir in decode_all(text, prose=True)] == [decode(payload)["meta"]["req_id"]], text


PAYLOADS = (
    "cancel(flight)",
    "if wind>=9 and !rain(t+1): cancel(ferry,t+2am); email(marta) else: notify(me@home) with priority=2",
    'notify(a,text="a) b, \\"c\\" else: d")',
    "fetch(x) -> process -> email(y)",
    '{"intent":"!EMAIL","act":"} { \\" cancel(x)","meta":{"priority":1}}',
)
SETTINGS = (
    "{}", "```\n{}\n```", "Sure:\n\n~~~text\n{}\n~~~\nBye.", "I suggest {} and nothing else",
    "- {}\n", "> {}", "`{}`",
    "Text\n{}\nText", "{}\r\n", "(see {})",
    "Payload: {}",
)


@pytest.mark.parametrize("setting", SETTINGS, ids=repr)
@pytest.mark.parametrize("payload", PAYLOADS)
def test_every_payload_in_every_setting(payload: str, setting: str) -> None:
    assert decode_all(setting.replace("{}", payload), prose=True) == [decode(payload)]


@pytest.mark.parametrize("setting", ["I suggest {} and nothing else", "(see {})", "Use `{}`.", "No {}, please."])
@pytest.mark.parametrize("payload", PAYLOADS)
def test_running_text_is_no_payload_unless_asked_for(payload: str, setting: str) -> None:
    with pytest.raises(SilpError, match="no payload"):
        decode_all(setting.replace("{}", payload))


def test_several_inputs_are_several_texts(tmp_path: Path) -> None:
    for name, content in (("a", "Do cancel(x)."), ("b", "nothing"), ("c", "Do book(y).")):
        tmp_path.joinpath(name).write_text(content)
    found = silp("decode", "--extract", "--prose", "--on-error", "emit", "--errors", "json", "a", "b", "c", cwd=tmp_path)
    assert found.status == 1
    assert [json.loads(line).get("intent", "error") for line in found.lines] == ["!CANCEL", "error", "!BOOK"]
    assert [(each["source"], each["rule"]) for each in found.diagnostics] == [("b", "extract.none")]
