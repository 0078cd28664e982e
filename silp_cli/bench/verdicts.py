"""Makes a result of an answer: reads it with the codec, compares it, and names what is wrong with it."""

from __future__ import annotations

from typing import Any

from silp_cli.bench.scoring import score
from silp_cli.frontends.registry import get_frontend
from silp_cli.ir.check import require_valid
from silp_cli.ir.errors import ErrorCode, SilpError
from silp_cli.ir.jsontext import canonical_bytes, loads
from silp_cli.ir.normal import normal_form

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from silp_cli.bench.endpoint import Answer
    from silp_cli.bench.questions import Question


def result_of(
    question: Question, answer: Answer, *, seed: int, temperature: float, census: Mapping[str, int]
) -> dict[str, Any]:
    """The result of a question, as one line of the file.

    Args:
        question: what was asked.
        answer: what came back.
        seed: the seed that was sent.
        temperature: the temperature that was sent.
        census: tokens of the payload by tokenizer.
    """
    facts: dict[str, Any] = {
        "model": question.model,
        "model_id": answer.model_id,
        "frontend": question.frontend,
        "case": question.case.id,
        "field": question.case.field,
        "split": question.case.split,
        "task": question.task,
        "repeat": question.repeat,
        "prompt_sha256": question.prompt_sha256,
        "seed": seed,
        "temperature": temperature,
        "usage": answer.usage,
        "census": dict(census),
        "latency_s": answer.latency_s,
        "finish_reason": answer.finish_reason,
        "logprob": answer.logprob,
        "said": answer.said,
    }
    if question.task == "explain":
        return facts | {"error": _trouble(answer)}
    ir, error = read(question, answer)
    found = score(question.case.ir, ir)
    return facts | {
        "valid": ir is not None,
        **found._asdict(),
        "error": error,
        "answer": None if ir is None else canonical(ir),
    }


def read(question: Question, answer: Answer) -> tuple[dict[str, Any] | None, dict[str, str] | None]:
    """The IR that an answer holds, or the kind of error and its message."""
    trouble = _trouble(answer)
    if trouble is not None:
        return None, trouble
    try:
        if question.task == "read":
            return read_ir(answer.said), None
        return read_payload(answer.said, question.frontend), None
    except SilpError as error:
        kind = "cut_off" if answer.finish_reason == "length" else error.rule
        return None, {"kind": kind, "message": error.message}


def _trouble(answer: Answer) -> dict[str, str] | None:
    if answer.refused:
        return {"kind": "refusal", "message": "the model refused"}
    if not answer.said.strip():
        return {"kind": "empty", "message": "the answer is empty"}
    return None


def read_ir(text: str) -> dict[str, Any]:
    """The IR that a model answered as JSON, alone or in one fence.

    Raises:
        SilpError: when it is no JSON or no valid IR.
    """
    value = loads(_unfenced(text))
    if isinstance(value, dict):
        value = {key: _without_nulls(each) for key, each in value.items() if key != "meta"}
        value["meta"] = {"req_id": "0000"}
    require_valid(value)
    ir: dict[str, Any] = value
    return ir


def _without_nulls(items: Any) -> Any:
    """A list of objects without the fields that are null."""
    if not isinstance(items, list):
        return items
    return [
        {key: value for key, value in item.items() if value is not None} if isinstance(item, dict) else item
        for item in items
    ]


def read_payload(text: str, frontend: str) -> dict[str, Any]:
    """The IR of the one payload in what a model wrote, found as ``decode --extract`` finds it.

    Raises:
        SilpError: for none, several, one that is broken, or one in another form than was asked for.
    """
    if frontend not in _MARKS:
        return get_frontend(frontend).decode(_unfenced(text))
    from silp_cli.dialects.call import Passed, Problem
    from silp_cli.dialects.reader import read

    found = [event for event in read(text, prose=True) if not isinstance(event, Passed)]
    for each in found:
        if isinstance(each, Problem):
            raise each.error
    if len(found) != 1:
        rule = "extract.several" if found else "extract.none"
        raise SilpError(ErrorCode.DECODE_FAILED, f"{len(found)} payloads in the answer, not one", rule=rule)
    payload = text[found[0].start : found[0].end]
    if payload.startswith("{") != _MARKS[frontend]:
        raise SilpError(ErrorCode.DECODE_FAILED, f"the payload is not {frontend}", rule="extract.form")
    return get_frontend(frontend).decode(payload)


# Whether a payload of the frontend begins with a brace.
_MARKS = {"code": False, "json": True}


def canonical(ir: Mapping[str, Any]) -> str:
    """An IR's normal form without meta as canonical JSON, for comparing answers."""
    form = normal_form({**ir, "meta": {}}, fill=False)
    del form["meta"]
    return canonical_bytes(form).decode()


def _unfenced(text: str) -> str:
    text = text.strip()
    if text.startswith("```") and text.endswith("```") and "\n" in text:
        text = text[text.index("\n") : -3].strip()
    return text
