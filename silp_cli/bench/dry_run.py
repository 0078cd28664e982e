"""What a run would ask and cost, without asking."""

from __future__ import annotations

from typing import Any, NamedTuple

from silp_cli.text.command import CommandError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from silp_cli.bench.questions import Question


class Price(NamedTuple):
    """US dollars for a million tokens, in and out."""

    prompt: float
    completion: float


def parse_prices(texts: Iterable[str], models: Iterable[str]) -> dict[str, Price]:
    """Read ``NAME=IN,OUT``, or ``IN,OUT`` for all models.

    Raises:
        CommandError: for anything else, or a name that is no model's.
    """
    known = list(models)
    prices: dict[str, Price] = {}
    for text in texts:
        name, _, figures = text.rpartition("=")
        try:
            price = Price(*map(float, figures.split(",")))
        except (ValueError, TypeError):
            raise CommandError(
                f"silp eval: --price {text}: [NAME=]IN,OUT expected, in dollars for a million tokens"
            ) from None
        if min(price) < 0:
            raise CommandError(f"silp eval: --price {text}: a price is not negative")
        if name and name not in known:
            raise CommandError(f"silp eval: --price {text}: no model '{name}'")
        prices |= dict.fromkeys([name] if name else known, price)
    return prices


def estimate(
    questions: Iterable[Question], count: Callable[[str], int], prices: Mapping[str, Price]
) -> list[dict[str, Any]]:
    """Requests, tokens and cost of a run, by model and task.

    Args:
        questions: what would be asked.
        count: counts the tokens of a text.
        prices: by model.

    Returns:
        One record a model and task; ``cost_usd`` is None where there is no price. Answers count as long as right
        ones are.
    """
    from silp_cli.bench.prompts import read_answer

    rows: dict[tuple[str, str], dict[str, Any]] = {}
    known: dict[str, int] = {}

    def counted(text: str) -> int:
        if text not in known:
            known[text] = count(text)
        return known[text]

    for question in questions:
        row = rows.setdefault(
            (question.model, question.task),
            {"model": question.model, "task": question.task, "requests": 0, "prompt_tokens": 0,
             "completion_tokens": 0},
        )
        row["requests"] += 1
        row["prompt_tokens"] += sum(counted(each["content"]) + 4 for each in question.messages)
        right = read_answer(question.case.ir) if question.task == "read" else question.payload
        row["completion_tokens"] += counted(right)
    for (model, _), row in rows.items():
        price = prices.get(model)
        row["cost_usd"] = None if price is None else round(
            (row["prompt_tokens"] * price.prompt + row["completion_tokens"] * price.completion) / 1e6, 6
        )
    return list(rows.values())
