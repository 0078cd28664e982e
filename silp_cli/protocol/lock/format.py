"""The bytes of a compile lock, and whether they hold (draft, section "Design Principles").

A lock is a file of lines. The first is the seal: how many entries follow, in how many bytes, and the hash
of the last. Every other line is one entry, in JSON, spelled in one way only:

    {"silp_lock":1,"entries":2,"bytes":812,"head":"…"}
    {"seq":1,"ir":"…","surface":"…","frontend":"code","revision":1,"tool":"…","grammar":"…","time":"…","prev":"…","hash":"…"}

``ir`` is SHA-256 over the IR's RFC 8785 bytes, ``surface`` over the text's UTF-8 bytes, ``prev`` over the
whole line before (of the first entry: 64 zeros), ``hash`` over its own line without that member. So a
change shows on its own line, a removal or another order on the line after, and a cut at the end in the
seal. No key is involved: the lock is evidence for those who keep a copy of its head, not against someone
who can rewrite all of it.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from silp_cli.ir.errors import ErrorCode, SilpError
from silp_cli.ir.jsontext import canonical_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

NO_HASH = "0" * 64
_HASH = rb"[0-9a-f]{64}"
_SEAL = re.compile(
    rb'\{"silp_lock":1,"entries":(0|[1-9][0-9]{0,11}),"bytes":(0|[1-9][0-9]{0,14}),"head":"('
    + _HASH
    + rb')"\} *\n'
)
# The seal is replaced in place, so it always takes as many bytes: spaces fill it up.
SEAL_SIZE = 144
_NAME = rb"[A-Za-z0-9_.:+@ -]{1,100}"
_ENTRY = re.compile(
    rb'(\{"seq":([1-9][0-9]{0,11}),"ir":"('
    + _HASH
    + rb')","surface":"('
    + _HASH
    + rb')","frontend":"('
    + _NAME
    + rb')","revision":([1-9][0-9]{0,8}),"tool":"('
    + _NAME
    + rb')","grammar":"('
    + _NAME
    + rb')","time":"([0-9]{4,6}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z)","prev":"('
    + _HASH
    + rb')"),"hash":"('
    + _HASH
    + rb')"\}'
)


def sha256(data: bytes) -> str:
    """SHA-256 in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def ir_hash(ir: Any) -> str:
    """The hash of an IR as it stands in a lock: SHA-256 over its RFC 8785 bytes."""
    return sha256(canonical_bytes(ir))


def surface_hash(text: str) -> str:
    """The hash of a surface text as it stands in a lock: SHA-256 over its UTF-8 bytes."""
    return sha256(text.encode("utf-8", "surrogatepass"))


@dataclass(frozen=True, slots=True)
class Entry:
    """One frozen compilation.

    Attributes:
        seq: its number, from 1.
        ir: hash of the IR.
        surface: hash of the surface text.
        frontend: the frontend's name.
        revision: 1 for the first surface of this IR and frontend, one more for each other surface after it.
        tool: name and version of the tool that wrote it.
        grammar: version of the frontend's grammar.
        time: when, in UTC, to the second.
        prev: hash of the line before.
        line: the entry's bytes in the file, without the line's end.
    """

    seq: int
    ir: str
    surface: str
    frontend: str
    revision: int
    tool: str
    grammar: str
    time: str
    prev: str
    line: bytes


def make_entry(
    seq: int,
    ir: str,
    surface: str,
    frontend: str,
    revision: int,
    tool: str,
    grammar: str,
    time: str,
    prev: str,
) -> Entry:
    """An entry with its line.

    Raises:
        ValueError: for a name that the format cannot carry.
    """
    for name in (frontend, tool, grammar):
        if not re.fullmatch(_NAME, name.encode()):
            raise ValueError(f"a lock cannot carry the name {name!r}")
    body = (
        f'{{"seq":{seq},"ir":"{ir}","surface":"{surface}","frontend":"{frontend}","revision":{revision},'
        f'"tool":"{tool}","grammar":"{grammar}","time":"{time}","prev":"{prev}"'
    ).encode()
    line = body + f',"hash":"{sha256(body)}"}}'.encode()
    return Entry(seq, ir, surface, frontend, revision, tool, grammar, time, prev, line)


@dataclass(frozen=True, slots=True)
class Seal:
    """The first line of a lock.

    Attributes:
        entries: how many entries follow.
        size: how many bytes they take, line ends included.
        head: hash of the last entry's line; 64 zeros when there is none.
    """

    entries: int = 0
    size: int = 0
    head: str = NO_HASH

    def line(self) -> bytes:
        """The seal as it stands in the file, always equally long."""
        text = f'{{"silp_lock":1,"entries":{self.entries},"bytes":{self.size},"head":"{self.head}"}}'
        return text.ljust(SEAL_SIZE - 1).encode() + b"\n"


