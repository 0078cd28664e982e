"""What the census tests share: the real command, the fixtures, and tiny packages that pip can download."""

from __future__ import annotations

import base64
import csv
import hashlib
import os
import subprocess
import sys
import zipfile
from functools import lru_cache
from pathlib import Path

from silp_cli.census.tokenizers import TOKENIZERS, Tokenizer, load
from silp_cli.census.vocabularies import Vocabulary, directory

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "census"


def silp(
    *arguments: str, stdin: str | bytes = b"", env: dict[str, str] | None = None, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the real command."""
    data = stdin.encode() if isinstance(stdin, str) else stdin
    done = subprocess.run(
        [sys.executable, "-m", "silp_cli", *arguments], input=data, capture_output=True, timeout=120, cwd=cwd,
        env={**os.environ, **(env or {})},
    )
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode(), done.stderr.decode(errors="replace")
    )


@lru_cache(maxsize=1)
def six() -> tuple[Tokenizer, ...]:
    """The draft's six tokenizers."""
    return tuple(load(name) for name in TOKENIZERS)


@lru_cache(maxsize=1)
def published() -> dict[str, dict[str, int]]:
    """The published counts: string, then tokenizer."""
    counts: dict[str, dict[str, int]] = {}
    with open(FIXTURES / "published-token-counts.csv", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            counts.setdefault(row["string"], {})[row["tokenizer"]] = int(row["token_count"])
    return counts


def vocabulary_path(file_name: str) -> Path:
    """A vocabulary's file in the user's cache."""
    return Path(directory()) / file_name


def tiny_ranks(*extra: bytes) -> bytes:
    """Ranks that tiktoken can work with: every byte, and some longer tokens."""
    tokens = [bytes([byte]) for byte in range(256)] + list(extra)
    lines = (b"%s %d" % (base64.b64encode(token), rank) for rank, token in enumerate(tokens))
    return b"\n".join(lines) + b"\n"


def make_wheel(folder: Path, package: str, version: str, files: dict[str, bytes]) -> None:
    """Write a wheel that pip accepts."""
    name = package.replace("-", "_")
    info = f"{name}-{version}.dist-info"
    files = files | {
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n".encode(),
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/RECORD": b"",
    }
    with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as archive:
        for path, data in files.items():
            archive.writestr(path, data)


def pin(name: str, data: bytes, package: str, member: str) -> Vocabulary:
    """A pinned vocabulary of ranks, version 1.0 of a package."""
    digest = hashlib.sha256(data).hexdigest()
    return Vocabulary(name, "ranks", digest, len(data), package, "1.0", member, "MIT", "gpt-3.5")
