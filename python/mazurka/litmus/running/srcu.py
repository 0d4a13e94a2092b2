"""Critical sections of SRCU in the threads of litmus tests: which unlock ends which section.

srcu_read_lock returns an index, which goes to the srcu_read_unlock that ends the section, perhaps through
other variables of the thread. It is followed along the text, whatever the branches. An index that comes from
anywhere else is refused: that of another srcu_struct, one from memory, or one that was unlocked before.
Sections are numbered from 0 in each thread; the number is the byte of the srcu_struct that the events of a
section are about (``lkmm.kat``).
"""

from __future__ import annotations

from typing import NamedTuple

from mazurka.litmus.meaning.operations import Compute, LockOperation, Operand, Operation, Register
from mazurka.program import Op

MOST = 8  # bytes of a variable, and so sections in a thread
_COPIES = frozenset((Op.MOV, Op.TRUNC, Op.SEXT))


class _Index(NamedTuple):
    """What srcu_read_lock returned, for which srcu_struct."""

    number: int
    domain: Operand


class Sections:
    """The sections of one thread."""

    def __init__(self) -> None:
        self._count = 0
        self._held: dict[Register, _Index] = {}
        self._ended: set[int] = set()

    def follow(self, operation: Operation) -> None:
        """An operation that may copy an index, or overwrite it."""
        dst = getattr(operation, "dst", None)
        if dst is None:
            return
        source = operation.a if isinstance(operation, Compute) and operation.op in _COPIES else None
        index = self._held.get(source) if isinstance(source, Register) else None
        self._held.pop(dst, None)
        if index is not None:
            self._held[dst] = index

    def begin(self, lock: LockOperation) -> int | None:
        """The number of a section that begins; None if there are too many."""
        if self._count == MOST:
            return None
        if lock.dst is not None:
            self._held[lock.dst] = _Index(self._count, lock.address)
        self._count += 1
        return self._count - 1

    def end(self, unlock: LockOperation) -> int | None:
        """The number of the section that an unlock ends; None if it is none of the thread's."""
        index = self._held.get(unlock.value) if isinstance(unlock.value, Register) else None
        if index is None or index.domain != unlock.address or index.number in self._ended:
            return None
        self._ended.add(index.number)
        return index.number
