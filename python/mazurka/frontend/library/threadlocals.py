"""Thread-locals that other threads can reach: shared memory, which begins and ends with its thread.

Each thread allocates its own copies before it does anything else, and keeps their addresses in words of its
own. They end after everything that the thread runs at its end, and are reported like local variables. All
other thread-locals are private memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mazurka.frontend.llvm import ir
from mazurka.frontend.lowering.emitter import Private, RefusalError
from mazurka.frontend.lowering.pieces import WIDEST, chunks
from mazurka.program import CONST, NO_POSITION, AllocFlag, Function, Instr, Op

if TYPE_CHECKING:
    from mazurka.frontend.lowering.function import FunctionLowering
    from mazurka.frontend.lowering.module import ModuleLowering

ERRNO = "errno"
_ERRNO_SIZE = 8
BEGIN_OF_THREAD = "thread.begin"
_WORD = 8  # bytes
_ALIGN = 16
_MOST_STORES = 1024  # that make a copy


def address_of(e: FunctionLowering, name: str) -> int | Private:
    """Where a thread-local of the calling thread is."""
    if name in e.module.shared_thread_locals:
        own = e.emit(Op.LOAD, e.materialise(Private(Op.TLSADDR, _slot(e.module, name), _WORD)))
        e.room[own] = _size(e.module, name)
        return own
    if name == ERRNO:
        return Private(Op.TLSADDR, e.layout.reserve_tls(ERRNO, _ERRNO_SIZE), _ERRNO_SIZE)
    if name not in e.layout.tls:
        raise RefusalError("the address of this thread-local variable")
    return Private(Op.TLSADDR, e.layout.tls[name], _size(e.module, name))


def _size(module: ModuleLowering, name: str) -> int:
    return _ERRNO_SIZE if name == ERRNO else module.ir.globals[name].type.size


def _slot(module: ModuleLowering, name: str) -> int:
    """The word of a thread that has the address of its copy."""
    return module.layout.reserve_tls(f"address of {name}", _WORD)


def begin_of_thread(module: ModuleLowering) -> Function:
    """Makes a thread's copies of shared thread-locals."""
    code: list[Instr] = []
    for name in module.shared_thread_locals:
        item = module.ir.globals.get(name)
        align = _ALIGN if item is None else max(item.align, _ALIGN)
        sizes = (CONST | ~module.pools.constant(n) for n in (_size(module, name), align))
        size, alignment = sizes
        position = NO_POSITION if item is None else module.position_of(item)
        flags = AllocFlag.STACK | AllocFlag.ZERO
        shown = name if item is None else module.global_name(item)
        code.append(Instr(Op.ALLOC, 0, size, alignment, x=flags, expr=shown, position=position))
        if item is not None:
            code += _stores(module, item, position)
        code += [Instr(Op.TLSADDR, 1, _slot(module, name)), Instr(Op.STORE, a=1, b=0)]
    code.append(Instr(Op.RET, c=module.pools.operand_list((CONST | ~module.pools.constant(0),))))
    return Function(BEGIN_OF_THREAD, 0, 2, 0, (), tuple(code))


def _stores(module: ModuleLowering, item: ir.IrGlobal, position: int) -> list[Instr]:
    """What makes a copy, whose address is in register 0, from zeros."""
    data, name = module.layout.initial_bytes(item), module.global_name(item)
    code: list[Instr] = []
    for start, leaf in ir.scalars(item.type):
        for offset, size in chunks(start, leaf.size, WIDEST, leaf.size):
            number = int.from_bytes(data[offset : offset + size], "little")
            if number:
                where, value = (CONST | ~module.pools.constant(n) for n in (offset, number))
                code.append(Instr(Op.ADD, 1, 0, where))
                store = Instr(Op.STORE, a=1, b=value, width=8 * size, expr=name, position=position)
                code.append(store)
    if len(code) <= 2 * _MOST_STORES:
        return code
    what = f"the long initialiser of '{name}', a thread-local variable that other threads can reach"
    return [Instr(Op.REFUSE, a=module.pools.string(what), position=position)]
