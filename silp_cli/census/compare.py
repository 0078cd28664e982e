"""One IR under several frontends, side by side: what each text costs, and what it loses."""

from __future__ import annotations

from silp_cli.frontends.base import Frontend
from silp_cli.ir.errors import SilpError
from silp_cli.ir.normal import META_DEFAULTS, ROOT_DEFAULTS, normal_form, same_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from silp_cli.census.families import Tokenizer


class Row:
    """An IR under one frontend.

    Attributes:
        frontend: its name.
        text: the payload, or None where there is none.
        tokens: tokenizer -> number of tokens of the text.
        decodes: whether the text can be read back at all.
        lossless: whether it decodes to an equivalent IR; tried, not taken from the frontend's word.
        lost: the slots that the text does not hold, such as ``meta priority`` or ``constraint 0 negation``.
        error: why there is no text.
    """

    def __init__(self, frontend: str) -> None:
        self.frontend = frontend
        self.text: str | None = None
        self.tokens: dict[str, int] = {}
        self.decodes = False
        self.lossless = False
        self.lost: list[str] = []
        self.error = ""

    @property
    def characters(self) -> int | None:
        """Length of the text in characters."""
        return None if self.text is None else len(self.text)

    def to_dict(self) -> dict[str, Any]:
        """The row as a JSON object."""
        if self.text is None:
            return {"frontend": self.frontend, "text": None, "error": self.error}
        return {
            "frontend": self.frontend, "text": self.text, "characters": self.characters, "tokens": self.tokens,
            "decodes": self.decodes, "lossless": self.lossless, "lost": self.lost,
        }


def compare(
    ir: dict[str, Any], frontends: Iterable[Frontend], tokenizers: Iterable[Tokenizer], *, bare: bool = False
) -> list[Row]:
    """Compile an IR with each frontend and look at the texts.

    Args:
        ir: a valid IR.
        frontends: the frontends, in the order of the rows.
        tokenizers: what counts tokens.
        bare: leave out meta, ``silp`` and ``version``.

    Returns:
        One row a frontend; a frontend that refuses the IR, or is not installed, says so in its row.
    """
    counters = list(tokenizers)
    rows = []
    for frontend in frontends:
        row = Row(frontend.name)
        try:
            _fill(row, frontend, ir, bare)
        except SilpError as error:
            row.error = "; ".join(each.message for each in error.all())
        if row.text is not None:
            row.tokens = {counter.name: counter.count(row.text) for counter in counters}
        rows.append(row)
    return rows


def _fill(row: Row, frontend: Frontend, ir: dict[str, Any], bare: bool) -> None:
    row.text, row.lost = frontend.compile_with_losses(ir, bare=bare)
    try:
        decoded = frontend.decode(row.text)
    except SilpError:
        row.lost = [*row.lost, *_envelope(ir)]
        return
    row.decodes = True
    row.lost = differences(ir, decoded)
    row.lossless = not row.lost


def _envelope(ir: dict[str, Any]) -> list[str]:
    """What prose never says: everything around the task that is not as the schema would fill it in."""
    form = normal_form(ir)
    named = [name for name, default in ROOT_DEFAULTS.items() if form[name] != default]
    for name, value in form["meta"].items():
        if name != "req_id" and not (name in META_DEFAULTS and same_json(value, META_DEFAULTS[name])):
            named.append(f"meta {name}")
    return named


def differences(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """The slots in which two IRs differ, ``meta.req_id`` aside; none when they are equivalent."""
    first, second = normal_form(one), normal_form(other)
    first["meta"].pop("req_id", None)
    second["meta"].pop("req_id", None)
    found = [name for name in ("silp", "version", "intent") if first[name] != second[name]]
    for name, singular in (("entities", "entity"), ("constraints", "constraint"), ("alternatives", "alternative")):
        ours, theirs = first[name], second[name]
        found += [
            f"{singular} {index}"
            for index in range(max(len(ours), len(theirs)))
            if not same_json(ours[index : index + 1], theirs[index : index + 1])
        ]
    for name in {**first["meta"], **second["meta"]}:
        sides = [{key: value for key, value in form["meta"].items() if key == name} for form in (first, second)]
        if not same_json(*sides):
            found.append(f"meta {name}")
    return found
