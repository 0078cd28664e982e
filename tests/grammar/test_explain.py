"""``silp explain``: which part of the text became which slot."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from typing import Any

import pytest

from silp_cli.api import decode
from silp_cli.explain.explain import explain
from silp_cli.frontends.slots import KINDS, Explained
from silp_cli.ir.errors import SilpError

from . import test_code_grammar, test_json_grammar
from .silp import silp

DRAFT = "if loc(me,Beijing,t+1am): cancel(flight,t+1pm); email(zhangsan)"
RICH = (
    'if !rain(t+1) and budget<=500,t-1: book("a room"[beds:=2],city=Oslo) else: start(cards@indoor,loc=1) '
    "with priority=2,silp=v1"
).replace(",loc=1", ",note=1")


def at_pointer(ir: Any, pointer: str) -> Any:
    for part in pointer.split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        ir = ir[int(name)] if isinstance(ir, list) else ir[name]
    return ir


def check(explained: Explained, ir: Any) -> None:
    """What must hold of every explanation."""
    assert explained.ir == ir
    end = 0
    for slot in explained.slots:
        assert end <= slot.start < slot.end <= len(explained.text), "in order, not empty, not overlapping"
        end = slot.end
        assert slot.kind in KINDS
        assert slot.meaning
        if slot.kind == "syntax":
            at_pointer(ir, slot.path)
        else:
            assert at_pointer(ir, slot.path) == slot.value
            assert type(at_pointer(ir, slot.path)) is type(slot.value)
    said = {slot.path for slot in explained.slots}
    for number, entity in enumerate(ir["entities"]):
        assert f"/entities/{number}/value" in said
        for name in entity.keys() - {"id", "value", "action"}:
            assert "/entities/{}/{}".format(number, name.replace("~", "~0").replace("/", "~1")) in said
    for where in ("constraints", "alternatives"):
        for number in range(len(ir[where])):
            assert f"/{where}/{number}/{'type' if where == 'constraints' else 'action'}" in said
    for name in ir["meta"].keys() - {"req_id", "seq"}:
        assert "/meta/" + name.replace("~", "~0").replace("/", "~1") in said
    assert "/intent" in said


@pytest.mark.parametrize("frontend", ["code", "json"])
def test_every_slot_that_is_said_holds_what_the_ir_holds(frontend: str) -> None:
    source = (test_code_grammar if frontend == "code" else test_json_grammar).walk(21)
    count = 0
    while count < 400:
        text = source.sentence()
        try:
            ir = decode(text, frontend)
        except SilpError:
            with pytest.raises(SilpError):
                explain(text, frontend)
            continue
        count += 1
        check(explain(text, frontend), ir)


def parts(text: str, frontend: str = "code") -> list[tuple[str, str, str]]:
    return [(text[slot.start : slot.end], slot.path, slot.kind) for slot in explain(text, frontend).slots]


def test_the_drafts_example() -> None:
    assert parts(DRAFT) == [
        ("if", "/constraints", "syntax"),
        ("loc", "/constraints/0/type", "type"),
        ("me", "/constraints/0/subject", "subject"),
        ("Beijing", "/constraints/0/value", "operand"),
        ("t+1am", "/constraints/0/time", "time"),
        ("cancel", "/intent", "action"),
        ("flight", "/entities/0/value", "value"),
        ("t+1pm", "/entities/1/value", "time"),
        ("email", "/entities/2/action", "action"),
        ("zhangsan", "/entities/2/value", "value"),
    ]


def test_operators_fallbacks_fields_and_meta() -> None:
    assert parts(RICH) == [
        ("if", "/constraints", "syntax"),
        ("!rain", "/constraints/0/type", "type"),
        ("t+1", "/constraints/0/time", "time"),
        ("and", "/constraints", "syntax"),
        ("budget", "/constraints/1/type", "type"),
        ("<=", "/constraints/1/operator", "operator"),
        ("500", "/constraints/1/value", "operand"),
        ("t-1", "/constraints/1/time", "time"),
        ("book", "/intent", "action"),
        ('"a room"', "/entities/0/value", "value"),
        ("beds:=2", "/entities/0/beds", "field"),
        ("city", "/entities/1/id", "id"),
        ("Oslo", "/entities/1/value", "value"),
        ("else", "/alternatives", "syntax"),
        ("start", "/alternatives/0/action", "action"),
        ("cards", "/alternatives/0/target", "target"),
        ("indoor", "/alternatives/0/location", "location"),
        ("note=1", "/alternatives/0/note", "field"),
        ("with", "/meta", "syntax"),
        ("priority=2", "/meta/priority", "field"),
        ("silp=v1", "/silp", "field"),
    ]


def test_a_sequence() -> None:
    assert parts("fetch(data) -> process with timeout") == [
        ("fetch", "/intent", "action"),
        ("data", "/entities/0/value", "value"),
        ("->", "/meta/seq", "syntax"),
        ("process", "/meta/seq/1", "action"),
        ("with", "/meta", "syntax"),
        ("timeout", "/constraints/0/type", "type"),
    ]


def test_the_json_surface() -> None:
    text = (
        '{ "intent": "!CANCEL", "act": "flight", "action_email": ["a", "b"], "constraints": [{"type": "loc", '
        '"value": "x", "time": null, "k/~": {"n": [1]}}], "meta": {"priority": 2} }'
    )
    assert parts(text, "json") == [
        ('"intent"', "/intent", "syntax"),
        ('"!CANCEL"', "/intent", "action"),
        ('"act"', "/entities/0/id", "id"),
        ('"flight"', "/entities/0/value", "value"),
        ('"action_email"', "/entities/1/action", "action"),
        ('"a"', "/entities/1/value", "value"),
        ('"b"', "/entities/2/value", "value"),
        ('"constraints"', "/constraints", "syntax"),
        ('"loc"', "/constraints/0/type", "type"),
        ('"x"', "/constraints/0/value", "operand"),
        ('"time": null', "/constraints/0", "syntax"),
        ('"k/~": {"n": [1]}', "/constraints/0/k~1~0", "field"),
        ('"meta"', "/meta", "syntax"),
        ('"priority": 2', "/meta/priority", "field"),
    ]


# ---------------------------------------------------------------- the command


def test_the_listing_lines_up() -> None:
    done = silp("explain", "--payload", DRAFT)
    assert (done.returncode, done.stderr) == (0, "")
    text, under, numbers, blank, head, *rows = done.stdout.splitlines()
    assert text == DRAFT
    assert blank == ""
    spans = [match.span() for match in re.finditer("~+", under)]
    assert [text[start:end] for start, end in spans] == [row[4:14].strip() for row in rows]
    assert [match.start() for match in re.finditer(r"\d+", numbers)] == [start for start, _ in spans]
    column = head.index("slot")
    assert [row[column:].split()[0] for row in rows] == [path for _, path, _ in parts(DRAFT)]


def test_input_from_file_stdin_and_option_is_the_same(tmp_path: Path) -> None:
    file = tmp_path / "p"
    file.write_text(DRAFT + "\n")
    listings = {
        silp("explain", str(file)).stdout, silp("explain", given=DRAFT + "\n").stdout,
        silp("explain", "-", given=DRAFT).stdout, silp("explain", "--payload", DRAFT).stdout,
    }
    assert len(listings) == 1


def test_json_says_everything() -> None:
    done = silp("explain", "--payload", RICH, "--format", "json")
    said = json.loads(done.stdout)
    assert said["text"] == RICH
    assert said["frontend"] == "code"
    assert said["ir"] == decode(RICH)
    for slot in said["slots"]:
        assert RICH[slot["start"] : slot["end"]] == slot["text"]
        assert ("value" in slot) == (slot["kind"] != "syntax")
    pretty = silp("explain", "--payload", RICH, "--format", "json", "--pretty").stdout
    assert done.stdout.count("\n") == 1 < pretty.count("\n")
    assert json.loads(pretty) == said


def test_long_payloads_are_wrapped_and_nothing_is_lost() -> None:
    text = "f(" + ",".join(f"é-{number}" for number in range(60)) + ")"
    lines = silp("explain", "--payload", text).stdout.split("\n\n    text")[0].split("\n")
    assert "".join(lines[::4]) == text
    assert all(len(line) <= 100 for line in lines)


def test_what_a_terminal_would_obey_is_made_visible() -> None:
    shown = silp("explain", "--payload", 'f("a\u202eb\u009b31m")').stdout
    assert r"a\u202eb\u009b31m" in shown
    assert all(char.isprintable() or char == "\n" for char in shown)


def on_terminal(*arguments: str, **environment: str) -> str:
    """What the command writes when stdout is a terminal."""
    ours, theirs = pty.openpty()
    clean = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM")}
    process = subprocess.Popen(
        [sys.executable, "-m", "silp_cli", *arguments],
        stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs,
        env={**clean, "TERM": "xterm", **environment},
    )
    os.close(theirs)
    written = b""
    try:
        while chunk := os.read(ours, 65536):
            written += chunk
    except OSError:  # Linux's way to say that the other end is closed
        pass
    os.close(ours)
    assert process.wait(30) == 0
    return written.decode().replace("\r\n", "\n")


def test_colours_are_for_terminals_only() -> None:
    coloured = on_terminal("explain", "--payload", DRAFT)
    assert "\x1b[1;34mc\x1b[0m" in coloured or "\x1b[1;34mcancel\x1b[0m" in coloured
    assert "\x1b" not in on_terminal("explain", "--payload", DRAFT, NO_COLOR="1")
    assert "\x1b" not in silp("explain", "--payload", DRAFT).stdout


@pytest.mark.parametrize(
    ("payload", "line"),
    [
        ("cancel(flight", "--payload:1:14: invalid_syntax: "),
        ("f(a)\nf(b)", "--payload:2:1: invalid_syntax: "),
        ('{"intent":"!A"', "--payload:1:15: invalid_syntax: "),
        ("", "--payload:1:1: invalid_syntax: no payload here"),
        (" \n", "--payload:1:1: invalid_syntax: no payload here"),
        ("f() with silp=v9", "--payload:1:15: unsupported_version: "),
    ],
)
def test_bad_payloads_are_diagnosed(payload: str, line: str) -> None:
    done = silp("explain", "--payload", payload)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("silp explain: " + line)
    machine = json.loads(silp("explain", "--payload", payload, "--errors", "json").stderr.splitlines()[0])
    assert machine["source"] == "--payload"
    assert "message" in machine


def test_the_limits_can_be_moved() -> None:
    small = "f(" + "a," * 100 + "a)"
    assert silp("explain", given=small).returncode == 0
    done = silp("explain", "--max-record-size", "100", given=small)
    assert done.returncode == 1
    assert "record longer than 100 bytes" in done.stderr
    for text in ("f(x[a:=" + "[" * 70 + "]" * 70 + "])", '{"intent":"!A","meta":{"x":' + "[" * 70 + "]" * 70 + "}}"):
        assert "nesting deeper than 64" in silp("explain", "--payload", text).stderr
        assert silp("explain", "--payload", text, "--max-depth", "90").returncode == 0


@pytest.mark.parametrize("form", [("--format", "json"), ("--html", "-"), ("--pretty", "--format", "json"), ()])
@pytest.mark.parametrize("depth", [200, 250, 5000])
def test_nesting_is_shown_or_answered_whatever_the_limit(form: tuple[str, ...], depth: int) -> None:
    nested = "[" * depth + "]" * depth
    for text in (f"f(x[a:={nested}])", '{"intent":"!A","meta":{"x":' + nested + "}}"):
        done = silp("explain", "--max-depth", "256", *form, given=text)
        assert "Traceback" not in done.stderr
        assert (done.returncode, bool(done.stdout), bool(done.stderr)) in ((0, True, False), (1, False, True))


def test_the_hint_says_what_the_grammar_would_take() -> None:
    said = silp("explain", "--payload", "cancel(flight t+1pm)").stderr
    assert "the grammar goes on with '=', ',' or ')'" in said
    said = silp("explain", "--payload", "if rain cancel()").stderr
    assert "the grammar goes on with an operator (== != < <= > >=), 'and', ':' or 'then'" in said


@pytest.mark.parametrize(
    "given",
    [b"", b"\xff\xfe\x00", os.urandom(5000), b"\x00" * 1000, b"(" * 100_000, b"f(x[a:=" + b"[" * 100_000],
    ids=["empty", "utf-16", "random", "nul", "parentheses", "nested"],
)
def test_rubbish_is_answered(given: bytes) -> None:
    done = silp("explain", given=given)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("silp explain: stdin:")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("missing.txt",), "missing.txt: No such file or directory"),
        (("/",), "/: Is a directory"),
        (("x", "--payload", "f()"), "give FILE or --payload, not both"),
        (("--payload", "f()", "--html", "x", "-o", "y"), "leave --output out"),
        (("--payload", b"f(\xff)"), "argument 2 is not UTF-8"),
        (("a", "b"), "unexpected extra argument"),
        (("--payload", "f()", "-o", "/dev/full"), "No space left on device"),
        (("--payload", "f()", "--html", "/dev/full"), "No space left on device"),
    ],
)
def test_a_wrong_command_is_one_line_and_status_2(
    arguments: Any, complaint: str, tmp_path: Path
) -> None:
    done = silp("explain", *arguments, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert complaint in done.stderr
    assert done.stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("frontend", "code"),
    [("natural", "decode_failed"), ("math", "unsupported_frontend"), ("json", "invalid_syntax")],
)
def test_other_frontends_are_answered(frontend: str, code: str) -> None:
    done = silp("explain", "--payload", "f()", "-f", frontend)
    assert done.returncode == 1
    assert code in done.stderr


def test_a_closed_pipe_ends_quietly() -> None:
    command = f"{sys.executable} -m silp_cli explain --payload 'f({'a,' * 5000}a)' | head -1"
    done = subprocess.run(["bash", "-c", "set -o pipefail; " + command], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_the_help_has_examples() -> None:
    assert "silp explain --html picture.html < payload.txt" in silp("explain", "--help").stdout


# ---------------------------------------------------------------- the picture


class _Page(HTMLParser):
    """Collects the parts of the payload, the slots of the IR, and what the page would load."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[dict[str, str | None]] = []
        self.tags: set[str] = set()
        self.outside: list[str] = []
        self.parts: list[tuple[str | None, str]] = []
        self.slots: dict[str | None, str] = {}
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        fields = dict(attrs)
        self.tags.add(tag)
        self.outside += [str(value) for name, value in attrs if name in ("src", "href", "action", "data")]
        if tag == "span":
            self.open.append(fields)
            if fields.get("class", "").startswith("part"):  # type: ignore[union-attr]
                self.parts.append((fields["data-p"], ""))
        elif tag == "small":
            self.open.append({})

    def handle_endtag(self, tag: str) -> None:
        if tag in ("span", "small"):
            self.open.pop()

    def handle_data(self, data: str) -> None:
        if not self.open:
            return
        kind = self.open[-1].get("class") or ""
        if kind.startswith("part"):
            path, text = self.parts[-1]
            self.parts[-1] = (path, text + data)
        elif kind.startswith("slot"):
            path = self.open[-1]["data-p"]
            self.slots[path] = self.slots.get(path, "") + data


