"""What a model is asked: to read a payload, or to write one.

The payload or request comes last and all before it is the same for a frontend, so that a server that keeps the
computed beginning of a prompt has to compute little. The examples are in none of the cases.
"""

from __future__ import annotations

import hashlib
from typing import Any

from silp_cli.frontends.registry import get_frontend
from silp_cli.ir.jsontext import canonical_bytes, dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    Message = dict[str, str]

# What the examples say, and as what plain request.
EXAMPLES: tuple[tuple[str, dict[str, Any]], ...] = (
    (
        "If there is no storm on t+1, the wind is at most 20 and the door of hangar_2 is open, book the sailing_boat "
        "with berth B4 and email skipper; otherwise start a workshop in the harbour.",
        {
            "intent": "!BOOK",
            "entities": [
                {"id": "act", "value": "sailing_boat", "action": "!BOOK"},
                {"id": "berth", "value": "B4", "action": "!BOOK"},
                {"id": "act", "value": "skipper", "action": "!EMAIL"},
            ],
            "constraints": [
                {"type": "!storm", "value": "true", "time": "t+1"},
                {"type": "wind", "value": "20", "operator": "<="},
                {"type": "door", "value": "open", "subject": "hangar_2"},
            ],
            "alternatives": [{"action": "!START", "target": "workshop", "location": "harbour"}],
        },
    ),
    (
        "Search the parts with name \"bolt, M8\" at t+2.",
        {
            "intent": "!SEARCH",
            "entities": [
                {"id": "act", "value": "parts", "action": "!SEARCH"},
                {"id": "time", "value": "t+2", "action": "!SEARCH"},
                {"id": "name", "value": "bolt, M8", "action": "!SEARCH"},
            ],
            "constraints": [],
            "alternatives": [],
        },
    ),
    (
        "Start the lamp with room cellar and notify warden if the light is below 5.",
        {
            "intent": "!START",
            "entities": [
                {"id": "act", "value": "lamp", "action": "!START"},
                {"id": "room", "value": "cellar", "action": "!START"},
                {"id": "act", "value": "warden", "action": "!NOTIFY"},
            ],
            "constraints": [{"type": "light", "value": "5", "operator": "<"}],
            "alternatives": [],
        },
    ),
)

# How to read each form; a frontend that is not here is introduced by its own summary.
_HOW: dict[str, str] = {
    "code": (
        "The form is: if CONDITIONS: ACTIONS else: FALLBACKS. Conditions stand between `if` and `:` and are joined "
        "by `and`: type(value), type(subject,value,time), type>=value; `!` in front negates, and a negated type with "
        "only a time has the value true. Actions are verb(argument,id=value) joined by `; `; an argument without an "
        "id has the id act, or time if it looks like t+1. A fallback is verb(target@location). Without `if` there is "
        "no condition."
    ),
    "json": (
        "The form is a flat JSON object: intent, the arguments of the intent by id, action_VERB for further actions, "
        "constraints, alternatives. When an action or id repeats, entities lists the arguments."
    ),
    "natural": (
        "The form is: If CONDITIONS, ACTIONS otherwise FALLBACKS. A condition reads type of subject is value at time; "
        "`not` negates, and a negated type without `is` has the value true. An action reads verb argument at time "
        "with id value, id value; the argument has the id act."
    ),
}
_HOW["nl_json"] = "The message is in task_description. " + _HOW["natural"]

_READ = (
    "You turn messages of software agents into JSON. {how} "
    "Answer one JSON object: constraints (one for each condition, and nothing else), intent (the verb of the first "
    "action, as !VERB), entities (the arguments of all actions, in order, each with its action), alternatives (the "
    "fallbacks). "
    "Copy every value as it is. What is not there is null, or an empty list."
)
_WRITE = (
    "You write messages for software agents. {how} "
    "Write the request as one message in this form and nothing else. Use one of these verbs: {verbs}. "
    "Keep names and values as they stand in the request."
)
_ORDER = ("constraints", "intent", "entities", "alternatives")


def read_prompt(frontend: str, payload: str) -> list[Message]:
    """Ask for the IR that a payload carries.

    Args:
        frontend: the payload's frontend.
        payload: the text.
    """
    turns = [(get_frontend(frontend).compile(_whole(ir), bare=True), read_answer(ir)) for _, ir in EXAMPLES]
    return _chat(_READ.format(how=_how(frontend)), turns, payload)


