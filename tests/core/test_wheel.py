"""The wheel holds what the command needs, and works where the repository is not."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from support import ROOT, environment


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built without the network."""
    place = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(place), str(ROOT)],
        check=True, capture_output=True,
    )
    (file,) = place.glob("*.whl")
    return file


def test_it_holds_grammars_schema_types_and_licence(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for file in ROOT.joinpath("grammars").iterdir():
        assert f"silp_cli/grammars/{file.name}" in names
    assert {"silp_cli/grammars/ir.schema.json", "silp_cli/grammars/code.abnf", "silp_cli/py.typed"} <= names
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)
    assert {name.partition("/")[0] for name in names if ".dist-info" not in name} == {
        "silp_cli", next(name for name in names if name.endswith(".data/scripts/silp")).partition("/")[0],
    }
    modules = {str(path.relative_to(ROOT)) for path in ROOT.joinpath("silp_cli").rglob("*.py")}
    assert modules == {name for name in names if name.endswith(".py")}


def test_its_metadata(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    metadata, entries = (
        archive.read(next(name for name in archive.namelist() if name.endswith(end))).decode()
        for end in ("METADATA", "entry_points.txt")
    )
    assert "\nName: silp-cli\n" in metadata
    assert "\nLicense-Expression: MIT\n" in metadata
    assert "\nRequires-Python: >=3.11\n" in metadata
    assert "silp-python = silp_cli.__main__:main" in entries
    assert "[silp.frontends]" in entries


def test_it_works_without_the_repository(wheel: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    for arguments in (["schema"], ["grammar"], ["frontends"], ["--version"]):
        done = subprocess.run(
            [sys.executable, "-m", "silp_cli", *arguments], cwd=tmp_path, env=environment(PYTHONPATH=str(site)),
            capture_output=True, text=True, check=True,
        )
        assert done.stdout
    where = subprocess.run(
        [sys.executable, "-c", "import silp_cli; print(silp_cli.__file__)"], cwd=tmp_path,
        env=environment(PYTHONPATH=str(site)), capture_output=True, text=True, check=True,
    )
    assert where.stdout.startswith(str(site))
