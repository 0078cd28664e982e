"""Diagnostics that one can bear: a few of each rule, then how many; all of them for who asks, and for machines."""

from __future__ import annotations

import io
import json

import pytest
from support import silp

from silp_cli.ir.errors import ErrorCode, SilpError
from silp_cli.text.diagnostics import MOST, Reporter


def warned(count: int) -> str:
    """So many valid records, each with a warning of one rule."""
    ir = {"intent": "!CANCEL", "entities": [], "meta": {"req_id": "a1b2c3d4", "session_id": "abc"}}
    return f"{json.dumps(ir)}\n" * count


def found(rule: str, severity: str = "warning") -> SilpError:
    return SilpError(ErrorCode.DECODE_FAILED, "so it is", rule=rule, severity=severity)  # type: ignore[arg-type]


def test_of_one_rule_the_first_few_are_written_then_a_line_with_the_count() -> None:
    done = silp("validate", "-q", given=warned(1_200))
    assert done.status == 0
    assert done.err.count("warning: session-id.length: ") == MOST
    assert done.err.splitlines()[-1] == (
        "silp validate: session-id.length: 1,195 more warnings (1,200 in all); to see each: --all"
    )


def test_a_line_for_each_rule_and_severity_in_the_order_they_came() -> None:
    sink = io.StringIO()
    reporter = Reporter("silp x", sink, most=1)
    for error in [found("b")] * 2 + [found("a", "error")] * 3 + [found("b", "error")]:
        reporter.report(error)
    reporter.finish()
    assert sink.getvalue().splitlines() == [
        "silp x: warning: b: so it is", "silp x: decode_failed: so it is", "silp x: decode_failed: so it is",
        "silp x: b: 1 more warning (2 in all); to see each: --all",
        "silp x: a: 2 more errors (3 in all); to see each: --all",
    ]


def test_nothing_is_said_twice_when_a_reporter_goes_on() -> None:
    sink = io.StringIO()
    reporter = Reporter("silp x", sink, most=0)
    reporter.report(found("a"))
    reporter.finish()
    reporter.finish()
    assert sink.getvalue() == "silp x: a: 1 warning; to see each: --all\n"


def test_what_does_not_exceed_the_limit_has_no_such_line() -> None:
    assert "more" not in silp("validate", "-q", given=warned(MOST)).err


@pytest.mark.parametrize(("options", "shown"), [
    (["--all"], 30), (["--max-diagnostics", "12"], 12), (["--max-diagnostics", "0"], 0),
    (["--max-diagnostics", "2", "--all"], 30),
])
def test_options_say_how_many(options: list[str], shown: int) -> None:
    done = silp("validate", "-q", *options, given=warned(30))
    assert done.err.count("warning: session-id.length: ") == shown
    assert ("to see each: --all" in done.err) == (shown < 30)


@pytest.mark.parametrize("limit", ["-1", "x", ""])
def test_a_limit_that_is_no_number_is_refused(limit: str) -> None:
    done = silp("validate", f"--max-diagnostics={limit}", given=warned(1))
    assert done.status == 2
    assert "--max-diagnostics" in done.err


def test_json_is_complete_whatever_the_limit() -> None:
    done = silp("validate", "-q", "--errors", "json", "--max-diagnostics", "1", given=warned(40))
    assert [each["record"] for each in done.diagnostics] == list(range(1, 41))
    assert {each["rule"] for each in done.diagnostics} == {"session-id.length"}
    assert {each["code"] for each in done.diagnostics} == {"decode_failed"}


@pytest.mark.parametrize(("command", "bad"), [
    ("compile", "{}"), ("decode", "cancel("), ("validate", "[1]"), ("compare", "{}"), ("unwrap", "{}"),
    ("wrap", "cancel("), ("pong", "cancel("),
])
def test_every_command_counts_the_errors_it_does_not_write(command: str, bad: str) -> None:
    options = ["mcp", "--tool", "plan"] if command == "wrap" else []
    done = silp(command, *options, given=f"{bad}\n" * 20)
    assert done.status == 1, done
    assert "(20 in all); to see each: --all" in done.err or "(40 in all)" in done.err, done
    assert silp(command, *options, "--all", given=f"{bad}\n" * 20).err.count("\n") > done.err.count("\n")


def test_failed_gates_of_census_are_counted_too() -> None:
    done = silp("census", "--payloads", "--max-tokens", "1", "--tokenizers", "gpt-3.5", given="cancel(flight)\n" * 20)
    assert done.status == 1, done
    assert done.err.count(": max-tokens: ") == MOST
    assert "census.max-tokens: 15 more errors (20 in all)" in done.err


def test_an_error_put_in_the_place_of_each_record_has_its_place_though_it_is_not_written() -> None:
    done = silp("decode", "--on-error", "emit", "--max-diagnostics", "0", given="cancel(\n" * 3)
    assert [json.loads(line)["error"]["line"] for line in done.lines] == [1, 2, 3]


def test_records_stay_in_place_between_the_diagnostics_of_their_neighbours() -> None:
    done = silp("decode", given="cancel(flight)\ncancel(\n" * 10)
    assert len(done.lines) == 10


def test_a_warning_is_labelled_by_its_rule_and_an_error_by_its_code() -> None:
    text = silp("validate", "-q", given=warned(1)).err
    assert text.startswith("silp validate: stdin:1:")
    assert ": warning: session-id.length: session_id 'abc' is not two characters" in text
    assert "decode_failed" not in text
    assert ": decode_failed: !DELETE_X is not on the whitelist" in silp(
        "validate", given=warned(1).replace("!CANCEL", "!DELETE_X")
    ).err
