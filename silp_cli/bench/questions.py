"""Which questions a run asks: every model, task, frontend, case and repeat, in an order that suits a server's cache."""

from __future__ import annotations

from typing import Any, NamedTuple

from silp_cli.bench import prompts
from silp_cli.frontends.registry import frontend_names, get_frontend
from silp_cli.text.command import CommandError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from silp_cli.bench.cases import Case

TASKS = ("read", "write", "explain")


class Question(NamedTuple):
    """One request.

    Attributes:
        model: the model's name in the results.
        task: ``read``, ``write`` or ``explain``.
        frontend: the encoding that is read or written.
        case: the case.
        repeat: which repetition, from 0.
        payload: the case in that encoding, without meta.
        messages: the prompt.
        prompt_sha256: its hash.
    """

    model: str
    task: str
    frontend: str
    case: Case
    repeat: int
    payload: str
    messages: list[dict[str, str]]
    prompt_sha256: str

    @property
    def key(self) -> tuple[str, str, str, str, int]:
        """What tells its result apart from the others."""
        return self.model, self.frontend, self.case.id, self.task, self.repeat


def frontends_for(task: str, wanted: Sequence[str]) -> list[str]:
    """The frontends of a task: those that are wanted, or else all that need no model; for ``write``, the lossless ones.

    Raises:
        SilpError: for a name that is none.
    """
    chosen = [get_frontend(name) for name in wanted or frontend_names()]
    return [
        each.name for each in chosen
        if (wanted or not each.slow) and (task != "write" or each.lossless)
    ]


def questions(
    cases: Sequence[Case],
    models: Iterable[str],
    tasks: Sequence[str],
    frontends: Sequence[str] = (),
    repeat: int = 1,
) -> list[Question]:
    """All questions of a run.

    Args:
        cases: the cases.
        models: the models' names.
        tasks: some of ``TASKS``.
        frontends: some frontends; none: see ``frontends_for``.
        repeat: how often each is asked.

    Raises:
        CommandError: when a task has no frontend.
        SilpError: for an unknown frontend, or one that cannot carry a case.
    """
    asked: list[Question] = []
    for task in dict.fromkeys(tasks):
        names = frontends_for(task, frontends)
        if not names:
            raise CommandError(
                f"silp eval: --task {task}: {', '.join(frontends)} cannot be decoded; take code or json"
            )
        for name in names:
            for case in cases:
                payload = get_frontend(name).compile(case.ir, bare=True)
                messages = _prompt(task, name, payload, case)
                digest = prompts.prompt_hash(messages)
                asked += [
                    Question("", task, name, case, number, payload, messages, digest) for number in range(repeat)
                ]
    return [question._replace(model=model) for model in models for question in asked]


def _prompt(task: str, frontend: str, payload: str, case: Case) -> list[dict[str, str]]:
    if task == "read":
        return prompts.read_prompt(frontend, payload)
    if task == "write":
        return prompts.write_prompt(frontend, case.request)
    return prompts.explain_prompt(payload, frontend)


def schema_for(task: str) -> dict[str, Any] | None:
    """What an answer must conform to: an IR where one is read, nothing otherwise."""
    return prompts.answer_schema() if task == "read" else None
