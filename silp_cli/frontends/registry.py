"""Finds frontends by name: the built-in five, and those that other distributions install."""

from __future__ import annotations

from importlib import import_module

from silp_cli.frontends.base import Frontend
from silp_cli.ir.errors import ErrorCode, SilpError

ENTRY_POINT_GROUP = "silp.frontends"

# Known without asking the installed distributions, which costs more than a compile.
_BUILT_IN: dict[str, tuple[str, str]] = {
    "code": ("silp_cli.frontends.code", "CodeFrontend"),
    "json": ("silp_cli.frontends.json", "JsonFrontend"),
    "natural": ("silp_cli.frontends.natural", "NaturalFrontend"),
    "nl_json": ("silp_cli.frontends.nl_json", "NlJsonFrontend"),
    "llmlingua2": ("silp_cli.frontends.llmlingua2", "LlmLingua2Frontend"),
}
_loaded: dict[str, Frontend] = {}


def get_frontend(name: str) -> Frontend:
    """The frontend of a name.

    Raises:
        SilpError: ``unsupported_frontend`` when there is none.
    """
    if name not in _loaded:
        _loaded[name] = _load(name)
    return _loaded[name]


def frontend_names() -> list[str]:
    """The names of all frontends: the built-in ones in the draft's order, then the installed ones."""
    from importlib.metadata import entry_points

    installed = sorted(entry_points(group=ENTRY_POINT_GROUP).names)
    return [*_BUILT_IN, *(name for name in installed if name not in _BUILT_IN)]


def _load(name: str) -> Frontend:
    if name in _BUILT_IN:
        module, attribute = _BUILT_IN[name]
        frontend: Frontend = getattr(import_module(module), attribute)()
        return frontend
    from importlib.metadata import entry_points

    found = list(entry_points(group=ENTRY_POINT_GROUP, name=name))
    if not found:
        from difflib import get_close_matches

        names = frontend_names()
        close = get_close_matches(name, names, n=1)
        raise SilpError(
            ErrorCode.UNSUPPORTED_FRONTEND, f"no frontend '{name}'", rule="frontend.unknown",
            hint=f"did you mean '{close[0]}'?" if close else "there are: " + ", ".join(names),
        )
    try:
        loaded: Frontend = found[0].load()()
    except Exception as error:  # whatever a stranger's module raises
        raise SilpError(
            ErrorCode.UNSUPPORTED_FRONTEND, f"frontend '{name}' ({found[0].value}) cannot be loaded: {error}",
            rule="frontend.broken",
        ) from error
    return loaded
