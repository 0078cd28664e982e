"""Writes an IR as a payload of the code frontend.

Each form is the draft's wherever that form says everything the IR holds, and an extension of it otherwise. Extra
fields are written in the order of their names, so that equal IRs have equal payloads.
"""

from __future__ import annotations

from silp_cli.frontends.code.words import CONSTRAINT_TYPE, FUNCTION, PLAIN_WORD, WORD, is_temporal
from silp_cli.ir.jsontext import check_depth, dumps, max_depth, sort_keys
from silp_cli.ir.normal import META_DEFAULTS, META_OPTIONAL, ROOT_DEFAULTS
from silp_cli.ir.verbs import ACTION_CODE
from silp_cli.text.safe import escape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

_INFIX = frozenset(("==", "!=", "<=", ">=", "<", ">"))


def write(ir: dict[str, Any], *, bare: bool = False) -> str:
    """The payload of a valid IR.

    Args:
        ir: a valid IR.
        bare: leave the with-clause out.
    """
    meta = ir["meta"]
    calls, actions = _calls(ir)
    seq = meta.get("seq")
    steps = _steps(calls, actions, seq) if seq and len(seq) > 1 else None
    if steps is not None:
        text = " -> ".join(steps)
    elif len(calls) == 1:
        text = f"{FUNCTION[actions[0]]}({calls[0]})"
    else:
        text = "; ".join([f"{FUNCTION[actions[index]]}({args})" for index, args in enumerate(calls)])
    if constraints := ir.get("constraints"):
        text = f"if {' and '.join([_constraint(item) for item in constraints])}: {text}"
    if alternatives := ir.get("alternatives"):
        text += " else: " + "; ".join([_alternative(item) for item in alternatives])
    if not bare:
        items = _meta_items(meta, steps is not None) if len(meta) > 1 else []
        if ir.get("silp", "v1") != "v1" or ir.get("version", "ir-v0.1") != "ir-v0.1":
            items = [*_root_items(ir), *items]
        if items:
            text += " with " + ",".join(items)
    return text


# ---------------------------------------------------------------- actions


def _calls(ir: dict[str, Any]) -> tuple[list[str], list[str]]:
    """The arguments of each call and its action code; the first call is the intent's."""
    current = intent = ir["intent"]
    actions = [intent]
    calls: list[str] = []
    args: list[str] = []
    for entity in ir.get("entities") or ():
        action = entity.get("action") or intent
        if action != current:
            calls.append(",".join(args))
            args = []
            actions.append(action)
            current = action
        name = entity["id"]
        value = entity["value"]
        arg = WORD[value]
        position = "time" if value[:1] == "t" and is_temporal(value) else "act"
        if name != position:
            arg = f"{WORD[name]}={arg}"
        if len(entity) > 2 + ("action" in entity):
            arg += f"[{','.join(_pairs(entity, _ENTITY_FIELDS))}]"
        args.append(arg)
    calls.append(",".join(args))
    return calls, actions


_ENTITY_FIELDS = frozenset(("id", "value", "action"))


def _steps(calls: list[str], actions: list[str], seq: list[str]) -> list[str] | None:
    """The steps of a sequence that says exactly what ``meta.seq`` says, or None if there is none.

    ``seq`` may name steps that have no entities; they stand without parentheses.
    """
    if seq[0] != actions[0]:
        return None
    steps: list[str] = []
    done = 0
    for action in seq:
        if done < len(actions) and actions[done] == action:
            args = calls[done]
            done += 1
            steps.append(f"{FUNCTION[action]}({args})" if args else FUNCTION[action])
        elif ACTION_CODE.fullmatch(action):
            steps.append(FUNCTION[action])
        else:
            return None
    return steps if done == len(actions) else None


def _alternative(fields: dict[str, Any]) -> str:
    target = fields.get("target")
    location = fields.get("location")
    if target is not None:
        args = WORD[target] if location is None else f"{WORD[target]}@{WORD[location]}"
    else:
        args = "" if location is None else f"loc={WORD[location]}"
    if len(fields) > 1 + ("target" in fields) + ("location" in fields):
        extras = ",".join(_pairs(fields, _ALTERNATIVE_FIELDS, quoted="loc"))
        args = f"{args},{extras}" if args else extras
    return f"{FUNCTION[fields['action']]}({args})"


_ALTERNATIVE_FIELDS = frozenset(("action", "target", "location"))


# ---------------------------------------------------------------- condition


