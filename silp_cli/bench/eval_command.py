"""``silp eval``: ask models, judge their answers, write results."""

from __future__ import annotations

import asyncio
import sys
from contextlib import AsyncExitStack, ExitStack
from typing import Any

from silp_cli.bench.cases import Case, read_cases, select
from silp_cli.bench.endpoint import Endpoint, Model, parse_model
from silp_cli.bench.evaluate import Settings, evaluate
from silp_cli.bench.questions import TASKS, Question, questions
from silp_cli.bench.run_file import RunFile
from silp_cli.ir.errors import SilpError
from silp_cli.text.command import CommandError
from silp_cli.text.diagnostics import say
from silp_cli.text.stream import Stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

COMMAND = "silp eval"


def run(
    *,
    files: Sequence[str],
    errors: str,
    model: Sequence[str],
    task: Sequence[str],
    frontend: Sequence[str],
    repeat: int,
    seed: int,
    temperature: float,
    max_tokens: int,
    split: str | None,
    field: Sequence[str],
    limit: int | None,
    jobs: int,
    timeout: float,
    retries: int,
    schema: bool,
    logprobs: bool,
    judge: str | None,
    tokenizers: str | None,
    dry_run: bool,
    price: Sequence[str],
    output: str | None,
) -> int:
    """Evaluate; return the exit status: 0, 1 when a case or a question failed, 2 when nothing could be asked."""
    models = _models(model)
    tasks = [*(task or ("read", "write")), *(["explain"] if judge is not None and "explain" not in task else [])]
    if unknown := [each for each in tasks if each not in TASKS]:
        raise CommandError(f"{COMMAND}: no task '{unknown[0]}'; there are: {', '.join(TASKS)}")
    if judge is None and "explain" in tasks:
        raise CommandError(f"{COMMAND}: --task explain needs a judge; add --judge NAME=URL[#model-id]")
    stream = Stream(COMMAND, files=files, errors=errors)
    chosen = select(_cases(stream), split, field, limit)
    if not chosen:
        raise CommandError(f"{COMMAND}: no case is left to ask about", stream.status or 1)
    try:
        asked = questions(chosen, [each.name for each in models], tasks, frontend, repeat)
    except SilpError as error:
        raise CommandError(f"{COMMAND}: {error.message}" + (f"; {error.hint}" if error.hint else "")) from None
    if dry_run:
        _forecast(asked, price, [each.name for each in models], tokenizers)
        return stream.status
    if price:
        raise CommandError(f"{COMMAND}: --price goes with --dry-run")
    settings = Settings(seed, temperature, max_tokens, logprobs, schema, jobs)
    with RunFile(output) as file:
        if file.mended:
            say(f"{COMMAND}: {output}: the last line was cut off; it is asked again\n")
        rest = _not_done(asked, file, settings, output)
        runner = _Run(len(asked), len(asked) - len(rest), file)
        counter = _census(tokenizers)
        judging = parse_model(judge) if judge is not None else None
        limits = {"timeout": timeout, "retries": retries}
        with runner, ExitStack() as servers:
            if rest:
                models = [_served(each, servers) for each in models]
                judging = judging and _served(judging, servers)
            try:
                asyncio.run(_ask(rest, models, judging, settings, limits, counter, runner))
            except BaseExceptionGroup as group:  # one cause, such as a closed pipe, seen by a task
                raise _first(group) from None
    return stream.status or (1 if runner.failures else 0)


def _models(texts: Iterable[str]) -> list[Model]:
    models = [parse_model(text) for text in texts]
    if not models:
        raise CommandError(f"{COMMAND}: no model; add --model NAME=URL[#model-id]")
    names = [each.name for each in models]
    for name in names:
        if names.count(name) > 1:
            raise CommandError(f"{COMMAND}: two models are called '{name}'; results are told apart by the name")
    return models


def _served(model: Model, servers: ExitStack) -> Model:
    """The model with a URL: one that was fetched is served for as long as the run lasts."""
    if model.url:
        return model
    from silp_cli.bench.serve import served

    return model._replace(url=servers.enter_context(served(model.name)))


def _first(error: BaseException) -> BaseException:
    return _first(error.exceptions[0]) if isinstance(error, BaseExceptionGroup) else error


def _cases(stream: Stream) -> list[Case]:
    """The cases of the input; what is none is reported."""
    cases: list[Case] = []
    for found in read_cases(stream.reader.documents()):
        if isinstance(found, SilpError):
            stream.reporter.report(found)
            stream.status = stream.status or 1
        else:
            cases.append(found)
    return cases


