"""``silp rank``: rank frontends per model, and say whether a small model may stand in for a large one."""

from __future__ import annotations

from silp_cli.text.command import CommandError
from silp_cli.text.output import write_whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from silp_cli.bench.ranking import Ranking

COMMAND = "silp rank"


def run(
    *, files: Sequence[str], score: str | None, task: str | None, proxy: Sequence[str], target: Sequence[str],
    resamples: int, seed: int, sure: float, json: bool, html: str | None, output: str | None,
) -> int:
    """Rank the results in files, or of stdin; return the exit status."""
    ranking = rank_files(
        files, score=score, task=task, proxies=proxy, targets=target, resamples=resamples, seed=seed, sure=sure
    )
    if html is not None:
        from silp_cli.bench.rank_html import html_report

        write_whole(html_report(ranking), html)
    if json:
        from silp_cli.text.output import json_writer

        write_whole(json_writer(pretty=False)(ranking.to_dict()), output)
    else:
        from silp_cli.bench.rank_text import text_report

        write_whole(text_report(ranking), output)
    return 0


def rank_files(
    files: Sequence[str], *, score: str | None = None, task: str | None = None, proxies: Sequence[str] = (),
    targets: Sequence[str] = (), resamples: int = 9999, seed: int = 0, sure: float = 0.9,
) -> Ranking:
    """Read results and rank.

    Raises:
        CommandError: when the results cannot be read or have nothing to rank.
    """
    from silp_cli.bench import ranking as room
    from silp_cli.bench.results import judges, of_task, read_rows, score_column, scores

    rows, chosen = of_task(read_rows(files, COMMAND), task, COMMAND)
    values = scores(rows, score_column(rows, score, COMMAND), COMMAND)
    for name in (*proxies, *targets):
        if name not in values.values:
            raise CommandError(f"{COMMAND}: no results of the model '{name}'; there are: {', '.join(values.models())}")
    found = room.rank(values, proxies=proxies, targets=targets, resamples=resamples, seed=seed, sure=sure)
    if not found.models:
        raise CommandError(f"{COMMAND}: nothing to rank: {'; '.join(found.notes)}", 1)
    found.task = chosen
    found.judges = room.agreement_of_judges(judges(rows))
    return found
