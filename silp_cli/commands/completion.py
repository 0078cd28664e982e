"""``silp completion``: print a shell completion script."""

from __future__ import annotations

from silp_cli.commands import full_parser
from silp_cli.commands.stream import Output, add_output_option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

_SHELLS = ("bash", "fish", "tcsh", "zsh")


def configure(parser: ArgumentParser) -> None:
    """Add the options of ``silp completion``."""
    parser.add_argument("shell", choices=_SHELLS, help="the shell to complete in")
    add_output_option(parser)
    parser.epilog = """\
examples:
  eval "$(silp completion bash)"
  silp completion zsh > ~/.zfunc/_silp
  silp completion fish > ~/.config/fish/completions/silp.fish
"""


def run(options: Namespace) -> int:
    """Print the script; return the exit status."""
    import shtab

    output = Output(options.output)
    output.line(shtab.complete(full_parser(), options.shell).rstrip("\n"))
    output.close()
    return 0
