"""Makes corpora: JSON Lines like those that agents log, of any size, the same every time."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path

_VERBS = ("CANCEL", "EMAIL", "SEARCH", "BOOK", "NOTIFY")
_NAMES = ("flight", "hotel", "report", "ticket", "invoice", "meeting", "order", "parcel")
_TEXT = (
    "please check that the customer has agreed to the new date before anything is sent",
    "Überweisung vom 3. März, Betrag 1.250 €, noch nicht verbucht",
    "the build failed twice on the same machine; see the log and try once more",
)


def irs(seed: int = 1, *, bad: int = 0) -> Iterator[str]:
    """Endless IRs, one a line, of about 300 bytes; every ``bad``-th line is no JSON."""
    chance = random.Random(seed)
    number = 0
    while True:
        number += 1
        if bad and number % bad == 0:
            yield '{"intent": "!CANCEL", "entities": [oops'
            continue
        verb, name = chance.choice(_VERBS), chance.choice(_NAMES)
        value = {
            "silp": "v1", "version": "ir-v0.1", "intent": f"!{verb}",
            "entities": [
                {"id": "act", "value": f"{name}{chance.randrange(10_000)}"},
                {"id": "note", "value": chance.choice(_TEXT)},
            ],
            "constraints": [], "alternatives": [],
            "meta": {"priority": chance.randrange(1, 4), "req_id": f"{chance.getrandbits(32):08x}"},
        }
        yield json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def write_irs(path: Path, size: int, seed: int = 1, *, bad: int = 0) -> int:
    """Write IRs of about ``size`` bytes in all; return how many lines."""
    lines = written = 0
    with open(path, "wb") as file:
        for line in irs(seed, bad=bad):
            data = line.encode() + b"\n"
            file.write(data)
            written += len(data)
            lines += 1
            if written >= size:
                return lines
    return lines


if __name__ == "__main__":
    write_irs(Path(sys.argv[1]), int(sys.argv[2]))
