"""What a worker does with a block: run the filter over it in a process of its own, and put the output in its place."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import IO, Any

from silp_cli.corpus.blocks import Block, Contents
from silp_cli.corpus.files import join, read, write_text, written_whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

WORK = ".silp"  # in the output directory, while a run is unfinished
_REMARKS = 20  # kept of a block
_PIPE = 1 << 20  # bytes on their way to the filter
_TRIES = 3  # of a filter that somebody kills


@dataclass(frozen=True)
class Task:
    """A block and what to do with it.

    Attributes:
        block: the block.
        command: the filter's command line, without ``silp``.
        out: the output directory; None where only totals are wanted.
        suffix: what the names of outputs end with.
    """

    block: Block
    command: tuple[str, ...]
    out: str | None
    suffix: str

    @property
    def output(self) -> str:
        """The output's name."""
        return f"part-{self.block.name}{self.suffix}"

    @property
    def errors(self) -> str:
        """The name of the file of diagnostics."""
        return f"errors-{self.block.name}.jsonl"


@dataclass
class Result:
    """What became of a block.

    Attributes:
        block: the block.
        failed: why there is no output, in one line; empty if there is.
        status: the filter's exit status.
        lines: its lines.
        records: its records.
        open: whether it ends inside a record, so that it has to be done again together with the next.
        output: the output's name, with its ``size`` and ``sha256``.
        rules: diagnostics by rule.
        remarks: the first lines of stderr that are no diagnostics.
        state: totals, to be merged.
    """

    block: Block
    failed: str = ""
    status: int = 0
    lines: int = 0
    records: int = 0
    open: bool = False
    output: str = ""
    size: int = 0
    sha256: str = ""
    rules: dict[str, int] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)
    state: Any = None

    def dumps(self) -> str:
        """The result as JSON."""
        return json.dumps(asdict(self))

    @classmethod
    def loads(cls, data: bytes) -> Result:
        """What ``dumps`` made."""
        value = json.loads(data)
        return cls(**value | {"block": Block(**value["block"])})


class _Killed(Exception):  # noqa: N818 - nobody sees it
    pass


def run_block(task: Task) -> Result:
    """Run the filter over a block.

    Args:
        task: the block.

    Returns:
        What became of it. It is noted beside the output too, last, so that a block without the note is undone.
    """
    result = Result(task.block)
    for attempt in range(1, _TRIES + 1):
        try:
            result = _attempt(task)
        except _Killed as error:
            result.failed = f"{error}, {attempt} times"
            continue
        except OSError as error:
            place = error.filename2 or error.filename or task.block.url
            result.failed = f"{os.fspath(place)}: {error.strerror or error}"
        break
    if task.out is not None and not result.failed:
        write_text(join(join(task.out, WORK), f"{task.block.name}.json"), result.dumps())
    return result


def _attempt(task: Task) -> Result:
    contents = Contents(task.block)
    with contextlib.ExitStack() as stack:
        if task.out is None:
            output = os.devnull
            errors = os.devnull
        else:
            output = stack.enter_context(written_whole(join(task.out, task.output)))
            errors = stack.enter_context(written_whole(join(join(task.out, WORK), task.errors)))
        given = {"source": task.block.url, "offset": contents.offset}
        with open(output, "wb") as out, open(errors, "wb") as diagnostics:
            child = Child(task.command, given, out)
            try:
                reader = threading.Thread(target=child.read_errors, args=(diagnostics,))
                reader.start()
                child.feed(contents)
                reader.join()
                report = child.end()
            except BaseException:
                child.kill()
                raise
            finally:
                child.close()
        if report is None:
            raise OSError(None, "; ".join(child.remarks) or f"the filter ended with status {child.status}")
        if child.failure is not None:
            raise child.failure
        result = Result(
            task.block, "", child.status, contents.lines, report["records"], False, task.output,
            rules=dict(sorted(child.rules.items())), remarks=child.remarks, state=report["state"],
        )
        if report["reads"] == "text":
            result.records = contents.lines
        if contents.follows:
            result.open = report["open"] or (report["skipping"] and contents.follows not in (b"{", b"["))
        if task.out is not None:
            result.size, result.sha256 = os.path.getsize(output), _sha256(output)
    return result


