"""One filter by several processes: blocks of the input go out, results come back and are written in order."""

from __future__ import annotations

import os
import pickle
import select
import signal
import socket
import sys
import tempfile
from collections import deque

from silp_cli.ir.errors import ErrorCode, SilpError
from silp_cli.text.command import CommandError
from silp_cli.text.cutter import Block, Cutter, LineTooLongError
from silp_cli.text.part import Part, take
from silp_cli.text.records import MAX_RECORD
from silp_cli.text.stream import Stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, NoReturn

    Run = Callable[..., int]

_COPY = 1 << 20
_MESSAGE = 1 << 16
_STREAM = ("files", "output", "errors", "on_error", "all", "max_diagnostics", "max_record_size", "max_depth")


def run_in_jobs(run: Run, command: str, arguments: dict[str, Any], jobs: int) -> int:
    """Run a filter by several processes.

    Args:
        run: the filter; without ``files`` and ``output`` it reads stdin and writes stdout.
        command: its name for diagnostics.
        arguments: what it is called with.
        jobs: how many processes; 0 for one a core.

    Returns:
        The exit status, as with one.
    """
    jobs = jobs or len(os.sched_getaffinity(0))
    inner = {name: value for name, value in arguments.items() if name not in ("files", "output")}
    worker = _Worker(run, inner)  # before anything is loaded that a fork would not bear
    try:
        told = worker.rehearse()
    finally:
        worker.kill()
    # What stops there, or needs its input whole, is done by this process alone: it says why, or does it.
    if told["status"] == 2 or told["reads"] == "whole":
        return run(**arguments)
    pool = _Pool(run, command, arguments, inner, told, jobs)
    try:
        return pool.run_all()
    finally:
        pool.close()


class _Task:
    """A block on its way: waiting, with a worker, or done."""

    def __init__(self, block: Block) -> None:
        self.block = block
        self.worker: _Worker | None = None
        self.report: dict[str, Any] | None = None
        self.output = -1

    def again(self) -> None:
        """Forget the result; it has to be done anew."""
        self.report = None
        if self.output >= 0:
            os.close(self.output)
            self.output = -1


