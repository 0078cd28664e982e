"""``silp corpus``: a filter over many files, by all cores or many machines."""

from __future__ import annotations

from typing import Annotated

import typer

from silp_cli.cli import values
from silp_cli.cli.app import command


@command("corpus", calls="silp_cli.corpus.corpus_command:run", group="Filters", notes="""\
    Read on with: silp corpus is described in the manual's page on scale.
    --out gets part-*, a block of the output each, in the order of the input; errors-*.jsonl, what was wrong with it;
    and manifest.json, last. Without the manifest a run is unfinished: the same command does what is left.
    """, examples="""\
    silp corpus --in 'logs/*.jsonl' --out clean -- compile --frontend code
    silp corpus --in 's3://logs/2026-*/*.jsonl.gz' --out s3://clean/logs -- validate
    silp corpus --in 'payloads/*.txt.zst' --json -- census --payloads --tokenizers gpt-4o
    silp corpus --in 'logs/*.jsonl' --out clean --scheduler tcp://head:8786 -- validate --fail-on warning
    """)
def corpus(
    command: Annotated[list[str], typer.Argument(metavar="-- COMMAND...", help="A filter of silp and its options.")],
    inputs: Annotated[
        list[str],
        typer.Option("--in", metavar="FILES", help="Files to read: a path or URL, with * ? [] and **; repeatable."),
    ],
    out: Annotated[
        str | None, typer.Option("--out", metavar="DIR", help="Directory, or URL of one, for what comes out.")
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", help="Write census' totals, or else the manifest, to stdout as JSON.")
    ] = False,
    block_size: Annotated[
        int,
        typer.Option(
            "--block-size", metavar="BYTES", parser=values.byte_count, show_default="64M",
            help="Cut files that are not compressed into blocks of so many bytes; K, M and G may follow.",
        ),
    ] = 64 << 20,
    scheduler: Annotated[
        str | None,
        typer.Option("--scheduler", metavar="ADDRESS", help="A Dask scheduler; without it this machine's cores."),
    ] = None,
    workers: Annotated[
        int,
        typer.Option("--workers", metavar="N", parser=values.count, help="Processes on this machine; 0: all cores."),
    ] = 0,
) -> None:
    """Run a filter over many files, by all cores or many machines."""
