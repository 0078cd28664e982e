"""Texts through the reader: live, as their pieces come, or whole."""

from __future__ import annotations

from silp_cli.dialects.call import Passed, Payload
from silp_cli.dialects.disguise import undisguised
from silp_cli.dialects.extracting import Found, none_found
from silp_cli.ir.errors import SilpError
from silp_cli.text.live import LiveText, Unreadable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Protocol

    from silp_cli.dialects.call import Event
    from silp_cli.dialects.extracting import Extraction

    class Reader(Protocol):
        """Reads one text, piece by piece."""

        def feed(self, piece: str) -> Iterable[Event]:
            """Take the next piece; give what is complete now."""

        def close(self) -> Iterable[Event]:
            """Give what is left when the text has ended."""


class Pipeline:
    """Reads texts and gives the records in them.

    Args:
        reader: makes the reader of one text.
        extraction: what becomes of what it finds.
        sanitize: what to do about invisible characters and look-alikes: ``clean``, ``refuse`` or ``off``.
    """

    def __init__(self, reader: Callable[[], Reader], extraction: Extraction, sanitize: str = "clean") -> None:
        self.reader = reader
        self.extraction = extraction
        self.sanitize = sanitize

    def text(self, text: str) -> Iterator[Found]:
        """What is found in a text; positions of errors are offsets into it."""
        return self.live([text], LiveText())

    def live(self, pieces: Iterable[str | Unreadable], so_far: LiveText) -> Iterator[Found]:
        """What is found in a text, each as soon as it is complete.

        Args:
            pieces: the text as it comes.
            so_far: takes the text that has come.

        Returns:
            The records in the order of the text; an error of its own when there are none.
        """
        reader = self.reader()
        passed: set[str] = set()
        any_found = False
        for piece in pieces:
            if isinstance(piece, Unreadable):
                piece.error.position = so_far.length
                so_far.add(piece.rest)
                yield Found(None, piece.error)
                return
            so_far.add(piece)
            for found in self._found(reader.feed(piece), so_far, passed):
                any_found = True
                yield found
        for found in self._found(reader.close(), so_far, passed):
            any_found = True
            yield found
        if not any_found:
            yield from self._last_look(so_far, passed)

    def _found(self, events: Iterable[Event], so_far: LiveText, passed: set[str]) -> Iterator[Found]:
        for event in events:
            if isinstance(event, Passed):
                passed.add(event.reason)
                continue
            try:
                event, warnings = undisguised(event, so_far.between, self.sanitize)
            except SilpError as error:
                yield Found(None, error)
                continue
            found = self.extraction.found(event, so_far.between)
            if found is not None:
                found.warnings = warnings
                yield found

    def _last_look(self, so_far: LiveText, passed: set[str]) -> Iterator[Found]:
        """In a text that holds nothing as it stands: SILP's own payloads that disguises hide."""
        if self.sanitize != "off" and not so_far.isascii():
            from silp_cli.text.sanitize.engine import original_position, refusal, sanitize_structure, warning

            cleaned, findings = sanitize_structure(so_far.whole())
            if findings:
                reader = self.reader()
                events = [each for each in (*reader.feed(cleaned), *reader.close()) if isinstance(each, Payload)]
                if events and self.sanitize == "refuse":
                    yield Found(None, refusal(findings))
                    return
                warnings = [warning(findings)]
                for event in events:
                    found = self.extraction.found(event, lambda start, end: cleaned[start:end])
                    if found is None:
                        continue
                    for each in found.error.all() if found.error else ():
                        each.position = original_position(findings, each.position or 0)
                    found.warnings, warnings = warnings, []
                    yield found
                if events:
                    return
        yield Found(None, none_found(passed))
