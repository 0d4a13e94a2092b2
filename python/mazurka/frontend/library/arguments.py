"""What handlers of library functions have in common: the arguments and the result of a call."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from mazurka.frontend.assembly.code import CodeBlock
from mazurka.frontend.llvm import ir
from mazurka.frontend.lowering.emitter import Private, Slot
from mazurka.program import Op

if TYPE_CHECKING:
    from mazurka.frontend.lowering.function import FunctionLowering

    # Emits the code of one call and returns the slots of its result.
    Handler = Callable[[FunctionLowering, ir.Inst], list[Slot]]


def argument(e: FunctionLowering, inst: ir.Inst, index: int) -> int:
    """The operand of a scalar argument."""
    return e.operand(*inst.operands[index + 1])


def result(e: FunctionLowering, inst: ir.Inst, value: int = 0) -> list[Slot]:
    """A constant result, if the call has one."""
    return [e.constant(value)] * len(ir.scalars(inst.type))


def store_unless_null(e: FunctionLowering, inst: ir.Inst, index: int, value: int, *, width: int) -> None:
    """Writes a result of so many bits through an optional pointer argument."""
    type_, pointer = inst.operands[index + 1]
    if e.number(pointer, type_) == 0:
        return
    where = e.operand(type_, pointer)
    name = e.names.access(pointer, 0)
    if e.number(pointer, type_) is None and not isinstance(e.slots(type_, pointer)[0], Private):
        write, after = CodeBlock(), CodeBlock()
        e.branch(where, write, after)
        e.start_block(write)
        e.emit(Op.STORE, where, value, width=width, expr=name, results=0)
        e.jump(after)
        e.start_block(after)
    else:
        e.emit(Op.STORE, where, value, width=width, expr=name, results=0)


def nothing(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    """A function that does nothing here, and succeeds."""
    return result(e, inst)
