"""Calls to libatomic: what clang emits for ``__atomic_*`` on objects it cannot access with one instruction.

The sized forms (``__atomic_load_8``) take values, the generic ones (``__atomic_load``) a size and
addresses. Only sizes 1, 2, 4 and 8 are supported.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mazurka.frontend.assembly.code import CodeBlock
from mazurka.frontend.library.functions import argument, result
from mazurka.frontend.llvm import ir
from mazurka.frontend.lowering.emitter import RefusalError, Slot
from mazurka.program import MOVED, Mode, Op, RmwOp

if TYPE_CHECKING:
    from mazurka.frontend.lowering.function import FunctionLowering

_NAME = re.compile(r"__atomic_(load|store|exchange|compare_exchange|fetch_(\w+?)|is_lock_free)(?:_(\d+))?$")
_ORDERS = {0: Mode.RLX, 1: Mode.ACQ, 2: Mode.ACQ, 3: Mode.REL, 4: Mode.ACQ_REL, 5: Mode.SC}
_FETCH = {op.name.lower(): op for op in RmwOp}


def lower_atomic_call(e: FunctionLowering, inst: ir.Inst, name: str) -> list[Slot]:
    """The slots of the call's result."""
    found = _NAME.match(name)
    if found is None:
        raise RefusalError(f"the library function '{name}'")
    if found[1] == "is_lock_free":
        return result(e, inst, 1)
    return _Call(e, inst, name, found[3]).lower(found[1], found[2])


class _Call:
    """One call; hides whether values come directly or through addresses."""

    def __init__(self, e: FunctionLowering, inst: ir.Inst, name: str, size: str | None) -> None:
        self._e = e
        self._inst = inst
        self._generic = size is None
        first = inst.operands[1]
        number = int(size) if size is not None else e.number(first[1], first[0])
        if number not in (1, 2, 4, 8):
            raise RefusalError(
                f"'{name}' on an object of {number if number is not None else 'unknown'} bytes"
            )
        self._width = 8 * number
        self._next = 1 if self._generic else 0

    def lower(self, operation: str, fetch: str | None) -> list[Slot]:
        if operation == "load":
            return self._load()
        if operation == "store":
            return self._store()
        if operation == "compare_exchange":
            return self._compare_exchange()
        return self._fetch(RmwOp.XCHG if fetch is None else self._fetch_op(fetch))

    def _fetch_op(self, word: str) -> RmwOp:
        if word not in _FETCH:
            raise RefusalError(f"__atomic_fetch_{word}")
        return _FETCH[word]

    def _argument(self) -> int:
        self._next += 1
        return argument(self._e, self._inst, self._next - 1)

    def _value(self) -> int:
        """A value argument: itself, or what its address holds."""
        operand = self._argument()
        if not self._generic:
            return operand
        return self._e.emit(Op.LOAD, operand, width=self._width, x=MOVED)

    def _order(self) -> Mode:
        self._next += 1
        type_, value = self._inst.operands[self._next]
        number = self._e.number(value, type_)
        return Mode.SC if number is None else _ORDERS.get(number, Mode.SC)

    def _object(self) -> tuple[int, str]:
        name = self._e.names.access(self._inst.operands[self._next + 1][1], 0)
        return self._argument(), name

    def _give(self, value: int, where: int | None) -> list[Slot]:
        """The result: returned, or written to the address that a generic form gives for it."""
        if where is None:
            return [value]
        self._e.emit(Op.STORE, where, value, width=self._width, results=0)
        return []

    def _load(self) -> list[Slot]:
        where, name = self._object()
        to = self._argument() if self._generic else None
        return self._give(self._e.emit(Op.LOAD, where, width=self._width, mode=self._order(), expr=name), to)

    def _store(self) -> list[Slot]:
        where, name = self._object()
        value = self._value()
        self._e.emit(Op.STORE, where, value, width=self._width, mode=self._order(), expr=name, results=0)
        return []

    def _fetch(self, op: RmwOp) -> list[Slot]:
        where, name = self._object()
        value = self._value()
        to = self._argument() if self._generic else None
        mode = self._order()
        return self._give(
            self._e.emit(Op.RMW, where, value, width=self._width, x=op, mode=mode, expr=name), to
        )

    def _compare_exchange(self) -> list[Slot]:
        e = self._e
        where, name = self._object()
        expected = self._argument()
        new = self._value()
        if len(self._inst.operands) - 1 - self._next > 2:
            self._next += 1  # the "weak" flag of the builtin's own signature
        success, failure = self._order(), self._order()
        old = e.emit(Op.LOAD, expected, width=self._width)
        seen = e.emit(
            Op.CAS, where, old, new, width=self._width, mode=success, x=failure, expr=name, results=2
        )
        failed, after = CodeBlock(), CodeBlock()
        e.branch(seen + 1, after, failed)
        e.start_block(failed)
        e.emit(Op.STORE, expected, seen, width=self._width, results=0)
        e.jump(after)
        e.start_block(after)
        return [seen + 1]