def _not_done(asked: list[Question], file: RunFile, settings: Settings, path: str | None) -> list[Question]:
    """The questions that have no result yet.

    Raises:
        CommandError: when the file holds the answer to another question under the same name.
    """
    rest = []
    for question in asked:
        there = file.done.get(question.key)
        if there is None:
            rest.append(question)
            continue
        wanted = (question.prompt_sha256, settings.temperature, settings.seed + question.repeat)
        if there != wanted:
            model, frontend, case, task, repeat = question.key
            what = "prompt" if there[0] != wanted[0] else "temperature" if there[1] != wanted[1] else "seed"
            raise CommandError(
                f"{COMMAND}: {path}: {model} {task} {frontend} {case} {repeat} was asked with another {what}; "
                "write to a new file"
            )
    return rest


def _forecast(asked: list[Question], prices: Sequence[str], models: list[str], tokenizers: str | None) -> None:
    """Print what the run would ask and cost; tokens are those of the first tokenizer that is there."""
    from silp_cli.bench.dry_run import estimate, parse_prices
    from silp_cli.text.rows import write_rows

    counts = _census(tokenizers)
    name = next(iter(counts("a")), None)
    if name is None:
        raise CommandError(f"{COMMAND}: no tokenizer is there to count with; run: silp vocab pull")
    rows = estimate(asked, lambda text: counts(text)[name], parse_prices(prices, models))
    write_rows([{**row, "tokenizer": name} for row in rows], None)


def _census(names: str | None) -> Callable[[str], Mapping[str, int]]:
    """What counts a payload's tokens under every tokenizer that is there, or those that are named."""
    from silp_cli.census.tokenizers import installed, load
    from silp_cli.census.vocabularies import VocabularyError

    try:
        wanted = installed() if names is None else [each for each in map(str.strip, names.split(",")) if each]
        tokenizers = [load(name) for name in wanted]
    except VocabularyError as error:
        raise CommandError(f"{COMMAND}: {error}") from None
    known: dict[str, dict[str, int]] = {}

    def count(text: str) -> Mapping[str, int]:
        if text not in known:
            known[text] = {each.name: each.count(text) for each in tokenizers}
        return known[text]

    return count


async def _ask(
    rest: list[Question],
    models: list[Model],
    judge: Model | None,
    settings: Settings,
    limits: Mapping[str, Any],
    census: Callable[[str], Mapping[str, int]],
    runner: _Run,
) -> None:
    async with AsyncExitStack() as stack:
        endpoints = [
            await stack.enter_async_context(Endpoint(each, note=runner.note, **limits)) for each in models
        ]
        judging = None
        if judge is not None:
            judging = await stack.enter_async_context(Endpoint(judge, note=runner.note, **limits))
        await evaluate(
            rest, endpoints, settings, census=census, add=runner.add, failed=runner.failed, judge=judging
        )


class _Run:
    """One run as its user sees it: results to the file, a line for each failure, progress on a terminal."""

    def __init__(self, total: int, done: int, file: RunFile) -> None:
        self.failures = 0
        self._file = file
        self._progress: Any = None
        if sys.stderr.isatty():
            self._progress, self._task = _bar(total, done)

    def __enter__(self) -> _Run:
        if self._progress is not None:
            self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._progress is not None:
            self._progress.stop()

    def add(self, result: dict[str, Any]) -> None:
        """Keep a result."""
        self._file.add(result)
        self._advance(f"{result['model']} {result['task']} {result['frontend']}")

    def failed(self, question: Question, reason: str) -> None:
        """Say why a question has no answer."""
        self.failures += 1
        model, frontend, case, task, repeat = question.key
        self.note(f"{model} {task} {frontend} {case} {repeat}: {reason}")
        self._advance(f"{model} {task} {frontend}")

    def note(self, text: str) -> None:
        """A line on stderr, above the progress."""
        if self._progress is not None:
            self._progress.console.print(f"{COMMAND}: {text}", markup=False, highlight=False, soft_wrap=True)
        else:
            say(f"{COMMAND}: {text}\n")

    def _advance(self, what: str) -> None:
        if self._progress is not None:
            self._progress.update(self._task, advance=1, description=what)


def _bar(total: int, done: int) -> tuple[Any, Any]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    progress = Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("about"),
        TimeRemainingColumn(), TextColumn("left"),
        console=Console(stderr=True), transient=True,
    )
    return progress, progress.add_task("asking", total=total, completed=done)
