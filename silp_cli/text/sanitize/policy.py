"""What to look for in a text."""

from __future__ import annotations

from silp_cli.text.sanitize.classes import CLASSES, pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterable

MODES = ("mixed", "all", "off")


class Policy:
    """What to look for.

    Args:
        classes: names of ``CLASSES`` (default: all).
        strict: strip the draft's four zero-width characters even where they belong.
        homoglyphs: ``"mixed"``, ``"all"`` or ``"off"``.
        context: let invisible characters pass where honest text has them.

    Raises:
        ValueError: for a class or a mode that does not exist.
    """

    def __init__(
        self, classes: Iterable[str] | None = None, *, strict: bool = False, homoglyphs: str = "mixed",
        context: bool = True,
    ) -> None:
        self.classes = frozenset(CLASSES if classes is None else classes)
        unknown = self.classes - CLASSES.keys()
        if unknown:
            raise ValueError(f"no class {sorted(unknown)[0]!r}")
        if homoglyphs not in MODES:
            raise ValueError(f"no mode {homoglyphs!r}")
        self.strict = strict
        self.context = context
        self.homoglyphs = homoglyphs
        self._hidden: re.Pattern[str] | None = None

    @property
    def hidden(self) -> re.Pattern[str] | None:
        """A pattern for one character of the classes; None when there is none."""
        if self._hidden is None and self.classes:
            self._hidden = pattern(self.classes)  # made when first needed: it takes longer than clean ASCII does
        return self._hidden


DEFAULT = Policy()
