"""``silp corpus``: a filter over many files, in blocks, by many processes."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections import Counter

from silp_cli.census.payloads import moved
from silp_cli.corpus.blocks import Block, plan
from silp_cli.corpus.engine import Engine
from silp_cli.corpus.files import CorpusError, Input, find, join, make_directory, read_all, remove, sizes, write_text
from silp_cli.corpus.manifest import FORMAT, MANIFEST, identity, manifest
from silp_cli.corpus.progress import Bar
from silp_cli.corpus.worker import WORK, Result, Task, place_errors, run_block, run_whole
from silp_cli.text.command import CommandError
from silp_cli.text.diagnostics import say, visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

COMMAND = "silp corpus"

# What the names of outputs end with, by filter. Other commands do not read a stream of records.
OUTPUTS = {"compile": ".txt", "decode": ".jsonl", "validate": ".jsonl", "sanitize": ".txt", "census": ".jsonl"}


def run(
    *, inputs: Sequence[str], out: str | None, command: Sequence[str], json: bool, block_size: int,
    scheduler: str | None, workers: int,
) -> int:
    """Run a filter over a corpus; return the exit status."""
    if not command or command[0] not in OUTPUTS:
        named = f", not '{command[0]}'" if command else ""
        raise CommandError(f"{COMMAND}: after -- goes one of {', '.join(OUTPUTS)} with its options{named}")
    totals = command[0] == "census" and json
    whole = [*command, *(["--format", "json"] if totals else []), "--errors", "json"]
    try:
        corpus = _Corpus(find(inputs), whole, out, block_size)
        return corpus.run(scheduler, workers, as_json=json)
    except CorpusError as error:
        raise CommandError(f"{COMMAND}: {error}", 1 if "scheduler is gone" in str(error) else 2) from None


class _Corpus:
    """One run.

    Args:
        inputs: the files.
        command: the filter's command line.
        out: the output directory.
        block_size: bytes of a block.

    Raises:
        CommandError: when the filter cannot run so.
    """

    def __init__(self, inputs: Sequence[Input], command: Sequence[str], out: str | None, block_size: int) -> None:
        self.inputs = inputs
        self.command = tuple(command)
        self.out = out
        self.block_size = block_size
        self.identity = identity(inputs, command, block_size)
        told = _rehearsed(command)
        numbered = told["numbered"]
        if out is None and (told["state"] is None or numbered):
            raise CommandError(f"{COMMAND}: --out DIR is missing (only totals, as of census with --json, need none)")
        self.documents = told["reads"] == "documents"
        self.uncut = numbered or told["reads"] == "whole"
        self.results: dict[str, Result] = {}
        self.failed: list[Result] = []

    def run(self, scheduler: str | None, workers: int, *, as_json: bool) -> int:
        blocks = plan(self.inputs, self.block_size, documents=self.documents, whole=self.uncut)
        if self.out is not None:
            done = self._begin(self.out)
            if done is not None:
                say(f"{COMMAND}: {self.out} holds the whole result already\n")
                if as_json:
                    self._print(json.dumps(done))
                return int(done["status"])
        left = self._take_over(blocks)
        engine = Engine(scheduler, workers)
        try:
            if sys.stderr.isatty():
                say(f"{COMMAND}: {len(self.inputs)} files, {len(blocks)} blocks; dashboard: {engine.dashboard}\n")
            with Bar(len(blocks), len(blocks) - len(left)) as bar:
                while left:
                    self._do(engine, left, bar)
                    left = [] if self.failed else self._joined()
                    bar.more(len(left))
            if not self.failed:
                self._place_errors(engine)
        except KeyboardInterrupt:
            say(f"{COMMAND}: stopped; the same command goes on with the blocks that are left\n")
            raise
        finally:
            engine.close()
        return self._end(as_json=as_json)

    def _begin(self, out: str) -> dict[str, Any] | None:
        """Make the output directory ours; give the manifest if all is done.

        Raises:
            CommandError: when it is another run's.
        """
        make_directory(join(out, WORK))
        found = read_all(out, f"/{MANIFEST}").get(MANIFEST)
        begun = read_all(join(out, WORK), "/run").get("run")
        if found is not None:
            value: dict[str, Any] = json.loads(found)
            if value.get("format") == FORMAT and value.get("run") == self.identity:
                remove(join(out, WORK), recursive=True)
                return value
        if found is not None or (begun is not None and begun.decode() != self.identity):
            raise CommandError(
                f"{COMMAND}: {out} belongs to a run over other inputs or with another command; name another directory"
            )
        if begun is None:
            write_text(join(join(out, WORK), "run"), self.identity)
        return None

    def _take_over(self, blocks: Sequence[Block]) -> list[Block]:
        """Take what an earlier run has done; give the blocks that are left."""
        if self.out is None:
            return list(blocks)
        there = sizes(self.out)
        for data in read_all(join(self.out, WORK), ".json").values():
            result = Result.loads(data)
            if there.get(result.output) == result.size:
                self.results[result.block.name] = result
        left = []
        end: int | None = 0  # of what the joined block of an earlier run covers
        for block in blocks:
            if block.number == 0:
                end = 0
            done = self.results.get(block.name)
            if done is not None:
                end = done.block.end
            elif end is not None and block.start >= end:
                left.append(block)
        return left

    def _task(self, block: Block) -> Task:
        return Task(block, self.command, self.out, OUTPUTS[self.command[0]])

    def _do(self, engine: Engine, blocks: Iterable[Block], bar: Bar) -> None:
        """Do blocks, in whatever order they end; those that fail are named at once."""
        for task, outcome in engine.map(run_block, map(self._task, blocks)):
            if isinstance(outcome, BaseException):
                outcome = Result(task.block, f"{task.block.url}: {_one_line(outcome)}")
            if outcome.failed:
                self.failed.append(outcome)
                start = f" (block from byte {task.block.start})" if task.block.start else ""
                say(f"{COMMAND}: {visible(task.block.url)}{start}: failed: {visible(outcome.failed)}\n")
            else:
                self.results[task.block.name] = outcome
            bar.advance()

    def _ordered(self) -> list[Result]:
        return [self.results[name] for name in sorted(self.results)]

    def _joined(self) -> list[Block]:
        """Blocks that end inside a record, together with those after them; what these gave is dropped."""
        joined: list[Block] = []
        running: Result | None = None
        for result in self._ordered():
            if running is not None:
                block = running.block
                self._drop(result)
                running.block = Block(
                    block.file, block.number, block.url, block.compression, block.start, result.block.end,
                    block.documents,
                )
                if not result.open:
                    joined.append(running.block)
                    running = None
            elif result.open:
                self._drop(result)
                running = result
        return joined

    def _drop(self, result: Result) -> None:
        del self.results[result.block.name]
        if self.out is not None:
            task = self._task(result.block)
            work = join(self.out, WORK)
            for url in (
                join(work, f"{result.block.name}.json"), join(work, task.errors), join(self.out, task.output),
            ):
                remove(url)

    def _places(self) -> Iterator[tuple[Result, int, int, int]]:
        """Each result with the records before it, in its file and in all, and the lines before it in its file."""
        file, records, lines, all_records = -1, 0, 0, 0
        for result in self._ordered():
            if result.block.file != file:
                file, records, lines = result.block.file, 0, 0
            yield result, records, all_records, lines
            records += result.records
            all_records += result.records
            lines += result.lines

    def _place_errors(self, engine: Engine) -> None:
        """Have the diagnostics put beside the outputs, with their places in the whole file."""
        if self.out is None:
            return
        todo = {
            self._task(result.block): (records, lines) for result, records, _, lines in self._places() if result.rules
        }
        for task, failed in engine.map(_place, [(task, *place) for task, place in todo.items()]):
            if failed:
                self.failed.append(Result(task[0].block, str(failed)))
                say(f"{COMMAND}: {visible(task[0].block.url)}: failed: {visible(str(failed))}\n")

    def _end(self, *, as_json: bool) -> int:
        results = self._ordered()
        rules: Counter[str] = Counter()
        for result in results:
            rules.update(result.rules)
        status = max((result.status for result in results), default=0)
        if not self.failed:
            self._merge(as_json=as_json)
            if self.out is not None:
                facts = manifest(self.identity, self.inputs, self.command, self.block_size, results)
                write_text(join(self.out, MANIFEST), json.dumps(facts, indent=1) + "\n")
                remove(join(self.out, WORK), recursive=True)
                if as_json and self.command[0] != "census":
                    self._print(json.dumps(facts))
        found = "".join(f"; {rule or 'other'} {count}" for rule, count in sorted(rules.items()))
        records = sum(result.records for result in results)
        left = f"; {len(self.failed)} blocks failed, the same command tries them again" if self.failed else ""
        say(f"{COMMAND}: {len(self.inputs)} files, {len(results)} blocks, {records} records{found}{left}\n")
        return 1 if self.failed else status

    def _merge(self, *, as_json: bool) -> None:
        """Let the filter say what can only be said of the whole."""
        states = [
            moved(result.state, records, lines) if self.command[0] == "census" else result.state
            for result, _, records, lines in self._places() if result.state is not None
        ]
        if not states:
            return
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "states")
            with open(path, "w", encoding="utf-8") as file:
                file.writelines(json.dumps(state) + "\n" for state in states)
            output = os.path.join(directory, "output")
            with open(output, "wb") as out:
                child, _ = run_whole(self.command, {"merge": [path]}, out)
            for remark in child.remarks:
                say(f"{remark}\n")
            with open(output, encoding="utf-8") as file:
                text = file.read()
        if self.out is not None and text:
            write_text(join(self.out, f"totals{'.json' if as_json else '.txt'}"), text)
        if text and (as_json or self.out is None):
            self._print(text.removesuffix("\n"))

    def _print(self, text: str) -> None:
        sys.stdout.write(text + "\n")
        sys.stdout.flush()


def _place(given: tuple[Task, int, int]) -> str:
    """``place_errors`` for a map."""
    return place_errors(*given)


def _rehearsed(command: Sequence[str]) -> dict[str, Any]:
    """Run a filter without input; say what it would have to tell.

    Raises:
        CommandError: when it cannot run.
    """
    with open(os.devnull, "wb") as nowhere:
        child, told = run_whole(command, {}, nowhere)
    if told is None:
        raise CommandError("\n".join(child.remarks) or f"{COMMAND}: silp {command[0]} ended with {child.status}")
    return told


def _one_line(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())