def write_prompt(frontend: str, request: str) -> list[Message]:
    """Ask for the payload that says what a request says.

    Args:
        frontend: the frontend to write.
        request: the request, in plain words.
    """
    from silp_cli.ir.verbs import WHITELIST, function_name

    verbs = ", ".join(function_name(verb) if frontend == "code" else verb for verb in WHITELIST)
    turns = [(text, get_frontend(frontend).compile(_whole(ir), bare=True)) for text, ir in EXAMPLES]
    return _chat(_WRITE.format(how=_how(frontend), verbs=verbs), turns, request)


def judge_prompt(payload: str, frontend: str, explanation: str) -> list[Message]:
    """Ask another model whether a prose explanation says what a payload says (a rubric of five points)."""
    rubric = (
        "You grade an explanation of a message. " + _how(frontend) + " Check five points: the intent, every argument, "
        "every condition with its negation and comparison, every fallback, nothing made up. Answer pass if all five "
        "hold, partial if the intent holds and one other point fails, fail otherwise; one word."
    )
    return [
        {"role": "system", "content": rubric},
        {"role": "user", "content": f"Message: {payload}\nExplanation: {explanation}\nGrade:"},
    ]


def explain_prompt(payload: str, frontend: str) -> list[Message]:
    """Ask for a prose explanation of a payload, for a judge to grade."""
    return [
        {"role": "system", "content": f"You explain messages of software agents. {_how(frontend)}"},
        {"role": "user", "content": f"Say in two sentences what is to be done and when: {payload}"},
    ]


def read_answer(ir: dict[str, Any]) -> str:
    """An IR as the answer to ``read_prompt``: compact, in the order of the surface text."""
    items = {
        key: [{name: item.get(name) for name in fields} for item in ir.get(key) or ()]
        for key, fields in _FIELDS.items()
    }
    return dumps({key: items.get(key, ir["intent"]) for key in _ORDER})


def answer_schema() -> dict[str, Any]:
    """The JSON Schema of the answer: our own of the IR, without what a payload does not carry.

    Every field is required and may be null where it is optional: endpoints that are strict want it so, and a small
    model that has to say null passes over no field.
    """
    from silp_cli.ir.jsontext import loads
    from silp_cli.ir.schema import schema_text

    given = loads(schema_text())["properties"]
    properties: dict[str, Any] = {"intent": given["intent"]}
    for name, fields in _FIELDS.items():
        items = given[name]["items"]
        known = {**items["properties"], **_EXTRA.get(name, {})}
        needed = {*items["required"], *(("action",) if name == "entities" else ())}
        properties[name] = {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {key: known[key] if key in needed else _or_null(known[key]) for key in fields},
                "required": list(fields),
                "additionalProperties": False,
            },
        }
    return {
        "type": "object",
        "properties": {key: properties[key] for key in _ORDER},
        "required": list(_ORDER),
        "additionalProperties": False,
    }


_FIELDS: dict[str, tuple[str, ...]] = {
    "entities": ("action", "id", "value"),
    "constraints": ("type", "subject", "operator", "value", "time"),
    "alternatives": ("action", "target", "location"),
}
# The extra fields that every constraint may have (draft, section "Layer 1: Application Layer").
_EXTRA: dict[str, dict[str, Any]] = {
    "constraints": {"subject": {"type": "string"}, "operator": {"enum": ["==", "!=", "<", "<=", ">", ">="]}},
}


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
    if "enum" in schema:
        return {**schema, "enum": [*schema["enum"], None]}
    return {**schema, "type": [schema["type"], "null"]}


def prompt_hash(messages: list[Message]) -> str:
    """SHA-256 of a prompt, over its canonical JSON."""
    return hashlib.sha256(canonical_bytes(messages)).hexdigest()


def _how(frontend: str) -> str:
    return _HOW.get(frontend) or f"The form is called {frontend}: {get_frontend(frontend).summary}."


def _whole(ir: dict[str, Any]) -> dict[str, Any]:
    return {**ir, "meta": {"req_id": "0000"}}


def _chat(system: str, turns: list[tuple[str, str]], last: str) -> list[Message]:
    messages = [{"role": "system", "content": system}]
    for asked, answered in turns:
        messages += [{"role": "user", "content": asked}, {"role": "assistant", "content": answered}]
    return [*messages, {"role": "user", "content": last}]
