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
    'model': (('list', 'pull', 'serve'), 'list'),
}

COMMANDS: dict[str, tuple[str, dict[str, Any], dict[str, Any], tuple[Any, ...]]] = {
    'eval': (
        'silp_cli.bench.eval_command:run',
        {
            'files': (),
            'model': (),
            'task': (),
            'frontend': (),
            'repeat': 1,
            'seed': 0,
            'temperature': 0.0,
            'max_tokens': 512,
            'split': None,
            'field': (),
            'limit': None,
            'jobs': 1,
            'timeout': 120.0,
            'retries': 5,
            'schema': True,
            'logprobs': False,
            'judge': None,
            'tokenizers': None,
            'dry_run': False,
            'price': (),
            'output': None,
            'errors': 'text',
        },
        {
            '--model': ('model', '', True),
            '-m': ('model', '', True),
            '--task': ('task', '', True),
            '-t': ('task', '', True),
            '--frontend': ('frontend', '', True),
            '-f': ('frontend', '', True),
            '--repeat': ('repeat', 'silp_cli.cli.values:positive', False),
            '--seed': ('seed', None, False),
            '--temperature': ('temperature', None, False),
            '--max-tokens': ('max_tokens', 'silp_cli.cli.values:positive', False),
            '--split': ('split', ('tune', 'final'), False),
            '--field': ('field', '', True),
            '--limit': ('limit', 'silp_cli.cli.values:positive', False),
            '--jobs': ('jobs', 'silp_cli.cli.values:positive', False),
            '-j': ('jobs', 'silp_cli.cli.values:positive', False),
            '--timeout': ('timeout', 'silp_cli.cli.values:seconds', False),
            '--retries': ('retries', None, False),
            '--schema': ('schema', True, False),
            '--no-schema': ('schema', False, False),
            '--logprobs': ('logprobs', True, False),
            '--judge': ('judge', '', False),
            '--tokenizers': ('tokenizers', '', False),
            '--dry-run': ('dry_run', True, False),
            '--price': ('price', '', True),
            '--output': ('output', '', False),
            '-o': ('output', '', False),
            '--errors': ('errors', ('text', 'json'), False),
        },
        (
            ('files', '', True, False),
        ),
    ),
    'model list': (
        'silp_cli.bench.model_command:show',
        {
            'model_dir': None,
            'form': None,
        },
        {
            '--model-dir': ('model_dir', '', False),
            '--format': ('form', ('table', 'json'), False),
        },
        (
        ),
    ),
    'model pull': (
        'silp_cli.bench.model_command:pull',
        {
            'names': None,
            'model_dir': None,
        },
        {
            '--model-dir': ('model_dir', '', False),
        },
        (
            ('names', '', True, True),
        ),
    ),
    'model serve': (
        'silp_cli.bench.model_command:serve',
        {
            'model': None,
            'port': 0,
            'threads': None,
            'parallel': 1,
            'model_dir': None,
        },
        {
            '--port': ('port', None, False),
            '--threads': ('threads', 'silp_cli.cli.values:positive', False),
            '--parallel': ('parallel', 'silp_cli.cli.values:positive', False),
            '--model-dir': ('model_dir', '', False),
        },
        (
            ('model', '', False, True),
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
