"""Writes ``table.py``, which ``plain.py`` reads command lines by, from the declarations: ``make table``."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from silp_cli.cli.app import CALLS, DEFAULTS, load
from silp_cli.text.output import write_whole

TABLE = Path(__file__).with_name("table.py")

HEAD = '''\
"""What commands there are, as ``plain.py`` needs it. Written by ``make table`` from the declarations; not by hand.

Per command: what it calls, with what by default; its options (parameter, kind, whether it may be repeated); its
positional parameters (the same, and whether one is required). A kind is what a flag sets, a tuple of choices,
``""`` for any text, ``"module:function"`` for what converts a text, or None for what only typer reads. ``...`` stands
for what an option has to say.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

'''


def table() -> str:
    """The text of ``table.py``."""
    whole = load()
    lines = [HEAD, "GROUPS: dict[str, tuple[tuple[str, ...], str | None]] = {\n"]
    for name, default in sorted(DEFAULTS.items()):
        lines.append(f"    {name!r}: ({tuple(sorted(whole.commands[name].commands))!r}, {default!r}),\n")
    lines.append("}\n\nCOMMANDS: dict[str, tuple[str, dict[str, Any], dict[str, Any], tuple[Any, ...]]] = {\n")
    for name, calls in sorted(CALLS.items()):
        found = whole
        for word in name.split(" "):
            found = found.commands[word]
        lines.append(_command(name, calls, found.params))
    lines.append("}\n")
    return "".join(lines)


def _command(name: str, calls: str, parameters: list[Any]) -> str:
    rows = [f"    {name!r}: (\n        {calls!r},\n        {{\n"]
    rows += [f"            {each.name!r}: {_default(each)!r},\n" for each in parameters]
    rows.append("        },\n        {\n")
    for each in parameters:
        if each.param_type_name == "option":
            many = bool(each.multiple)
            on, off = (True, False) if each.is_flag else (_kind(each), None)
            rows += [f"            {option!r}: {(each.name, on, many)!r},\n" for option in each.opts]
            rows += [f"            {option!r}: {(each.name, off, many)!r},\n" for option in each.secondary_opts]
    rows.append("        },\n        (\n")
    rows += [
        f"            {(each.name, _kind(each), each.nargs == -1, bool(each.required))!r},\n"
        for each in parameters if each.param_type_name == "argument"
    ]
    rows.append("        ),\n    ),\n")
    return "".join(rows)


def _default(parameter: Any) -> object:
    if parameter.required and parameter.param_type_name == "option":
        return ...
    default = parameter.default
    return tuple(default) if isinstance(default, list) else default


def _kind(parameter: Any) -> str | tuple[str, ...] | None:
    """How a text becomes a value."""
    parser = parameter.type_descriptor.parameter_info.parser
    if parser is not None:
        return f"{parser.__module__}:{parser.__qualname__}"
    annotation = parameter.type_descriptor.annotation
    if get_origin(annotation) is list:
        (annotation,) = get_args(annotation)
    if get_origin(annotation) is Literal:
        return tuple(get_args(annotation))
    return "" if annotation is str else None


if __name__ == "__main__":
    write_whole(table().rstrip("\n"), str(TABLE))