class _Pool:
    """The parent's side of a run."""

    def __init__(
        self, run: Run, command: str, arguments: dict[str, Any], inner: dict[str, Any], told: dict[str, Any], jobs: int
    ) -> None:
        self.run = run
        self.arguments = arguments
        self.inner = inner
        self.reads: str = told["reads"]
        self.numbered: bool = told["numbered"] or told["silent"]
        self.silent: bool = told["silent"]
        self.totals = told["state"] is not None
        self.workers = [_Worker(run, inner) for _ in range(jobs)]
        self.ahead = 2 * jobs + 2
        options = {name: arguments[name] for name in _STREAM if name in arguments}
        if self.silent:
            options.pop("output", None)  # the end of the whole is written by the filter itself
        self.stream = Stream(command, **options)
        self.limit: int = arguments.get("max_record_size", MAX_RECORD)
        self.tasks: deque[_Task] = deque()
        self.record = 0  # records there were in what has been written
        self.states: list[Any] = []
        self.stopped = False

    def run_all(self) -> int:
        """Do all of the input; return the exit status."""
        try:
            for source in self.stream.reader.sources:
                self._do(Cutter(source, self.record if self.numbered else None, self.reads, self.limit))
                if self.stopped:
                    break
            self._end()
        except BaseException:
            self.stream.output.discard()
            raise
        return self.stream.status

    def _do(self, cutter: Cutter) -> None:
        """Do one source."""
        while not self.stopped:
            self._hand_out()
            idle = any(worker.task is None for worker in self.workers)
            while len(self.tasks) < self.ahead and cutter.is_due():
                self.tasks.append(_Task(cutter.cut()))
                self._hand_out()
            wants = not cutter.at_end and len(self.tasks) < self.ahead
            if wants and idle and cutter.waits():
                self.tasks.append(_Task(cutter.cut(now=True)))
                continue
            if not wants and not self.tasks and cutter.ended:
                return
            waiting: list[Any] = [worker.socket for worker in self.workers if worker.task is not None]
            if wants:
                waiting.append(cutter.source.descriptor)
            for ready in select.select(waiting, [], [])[0]:
                if ready == cutter.source.descriptor:
                    self._read(cutter)
                else:
                    self._take_in(next(worker for worker in self.workers if worker.socket is ready))
            self._write_in_order(cutter)

    def _read(self, cutter: Cutter) -> None:
        try:
            cutter.read()
        except LineTooLongError as error:
            raise CommandError(f"{self.stream.command}: {error} cannot be split; run it without --jobs") from None

    def _hand_out(self) -> None:
        """Give idle workers what waits, in order."""
        waiting: Iterator[_Task] = (task for task in self.tasks if task.worker is None and task.report is None)
        for worker in self.workers:
            if worker.task is None:
                task = next(waiting, None)
                if task is None:
                    return
                worker.give(task)

    def _take_in(self, worker: _Worker) -> None:
        """Take a result from a worker; replace the worker if it has died."""
        task = worker.task
        assert task is not None
        task.worker = worker.task = None
        told = worker.result()
        if told is not None and task not in self.tasks:  # nobody wants it any more
            os.close(told[1])
            return
        if told is None:
            self.workers[self.workers.index(worker)] = _Worker(self.run, self.inner)
            task.report = {
                "lost": worker.bury(), "records": task.block.records(), "open": False, "skipping": False,
                "stopped": False, "state": None, "status": 1, "told": [],
            }
        else:
            task.report, task.output = told

    def _write_in_order(self, cutter: Cutter) -> None:
        """Write the results whose turn it is, if they stand."""
        while self.tasks and self.tasks[0].report is not None and not self.stopped:
            task = self.tasks[0]
            report, block = task.report, task.block
            assert report is not None
            if self.numbered and block.record != self.record and "lost" not in report:
                block.record = self.record
                task.again()
                return
            if not block.last and (report["open"] or report["skipping"]):
                if len(self.tasks) == 1 and not self._more(cutter):
                    return
                if not self._mended(task, self.tasks[1], report):
                    return
            self.tasks.popleft()
            self._write(task, report)

    def _more(self, cutter: Cutter) -> bool:
        """Read on until there is a block after the first; False while there is nothing to read."""
        while len(self.tasks) == 1:
            if cutter.is_due():
                self.tasks.append(_Task(cutter.cut()))
            elif select.select([cutter.source.descriptor], [], [], 0)[0]:
                self._read(cutter)
            elif cutter.waits():
                self.tasks.append(_Task(cutter.cut(now=True)))
            else:
                return False
        return True

    def _mended(self, task: _Task, after: _Task, report: dict[str, Any]) -> bool:
        """Whether a block that ended inside a record may be written; else it, or the next, is to be done anew."""
        if not report["open"]:
            if after.block.data[:1] in (b"{", b"[") or after.block.skip:
                return True
            after.block.skip = True
            if after.worker is None:
                after.again()
            else:
                self._replace(1, after.block)
            return True
        del self.tasks[1]
        if after.worker is not None:
            after.worker.forget()
        after.again()
        task.again()
        self._replace(0, task.block.joined(after.block))
        return False

    def _replace(self, index: int, block: Block) -> None:
        old = self.tasks[index]
        if old.worker is not None:
            old.worker.forget()
        self.tasks[index] = _Task(block)

    def _write(self, task: _Task, report: dict[str, Any]) -> None:
        """Write a block's output and diagnostics."""
        block = task.block
        if "lost" in report:
            self._say_lost(block, report["lost"])
        moved = 0 if self.reads == "text" else self.record - block.record
        if task.output >= 0:
            size = os.fstat(task.output).st_size
            position = 0
            while position < size:
                data = os.pread(task.output, _COPY, position)
                self.stream.output.raw(data)
                position += len(data)
            os.close(task.output)
            task.output = -1
        self.stream.reporter.take(report["told"], moved)
        self.record += report["records"]
        self.stream.status = max(self.stream.status, report["status"])
        if report["state"] is not None:
            self.states.append(report["state"])
        self.stopped = report["stopped"]

    def _say_lost(self, block: Block, how: str) -> None:
        last = block.line + block.lines() - 1
        error = SilpError(
            ErrorCode.DECODE_FAILED, f"lines {block.line} to {last} are lost: a worker {how}", rule="jobs.worker-lost",
            hint="run the command again on these lines",
        )
        error.source, error.line = block.source, block.line
        self.stream.reporter.report(error)

    def _end(self) -> None:
        """Let the filter say what can only be said of the whole."""
        if self.silent:
            take(Part(merge=self.states))
            try:
                # What it says of the whole it says itself.
                self.stream.status = max(self.stream.status, self.run(**self.arguments | {"files": ()}))
            finally:
                take(None)
            self.stream.reporter.finish()
            return
        if self.totals:
            worker = _Worker(self.run, self.inner)
            try:
                report, output = worker.finish(self.states)
            finally:
                worker.kill()
            task = _Task(Block("stdin", 1, 0, 0, b"", last=True))
            task.output = output
            self._write(task, report)
        self.stream.close()

    def close(self) -> None:
        """End the workers."""
        for worker in self.workers:
            worker.kill()
        for task in self.tasks:
            task.again()