def _sha256(path: str) -> str:
    import hashlib

    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class Child:
    """A ``silp`` process that does a part of an input.

    Args:
        command: its command line, without ``silp``.
        given: the arguments of the ``Part``.
        out: where its output goes.

    Attributes:
        status: its exit status, once it has ended.
        rules: the diagnostics it has written, by rule.
        remarks: the first of the lines it has written that are no diagnostics.
        failure: why its diagnostics could not be kept.
    """

    def __init__(self, command: Sequence[str], given: dict[str, Any], out: IO[bytes] | int) -> None:
        self.status = 0
        self.rules: Counter[str] = Counter()
        self.remarks: list[str] = []
        self.failure: OSError | None = None
        self._told = tempfile.TemporaryFile()  # noqa: SIM115 - closed by close()
        number = self._told.fileno()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "silp_cli.child", json.dumps(given), str(number), *command],
            stdin=subprocess.PIPE, stdout=out, stderr=subprocess.PIPE, pass_fds=(number,),
        )

    def feed(self, contents: Contents) -> None:
        """Give it its input, all of it."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError, AttributeError):  # where pipes cannot be made wider
            fcntl.fcntl(self._process.stdin, fcntl.F_SETPIPE_SZ, _PIPE)
        try:
            contents.read_into(self._process.stdin.write)
            self._process.stdin.close()
        except BrokenPipeError:
            pass  # it has ended before; its status says why

    def read_errors(self, diagnostics: IO[bytes] | None = None) -> None:
        """Count what it writes to stderr, and keep the diagnostics in a file."""
        assert self._process.stderr is not None
        for line in self._process.stderr:
            if not line.startswith(b"{"):
                if len(self.remarks) < _REMARKS:
                    self.remarks.append(line.decode(errors="replace").rstrip())
                continue
            self.rules[json.loads(line).get("rule", "")] += 1
            if diagnostics is not None and self.failure is None:
                try:
                    diagnostics.write(line)
                except OSError as error:
                    self.failure = error

    def end(self) -> dict[str, Any] | None:
        """Wait for its end; give what it has to tell, None if it could not run.

        Raises:
            _Killed: when somebody killed it.
        """
        self.status = self._process.wait()
        if self.status < 0:
            raise _Killed(f"the filter was killed by signal {-self.status}")
        self._told.seek(0)
        told = self._told.read()
        return json.loads(told) if told and self.status in (0, 1) else None

    def kill(self) -> None:
        """End it at once."""
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        """Close what leads to it."""
        for file in (self._process.stdin, self._process.stderr, self._told):
            if file is not None:
                with contextlib.suppress(BrokenPipeError):
                    file.close()


def run_whole(
    command: Sequence[str], given: dict[str, Any], out: IO[bytes] | int
) -> tuple[Child, dict[str, Any] | None]:
    """Run a filter without input: to see whether it can run, or to end the whole with merged totals."""
    child = Child(command, given, out)
    assert child._process.stdin is not None
    child._process.stdin.close()
    try:
        child.read_errors()
        return child, child.end()
    finally:
        child.close()


def place_errors(task: Task, records: int, lines: int) -> str:
    """Put a block's diagnostics beside its output, with places in the whole file.

    Args:
        task: the block.
        records: how many records of the file lie before it.
        lines: how many lines.

    Returns:
        Why it cannot be done; empty if it is.
    """
    assert task.out is not None
    try:
        with written_whole(join(task.out, task.errors)) as path, open(path, "w", encoding="utf-8") as file:
            file.writelines(_moved(read(join(join(task.out, WORK), task.errors)), records, lines))
    except OSError as error:
        return f"{error.filename or task.errors}: {error.strerror or error}"
    return ""


def _moved(chunks: Iterable[bytes], records: int, lines: int) -> Iterable[str]:
    rest = b""
    for chunk in chunks:
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            value = json.loads(line)
            if "line" in value:
                value["line"] += lines
            if "record" in value:
                value["record"] += records
            yield json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"
