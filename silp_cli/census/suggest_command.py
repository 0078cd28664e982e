"""``silp census --suggest``: replacements for a verb that are one token everywhere."""

from __future__ import annotations

from silp_cli.census.reports.records import json_line
from silp_cli.census.reports.tables import suggestion_table
from silp_cli.census.suggest import parse_groups, shipped_list, suggest
from silp_cli.ir.verbs import parse_verbs
from silp_cli.text.command import CommandError
from silp_cli.text.output import Output, read_whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from silp_cli.census.families import Tokenizer
    from silp_cli.census.reports.base import ReportMaker, Write
    from silp_cli.census.suggest import Suggestion


def run_suggest(
    verb: str, tokenizers: Sequence[Tokenizer], make_report: ReportMaker, command: str, *, form: str,
    word_list: str | None, top: int, format: str, output: str | None,
) -> int:
    """Write the best replacements for a verb; return the exit status: 1 if there are none."""
    try:
        (code,) = parse_verbs(verb) or ("",)
    except ValueError:
        code = ""
    if not code:
        raise CommandError(f"{command}: --suggest takes a verb, not {verb!r}")
    name = code[1:].lower()
    text = read_whole(word_list, command) if word_list else shipped_list()
    found = suggest(name, parse_groups(text), tokenizers, form)[:top]
    file = Output(output)
    if format in ("json", "jsonl", "csv"):
        _write_data(file.line, format, name, form, found)
    else:
        make_report(file.line).table(suggestion_table(name, found))
    file.close()
    return 0 if found else 1


def _write_data(write: Write, format: str, name: str, form: str, found: Sequence[Suggestion]) -> None:
    if format == "json":
        write(json_line({"verb": name, "as": form, "suggestions": [each.to_dict() for each in found]}))
    elif format == "jsonl":
        for each in found:
            write(json_line(each.to_dict()))
    else:
        write("verb,related,approved,single_token_as")
        for each in found:
            approved = "true" if each.approved else "false"
            write(f"{each.audit.word.text},{each.related},{approved},{' '.join(each.forms)}")
