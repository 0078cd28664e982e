"""``silp vocab``: pull, list, verify, add and remove the vocabularies of the tokenizers."""

from __future__ import annotations

import sys

from silp_cli.census import vocabularies
from silp_cli.census.vocabularies import PINNED, VocabularyDamaged, VocabularyError, VocabularyMissing
from silp_cli.ir.jsontext import dumps, dumps_pretty
from silp_cli.text.command import CommandError, color_wanted
from silp_cli.text.diagnostics import say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from contextlib import AbstractContextManager

    from silp_cli.census.pull import Progress


def pull(*, names: Sequence[str] | None, dir: str | None) -> int:
    """Download what is missing or damaged; return the exit status."""
    from silp_cli.census.pull import pull as pull_vocabularies

    unknown = [name for name in names or () if name not in PINNED]
    if unknown:
        raise CommandError(
            f"silp vocab pull: '{unknown[0]}' has no package to pull; there are: {', '.join(PINNED)}"
        )
    try:
        with _progress() as progress:
            brought = pull_vocabularies(names or PINNED, dir, progress)
    except VocabularyError as error:
        raise CommandError(f"silp vocab pull: {error}") from None
    where = vocabularies.directory(dir)
    for name in brought:
        say(f"silp vocab pull: {name} is in {where}\n")
    if not brought and sys.stderr.isatty():
        say(f"silp vocab pull: all there in {where}\n")
    return 0


def _progress() -> AbstractContextManager[Progress | None]:
    """A progress display on a terminal; nothing elsewhere."""
    from contextlib import contextmanager, nullcontext

    if not sys.stderr.isatty():
        return nullcontext()
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, TextColumn, TransferSpeedColumn
    from rich.progress import Progress as Display

    @contextmanager
    def display():  # type: ignore[no-untyped-def]  # the signature of the enclosing function says it
        console = Console(file=sys.stderr, no_color=not color_wanted(sys.stderr))
        columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
        with Display(*columns, console=console, transient=True) as bars:
            tasks: dict[str, object] = {}

            def update(requirement: str, done: int, total: int) -> None:
                if requirement not in tasks:
                    tasks[requirement] = bars.add_task(requirement, total=None)
                bars.update(tasks[requirement], completed=done, total=total or None)  # type: ignore[arg-type]

            yield update

    return display()


def list_all(*, format: str | None, dir: str | None) -> int:
    """Say what is there; return the exit status."""
    where = vocabularies.directory(dir)
    try:
        rows = list(states(where))
    except VocabularyError as error:
        raise CommandError(f"silp vocab list: {error}") from None
    form = format or ("table" if sys.stdout.isatty() else "jsonl")
    if form == "json":
        print(dumps_pretty(rows))
    elif form == "jsonl":
        for row in rows:
            print(dumps(row))
    else:
        _table(rows, where)
    return 0


def states(where: str) -> Iterator[dict[str, object]]:
    """What is known of each vocabulary in a directory, and whether its file is there and right."""
    for name in vocabularies.names(where):
        try:
            vocabulary = vocabularies.find(name, where)
        except VocabularyDamaged:
            yield {"name": name, "state": "damaged"}
            continue
        try:
            vocabularies.read_verified(vocabulary, where)
            state = "ok"
        except VocabularyMissing:
            state = "missing"
        except VocabularyDamaged:
            state = "damaged"
        yield {
            "name": name, "state": state, "package": vocabulary.package or None,
            "version": vocabulary.version or None, "licence": vocabulary.licence, "size": vocabulary.size,
            "sha256": vocabulary.sha256, "kind": vocabulary.kind, "file": f"{where}/{vocabulary.file_name}",
        }


def _table(rows: list[dict[str, object]], where: str) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    wide = sys.stdout.isatty()
    console = Console(no_color=not color_wanted(sys.stdout), width=None if wide else 160, highlight=False)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, caption=where, caption_justify="left")
    for heading in ("tokenizer", "state", "package", "licence", "bytes", "sha-256"):
        table.add_column(heading, justify="right" if heading == "bytes" else "left", overflow="fold")
    colors = {"ok": "green", "missing": "yellow", "damaged": "red"}
    for row in rows:
        state = str(row["state"])
        package = f"{row['package']} {row['version']}" if row.get("package") else "-"
        table.add_row(
            str(row["name"]), f"[{colors[state]}]{state}[/]", package, str(row.get("licence", "")),
            str(row.get("size", "")), str(row.get("sha256", "")),
        )
    console.print(table)


def verify(*, names: Sequence[str] | None, dir: str | None) -> int:
    """Compare files with their hashes; return the exit status: 1 if one is missing or damaged."""
    status = 0
    try:
        wanted = names or vocabularies.names(dir)
    except VocabularyError as error:
        raise CommandError(f"silp vocab verify: {error}") from None
    for name in wanted:
        try:
            vocabulary = vocabularies.find(name, dir)
            vocabularies.read_verified(vocabulary, dir)
        except VocabularyError as error:
            say(f"silp vocab verify: {error}\n")
            status = 1
        else:
            print(f"{name}\tok\t{vocabulary.sha256}")
    return status


def add(*, name: str, file: str, rules: str | None, replace: bool, dir: str | None) -> int:
    """Take a vocabulary in; return the exit status."""
    from silp_cli.census import added

    try:
        data = added.read_file(file)
    except VocabularyError as error:
        raise CommandError(f"silp vocab add: {error}") from None
    try:
        vocabulary = added.add(name, data, rules=rules or "", replace=replace, where=dir)
    except VocabularyError as error:
        raise CommandError(f"silp vocab add: {file}: {error}") from None
    print(f"{vocabulary.name}\t{vocabulary.kind}\t{vocabulary.sha256}")
    return 0


def remove(*, names: Sequence[str], dir: str | None) -> int:
    """Drop vocabularies that were added; return the exit status."""
    from silp_cli.census import added

    try:
        for name in names:
            added.remove(name, dir)
    except VocabularyError as error:
        raise CommandError(f"silp vocab remove: {error}") from None
    return 0