def read_seal(data: bytes) -> Seal:
    """The seal at the start of a lock's bytes.

    Raises:
        SilpError: when there is none.
    """
    match = _SEAL.fullmatch(data[:SEAL_SIZE])
    if match is not None and len(match.group()) < SEAL_SIZE:
        match = None
    if match is None:
        what = "the file is empty" if not data else "this is no lock, or its first line was changed"
        raise broken(1, what, "lock.seal", 'a lock starts with {"silp_lock":1,…')
    return Seal(int(match.group(1)), int(match.group(2)), match.group(3).decode())


def read_entries(data: bytes, first_line: int, seq: int, prev: str) -> Iterator[Entry]:
    """Read entries and check each as it comes.

    Args:
        data: whole lines.
        first_line: number of the first of them in the file.
        seq: number of the entry before, 0 for none.
        prev: hash of the line before.

    Yields:
        The entries that hold.

    Raises:
        SilpError: for the first line that does not hold.
    """
    lines = data.split(b"\n")
    lines.pop()
    for number, line in enumerate(lines, first_line):
        match = _ENTRY.fullmatch(line)
        if match is None:
            raise broken(number, "not an entry of a lock", "lock.entry", "the line was changed")
        body, place, ir, surface, frontend, revision, tool, grammar, time, before, own = match.groups()
        if hashlib.sha256(body).hexdigest().encode() != own:
            raise broken(number, "the entry does not match its own hash", "lock.hash", "the line was changed")
        seq += 1
        if int(place) != seq:
            raise broken(
                number,
                f"entry {int(place)} where entry {seq} belongs",
                "lock.order",
                "lines were removed, added or put in another order",
            )
        if before.decode() != prev:
            raise broken(
                number,
                "the entry does not match the line before it",
                "lock.chain",
                "this line or the one before was replaced",
            )
        prev = hashlib.sha256(line).hexdigest()
        yield Entry(
            seq,
            ir.decode(),
            surface.decode(),
            frontend.decode(),
            int(revision),
            tool.decode(),
            grammar.decode(),
            time.decode(),
            before.decode(),
            line,
        )


def read_lock(data: bytes) -> list[Entry]:
    """Read a whole lock and check it.

    Args:
        data: the file's bytes.

    Returns:
        Its entries.

    Raises:
        SilpError: for the first line that does not hold. ``rule`` says what: ``lock.seal``, ``lock.entry``,
            ``lock.hash``, ``lock.order``, ``lock.chain``, ``lock.cut``, or, for what an interrupted append
            leaves and repair mends, ``lock.torn`` (an unfinished last line) and ``lock.unsealed`` (whole
            lines that the seal does not count).
    """
    seal = read_seal(data)
    sealed = data[SEAL_SIZE : SEAL_SIZE + seal.size]
    whole = sealed[: sealed.rfind(b"\n") + 1]
    if len(whole) < seal.size:
        # The lines that are there are looked at first: one of them may say more than the cut does.
        count = sum(1 for _ in read_entries(whole, 2, 0, NO_HASH))
        if len(data) == SEAL_SIZE + seal.size:
            raise broken(count + 2, "the end of the line was changed", "lock.entry", "the line was changed")
        if len(sealed) == seal.size:
            raise broken(1, "the seal does not end where an entry does", "lock.seal", "the first line was changed")
        where = f"in entry {count + 1}" if len(sealed) > len(whole) else f"after {count}"
        raise broken(
            count + 2,
            f"the lock ends {where} of {seal.entries} entries",
            "lock.cut",
            "lines were removed, or the file was cut",
        )
    entries = list(read_entries(sealed, 2, 0, NO_HASH))
    head = sha256(entries[-1].line) if entries else NO_HASH
    if len(entries) != seal.entries or head != seal.head:
        raise broken(
            1,
            f"the seal is not that of the {len(entries)} entries",
            "lock.seal",
            "the first line or the last was replaced",
        )
    rest = data[SEAL_SIZE + seal.size :]
    if rest:
        raise unsealed(rest, seal)
    return entries


def unsealed(rest: bytes, seal: Seal) -> SilpError:
    """What is wrong with the bytes behind the sealed entries; they may be what an interrupted append left.

    Raises:
        SilpError: for a whole line among them that does not hold.
    """
    whole = rest[: rest.rfind(b"\n") + 1]
    count = sum(1 for _ in read_entries(whole, seal.entries + 2, seal.entries, seal.head))
    line = seal.entries + count + 2
    if len(rest) > len(whole):
        return broken(
            line, "a torn last line, its append was interrupted", "lock.torn", "mend the lock with --repair"
        )
    return broken(
        seal.entries + 2,
        f"{count} whole entries that the seal does not count, their append was interrupted",
        "lock.unsealed",
        "mend the lock with --repair, or append to it",
    )


def broken(line: int, message: str, rule: str, hint: str = "") -> SilpError:
    """A diagnostic of a lock's line."""
    code = ErrorCode.INVALID_SYNTAX if rule in ("lock.entry", "lock.torn") else ErrorCode.DECODE_FAILED
    return SilpError(code, message, rule=rule, hint=hint, line=line)
