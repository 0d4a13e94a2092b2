"""Lowers arithmetic on vectors, element by element: a vector has one slot per element.

Each element becomes an instruction of its own, which is lowered like any other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mazurka.frontend.llvm import ir
from mazurka.frontend.lowering import arithmetic
from mazurka.frontend.lowering.emitter import Emitter, RefusalError, Slot, check_type
from mazurka.frontend.lowering.wide import computes_wide, lower_wide
from mazurka.program import Op

if TYPE_CHECKING:
    from mazurka.frontend.lowering.function import FunctionLowering

_WHOLE = frozenset(("freeze", "extractvalue", "insertvalue"))  # by slots, whatever they are
_NAME = "vector.element"


def is_vector(inst: ir.Inst) -> bool:
    """Whether an instruction computes with vectors."""
    if inst.op == "shufflevector":
        return True
    if inst.op not in arithmetic.LOWERINGS or inst.op in _WHOLE:
        return False
    return any(_is_vector(type_) for type_ in (inst.type, *(type_ for type_, _ in inst.operands)))


def lower_vector(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    """The slots of the result."""
    for type_ in (inst.type, *(type_ for type_, _ in inst.operands)):
        check_type(type_)
    if inst.op == "shufflevector":
        elements = [slot for operand in inst.operands for slot in e.slots(*operand)]
        return [elements[number] for number in inst.indices]
    if inst.op in ("extractelement", "insertelement"):
        return _one_element(e, inst)
    if inst.op == "bitcast" and _element(inst.type) != _element(inst.operands[0][0]):
        raise RefusalError(f"a conversion from '{inst.operands[0][0]}' to '{inst.type}'")
    return [slot for number in range(count_of(inst)) for slot in _lower_element(e, inst, number)]


def _is_vector(type_: ir.Type) -> bool:
    return isinstance(type_, ir.ArrayType) and type_.vector


def _element(type_: ir.Type) -> str:
    return repr(type_.element) if isinstance(type_, ir.ArrayType) else repr(type_)


def count_of(inst: ir.Inst) -> int:
    """The number of elements of the vectors that an instruction computes with."""
    types = (inst.type, *(type_ for type_, _ in inst.operands))
    return next(type_.count for type_ in types if isinstance(type_, ir.ArrayType))


def _lower_element(e: FunctionLowering, inst: ir.Inst, number: int) -> list[Slot]:
    single = one_element(e, inst, number)
    return lower_wide(e, single) if computes_wide(single) else arithmetic.LOWERINGS[inst.op](e, single)


def one_element(e: Emitter, inst: ir.Inst, number: int) -> ir.Inst:
    """The instruction for one element of the result; operands that are no vectors are those of all."""
    operands: list[ir.Operand] = []
    for at, (type_, value) in enumerate(inst.operands):
        if isinstance(type_, ir.ArrayType):
            each = len(ir.scalars(type_.element))
            name = f"{_NAME}.{at}"
            e.values[name] = e.slots(type_, value)[number * each : (number + 1) * each]
            operands.append((type_.element, ir.Local(name)))
        else:
            operands.append((type_, value))
    result = inst.type.element if isinstance(inst.type, ir.ArrayType) else inst.type
    return ir.Inst(inst.op, "", result, operands, words=inst.words, indices=inst.indices)


def _one_element(e: Emitter, inst: ir.Inst) -> list[Slot]:
    """Takes or replaces one element, whose number may be known only when the program runs."""
    if e.number(inst.operands[-1][1], inst.operands[-1][0]) is not None:
        return arithmetic.LOWERINGS[inst.op](e, inst)
    index = e.operand(*inst.operands[-1])
    elements = e.operands(*inst.operands[0])
    if len(elements) != count_of(inst):
        raise RefusalError("a variable index into a vector of wide integers")
    bits = ir.width(inst.operands[-1][0])
    is_chosen = [e.emit(Op.EQ, index, e.constant(number), width=bits) for number in range(len(elements))]
    if inst.op == "insertelement":
        value = e.operand(*inst.operands[1])
        return [e.emit(Op.SELECT, c, value, old) for c, old in zip(is_chosen, elements, strict=True)]
    taken = elements[0]
    for chosen, element in zip(is_chosen[1:], elements[1:], strict=True):
        taken = e.emit(Op.SELECT, chosen, element, taken)
    return [taken]
