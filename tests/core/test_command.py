"""The command as a whole: help, completion, command lines that make no sense, start-up, frontends of third parties."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from support import ROOT, SILP, environment, shell, silp

from silp_cli import __version__
from silp_cli.cli.table import COMMANDS as TABLE
from silp_cli.cli.table import GROUPS

COMMANDS = sorted({name.partition(" ")[0] for name in TABLE})
GOOD = '{"intent":"!CANCEL","entities":[{"id":"act","value":"flight"}],"meta":{"req_id":"a1b2c3d4"}}'


# ---------------------------------------------------------------- help


@pytest.mark.parametrize("command", [*TABLE, *GROUPS])
def test_every_command_has_help_with_an_example(command: str) -> None:
    words = command.split()
    found = silp(*words, "--help")
    assert (found.status, found.err) == (0, "")
    assert f"Usage: silp {command} " in found.out
    assert re.search(rf"^ .*silp {words[0]}", found.out.partition("\n Examples:\n")[2], re.M)
    assert silp(*words, "-h").out == found.out


def test_the_help_of_the_whole_lists_every_command() -> None:
    found = silp("--help")
    assert (found.status, found.err) == (0, "")
    for command in COMMANDS:
        assert re.search(rf"^│ {command} +[A-Z]", found.out, re.M)
    assert "Examples:" in found.out
    assert silp("-h").out == found.out


def test_help_shows_pages_of_the_manual() -> None:
    assert silp("help").lines[0] == "# The manual of silp"
    page = silp("help", "compile")
    assert (page.status, page.err, page.lines[0]) == (0, "", "# silp compile")
    assert "| `--frontend, -f NAME` |" in page.out


def test_version() -> None:
    assert silp("--version").out == f"silp {__version__}\n"


def test_no_arguments_show_the_help_on_stderr() -> None:
    found = silp()
    assert (found.status, found.out) == (2, "")
    assert found.err == silp("--help").out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["compil"], "silp: no such command 'compil'. Did you mean 'compile', 'compare'? (see 'silp --help')"),
        (["--nope"], "silp: no such option: --nope (see 'silp --help')"),
        (["decode", "--nope=1"], "silp decode: no such option: --nope "
         "(Possible options: --lines, --prose, --typed) (see 'silp decode --help')"),
        (["compile", "--frotend"], None),
        (["compile", "--max-depth"], None),
        (["compile", "--max-depth", "0"], "silp compile: invalid value for '--max-depth': "
         "not a whole number from 1 up: '0' (see 'silp compile --help')"),
        (["decode", "--max-record-size", "1X"], None),
        (["decode", "--on-error", "cry"], None),
        (["decode", "--sanitize", "clean", "--no-sanitize"], None),
        (["sanitize", "--classes", "x"], None),
        (["compile", "-f", "llmlingua2", "--rate", "0.5", "--target-tokens", "3"], None),
        (["validate", "--verbs", "no-such-file"], "silp validate: no-such-file: No such file or directory"),
        (["compile", "--verbs", "x", "--any-verb"], None),
    ],
)
def test_a_command_line_that_makes_no_sense_is_one_line_and_status_2(arguments: list[str], message: str | None) -> None:
    found = silp(*arguments, given=GOOD)
    assert (found.status, found.out, found.err.count("\n")) == (2, "", 1)
    assert message is None or found.err == message + "\n"


@pytest.mark.parametrize("command", ["compile", "decode"])
def test_an_unknown_frontend_is_named_with_the_nearest(command: str) -> None:
    found = silp(command, "-f", "jsn", given=GOOD)
    assert (found.status, found.out) == (2, "")
    assert found.err == f"silp {command}: unsupported_frontend: no frontend 'jsn'\n  hint: did you mean 'json'?\n"


@pytest.mark.parametrize("frontend", ["natural", "nl_json"])
def test_a_frontend_that_does_not_decode_says_why(frontend: str) -> None:
    text = silp("compile", "-f", frontend, given=GOOD).out
    found = silp("decode", "-f", frontend, "--errors", "json", given=text)
    assert (found.status, found.out) == (1, "")
    assert (found.diagnostics[0]["code"], found.diagnostics[0]["rule"]) == ("decode_failed", "frontend.one-way")
    assert "does not support decode" in found.diagnostics[0]["message"]


# ---------------------------------------------------------------- completion


@pytest.mark.parametrize("name", ["bash", "zsh", "fish"])
def test_each_shell_gets_a_script_of_its_own(name: str) -> None:
    found = silp(env={"_SILP_COMPLETE": f"source_{name}"})
    assert (found.status, found.err) == (0, "")
    assert f"_SILP_COMPLETE=complete_{name}" in found.out


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("silp comp", {"compile", "compare"}), ("silp compile --fro", {"--frontend"}), ("silp lock v", {"verify"}),
        ("silp decode --on-error ", {"skip", "stop", "emit"}),
    ],
)
def test_bash_parses_its_script_and_completes(tmp_path: Path, line: str, offered: set[str]) -> None:
    script = tmp_path / "silp.bash"
    script.write_text(silp(env={"_SILP_COMPLETE": "source_bash"}).out)
    words = line.split(" ")
    quoted = " ".join(f"'{word}'" for word in words)
    found = shell(
        f"source {script}; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; "
        'function=$(complete -p silp | sed "s/.*-F //; s/ .*//"); $function silp; echo "${COMPREPLY[@]}"'
    )
    assert set(found.out.split()) == offered


# ---------------------------------------------------------------- start-up

HEAVY = {
    "typing", "dataclasses", "inspect", "logging", "pathlib", "tempfile", "subprocess", "socket", "asyncio", "ctypes",
    "decimal",
    "unicodedata", "importlib.metadata", "importlib.resources", "jsonschema", "referencing", "pyparsing", "rich",
    "msgspec", "orjson", "rfc8785", "typer", "click", "pydantic", "argparse", "tiktoken", "sentencepiece", "tokenizers", "torch", "numpy", "llmlingua",
    "confusable_homoglyphs", "sqlite3", "difflib", "email", "urllib", "http",
}


def imported(*arguments: str, given: str = "") -> set[str]:
    """The modules that one run of the installed command imports, those of the bare interpreter aside."""
    def modules(command: list[str]) -> set[str]:
        done = subprocess.run(
            [sys.executable, "-X", "importtime", *command], input=given, capture_output=True, text=True, check=True,
            env=environment(), cwd=ROOT,
        )
        return {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:")}

    return modules([f"{SILP}-python", *arguments]) - modules(["-c", "pass"])


@pytest.mark.parametrize(
    ("arguments", "given"),
    [
        (["compile"], GOOD), (["compile", "-f", "json"], GOOD), (["decode"], "cancel(flight)"),
        (["decode"], '{"intent":"!CANCEL"}'), (["validate"], GOOD), (["sanitize"], "a b"),
        (["--version"], ""),
    ],
    ids=" ".join,
)
def test_one_small_record_loads_nothing_heavy(arguments: list[str], given: str) -> None:
    found = imported(*arguments, given=given)
    # Which character is a letter is what sanitize has to know.
    assert found & HEAVY - ({"unicodedata"} if arguments == ["sanitize"] else set()) == set()
    rooms = {name.split(".")[1] for name in found if name.startswith("silp_cli.")}
    assert rooms & {"census", "protocol", "bench", "corpus", "explain", "dialects", "api"} == set()


def test_importing_the_package_loads_nothing_but_itself() -> None:
    code = "import sys; before = set(sys.modules); import silp_cli; print(sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['__future__', 'silp_cli', 'silp_cli.version']"


# ---------------------------------------------------------------- frontends


def test_the_frontends_are_listed_as_table_and_as_json() -> None:
    rows = [json.loads(line) for line in silp("frontends").lines]
    assert [(row["name"], row["lossless"]) for row in rows[:5]] == [
        ("code", True), ("json", True), ("natural", False), ("nl_json", False), ("llmlingua2", False),
    ]
    table = silp("frontends", "--format", "table")
    assert table.lines[0].split() == ["NAME", "LOSSLESS", "INSTALLED", "ENCODING"]
    assert [line.split()[0] for line in table.lines[1:6]] == [row["name"] for row in rows[:5]]


SHOUT = '''
from silp_cli.frontends.base import Frontend


class Shout(Frontend):
    name = "shout"
    lossless = False
    summary = "upper case, a stranger's"

    def compile(self, ir, *, bare=False):
        return ir["intent"][1:] + "!" * (1 if bare else 2)

    def decode(self, text):
        return {"intent": "!" + text.rstrip("!"), "meta": {"req_id": "00000000"}}
'''


@pytest.fixture
def stranger(tmp_path: Path) -> dict[str, str]:
    """An environment in which another distribution has installed two frontends, one of them broken."""
    tmp_path.joinpath("shout.py").write_text(SHOUT)
    tmp_path.joinpath("broken.py").write_text("raise RuntimeError('no such luck')\n")
    info = tmp_path / "shout-1.0.dist-info"
    info.mkdir()
    info.joinpath("METADATA").write_text("Metadata-Version: 2.1\nName: shout\nVersion: 1.0\n")
    info.joinpath("entry_points.txt").write_text("[silp.frontends]\nshout = shout:Shout\nbroken = broken:Broken\n")
    return {"PYTHONPATH": str(tmp_path)}


def test_a_third_party_frontend_works_in_every_command(stranger: dict[str, str]) -> None:
    assert silp("compile", "-f", "shout", given=GOOD, env=stranger).out == "CANCEL!!\n"
    assert silp("compile", "-f", "shout", "--bare", given=GOOD, env=stranger).out == "CANCEL!\n"
    assert json.loads(silp("decode", "-f", "shout", given="EMAIL!\n", env=stranger).out)["intent"] == "!EMAIL"
    rows = {row["name"]: row for row in map(json.loads, silp("frontends", env=stranger).lines)}
    assert rows["shout"] == {"name": "shout", "lossless": False, "installed": True,
        "summary": "upper case, a stranger's"}
    assert silp("compile", "-f", "shot", given=GOOD, env=stranger).err.endswith("hint: did you mean 'shout'?\n")


def test_a_broken_third_party_frontend_is_an_error_of_its_own(stranger: dict[str, str]) -> None:
    found = silp("compile", "-f", "broken", given=GOOD, env=stranger)
    assert (found.status, found.out, found.err.count("\n")) == (2, "", 1)
    assert "frontend 'broken' (broken:Broken) cannot be loaded: no such luck" in found.err
    assert silp("compile", given=GOOD, env=stranger).out == "cancel(flight)\n"
    assert silp("frontends", env=stranger).status == 0


# ---------------------------------------------------------------- schema


def test_schema_prints_the_schema() -> None:
    found = silp("schema")
    assert json.loads(found.out) == json.loads(ROOT.joinpath("grammars", "ir.schema.json").read_text(encoding="utf-8"))
    assert json.loads(found.out)["$schema"] == "https://json-schema.org/draft/2020-12/schema"
