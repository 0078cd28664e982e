"""Writes an IR as a payload of the code frontend.

Each form is the draft's wherever that form says everything the IR holds, and an extension of it otherwise.
"""

from __future__ import annotations

from silp_cli.frontends.code.words import KEYWORDS, is_temporal, literal, plain_word, word
from silp_cli.ir.jsontext import check_depth, dumps, max_depth
from silp_cli.ir.normal import META_DEFAULTS, META_OPTIONAL, ROOT_DEFAULTS
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
    constraints = ir.get("constraints")
    alternatives = ir.get("alternatives")
    meta = ir["meta"]
    text = ""
    if constraints:
        text = "if " + " and ".join([_constraint(item) for item in constraints]) + ": "
    calls, actions = _calls(ir)
    seq = meta.get("seq")
    steps = _steps(calls, actions, seq) if seq and len(seq) > 1 else None
    if steps is not None:
        text += " -> ".join(steps)
    else:
        text += "; ".join([f"{_function(action)}({args})" for action, args in zip(actions, calls, strict=True)])
    if alternatives:
        text += " else: " + "; ".join([_alternative(item) for item in alternatives])
    if not bare and (len(meta) > 1 or "silp" in ir or "version" in ir):
        items = [*_root_items(ir), *_meta_items(meta, seq_is_written=steps is not None)]
        if items:
            text += " with " + ",".join(items)
    return text


# ---------------------------------------------------------------- actions


_functions: dict[str, str] = {}


def _function(action: str) -> str:
    """The function name of an action code; the code itself where the name would be a keyword."""
    name = _functions.get(action)
    if name is None:
        name = action[1:].lower()
        if name in KEYWORDS:
            name = action
        if len(_functions) < 1024 and len(name) < 64:
            _functions[action] = name
    return name


def _calls(ir: dict[str, Any]) -> tuple[list[str], list[str]]:
    """The arguments of each call and its action code; the first call is the intent's."""
    current = ir["intent"]
    intent = current
    actions = [current]
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
        position = "time" if value.startswith("t") and is_temporal(value) else "act"
        arg = word(value) if name == position else f"{word(name)}={word(value)}"
        if len(entity) > 2 + ("action" in entity):
            extras = _pairs(entity, _ENTITY_FIELDS)
            arg += "[" + ",".join(extras) + "]"
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
            steps.append(f"{_function(action)}({args})" if args else _function(action))
        elif _is_action(action):
            steps.append(_function(action))
        else:
            return None
    return steps if done == len(actions) else None


def _is_action(step: str) -> bool:
    from silp_cli.ir.verbs import ACTION_CODE

    return ACTION_CODE.fullmatch(step) is not None


def _alternative(fields: dict[str, Any]) -> str:
    target = fields.get("target")
    location = fields.get("location")
    if target is not None:
        args = word(target) if location is None else f"{word(target)}@{word(location)}"
    else:
        args = "" if location is None else f"loc={word(location)}"
    if len(fields) > 1 + ("target" in fields) + ("location" in fields):
        extras = ",".join(_pairs(fields, _ALTERNATIVE_FIELDS, quoted="loc"))
        args = f"{args},{extras}" if args else extras
    return f"{_function(fields['action'])}({args})"


_ALTERNATIVE_FIELDS = frozenset(("action", "target", "location"))


# ---------------------------------------------------------------- condition


def _constraint(fields: dict[str, Any]) -> str:
    kind = fields["type"]
    value = fields["value"]
    time = fields.get("time")
    subject = fields.get("subject")
    operator = fields.get("operator")
    known = 2 + ("time" in fields)
    negated = kind[:1] == "!"
    if len(fields) == known and not negated:
        if time is None:
            return f"{_type(kind)}({word(value)})"
        if is_temporal(time):
            return f"{_type(kind)}({word(value)},{word(time)})"
    elif len(fields) == known + 1 and type(operator) is str and operator in _INFIX:
        tail = "" if time is None else f",{plain_word(time)}"
        written = _type(kind)
        if written[-1] == "-" and operator[0] == ">":
            written = f'"{written}"'
        return f"{written}{operator}{plain_word(value)}{tail}"
    arguments = ",".join(_arguments(fields, negated, value, time, subject))
    return f"{_type(kind)}({arguments})" if arguments else _type(kind)


def _type(kind: str) -> str:
    """A constraint's type; its exclamation mark stands outside only where the rest is bare."""
    if kind[:1] == "!":
        rest = kind[1:]
        written = plain_word(rest)
        return "!" + written if written == rest else literal(kind)
    return plain_word(kind)


def _arguments(
    fields: dict[str, Any], negated: bool, value: str, time: str | None, subject: Any
) -> Iterable[str]:
    """The arguments of a func-call: positional as far as position says it, pairs for the rest."""
    rest = dict(fields)
    del rest["type"]
    if time is None:
        rest.pop("time", None)
    positional: list[str] = []
    if type(subject) is str and (time is not None or not is_temporal(value)):
        positional = [subject, value] if time is None else [subject, value, time]
        taken = ("subject", "value", "time")
    elif negated:
        positional = [] if time is None else [time]
        taken = ("time", "value" if value == "true" else "time")
    elif time is not None and is_temporal(time):
        positional, taken = [value, time], ("value", "time")
    else:
        positional, taken = [value], ("value",)
    for name in taken:
        rest.pop(name, None)
    return [*map(word, positional), *_pairs(rest, _NONE)]


_NONE: frozenset[str] = frozenset()


def _pairs(fields: dict[str, Any], without: frozenset[str], quoted: str | None = None) -> list[str]:
    """Fields as ``key=text`` and ``key:=json``; the key ``quoted`` never stands bare."""
    pairs: list[str] = []
    for key, value in fields.items():
        if key in without:
            continue
        name = f'"{key}"' if key == quoted else word(key)
        pairs.append(f"{name}={word(value)}" if type(value) is str else f"{name}:={_json(value, 3)}")
    return pairs


def _json(value: Any, around: int) -> str:
    """JSON text of a field's value that has ``around`` objects and arrays around it in the IR."""
    text = dumps(value)
    if text.count("{") + text.count("[") > max_depth() - around:
        check_depth(text, max_depth() - around)
    return escape(text)


# ---------------------------------------------------------------- with-clause


def _root_items(ir: dict[str, Any]) -> list[str]:
    return [
        f"{key}={plain_word(ir[key])}"
        for key, default in ROOT_DEFAULTS.items()
        if ir.get(key) is not None and ir[key] != default
    ]


_QUOTED_IN_WITH = frozenset(ROOT_DEFAULTS)
_META_ORDER = ("session_id", "priority", "confidence", "seq", "out", "next_agent")
_NUMBERS = ("priority", "confidence")


def _meta_items(meta: dict[str, Any], *, seq_is_written: bool) -> list[str]:
    items: list[str] = []
    known = 1
    for key in _META_ORDER:
        if key not in meta:
            continue
        known += 1
        value = meta[key]
        if value is None or value == META_DEFAULTS.get(key):
            continue
        if key == "seq":
            if not seq_is_written:
                items.append(f"seq:={_json(value, 2)}")
        else:
            items.append(f"{key}={dumps(value) if key in _NUMBERS else plain_word(value)}")
    if len(meta) > known:
        for key, value in meta.items():
            if key == "req_id" or key in META_OPTIONAL:
                continue
            name = f'"{key}"' if key in _QUOTED_IN_WITH else plain_word(key)
            items.append(
                f"{name}={plain_word(value)}" if type(value) is str else f"{name}:={_json(value, 2)}"
            )
    return items
