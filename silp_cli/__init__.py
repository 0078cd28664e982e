"""SILP payloads: ``compile``, ``decode``, ``validate``, ``extract``, ``equivalent``, ``SilpError``.

Names are loaded when they are first used, so that ``import silp_cli`` costs next to nothing.

The rooms, from the bottom up; each imports from those above it in this list only::

    ir        the IR: model, schema, rules, verbs, JSON text, errors; knows nothing else
    text      streams of records in and out, diagnostics, the sanitizer
    frontends an IR as a line of text and back: code, json, natural, nl_json, llmlingua2
    dialects  tool calls as models and APIs write them
    policy    which frontend and spelling for which IR
    census    vocabularies, tokenizers, what words and payloads cost
    protocol  errors, negotiation, sessions, locks, envelopes
    codec     the filters around the frontends: compile, decode, validate
    explain   which part of a payload means what
    bench     models judged, ranked and tuned
    corpus    whole corpora in blocks, on many processes and machines
    api       the same for programs, without a terminal
    manual    the long documentation, and the rules
    cli       every command declared once; calls the rooms, holds no logic
"""

from __future__ import annotations

from silp_cli.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from silp_cli.api import compile, decode, equivalent, extract, validate
    from silp_cli.dialects.call import Call
    from silp_cli.ir.errors import ErrorCode, SilpError
    from silp_cli.ir.model import IR

_HOME = {
    "compile": "silp_cli.api",
    "decode": "silp_cli.api",
    "equivalent": "silp_cli.api",
    "extract": "silp_cli.api",
    "validate": "silp_cli.api",
    "Call": "silp_cli.dialects.call",
    "ErrorCode": "silp_cli.ir.errors",
    "SilpError": "silp_cli.ir.errors",
    "IR": "silp_cli.ir.model",
}

__all__ = [
    "IR", "Call", "ErrorCode", "SilpError", "__version__", "compile", "decode", "equivalent", "extract", "validate",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        from importlib import import_module

        value = globals()[name] = getattr(import_module(_HOME[name]), name)
        return value
    raise AttributeError(f"module 'silp_cli' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
