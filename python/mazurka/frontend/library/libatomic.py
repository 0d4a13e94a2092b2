"""Calls to libatomic: what clang emits for ``__atomic_*`` on objects it cannot access with one instruction.

The sized forms (``__atomic_load_8``) take values, the generic ones (``__atomic_load``) a size and
addresses. Of sizes 1, 2, 4, 8 and 16 they are single accesses; a value of 16 bytes is in two registers.
Generic ones of other sizes are atomic sections (``wideatomics``).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mazurka.frontend.assembly.code import CodeBlock
from mazurka.frontend.library.arguments import argument, result
from mazurka.frontend.library.wideatomics import lower_wide_call
from mazurka.frontend.llvm import ir
from mazurka.frontend.lowering.access import exchange
from mazurka.frontend.lowering.emitter import WORD, RefusalError, Slot
from mazurka.program import MOVED, Mode, Op, RmwOp

if TYPE_CHECKING:
    from mazurka.frontend.lowering.function import FunctionLowering

_SIZES = (1, 2, 4, 8, 16)
_NAME = re.compile(r"__atomic_(load|store|exchange|compare_exchange|fetch_(\w+?)|is_lock_free)(?:_(\d+))?$")
_ORDERS = {0: Mode.RLX, 1: Mode.ACQ, 2: Mode.ACQ, 3: Mode.REL, 4: Mode.ACQ_REL, 5: Mode.SC}
_FETCH = {op.name.lower(): op for op in RmwOp}


def lower_atomic_call(e: FunctionLowering, inst: ir.Inst, name: str) -> list[Slot]:
    """The slots of the call's result."""
    found = _NAME.match(name)
    if found is None:
        raise RefusalError(f"the library function '{name}'")
    size = e.number(inst.operands[1][1], inst.operands[1][0]) if found[3] is None else None
    if found[1] == "is_lock_free":
        return result(e, inst, int(size is None or size in _SIZES))
    if size is not None and size not in _SIZES:
        return lower_wide_call(e, inst, found[1], size)
    return _Call(e, inst, name, found[3]).lower(found[1], found[2])


class _Call:
    """One call; hides whether values come directly or through addresses."""

    def __init__(self, e: FunctionLowering, inst: ir.Inst, name: str, size: str | None) -> None:
        self._e = e
        self._inst = inst
        self._generic = size is None
        first = inst.operands[1]
        number = int(size) if size is not None else e.number(first[1], first[0])
        if number not in _SIZES:
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

    def _value(self) -> list[int]:
        """A value argument: itself, or what its address holds."""
        if self._generic:
            return self._loaded(self._argument(), MOVED)
        self._next += 1
        return self._e.operands(*self._inst.operands[self._next])

    def _loaded(self, where: int, flags: int = 0) -> list[int]:
        """What plain memory holds, in one register or two."""
        e, width = self._e, min(self._width, WORD)
        places = [e.materialise(e.add(where, offset)) for offset in self._offsets()]
        return [e.emit(Op.LOAD, place, width=width, x=flags) for place in places]

    def _stored(self, where: int, value: list[int]) -> None:
        e, width = self._e, min(self._width, WORD)
        for offset, part in zip(self._offsets(), value, strict=True):
            e.emit(Op.STORE, e.materialise(e.add(where, offset)), part, width=width, results=0)

    def _offsets(self) -> range:
        return range(0, self._width // 8, 8)

    def _order(self) -> Mode:
        self._next += 1
        type_, value = self._inst.operands[self._next]
        number = self._e.number(value, type_)
        return Mode.SC if number is None else _ORDERS.get(number, Mode.SC)

    def _object(self) -> tuple[int, str]:
        name = self._e.names.access(self._inst.operands[self._next + 1][1], 0)
        return self._argument(), name

    def _give(self, value: list[int], where: int | None) -> list[Slot]:
        """The result: returned, or written to the address that a generic form gives for it."""
        if where is None:
            return list(value)
        self._stored(where, value)
        return []

    def _access(
        self, op: Op, pair: Op, where: int, *values: int, mode: Mode, name: str, x: int = 0
    ) -> list[int]:
        """What an access returns, in one register or two."""
        is_pair = self._width > WORD
        count = 0 if op is Op.STORE else 2 if is_pair else 1
        first = self._e.emit(
            pair if is_pair else op,
            where,
            *values,
            width=self._width,
            mode=mode,
            x=x,
            expr=name,
            results=count,
        )
        return list(range(first, first + count))

    def _load(self) -> list[Slot]:
        where, name = self._object()
        to = self._argument() if self._generic else None
        return self._give(self._access(Op.LOAD, Op.LOAD_PAIR, where, mode=self._order(), name=name), to)

    def _store(self) -> list[Slot]:
        where, name = self._object()
        value = self._value()
        self._access(Op.STORE, Op.STORE_PAIR, where, *value, mode=self._order(), name=name)
        return []

    def _fetch(self, op: RmwOp) -> list[Slot]:
        where, name = self._object()
        value = self._value()
        to = self._argument() if self._generic else None
        mode = self._order()
        return self._give(self._access(Op.RMW, Op.RMW_PAIR, where, *value, mode=mode, name=name, x=op), to)

    def _compare_exchange(self) -> list[Slot]:
        e = self._e
        where, name = self._object()
        expected = self._argument()
        new = self._value()
        if len(self._inst.operands) - 1 - self._next > 2:
            self._next += 1  # the "weak" flag of the builtin's own signature
        modes = self._order(), self._order()
        *seen, success = exchange(e, where, [*self._loaded(expected), *new], self._width, modes, name)
        failed, after = CodeBlock(), CodeBlock()
        e.branch(success, after, failed)
        e.start_block(failed)
        self._stored(expected, seen)
        e.jump(after)
        e.start_block(after)
        return [success]
