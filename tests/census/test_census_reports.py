"""Reports in every format, and the heat map."""

from __future__ import annotations

import csv
import io
import json
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from census_helpers import FIXTURES, silp, six

from silp_cli.census.heatmap import Grid, color, ink, png, svg
from silp_cli.census.tokenizers import TOKENIZERS

WORDS = "cancel\nescalate\na|b\n<b>&\n😀\n=1+1\n"
FOUR = ("--frontends", "code,json,natural,nl_json")


def words(form: str, *more: str) -> str:
    done = silp("census", "--format", form, *more, stdin=WORDS)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_json_and_json_lines_say_the_same() -> None:
    document = json.loads(words("json"))
    assert document["strings"] == [json.loads(line) for line in words("jsonl").splitlines()]
    assert document["tokenizers"] == list(TOKENIZERS)
    assert document["audit"] == "words, bare"
    assert document["summary"]["strings"] == 6


def test_csv_is_read_back() -> None:
    rows = list(csv.DictReader(io.StringIO(words("csv"))))
    assert [row["string"] for row in rows] == WORDS.splitlines()
    assert rows[1]["gpt-4o"] == "3"
    assert (rows[1]["single_token"], rows[4]["byte_fallback"], rows[0]["single_token"]) == ("false", "true", "true")


def test_a_table_shows_the_tokens_of_what_is_no_single_token() -> None:
    lines = words("table").splitlines()
    assert lines[0].split() == ["string", *TOKENIZERS, "single", "unk-free", "range", "stdev"]
    assert "3 es|cal|ate" in lines[3]
    assert "2 <0xF0><0x9F><0x98>|<0x80>" in next(line for line in lines if line.startswith("😀"))
    assert lines[-1] == "6 strings: 1 single-token in all, 6 UNK-free in all, largest range 4"
    assert "\x1b" not in words("table")


