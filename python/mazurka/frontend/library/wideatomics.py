"""Atomic accesses of objects that no instruction can access: libatomic's generic functions, as sections.

libatomic protects such objects with locks that nothing else takes, so an access of one is a section of
accesses to its words. The other addresses are plain memory of the caller, read before the section
and written after it. Memory orders are ignored: a section is always sequentially consistent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mazurka.frontend.assembly.code import CodeBlock
from mazurka.frontend.llvm import ir
from mazurka.frontend.lowering.emitter import RefusalError, Slot
from mazurka.program import MOVED, Mode, Op

if TYPE_CHECKING:
    from mazurka.frontend.lowering.function import FunctionLowering

_WORD = 8
_MOST_BYTES = 256


def lower_wide_call(e: FunctionLowering, inst: ir.Inst, operation: str, size: int) -> list[Slot]:
    """The slots of the result of a generic function for an object of some bytes."""
    if size > _MOST_BYTES:
        raise RefusalError(f"an atomic access of {size} bytes (more than {_MOST_BYTES})")
    call = _WideCall(e, inst, size)
    match operation:
        case "load":
            return call.load()
        case "store":
            return call.store()
        case "exchange":
            return call.exchange()
        case "compare_exchange":
            return call.compare_exchange()
    raise RefusalError(f"__atomic_{operation} on an object of {size} bytes")


def _pieces(size: int) -> list[tuple[int, int]]:
    """Offsets and sizes of the words of an object, then of what is left."""
    found, offset = [], 0
    while offset < size:
        piece = next(p for p in (_WORD, 4, 2, 1) if p <= size - offset)
        found.append((offset, piece))
        offset += piece
    return found


class _WideCall:
    """One call."""

    def __init__(self, e: FunctionLowering, inst: ir.Inst, size: int) -> None:
        self._e = e
        self._inst = inst
        self._pieces = _pieces(size)

    def load(self) -> list[Slot]:
        """__atomic_load(size, object, to, order)"""
        self._begin()
        seen = self._read_object()
        self._end()
        self._write(2, seen)
        return []

    def store(self) -> list[Slot]:
        """__atomic_store(size, object, value, order)"""
        new = self._read(2)
        self._begin()
        self._write_object(new)
        self._end()
        return []

    def exchange(self) -> list[Slot]:
        """__atomic_exchange(size, object, value, to, order)"""
        new = self._read(2)
        self._begin()
        seen = self._read_object()
        self._write_object(new)
        self._end()
        self._write(3, seen)
        return []

    def compare_exchange(self) -> list[Slot]:
        """__atomic_compare_exchange(size, object, expected, desired, success, failure)"""
        e, expected, new = self._e, self._read(2), self._read(3)
        self._begin()
        seen = self._read_object()
        same = [e.emit(Op.EQ, a, b) for a, b in zip(seen, expected, strict=True)]
        succeeds = same[0]
        for one in same[1:]:
            succeeds = e.emit(Op.AND, succeeds, one)
        e.known_bits[succeeds] = 1
        equal, unequal, after = CodeBlock(), CodeBlock(), CodeBlock()
        e.branch(succeeds, equal, unequal)
        e.start_block(equal)
        self._write_object(new)
        self._end()
        e.jump(after)
        e.start_block(unequal)
        self._end()
        self._write(2, seen)
        e.jump(after)
        e.start_block(after)
        return [succeeds]

    def _begin(self) -> None:
        self._e.emit(Op.BEGIN, results=0)

    def _end(self) -> None:
        self._e.emit(Op.END, results=0)

    def _read(self, index: int, mode: Mode = Mode.NA) -> list[int]:
        """The words at an address; padding among them may never have been written."""
        e, base = self._e, self._e.slots(*self._inst.operands[index + 1])[0]
        return [
            e.emit(
                Op.LOAD,
                e.materialise(e.add(base, offset)),
                width=8 * size,
                mode=mode,
                x=MOVED,
                expr=self._name(index, offset),
            )
            for offset, size in self._pieces
        ]

    def _write(self, index: int, values: list[int], mode: Mode = Mode.NA) -> None:
        e, base = self._e, self._e.slots(*self._inst.operands[index + 1])[0]
        for (offset, size), value in zip(self._pieces, values, strict=True):
            where, name = e.materialise(e.add(base, offset)), self._name(index, offset)
            e.emit(Op.STORE, where, value, width=8 * size, mode=mode, expr=name, results=0)

    def _read_object(self) -> list[int]:
        return self._read(1, Mode.SC)

    def _write_object(self, values: list[int]) -> None:
        self._write(1, values, Mode.SC)

    def _name(self, index: int, offset: int) -> str:
        return self._e.names.access(self._inst.operands[index + 1][1], offset)