class _Worker:
    """A process that runs the filter over one block after the other.

    It gets a descriptor of the block, and gives one of the output and one of what there is to tell: the messages
    themselves are so short that neither side ever waits for the other to read.
    """

    def __init__(self, run: Run, arguments: dict[str, Any]) -> None:
        self.task: _Task | None = None
        self.socket, theirs = socket.socketpair()
        sys.stdout.flush()
        self.pid = os.fork()
        if self.pid == 0:
            self.socket.close()
            _serve(theirs, run, arguments)
        theirs.close()
        self._dead = ""

    def give(self, task: _Task) -> None:
        """Give it a block."""
        block = task.block
        task.worker, self.task = self, task
        self._send(
            {
                "source": block.source, "line": block.line, "offset": block.offset, "record": block.record,
                "skip": block.skip,
            },
            block.data,
        )

    def _send(self, part: dict[str, Any], data: bytes) -> None:
        with tempfile.TemporaryFile() if not hasattr(os, "memfd_create") else _memory() as file:
            file.write(data)
            file.flush()
            try:
                socket.send_fds(self.socket, [pickle.dumps(part)], [file.fileno()])
            except OSError:
                return  # it has died, which shows when its result is asked for

    def result(self) -> tuple[dict[str, Any], int] | None:
        """What it has to tell of a block, and a descriptor of the output; None if it has died."""
        try:
            message, found, _, _ = socket.recv_fds(self.socket, 1, 2)
        except OSError:
            return None
        if not message or len(found) != 2:
            return None
        output, told = found
        with os.fdopen(told, "rb") as file:
            file.seek(0)
            return pickle.load(file), output

    def rehearse(self) -> dict[str, Any]:
        """Have it run the filter without input."""
        self._send({}, b"")
        told = self.result()
        if told is None:
            return {"status": 2, "reads": "whole"}
        os.close(told[1])
        return told[0]

    def finish(self, states: list[Any]) -> tuple[dict[str, Any], int]:
        """Have it end the whole."""
        self._send({"merge": "stdin"}, pickle.dumps(states))
        told = self.result()
        if told is None:
            raise CommandError(f"silp: the totals are lost: a worker {self.bury()}")
        return told

    def forget(self) -> None:
        """What it is doing is not wanted any more; it goes on to the end of it."""
        if self.task is not None:
            self.task.worker = None
            self.task = _Task(self.task.block)
            self.task.worker = self

    def bury(self) -> str:
        """Wait for its end; say how it ended."""
        self.socket.close()
        _, status = os.waitpid(self.pid, 0)
        self.pid = 0
        code = os.waitstatus_to_exitcode(status)
        return f"was killed by signal {-code}" if code < 0 else f"ended with status {code}"

    def kill(self) -> None:
        """End it at once."""
        if self.pid:
            self.socket.close()
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            self.pid = 0


def _memory() -> Any:
    """A file in memory."""
    return os.fdopen(os.memfd_create("silp"), "w+b")


def _serve(connection: socket.socket, run: Run, arguments: dict[str, Any]) -> NoReturn:
    """The worker's side: do blocks until the parent has no more, or is no more."""
    status = 1
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends us
        while True:
            message, found, _, _ = socket.recv_fds(connection, _MESSAGE, 1)
            if not message:
                status = 0
                break
            os.lseek(found[0], 0, os.SEEK_SET)
            os.dup2(found[0], 0)
            os.close(found[0])
            report, output = _do_part(pickle.loads(message), run, arguments)
            with _open_file() as told:
                pickle.dump(report, told)
                told.flush()
                socket.send_fds(connection, [b"r"], [output, told.fileno()])
            os.close(output)
    finally:
        os._exit(status)


def _open_file() -> Any:
    return _memory() if hasattr(os, "memfd_create") else tempfile.TemporaryFile()


def _do_part(given: dict[str, Any], run: Run, arguments: dict[str, Any]) -> tuple[dict[str, Any], int]:
    """Run the filter over stdin; give what there is to tell, and a descriptor of what it wrote."""
    told: list[Any] = []
    if "merge" in given:
        with open(0, "rb", closefd=False) as file:
            given = {"merge": pickle.load(file)}
    part = Part(**given, tell=told.append)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115 - as long as the block
    with _open_file() as out, _open_file() as err:
        os.dup2(out.fileno(), 1)
        os.dup2(err.fileno(), 2)
        take(part)
        try:
            status = run(**arguments)
        except CommandError as error:
            told.append(f"{error}\n")
            status = error.status
        except OSError as error:
            told.append(f"silp: {error.filename or 'input'}: {error.strerror}\n")
            status = 2
        sys.stdout.flush()
        size = os.fstat(err.fileno()).st_size
        if size:
            told.append(os.pread(err.fileno(), size, 0).decode(errors="replace"))
        return part.report() | {"status": status, "told": told}, os.dup(out.fileno())