def _constraint(fields: dict[str, Any]) -> str:
    kind = fields["type"]
    value = fields["value"]
    time = fields.get("time")
    extras = len(fields) - (3 if "time" in fields else 2)
    if extras == 1:
        operator = fields.get("operator")
        if type(operator) is str and operator in _INFIX:
            tail = "" if time is None else f",{PLAIN_WORD[time]}"
            written = CONSTRAINT_TYPE[kind]
            if written[-1] == "-" and operator[0] == ">":
                written = f'"{written}"'
            return f"{written}{operator}{PLAIN_WORD[value]}{tail}"
        subject = fields.get("subject")
        if type(subject) is str:
            if time is not None:
                return f"{CONSTRAINT_TYPE[kind]}({WORD[subject]},{WORD[value]},{WORD[time]})"
            if not is_temporal(value):
                return f"{CONSTRAINT_TYPE[kind]}({WORD[subject]},{WORD[value]})"
    elif not extras and kind[:1] != "!":
        if time is None:
            return f"{CONSTRAINT_TYPE[kind]}({WORD[value]})"
        if is_temporal(time):
            return f"{CONSTRAINT_TYPE[kind]}({WORD[value]},{WORD[time]})"
    arguments = ",".join(_arguments(fields, kind[:1] == "!", value, time))
    return f"{CONSTRAINT_TYPE[kind]}({arguments})" if arguments else CONSTRAINT_TYPE[kind]


def _arguments(fields: dict[str, Any], negated: bool, value: str, time: str | None) -> Iterable[str]:
    """The arguments of a func-call: positional as far as position says it, pairs for the rest."""
    subject = fields.get("subject")
    said = {"type"} if time is not None else {"type", "time"}
    positional: list[str] = []
    if type(subject) is str and (time is not None or not is_temporal(value)):
        positional = [subject, value] if time is None else [subject, value, time]
        said |= {"subject", "value", "time"}
    elif negated:
        positional = [] if time is None else [time]
        said |= {"time", "value"} if value == "true" else {"time"}
    elif time is not None and is_temporal(time):
        positional = [value, time]
        said |= {"value", "time"}
    else:
        positional = [value]
        said |= {"value"}
    return [*(WORD[text] for text in positional), *_pairs(fields, said)]


def _pairs(fields: dict[str, Any], said: frozenset[str] | set[str], quoted: str | None = None) -> list[str]:
    """The fields not said yet, as ``key=text`` and ``key:=json``; the key ``quoted`` never stands bare."""
    pairs: list[str] = []
    for key in sorted(fields):
        if key not in said:
            value = fields[key]
            name = f'"{key}"' if key == quoted else WORD[key]
            pairs.append(f"{name}={WORD[value]}" if type(value) is str else f"{name}:={_json(value, 3)}")
    return pairs


def _json(value: Any, around: int) -> str:
    """JSON text of a field's value that has ``around`` objects and arrays around it in the IR."""
    text = dumps(sort_keys(value) if type(value) in (dict, list) else value)
    if text.count("{") + text.count("[") > max_depth() - around:
        check_depth(text, max_depth() - around)
    return escape(text)


# ---------------------------------------------------------------- with-clause


def _root_items(ir: dict[str, Any]) -> list[str]:
    return [
        f"{key}={PLAIN_WORD[ir[key]]}"
        for key, default in ROOT_DEFAULTS.items()
        if ir.get(key) is not None and ir[key] != default
    ]


_META_FIELDS = frozenset(("req_id", *META_OPTIONAL))


def _meta_items(meta: dict[str, Any], seq_is_written: bool) -> list[str]:
    get = meta.get
    items: list[str] = []
    session, priority, confidence, out, agent = (
        get("session_id"), get("priority"), get("confidence"), get("out"), get("next_agent")
    )
    if session is not None:
        items.append(f"session_id={PLAIN_WORD[session]}")
    if priority:
        items.append(f"priority={priority if type(priority) is int else _number(priority)}")
    if confidence is not None and confidence != 1:
        items.append(f"confidence={_number(confidence)}")
    if not seq_is_written and (seq := get("seq")):
        items.append(f"seq:={escape(dumps(seq))}")
    if out is not None and out != META_DEFAULTS["out"]:
        items.append(f"out={PLAIN_WORD[out]}")
    if agent is not None:
        items.append(f"next_agent={PLAIN_WORD[agent]}")
    if not _META_FIELDS.issuperset(meta):
        for key in sorted(meta.keys() - _META_FIELDS):
            value = meta[key]
            name = f'"{key}"' if key in ROOT_DEFAULTS else PLAIN_WORD[key]
            items.append(
                f"{name}={PLAIN_WORD[value]}" if type(value) is str else f"{name}:={_json(value, 2)}"
            )
    return items


def _number(value: float) -> str:
    spelling = repr(value)
    return dumps(value) if "e" in spelling else spelling
