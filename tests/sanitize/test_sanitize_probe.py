"""``silp probe``: the draft's experiment, under the real tokenizers."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

from support import shell, silp

from silp_cli.census.probe import DEFAULT_WORDS, POSITIONS, cyrillic, probes
from silp_cli.census.tokenizers import TOKENIZERS


def test_the_drafts_experiment_every_zero_width_probe_alters_every_tokenizer() -> None:
    result = silp("probe", "--kind", "zero-width", "--tokenizers", ",".join(TOKENIZERS))
    rows = [json.loads(line) for line in result.lines]
    assert len(rows) == len(DEFAULT_WORDS) * 4 * len(TOKENIZERS) == 120
    assert all(row["altered"] and row["after"] > row["before"] == 1 and row["cleaned"] for row in rows)


def test_look_alikes_alter_every_tokenizer_too() -> None:
    rows = [json.loads(line) for line in silp("probe", "--kind", "homoglyph", "cancel", "process").lines]
    assert {row["tokenizer"] for row in rows} >= set(TOKENIZERS)
    assert all(row["altered"] and row["cleaned"] for row in rows)
    assert all(row["change"] == row["after"] - row["before"] for row in rows)


def test_probes_differ_from_the_word_only_in_the_foreign_characters() -> None:
    for at in POSITIONS:
        for probe in probes("escalate", at):
            assert probe.text != probe.word
            assert all(probe.text[i] in probe.chars for i in probe.positions)
            plain = {char: letter for letter, char in cyrillic().items()}
            assert "".join(plain.get(c, c) for c in probe.text if c not in "\u200b\u200c\u200d\ufeff") == probe.word


def test_where_characters_go() -> None:
    texts = {at: [probe.text for probe in probes("abc", at) if probe.chars == "\u200b"] for at in POSITIONS}
    assert texts == {
        "middle": ["ab\u200bc"], "start": ["\u200babc"], "end": ["abc\u200b"], "all": ["a\u200bbc", "ab\u200bc"],
    }


def test_csv_and_table_say_the_same() -> None:
    rows = list(csv.DictReader(io.StringIO(silp("probe", "--format", "csv", "--tokenizers", "gpt-4o", "if").out)))
    assert [row["codepoints"] for row in rows] == ["U+200B", "U+200C", "U+200D", "U+FEFF", "U+0456"]
    table = silp("probe", "--format", "table", "--tokenizers", "gpt-4o", "if").out
    for row in rows:
        assert f"{row['before']}→{row['after']}" in table
    assert f"tokens altered in {sum(row['altered'] == 'true' for row in rows)} of 5 probes" in table


def test_words_from_a_file(tmp_path: Path) -> None:
    words = tmp_path / "words"
    words.write_text("if\n\nelse\n")
    result = silp("probe", "--file", str(words), "--tokenizers", "claude")
    assert {json.loads(line)["word"] for line in result.lines} == {"if", "else"}


def test_what_cannot_run_is_one_line() -> None:
    for arguments in (("--tokenizers", "gpt-9"), ("--tokenizers", ","), ("--file", "missing"), ("",)):
        result = silp("probe", *arguments)
        assert (result.status, result.out, result.err.count("\n")) == (2, "", 1), arguments


def test_a_missing_vocabulary_names_the_command(tmp_path: Path) -> None:
    result = silp("probe", "--vocab-dir", str(tmp_path))
    assert result.status == 2
    assert "silp vocab pull" in result.err


def test_closed_pipe_and_full_disk() -> None:
    assert shell("silp probe --tokenizers claude | head -1 >/dev/null; true").err == ""
    assert shell("silp probe --tokenizers claude > /dev/full").status == 2
