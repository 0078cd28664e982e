"""What commands there are, as ``plain.py`` needs it. Written by ``make table`` from the declarations; not by hand.

Per command: what it calls, with what by default; its options (parameter, kind, whether it may be repeated); its
positional parameters (the same, and whether one is required). A kind is what a flag sets, a tuple of choices,
``""`` for any text, ``"module:function"`` for what converts a text, or None for what only typer reads.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

GROUPS: dict[str, tuple[tuple[str, ...], str | None]] = {
}

COMMANDS: dict[str, tuple[str, dict[str, Any], dict[str, Any], tuple[Any, ...]]] = {
    'fitness': (
        'silp_cli.bench.fitness_command:run',
        {
            'files': (),
            'score': None,
            'task': None,
            'corpus': None,
            'weights': None,
            'human': None,
            'floor': 0.5,
            'json': False,
            'header': False,
            'output': None,
        },
        {
            '--score': ('score', '', False),
            '--task': ('task', '', False),
            '--corpus': ('corpus', '', False),
            '--weights': ('weights', '', False),
            '--human': ('human', '', False),
            '--floor': ('floor', None, False),
            '--json': ('json', True, False),
            '--header': ('header', True, False),
            '--output': ('output', '', False),
            '-o': ('output', '', False),
        },
        (
            ('files', '', True, False),
        ),
    ),
    'rank': (
        'silp_cli.bench.rank_command:run',
        {
            'files': (),
            'score': None,
            'task': None,
            'proxy': (),
            'target': (),
            'resamples': 9999,
            'seed': 0,
            'sure': 0.9,
            'json': False,
            'html': None,
            'output': None,
        },
        {
            '--score': ('score', '', False),
            '--task': ('task', '', False),
            '--proxy': ('proxy', '', True),
            '--target': ('target', '', True),
            '--resamples': ('resamples', 'silp_cli.cli.values:positive', False),
            '--seed': ('seed', None, False),
            '--sure': ('sure', 'silp_cli.cli.values:rate', False),
            '--json': ('json', True, False),
            '--html': ('html', '', False),
            '--output': ('output', '', False),
            '-o': ('output', '', False),
        },
        (
            ('files', '', True, False),
        ),
    ),
    'validate': (
        'silp_cli.codec.validate_command:run',
        {
            'files': (),
            'strict': False,
            'fail_on': 'error',
            'quiet': False,
            'no_warnings': False,
            'verbs': None,
            'any_verb': False,
            'output': None,
            'errors': 'text',
            'on_error': 'skip',
            'max_record_size': 1048576,
            'max_depth': 64,
        },
        {
            '--strict': ('strict', True, False),
            '--fail-on': ('fail_on', ('error', 'warning'), False),
            '--quiet': ('quiet', True, False),
            '-q': ('quiet', True, False),
            '--no-warnings': ('no_warnings', True, False),
            '--verbs': ('verbs', '', False),
            '--any-verb': ('any_verb', True, False),
            '--output': ('output', '', False),
            '-o': ('output', '', False),
            '--errors': ('errors', ('text', 'json'), False),
            '--on-error': ('on_error', ('skip', 'stop', 'emit'), False),
            '--max-record-size': ('max_record_size', 'silp_cli.cli.values:byte_count', False),
            '--max-depth': ('max_depth', 'silp_cli.cli.values:depth', False),
        },
        (
            ('files', '', True, False),
        ),
    ),
}
