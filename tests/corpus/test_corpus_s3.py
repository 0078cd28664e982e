"""``silp corpus`` on an object store: a real server that speaks S3."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import s3fs
from corpora import write_irs
from moto.server import ThreadedMotoServer
from support import silp

from .test_corpus import corpus

_KEYS = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_DEFAULT_REGION": "us-east-1"}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a server of our own."""
    for name, value in _KEYS.items():
        monkeypatch.setenv(name, value)
    running = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    running.start()
    host, port = running.get_host_and_port()
    yield f"http://{host}:{port}"
    running.stop()


def test_objects_are_read_and_written_whole(server: str, tmp_path: Path) -> None:
    write_irs(tmp_path / "a.jsonl", 300_000, 1, bad=50)
    data = (tmp_path / "a.jsonl").read_bytes()
    store = s3fs.S3FileSystem(endpoint_url=server)
    store.mkdir("logs")
    store.mkdir("clean")
    store.pipe("logs/2026-01/a.jsonl", data)
    store.pipe("logs/2026-02/b.jsonl.gz", gzip.compress(data))
    run = ("--in", "s3://logs/2026-*/*.jsonl*", "--out", "s3://clean/run", "--block-size", "100K", "--workers", "2")
    environment = {**_KEYS, "AWS_ENDPOINT_URL": server}
    done = corpus(tmp_path, *run, "--", "compile", **environment)
    assert done.status == 1, done
    store.invalidate_cache()
    names = sorted(os.path.basename(name) for name in store.ls("clean/run"))
    outputs = [name for name in names if name.startswith("part-")]
    assert len(outputs) == 4
    assert b"".join(store.cat(f"clean/run/{name}") for name in outputs) == silp("compile", given=data).out.encode() * 2
    manifest = json.loads(store.cat("clean/run/manifest.json"))
    assert [each["url"] for each in manifest["inputs"]] == ["s3://logs/2026-01/a.jsonl", "s3://logs/2026-02/b.jsonl.gz"]
    assert ".silp" not in names
    again = corpus(tmp_path, *run, "--", "compile", **environment)
    assert "holds the whole result already" in again.err, again
