"""Asks the questions, several at a time, and hands over each result when it is there."""

from __future__ import annotations

import asyncio
from typing import Any, NamedTuple

from silp_cli.bench.endpoint import Unanswered
from silp_cli.bench.questions import schema_for
from silp_cli.bench.verdicts import result_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from silp_cli.bench.endpoint import Answer, Endpoint
    from silp_cli.bench.questions import Question


class Settings(NamedTuple):
    """What is sent with each question.

    Attributes:
        seed: for the first repeat; each further one counts up.
        temperature: of the sampling.
        max_tokens: longest answer.
        logprobs: ask for the log-probabilities of the answer's tokens.
        schema: hold the answer to the schema where the endpoint can.
        jobs: how many requests at a time, for each model.
    """

    seed: int = 0
    temperature: float = 0.0
    max_tokens: int = 512
    logprobs: bool = False
    schema: bool = True
    jobs: int = 1


async def evaluate(
    questions: Iterable[Question],
    endpoints: Sequence[Endpoint],
    settings: Settings,
    *,
    census: Callable[[str], Mapping[str, int]],
    add: Callable[[dict[str, Any]], None],
    failed: Callable[[Question, str], None],
    judge: Endpoint | None = None,
) -> None:
    """Ask all questions; each ends with one call of ``add`` or ``failed``.

    Args:
        questions: what to ask.
        endpoints: the models.
        settings: how to ask.
        census: counts the tokens of a payload.
        add: takes a result.
        failed: takes a question without an answer, and the reason.
        judge: grades the explanations.
    """
    waiting: dict[str, list[Question]] = {}
    for question in questions:
        waiting.setdefault(question.model, []).append(question)
    async with asyncio.TaskGroup() as group:
        for endpoint in endpoints:
            queue = iter(waiting.get(endpoint.model.name, ()))
            worker = _Worker(queue, endpoint, settings, census, add, failed, judge)
            for _ in range(settings.jobs):
                group.create_task(worker.work())


class _Worker:
    """Takes questions to one model, one after the other; several of them share the questions."""

    def __init__(
        self,
        queue: Iterable[Question],
        endpoint: Endpoint,
        settings: Settings,
        census: Callable[[str], Mapping[str, int]],
        add: Callable[[dict[str, Any]], None],
        failed: Callable[[Question, str], None],
        judge: Endpoint | None,
    ) -> None:
        self.queue = queue
        self.endpoint = endpoint
        self.settings = settings
        self.census = census
        self.add = add
        self.failed = failed
        self.judge = judge
        self.given_up = ""

    async def work(self) -> None:
        """Ask until no question is left."""
        for question in self.queue:
            if self.given_up:
                self.failed(question, self.given_up)
                continue
            try:
                result = await self._result(question)
            except Unanswered as error:
                if error.last:
                    self.given_up = str(error)
                self.failed(question, str(error))
            else:
                self.add(result)

    async def _result(self, question: Question) -> dict[str, Any]:
        settings = self.settings
        seed = settings.seed + question.repeat
        sent: dict[str, Any] = {
            "temperature": settings.temperature, "seed": seed, "max_tokens": settings.max_tokens,
        }
        if settings.logprobs:
            sent["logprobs"] = True
        schema = schema_for(question.task) if settings.schema else None
        answer = await self.endpoint.ask(question.messages, schema=schema, **sent)
        result = result_of(
            question, answer, seed=seed, temperature=settings.temperature, census=self.census(question.payload)
        )
        if question.task == "explain" and self.judge is not None:
            result |= await _graded(question, answer, self.judge)
        return result


async def _graded(question: Question, answer: Answer, judge: Endpoint) -> dict[str, Any]:
    """What the judge says of an explanation; a word that is no grade counts as no opinion."""
    from silp_cli.bench.prompts import judge_prompt

    said = (await judge.ask(
        judge_prompt(question.payload, question.frontend, answer.said), temperature=0.0, max_tokens=8
    )).said
    word = said.strip().strip(".*\"'`").lower()
    return {
        "judge": judge.model.name,
        "judge_said": said,
        "verdict": word if word in ("pass", "partial", "fail") else None,
    }
