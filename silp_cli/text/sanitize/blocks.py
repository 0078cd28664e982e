"""A test that clears a whole block of bytes at a few nanoseconds each, whether or not its words were met before.

Every character is reduced to one of three kinds of letters, or to a separator, by the first byte of its UTF-8 form:

* letters none of which looks like ASCII: ASCII itself, accented Latin, kana and Han;
* Cyrillic, and Greek: their look-alikes stay where they are in a word of one script that spells nothing reserved.

A block is clean if no two letters of different kinds meet in it and none of the exceptions below is in it. Anything
else (other scripts, other punctuation) is not judged here.
"""

from __future__ import annotations

_CONTINUATIONS = bytes(range(0x80, 0xC0))
_PART = 1 << 16  # of this size, what is made of a block stays in a core's cache
_PLAIN, _CYRILLIC, _GREEK, _OTHER = 1, 2, 4, 0x80
_KINDS = _PLAIN | _CYRILLIC | _GREEK
_LEADS = {
    **dict.fromkeys((0xC3, 0xC4, 0xC5, *range(0xE3, 0xEA)), _PLAIN), 0xCE: _GREEK, 0xCF: _GREEK, 0xD0: _CYRILLIC,
    0xD1: _CYRILLIC,
}
# Characters with those first bytes for which the rule does not hold. Other invisible ones and look-alikes have others.
EXCEPTIONS = (
    (0xC3, ("×",)), (0xC4, ("ı",)), (0xC5, ("ſ",)), (0xE3, ("〇", "\u3164")),
    (0xCE, ("ΒΟΟΚ",)), (0xCF, ("Ϝ", "ϲ", "Ϲ", *map(chr, range(0x3E2, 0x3F0)))),  # reserved words need them; Coptic
    (0xD0, ("І", "ВООК")), (0xD1, ("і", "ѕ")),
)


def _code(byte: int) -> int:
    """The kind of a first byte in bits 0 to 2, the kinds that may not stand before it in bits 3 to 5."""
    kind = _LEADS.get(byte, _OTHER)
    if byte < 0x80:
        char = chr(byte)
        kind = _PLAIN if char.isalnum() or char == "_" else 0 if char.isprintable() or char in "\t\r\n" else _OTHER
    return kind if kind in (0, _OTHER) else kind | (_KINDS & ~kind) << 3


_codes = bytes(map(_code, range(256)))


class BlockTest:
    """The test, with what it needs for blocks of some size kept between calls."""

    def __init__(self) -> None:
        self._mask = 0
        self._size = 0

    def is_clean(self, block: bytes) -> bool:
        """True only if nothing in whole lines would be removed or folded in mode ``mixed`` or ``off``.

        Args:
            block: any bytes. Of ASCII's control characters only CR is not looked for.
        """
        start = 0
        while start < len(block):
            end = block.find(b"\n", start + _PART) + 1 or len(block)
            if not self._is_clean_part(block[start:end]):
                return False
            start = end
        return True

    def _is_clean_part(self, block: bytes) -> bool:
        kinds = block.translate(_codes, _CONTINUATIONS)
        if b"\x80" in kinds:
            return False
        try:
            text = block.decode()
        except UnicodeDecodeError:
            return False
        for lead, exceptions in EXCEPTIONS:
            if lead in block and any(each in text for each in exceptions):
                return False
        if len(kinds) > self._size:
            self._size = len(kinds)
            self._mask = int.from_bytes(bytes([_KINDS]) * self._size, "little")
        # All neighbours at once: the text as one long number, against itself moved by one character.
        row = int.from_bytes(kinds, "little")
        return not row & row >> 11 & self._mask
