"""``silp rank``, ``fitness``, ``optimize``: what follows from results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from silp_cli.cli import values
from silp_cli.cli.app import command
from silp_cli.cli.options import Files, OutputFile

GROUP = "Measure"

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    Models: TypeAlias = Sequence[str]
else:
    Models = list[str]

Score = Annotated[
    str | None,
    typer.Option(
        "--score", metavar="COLUMN", show_default=False,
        help="The column of verdicts or scores; default: the first of verdict, score, llm_verdict, f1, exact.",
    ),
]
Task = Annotated[
    str | None,
    typer.Option(
        "--task", metavar="NAME", show_default=False, help="Which task's results; default: read, or the only one."
    ),
]
Seed = Annotated[int, typer.Option("--seed", metavar="N", help="Seed of everything that is drawn.")]
Weights = Annotated[
    str | None, typer.Option("--weights", metavar="FILE", help='Weights as JSON, such as {"alpha": 0.5}.')
]
Human = Annotated[
    str | None,
    typer.Option("--human", metavar="FILE", help="Ratings by people: CSV with frontend, rating (0 to 1), case."),
]
Floor = Annotated[
    float, typer.Option("--floor", metavar="SHARE", help="Fidelity below which a frontend is infeasible.")
]
Html = Annotated[str | None, typer.Option("--html", metavar="FILE", help="Also write a page with plots.")]


@command("rank", calls="silp_cli.bench.rank_command:run", group=GROUP, examples="""\
    silp rank results.jsonl --html rank.html
    silp rank verdicts.csv --score llm_verdict --proxy small --target large | tail -1
    silp rank results.jsonl --json | jq '.verdicts[] | select(.choice == "use")'
    """)
def rank(
    files: Files = (),
    score: Score = None,
    task: Task = None,
    proxy: Annotated[
        Models, typer.Option("--proxy", metavar="MODEL", help="A model that might stand in; default: each.")
    ] = (),
    target: Annotated[
        Models, typer.Option("--target", metavar="MODEL", help="A model that it might stand in for; default: each.")
    ] = (),
    resamples: Annotated[
        int, typer.Option("--resamples", metavar="N", parser=values.positive, help="Bootstrap samples.")
    ] = 9999,
    seed: Seed = 0,
    sure: Annotated[
        float,
        typer.Option("--sure", metavar="P", parser=values.rate, help="Probability from which a verdict is given."),
    ] = 0.9,
    json: Annotated[bool, typer.Option("--json", help="Write one JSON object.")] = False,
    html: Html = None,
    output: OutputFile = None,
) -> None:
    """Rank the frontends per model, and say whether a small model may stand in for a large one."""


@command("fitness", calls="silp_cli.bench.fitness_command:run", group=GROUP, examples="""\
    silp fitness results.jsonl | sort -k2 -nr
    silp fitness results.jsonl --corpus cases.jsonl --weights weights.json
    silp fitness results.jsonl --human ratings.csv --header | column -t
    """, notes="""\
Tab-separated: frontend, fitness, then the seven terms. Terms that cannot be measured are named on stderr and left out.
The manual's page 'optimize' defines them.
    """)
def fitness(
    files: Files = (),
    score: Score = None,
    task: Task = None,
    corpus: Annotated[
        str | None,
        typer.Option("--corpus", metavar="FILE", help="The IRs or cases of the results; their payloads are measured."),
    ] = None,
    weights: Weights = None,
    human: Human = None,
    floor: Floor = 0.5,
    json: Annotated[bool, typer.Option("--json", help="Write one JSON object.")] = False,
    header: Annotated[bool, typer.Option("--header", help="Begin with a line of names.")] = False,
    output: OutputFile = None,
) -> None:
    """Compute the draft's fitness of each frontend."""


@command("optimize", calls="silp_cli.bench.optimize_command:run", group=GROUP, examples="""\
    silp optimize results.jsonl --corpus cases.jsonl > policy.json
    silp optimize results.jsonl --corpus cases.jsonl --space policy --html front.html -o policy.json
    silp compile --policy policy.json < ir.jsonl | silp decode --policy policy.json
    """)
def optimize(
    files: Files = (),
    corpus: Annotated[
        str | None,
        typer.Option(
            "--corpus", metavar="FILE",
            help="The cases of the results; those marked tune are searched on, those marked final give the figures. "
            "Needed.",
        ),
    ] = None,
    score: Score = None,
    task: Task = None,
    space: Annotated[
        Literal["both", "policy", "vocabulary"],
        typer.Option("--space", help="Search frontends by class of IR, spellings of verbs and ids, or both."),
    ] = "both",
    frontends: Annotated[
        str | None,
        typer.Option(
            "--frontends", metavar="NAMES", show_default=False,
            help="What may be chosen, separated by commas; default: all with results that can be decoded.",
        ),
    ] = None,
    lossy: Annotated[bool, typer.Option("--lossy", help="Also choose frontends that cannot be decoded.")] = False,
    features: Annotated[
        str | None,
        typer.Option(
            "--features", metavar="NAMES", show_default=False,
            help="What sorts IRs into classes; default: conditions,fallbacks,sequence,nesting,length,hard.",
        ),
    ] = None,
    min_cases: Annotated[
        int,
        typer.Option("--min-cases", metavar="N", parser=values.positive, help="Cases a class needs to be chosen for."),
    ] = 5,
    candidates: Annotated[
        str | None,
        typer.Option("--candidates", metavar="FILE", help="Spellings to try: a name a line, then its spellings."),
    ] = None,
    weights: Weights = None,
    human: Human = None,
    floor: Floor = 0.5,
    evaluations: Annotated[
        int,
        typer.Option(
            "--evaluations", metavar="N", parser=values.positive, help="How many policies each search may try."
        ),
    ] = 5000,
    seed: Seed = 0,
    checkpoint: Annotated[
        str | None,
        typer.Option("--checkpoint", metavar="FILE", help="Keep the search here, and resume from it if it is there."),
    ] = None,
    html: Html = None,
    front: Annotated[
        str | None, typer.Option("--front", metavar="FILE", help="Write the policies of the front as JSON Lines.")
    ] = None,
    output: OutputFile = None,
) -> None:
    """Search for a policy: which frontend for which IR, which spelling for which name."""