@pytest.mark.parametrize("text", [DRAFT, RICH, '{"intent":"!A","x":"y","meta":{"out":"code"}}'])
def test_the_picture_links_text_and_slots(text: str, tmp_path: Path) -> None:
    file = tmp_path / "p.html"
    done = silp("explain", "--payload", text, "--html", str(file))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    page = _Page(file.read_text())
    expected = parts(text, "json" if text[0] == "{" else "code")
    assert page.parts == [(path, part) for part, path, _ in expected]
    ir = decode(text)
    for _, path, kind in expected:
        if kind != "syntax":
            assert json.loads(page.slots[path]) == at_pointer(ir, path)
    assert page.outside == [], "the page needs nothing else"
    assert silp("explain", "--payload", text, "--html", "-").stdout == file.read_text()


def test_a_payload_cannot_put_markup_into_the_picture() -> None:
    evil = '"</script><script>alert(1)</script><img src=x onerror=alert(1)>&amp;\'"'
    text = f"if {evil}: f({evil}={evil}[{evil}={evil}]) else: g({evil}@{evil}) with {evil}={evil}"
    honest = silp("explain", "--payload", "f(a)", "--html", "-").stdout
    html = silp("explain", "--payload", text, "--html", "-").stdout
    assert html.count("<script") == honest.count("<script") == 1
    page = _Page(html)
    assert page.tags == _Page(honest).tags
    assert page.outside == []
    assert [part for _, part in page.parts] == [part for part, _, _ in parts(text)]


def test_the_same_payload_gives_the_same_picture() -> None:
    source = test_code_grammar.walk(Random(2).randrange(100))
    text = source.sentence()
    first, second = (silp("explain", "--html", "-", given=text).stdout for _ in range(2))
    assert first == second


def test_below_500_px_the_facts_of_a_part_stand_below_one_another() -> None:
    page = silp("explain", "--payload", "if !rain(t+1): start(hike)", "--html", "-").stdout
    narrow = page[page.index("@media (max-width: 32rem)") :]  # 32rem: 512 px
    narrow = narrow[: narrow.index("\n}")]
    assert "table, tbody, tr, td { display: block; }" in narrow
    assert "td, td.text, td.value, td.path { min-width: 0;" in narrow
    assert page.index("td.path { font-size") < page.index("@media (max-width: 32rem)"), "what comes later wins"
