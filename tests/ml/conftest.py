"""A trained model on disk, and the encoding that llmlingua needs, for every test here."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import silp_cli.api  # noqa: F401 - tells the frontends where the vocabularies are
from silp_cli.frontends.llmlingua2 import LlmLingua2Frontend, Options

FIXTURES = Path(__file__).parents[2] / "fixtures" / "ml"
Compressor = Callable[..., LlmLingua2Frontend]


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model in a directory whose name says nothing about its kind."""
    from .tiny import build_model

    return build_model(tmp_path_factory.mktemp("models") / "drops-fillers")


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch, model: Path, tmp_path: Path) -> Iterator[None]:
    monkeypatch.setenv("SILP_LLMLINGUA_MODEL", str(model))
    monkeypatch.setenv("HF_HOME", str(tmp_path / "empty-hub-cache"))
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")  # no test may depend on a network
    for name in ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR", "HF_HUB_OFFLINE"):
        monkeypatch.delenv(name, raising=False)
    before = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    yield
    after = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    assert after == before, "the environment was changed"


@pytest.fixture
def compressor() -> Compressor:
    def make(rate: float = 0.5, **options: Any) -> LlmLingua2Frontend:
        return LlmLingua2Frontend(Options(rate, **options))

    return make


def irs(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FIXTURES / name).read_text().splitlines()]
