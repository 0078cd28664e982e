"""A process that does a part of an input: ``python -m silp_cli.child PART FD COMMAND …``; ``silp corpus`` starts them.

COMMAND is a command line of ``silp``. What the part has to tell (records, totals) goes to the descriptor FD, as JSON.
"""

from __future__ import annotations

import json
import os
import sys

from silp_cli.__main__ import main as run
from silp_cli.text.part import Part, take

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def main(argv: Sequence[str]) -> int:
    """Do the part; return the command's exit status."""
    given, descriptor, *command = argv
    part = Part(**json.loads(given))
    if part.merge is not None:
        with open(part.merge[0], encoding="utf-8") as file:
            part.merge = [json.loads(line) for line in file]
    take(part)
    status = run(command)
    with os.fdopen(int(descriptor), "w") as report:
        json.dump(part.report(), report)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
