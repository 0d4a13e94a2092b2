"""Variable arguments of the program's own functions, as the x86-64 ABI has them.

The compiler expands ``va_arg``: it takes an argument from saved registers as long as there are any, and then
from an area of memory. The caller puts all variable arguments into such an area, in its frame, and passes its
address behind the other arguments. ``va_start`` says that no registers are left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mazurka.frontend.llvm import ir
from mazurka.frontend.lowering.copying import copy_argument
from mazurka.frontend.lowering.emitter import Slot, check_type
from mazurka.program import MOVED, Op

if TYPE_CHECKING:
    from mazurka.frontend.lowering.function import FunctionLowering

_WORD = 8  # bytes
_NO_REGISTERS, _NO_FLOATS = 48, 176  # the offsets behind the last saved register
_FLOATS, _AREA, _REGISTERS = 4, 8, 16  # offsets in a va_list, behind that of the registers' offset
_FIELDS = ((0, 4), (_FLOATS, 4), (_AREA, 8), (_REGISTERS, 8))


def variable_arguments(e: FunctionLowering, inst: ir.Inst, fixed: int) -> int:
    """Puts the arguments behind the first ``fixed`` ones into memory; its address, or 0 if there are none.

    A thunk of C++ passes on those that it got itself (``musttail``).
    """
    if "passed on" in inst.words:
        return e.variable_arguments
    places: list[tuple[int, int]] = []
    size = 0
    for number in range(fixed, len(inst.operands) - 1):
        type_ = (inst.by_value or {}).get(number, inst.operands[number + 1][0])
        step = 16 if type_.align > _WORD else _WORD
        size = -(-size // step) * step
        places.append((number, size))
        size += -(-type_.size // _WORD) * _WORD
    if not places:
        return e.constant(0)
    area = e.frame_object("variable arguments", size)
    for number, at in places:
        _put(e, inst, number, e.add(area, at))
    return e.materialise(area)


def _put(e: FunctionLowering, inst: ir.Inst, number: int, to: Slot) -> None:
    type_, value = inst.operands[number + 1]
    copied = (inst.by_value or {}).get(number)
    if copied is not None:
        name = value.name if isinstance(value, ir.Local) else ""
        copy_argument(e, to, e.slots(type_, value)[0], ir.Parameter(name, type_, copied))
        return
    check_type(type_)
    for slot, (offset, leaf) in zip(e.slots(type_, value), ir.scalars(type_), strict=True):
        bits = max(ir.width(leaf), 8 * _WORD) if offset == 0 else ir.width(leaf)
        e.emit(Op.STORE, e.materialise(e.add(to, offset)), e.materialise(slot), width=bits, results=0)


def start(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    """va_start: all arguments are in the area."""
    (to,) = e.slots(*inst.operands[1])
    values = (e.constant(_NO_REGISTERS), e.constant(_NO_FLOATS), e.variable_arguments, e.constant(0))
    for (offset, size), value in zip(_FIELDS, values, strict=True):
        e.emit(Op.STORE, e.materialise(e.add(to, offset)), value, width=8 * size, results=0)
    return []


def copy(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    """va_copy."""
    (to,), (source,) = (e.slots(*operand) for operand in inst.operands[1:3])
    for offset, size in _FIELDS:
        field = e.emit(Op.LOAD, e.materialise(e.add(source, offset)), width=8 * size, x=MOVED)
        e.emit(Op.STORE, e.materialise(e.add(to, offset)), field, width=8 * size, results=0)
    return []
