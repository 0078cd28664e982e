"""``silp grammar``."""

from __future__ import annotations

import re
import tomllib
from html import unescape
from pathlib import Path

import pytest

from silp_cli.frontends.code.grammar import grammar
from silp_cli.ir import resources

from .silp import silp

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(("arguments", "file"), [((), "code"), (("code",), "code"), (("json",), "json")])
def test_the_abnf_is_printed_as_it_is_shipped(arguments: tuple[str, ...], file: str) -> None:
    done = silp("grammar", *arguments)
    assert done.returncode == 0
    assert done.stderr == ""
    assert done.stdout == (ROOT / "grammars" / f"{file}.abnf").read_text()


def test_output_goes_to_a_file(tmp_path: Path) -> None:
    assert silp("grammar", "json", "-o", str(tmp_path / "g")).stdout == ""
    assert (tmp_path / "g").read_text() == silp("grammar", "json").stdout


def test_the_diagram_shows_every_rule_beside_its_abnf(tmp_path: Path) -> None:
    page = tmp_path / "grammar.html"
    done = silp("grammar", "--diagram", str(page))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    html = page.read_text()
    heading = r'<h1 class="railroad-heading" id="([^"]*)">([^<]*)</h1><pre class="abnf">([^<]*)</pre>'
    drawn = re.findall(heading, html)
    assert {name for _, name, _ in drawn} == set(grammar().rules)
    abnf = (ROOT / "grammars" / "code.abnf").read_text()
    for anchor, name, text in drawn:
        assert unescape(text) in abnf
        assert unescape(text).startswith(name)
        assert f'<a href="#{anchor}">{name}</a>' in html
    assert html.count("<svg") == len(drawn)
    assert not re.search(r'(?:src|href)="(?!#)', html), "the page needs nothing else"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("math",), "is not one of 'code', 'json'"),
        (("code", "json"), "unexpected extra argument"),
        (("json", "--diagram", "x.html"), "draws the code grammar only"),
        (("--diagram", "x.html", "-o", "y"), "leave --output out"),
        (("--diagram", "/nowhere/x.html"), "No such file or directory"),
        (("-o", "/dev/full"), "No space left on device"),
        (("--diagram", "/dev/full"), "No space left on device"),
    ],
)
def test_a_wrong_command_is_one_line_and_status_2(
    arguments: tuple[str, ...], complaint: str, tmp_path: Path
) -> None:
    done = silp("grammar", *arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("silp")
    assert done.stderr.count("\n") == 1
    assert complaint in done.stderr
    assert not list(tmp_path.iterdir())


def test_help_has_an_example() -> None:
    assert "silp grammar --diagram grammar.html" in silp("grammar", "--help").stdout


def test_the_wheel_holds_the_grammars_where_they_are_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tomllib.loads((ROOT / "pyproject.toml").read_text())
    target = config["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]["grammars"]
    assert str(Path(resources._PLACES[0])) == str(Path(resources.__file__).parents[2] / target)
    (tmp_path / "code.abnf").write_text("a = b\n")
    monkeypatch.setattr(resources, "_PLACES", (str(tmp_path), resources._PLACES[1]))
    assert resources.read_resource("code.abnf") == "a = b\n"
    assert resources.resource_names(".abnf") == ["code.abnf"]
