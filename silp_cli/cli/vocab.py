"""``silp vocab``: the tokenizers' vocabularies."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from silp_cli.cli.app import command, group_of_commands

Directory = Annotated[
    str | None, typer.Option("--dir", metavar="DIR", help="The cache directory (see 'silp vocab --help').")
]

group_of_commands(
    "vocab", "Pull, list, verify and add the tokenizers' vocabularies.", group="Measure", notes="""\
    The cache directory is --dir, else SILP_VOCAB_DIR, else silp/vocab in the user's cache (XDG_CACHE_HOME).

    Exit status: 0 all well, 1 a vocabulary is damaged or missing (verify), 2 could not run.
    """, examples="""\
    silp vocab pull                         # all six; what is there and right is left alone
    silp vocab pull gpt-4o claude
    silp vocab list --format json | jq -r '.[] | [.name, .sha256] | @tsv'
    silp vocab add mistral tokenizer.model  # then: silp census --tokenizers gpt-4o,mistral
    """,
)


@command("vocab pull", calls="silp_cli.census.vocab_command:pull", examples="silp vocab pull gpt-4o claude")
def pull(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAME", help="Tokenizers.", show_default="all six")
    ] = None,
    dir: Directory = None,
) -> None:
    """Download the vocabularies that are missing or damaged."""


@command("vocab list", calls="silp_cli.census.vocab_command:list_all", examples="silp vocab list --format table")
def list_all(
    format: Annotated[
        Literal["table", "json", "jsonl"] | None,
        typer.Option(
            "--format", help="How it is written.", show_default="a table on a terminal, else JSON Lines"
        ),
    ] = None,
    dir: Directory = None,
) -> None:
    """Say what is there, from which package, its licence, size and hash."""


@command("vocab verify", calls="silp_cli.census.vocab_command:verify", examples="silp vocab verify gpt-4o")
def verify(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAME", help="Tokenizers.", show_default="all")
    ] = None,
    dir: Directory = None,
) -> None:
    """Compare the files with their SHA-256."""


@command("vocab add", calls="silp_cli.census.vocab_command:add", examples="silp vocab add mistral tokenizer.model")
def add(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What the tokenizer is to be called.")],
    file: Annotated[str, typer.Argument(metavar="FILE", help="The file; its kind is found out by reading.")],
    rules: Annotated[
        Literal["gpt-4o", "gpt-3.5", "qwen2.5"] | None,
        typer.Option(
            "--rules", help="For a .tiktoken file, whose way of splitting text applies.", show_default="gpt-3.5"
        ),
    ] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Replace another vocabulary of that name.")] = False,
    dir: Directory = None,
) -> None:
    """Take in a .tiktoken file, a sentencepiece model or a tokenizer.json."""


@command("vocab remove", calls="silp_cli.census.vocab_command:remove", examples="silp vocab remove mistral")
def remove(
    names: Annotated[list[str], typer.Argument(metavar="NAME", help="Its name.")],
    dir: Directory = None,
) -> None:
    """Drop a vocabulary that was added."""