def test_markdown_keeps_its_columns_whatever_the_strings() -> None:
    lines = words("markdown").splitlines()
    table = [line for line in lines if line.startswith("|")]
    assert len(table) == 2 + 6
    assert {line.replace("\\|", "").count("|") for line in table} == {len(TOKENIZERS) + 6}
    assert "&lt;b>" in words("markdown")


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.references: list[str] = []
        self.pieces: list[str] = []
        self._piece = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "br", "link", "img"):
            self.open.append(tag)
        self.references += [value or "" for name, value in attrs if name in ("src", "href")]
        self._piece = any(name == "class" and (value or "").startswith("t") for name, value in attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        self._piece = False

    def handle_data(self, data: str) -> None:
        if self._piece:
            self.pieces.append(data)


def page(text: str) -> _Page:
    parsed = _Page()
    parsed.feed(text)
    parsed.close()
    assert parsed.open == []
    return parsed


def test_html_is_one_file_with_every_token() -> None:
    text = words("html")
    parsed = page(text)
    assert parsed.references == []
    assert "<script" not in text
    assert "url(" not in text
    assert all(piece in parsed.pieces for piece in ("es", "cal", "ate", "<", "<0xF0><0x9F><0x98>"))


def test_payload_html_shows_the_costliest_token_by_token() -> None:
    done = silp("census", "--payloads", "--format", "html", "--top", "1", str(FIXTURES / "payloads.txt"))
    parsed = page(done.stdout)
    costliest = (FIXTURES / "payloads.txt").read_text().splitlines()[1]
    assert "".join(parsed.pieces).count(costliest) == len(TOKENIZERS)
    assert "record 2 (" in done.stdout


@pytest.mark.parametrize("form", ["table", "markdown", "html", "json", "jsonl", "csv"])
def test_every_format_takes_payloads_and_irs_and_nothing_at_all(form: str) -> None:
    payloads, irs = str(FIXTURES / "payloads.txt"), str(FIXTURES / "ir.jsonl")
    for arguments in (
        ("--payloads", payloads), ("--ir", *FOUR, irs), ("--ir", *FOUR, "--bare", irs), ("--payloads", "/dev/null"),
        ("/dev/null",), ("--ir", *FOUR, "/dev/null"), ("--suggest", "escalate"),
    ):
        done = silp("census", "--tokenizers", "llama-2", "--format", form, *arguments)
        assert (done.returncode, done.stderr) == (0, ""), arguments
        if form == "json":
            json.loads(done.stdout)
        if form == "jsonl":
            assert all(json.loads(line) for line in done.stdout.splitlines())
        if form == "html":
            page(done.stdout)


def test_totals_of_irs_compare_every_frontend_with_json_and_prose() -> None:
    done = silp("census", "--ir", *FOUR, "--format", "json", str(FIXTURES / "ir.jsonl"))
    report = json.loads(done.stdout)
    assert list(report["totals"]) == ["code", "json", "natural", "nl_json", "ir"]
    code, reference = report["totals"]["code"], report["totals"]["ir"]
    for name in TOKENIZERS:
        expected = round(100 * (1 - code["tokens"][name] / reference["tokens"][name]), 2)
        assert code["saving"]["ir"][name] == expected > 0
    assert report["costliest_by"] == "code"
    assert set(report["totals"]["json"]["saving"]) == {"ir", "natural"}


def test_what_is_counted_is_what_compile_writes() -> None:
    file = str(FIXTURES / "ir.jsonl")
    for bare in ((), ("--bare",)):
        done = silp("census", "--ir", "--frontends", "code,json", *bare, file)
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        for frontend in ("code", "json"):
            texts = silp("compile", "-f", frontend, *bare, file).stdout.splitlines()
            for text, row in zip(texts, rows, strict=False):
                assert row["counts"][frontend] == {each.name: each.count(text) for each in six()}
            totals = rows[-1]["summary"]["totals"][frontend]["tokens"]
            assert totals == {each.name: sum(map(each.count, texts)) for each in six()}


def test_the_suffix_of_the_output_chooses_the_format(tmp_path: Path) -> None:
    for suffix, start in ((".html", "<!DOCTYPE html>"), (".md", "| string"), (".csv", "string,"), (".json", "{")):
        file = tmp_path / f"report{suffix}"
        assert silp("census", "--tokenizers", "llama-2", "-o", str(file), stdin="cancel\n").returncode == 0
        assert file.read_text().startswith(start)


# ---------------------------------------------------------------- the heat map

GRID = Grid("tokens <&>", ["gpt-4o", "claude"], [("cancel", [1, 1]), ("a <b> \x1b", [3, None]), ("z" * 99, [6, 2])])


def test_svg_is_well_formed_and_shows_every_value() -> None:
    root = ElementTree.fromstring(svg(GRID))
    texts = ["".join(node.itertext()) for node in root.iter("{http://www.w3.org/2000/svg}text")]
    assert [text for text in texts if text.isdigit()] == ["1", "1", "3", "6", "2"]
    assert "a <b> \\u001b" in texts
    assert svg(GRID) == svg(GRID)
    rectangles = list(root.iter("{http://www.w3.org/2000/svg}rect"))
    assert len(rectangles) == 1 + 5
    width = float(root.attrib["width"])
    assert all(float(each.get("x", 0)) + float(each.get("width", 0)) <= width for each in rectangles)


def test_png_is_an_image_with_the_colours_of_the_values() -> None:
    from PIL import Image

    image = Image.open(io.BytesIO(png(GRID)))
    assert image.format == "PNG"
    colors = {value for _, value in image.convert("RGB").getcolors(1 << 20) or []}
    assert {color(value, 1, 6) for value in (1, 2, 3, 6)} <= colors


def test_the_scale_runs_from_light_to_dark_and_its_ink_is_read() -> None:
    lightness = [sum(color(value, 1, 6)) for value in range(1, 7)]
    assert lightness == sorted(lightness, reverse=True)
    assert ink(color(1, 1, 6)) != ink(color(6, 1, 6))
    assert color(1, 1, 1) == color(0, 1, 6)


@pytest.mark.parametrize("arguments", [
    ("--whitelist",), ("--payloads", str(FIXTURES / "payloads.txt")), ("--ir", *FOUR, str(FIXTURES / "ir.jsonl")),
    ("/dev/null",),
])
@pytest.mark.parametrize("suffix", [".svg", ".png"])
def test_plot_draws_what_was_audited(arguments: tuple[str, ...], suffix: str, tmp_path: Path) -> None:
    file = tmp_path / f"map{suffix}"
    done = silp("census", "--tokenizers", "llama-2", "--plot", str(file), *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    assert file.read_bytes().startswith(b"<svg" if suffix == ".svg" else b"\x89PNG")


def test_a_plot_of_another_kind_is_refused() -> None:
    done = silp("census", "--plot", "map.gif", stdin="cancel\n")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert not Path("map.gif").exists()
