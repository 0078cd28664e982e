"""A text that comes in pieces: how far it has been read, and what was found and not yet given."""

from __future__ import annotations

from abc import ABC, abstractmethod

from silp_cli.dialects.call import Call, Passed, Payload, Problem
from silp_cli.dialects.marks import Marks
from silp_cli.dialects.table import built_in
from silp_cli.dialects.trouble import Broken, NeedMore, Scan
from silp_cli.ir.verbs import WHITELIST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from silp_cli.dialects.call import Event
    from silp_cli.dialects.table import Table

_RETRIED = 1 << 16  # characters of a construct up to which every piece is tried at once
_KEPT = 1 << 13  # characters before the place of reading that are kept to look back on
_NOTHING_MORE = "nothing further is read, since where this ends cannot be known"


class Pieces(ABC):
    """The text so far, and the place in it; ``Reader`` says what the arguments are."""

    def __init__(
        self, *, table: Table | None = None, dialect: str | None = None, reasoning: bool = False,
        prose: bool = False, verbs: Collection[str] = WHITELIST,
    ) -> None:
        self.table = table or built_in()
        self._only = None if dialect is None else self.table.only(dialect).dialects[0].name
        self.marks = Marks.of(self.table)
        self.reasoning = reasoning
        self.prose = prose
        self.verbs = verbs
        self.scan = Scan("", final=False)
        self._base = 0  # characters that were dropped from the front of the text
        self._at = 0
        self._fresh = True  # whether a line starts here
        self._line = 0
        self._code = False
        self._begun = False  # whether anything but white space has come
        self._stop = -1  # where the line ends, once that was asked
        self._triples = [0, 0]
        self._counted = 0
        self._pending: list[Event] = []
        self._given = False
        self._tried = 0
        self._failed_at = -1
        self._judged = 0  # failed constructs whose end was judged by all that follows

    # ------------------------------------------------------------ pieces

    def feed(self, piece: str) -> Iterator[Event]:
        """Take the next piece of the text; give what is complete now."""
        self.scan = Scan(self.scan.text + piece, final=False)
        size = len(self.scan.text) - self._at
        if self._failed_at == self._at and size > _RETRIED and size < self._tried + (self._tried >> 3):
            return
        self._run()
        self._failed_at, self._tried = self._at, len(self.scan.text) - self._at
        yield from self._release()
        self._forget()

    def close(self) -> Iterator[Event]:
        """Give what is left when the text has ended."""
        self.scan = Scan(self.scan.text)
        self._run()
        if self.prose and not self._fresh and not self._code:
            self._prose(len(self.scan.text))
        yield from self._release()

    def _run(self) -> None:
        while self._at < len(self.scan.text):
            before = self._at, self._fresh, self._line, self._code, self._begun, len(self._pending)
            try:
                self._step()
            except NeedMore:  # the step is taken again, from where it began, when more has come
                self._at, self._fresh, self._line, self._code, self._begun, kept = before
                del self._pending[kept:]
                return

    def _release(self) -> Iterator[Event]:
        pending, self._pending = self._pending, []
        for event in pending:
            if self._only is not None and isinstance(event, Call) and event.dialect != self._only:
                event = Passed("data", event.start, event.end, event.dialect)
            elif self._only is not None and isinstance(event, Payload):
                event = Passed("data", event.start, event.end, "silp")
            self._given = self._given or isinstance(event, (Call, Payload))
            event.start += self._base
            event.end += self._base
            if isinstance(event, Problem):
                for each in event.error.all():
                    each.position = (each.position or 0) + self._base
            yield event

    def _forget(self) -> None:
        """Drop text that nobody will look back on."""
        drop = self.scan.text.rfind("\n", 0, max(0, min(self._at, self._line) - _KEPT)) + 1
        if drop > _KEPT:
            self._count_triples(drop)
            self.scan = Scan(self.scan.text[drop:], final=False)
            self._base += drop
            self._at -= drop
            self._line -= drop
            self._stop -= drop
            self._counted -= drop
            self._failed_at -= drop

    def _pass(self, reason: str, start: int, end: int, note: str = "") -> None:
        self._pending.append(Passed(reason, start, end, note))

    def _fail(self, broken: Broken, start: int, end: int | None) -> None:
        """Note a problem; without a known end, nothing further is read."""
        error = broken.error()
        self._stop_or_go(Problem(error, start, len(self.scan.text) if end is None else end), end)

    def _stop_or_go(self, problem: Problem, end: int | None) -> None:
        self._pending.append(problem)
        if end is not None:
            self._at = end
            self._fresh = False
            return
        if not self.reasoning and not self._given and self.marks.ends_thought(self.scan.text, problem.start):
            self._pending = [problem]  # all before the end of reasoning was reasoning, whatever stands in between
        hint = problem.error.hint
        problem.error.hint = f"{hint}; {_NOTHING_MORE}" if hint else _NOTHING_MORE
        self._pass("rest", problem.start, len(self.scan.text))
        self._at = len(self.scan.text)
        self._fresh = False

    def _count_triples(self, at: int) -> None:
        if at > self._counted:
            for index, mark in enumerate(('"""', "'''")):
                self._triples[index] += self.scan.text.count(mark, self._counted, at)
            self._counted = at

    def _talk(self, at: int, end: int) -> bool:
        """A call in a sentence: passed over, whatever its literals hold."""
        self._pass("prose", at, end)
        self._at = end
        self._fresh = False
        return True

    def _in_triples(self, at: int) -> bool:
        self._count_triples(at)
        return bool(self._triples[0] % 2 or self._triples[1] % 2)

    @abstractmethod
    def _step(self) -> None:
        """Read on from the present place."""

    @abstractmethod
    def _prose(self, end: int) -> None:
        """Look for payloads in a line of running text."""
