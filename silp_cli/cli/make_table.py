"""Writes what follows from the declarations (``make table``): ``table.py``, by which ``plain.py`` reads, and
the manual's page of all options.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from silp_cli.cli.app import CALLS, DEFAULTS, load
from silp_cli.text.output import write_whole

TABLE = Path(__file__).with_name("table.py")
PAGE = Path(__file__).parent.parent / "manual" / "options.md"

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


def options_page() -> str:
    """The text of ``manual/options.md``."""
    whole = load()
    parts = ["# Commands and their options\n\nWritten by `make table` from the declarations; not by hand.\n"]
    for name in CALLS:
        found = whole
        for word in name.split(" "):
            found = found.commands[word]
        if found.hidden:
            continue
        parts.append(f"\n## silp {name}\n\n{(found.help or '').strip()}\n\n| option | meaning |\n| --- | --- |\n")
        parts += [_row(each) for each in found.params if not getattr(each, "hidden", False)]
        parts.append("\n" + "".join(f"    {line.strip()}\n" if line.strip() else "\n" for line in _examples(found)))
    return "".join(parts).rstrip("\n") + "\n"


def _examples(command: Any) -> list[str]:
    return str(command.epilog or "").partition("Examples:\n")[2].splitlines()


def _row(parameter: Any) -> str:
    names = ", ".join([*parameter.opts, *parameter.secondary_opts])
    if parameter.param_type_name == "argument":
        names = parameter.metavar or parameter.name.upper()
    elif not parameter.is_flag:
        kind = _kind(parameter)
        names += " " + (parameter.metavar or ("|".join(kind) if isinstance(kind, tuple) else "TEXT"))
    default = parameter.default
    plain = isinstance(default, (str, int, float)) and not isinstance(default, bool)
    shown = f" Default: `{default}`." if plain else ""
    cell = names.replace("|", r"\|")
    return f"| `{cell}` | {(parameter.help or '').strip()}{shown} |\n"


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
    write_whole(options_page().rstrip("\n"), str(PAGE))
