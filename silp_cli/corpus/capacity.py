"""How long a corpus takes on many machines, and what is full first: ``python -m silp_cli.corpus.capacity --help``.

A calculation, not a measurement: every part of the system is taken to work on its own share at its own rate, and the
slowest of them gives the time.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_MB = 1e6


@dataclass(frozen=True)
class Cluster:
    """What there is.

    Attributes:
        machines: how many.
        cores: of each; one worker a core.
        core_rate: bytes a second that one filter process reads.
        out_share: bytes of output a byte of input.
        link: bytes a second of a machine's network, each way.
        scheduler: tasks a second that one Dask scheduler hands out and takes back.
        store: requests a second that the object store bears (a prefix bears 3,500 writes; a store as many as it has
            prefixes in use).
        start: seconds in which a block's process starts, finds its block and puts its output in its place.
        note: bytes that the client keeps of a block.
    """

    machines: int = 1000
    cores: int = 16
    core_rate: float = 20 * _MB
    out_share: float = 0.4
    link: float = 1250 * _MB
    scheduler: float = 1000
    store: float = 3500
    start: float = 0.3
    note: float = 2000


# Requests of a block: its bytes are read in a few, then output, diagnostics and note are written.
_REQUESTS = 5


@dataclass(frozen=True)
class Estimate:
    """What a block size leads to.

    Attributes:
        block: bytes of a block.
        blocks: how many there are.
        parts: seconds by what has to be done.
        tail: seconds in which the last blocks keep some workers busy and the others wait.
        memory: bytes at the client.
    """

    block: float
    blocks: int
    parts: dict[str, float]
    tail: float
    memory: float

    @property
    def first(self) -> str:
        """What is full first."""
        return max(self.parts, key=lambda name: self.parts[name])

    @property
    def seconds(self) -> float:
        """From start to end."""
        return self.parts[self.first] + self.tail


def estimate(size: float, block: float, cluster: Cluster) -> Estimate:
    """Calculate a run.

    Args:
        size: bytes of the corpus.
        block: bytes of a block.
        cluster: what there is.
    """
    workers = cluster.machines * cluster.cores
    blocks = max(1, round(size / block))
    once = block / cluster.core_rate + cluster.start
    parts = {
        "filter": blocks * once / min(workers, blocks),
        "network": size * max(1, cluster.out_share) / cluster.machines / cluster.link,
        "scheduler": blocks / cluster.scheduler,
        "store": blocks * _REQUESTS / cluster.store,
    }
    return Estimate(block, blocks, parts, once / 2, blocks * cluster.note)


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table."""
    usual = Cluster()
    parser = argparse.ArgumentParser(prog="python -m silp_cli.corpus.capacity", description=__doc__.partition("\n")[0])
    parser.add_argument("--terabytes", type=float, default=100)
    parser.add_argument("--machines", type=int, default=usual.machines)
    parser.add_argument("--cores", type=int, default=usual.cores)
    parser.add_argument("--core-rate", type=float, default=usual.core_rate / _MB, help="MB/s of one filter process")
    parser.add_argument("--link", type=float, default=usual.link / _MB, help="MB/s of a machine's network")
    parser.add_argument("--scheduler", type=float, default=usual.scheduler, help="tasks a second")
    parser.add_argument("--store", type=float, default=usual.store, help="requests a second of the object store")
    given = parser.parse_args(argv)
    cluster = Cluster(
        given.machines, given.cores, given.core_rate * _MB, link=given.link * _MB, scheduler=given.scheduler,
        store=given.store,
    )
    sys.stdout.write("block MB     blocks  filter s  network s  scheduler s  store s  tail s  total s  full first\n")
    for megabytes in (8, 16, 32, 64, 128, 256, 512, 1024, 4096):
        each = estimate(given.terabytes * 1e12, megabytes * _MB, cluster)
        parts = each.parts
        sys.stdout.write(
            f"{megabytes:8} {each.blocks:10} {parts['filter']:9.0f} {parts['network']:10.0f} "
            f"{parts['scheduler']:12.0f} {parts['store']:8.0f} {each.tail:7.0f} {each.seconds:8.0f}  {each.first}\n"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
