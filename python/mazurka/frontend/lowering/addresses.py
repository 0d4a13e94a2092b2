"""Lowers address arithmetic.

An address remembers the object that it was made from. An offset that is known to stay inside is an addition.
Any other is a STEP, which looks for the object of the base when it runs, and gives a stray address if the
result leaves the object by more than a little. Objects lie further apart than that, so a small offset from
an unknown base needs no STEP if the result is only accessed: it cannot reach another object, nor lead a
stray address back.

I1: an offset that is added without a STEP to a base whose object is unknown is in ``_NEAR``, and the result
is only accessed.
"""

from __future__ import annotations

from collections.abc import Iterator

from mazurka.frontend.llvm import ir
from mazurka.frontend.llvm.ir import signed
from mazurka.frontend.lowering.emitter import Emitter, RefusalError, Slot
from mazurka.frontend.lowering.expressions import Names
from mazurka.frontend.lowering.layout import gep_offset
from mazurka.program import SLACK, Check, Op

_NEAR = range(-SLACK, SLACK + 1)


def only_accessed(function: ir.IrFunction) -> frozenset[str]:
    """The results of address arithmetic that are used for nothing but accesses."""
    insts = [inst for block in function.blocks for inst in block.insts]
    found = {inst.result for inst in insts if inst.op == "getelementptr"}
    for inst in insts:
        for position, (_, value) in enumerate(inst.operands):
            if isinstance(value, ir.Local) and value.name in found and not _is_access(inst, position):
                found.remove(value.name)
    return frozenset(found)


def accessed_at_once(function: ir.IrFunction) -> frozenset[str]:
    """Those that are only accessed, as a whole or a part, before a branch or a call, and not just computed.

    An address right behind an array may be computed, and a condition may then keep the program from using it.
    """
    stretches = list(_stretches(function))
    found = {
        inst.result: n for n, insts in enumerate(stretches) for inst in insts if inst.op == "getelementptr"
    }
    used: set[str] = set()
    before = -1
    while before != len(found):
        before = len(found)
        for number, insts in enumerate(stretches):
            for inst in insts:
                is_part = found.get(inst.result) == number and _is_part(inst)
                for position, (_, value) in enumerate(inst.operands):
                    if inst.variable or not isinstance(value, ir.Local) or value.name not in found:
                        continue
                    used.add(value.name)
                    is_access = _is_access(inst, position) or (is_part and position == 0)
                    if found[value.name] != number or not is_access:
                        del found[value.name]
    return frozenset(found.keys() & used)


def _stretches(function: ir.IrFunction) -> Iterator[list[ir.Inst]]:
    """The instructions that are all executed if the first is: parts of blocks that end in calls."""
    for block in function.blocks:
        stretch: list[ir.Inst] = []
        for inst in block.insts:
            stretch.append(inst)
            if inst.op == "call":
                yield stretch
                stretch = []
        yield stretch


def _is_part(inst: ir.Inst) -> bool:
    """Whether address arithmetic goes to a part of what is at its base, not to what is next to it."""
    first = inst.operands[1][1]
    return len(inst.operands) > 2 and isinstance(first, ir.Number) and first.bits == 0


def _is_access(inst: ir.Inst, position: int) -> bool:
    """Whether an operand is where the instruction accesses memory."""
    if inst.op == "call":
        callee = inst.operands[0][1]
        return isinstance(callee, ir.Symbol) and callee.name.startswith(("llvm.mem", "mazurka.mem"))
    return bool(inst.variable) or _POINTER_OPERAND.get(inst.op) == position


_POINTER_OPERAND = {"load": 0, "store": 1, "atomicrmw": 0, "cmpxchg": 0}


def getelementptr(e: Emitter, inst: ir.Inst, _names: Names) -> list[Slot]:
    """Address arithmetic; constant parts are folded."""
    if isinstance(inst.operands[0][0], ir.ArrayType):
        raise RefusalError("a vector of pointers")
    base = e.slots(*inst.operands[0])[0]
    offset = _struct_offset(inst)
    terms: list[int] = []
    for step, type_, value in _steps(inst):
        known = e.number(value, type_)
        if known is not None:
            offset += step * signed(known, ir.width(type_))
        elif step:
            terms.append(_scale(e, _index(e, type_, value), step))
    if inst.result in e.members:
        index = _index(e, *inst.operands[-1])
        e.emit(Op.CHECK, index, e.constant(e.members[inst.result]), x=Check.INDEX, results=0)
    if not terms:
        stays_near = offset in _NEAR and inst.result in e.accessed
        return [e.add(base, offset) if stays_near and not e.knows_object(base) else e.step(base, offset)]
    if offset:
        terms.append(e.constant(offset))
    total = terms[0]
    for term in terms[1:]:
        total = e.emit(Op.ADD, total, term)
    return [e.step_by(base, total)]


def _scale(e: Emitter, index: int, step: int) -> int:
    if step == 1:
        return index
    if step & (step - 1) == 0:
        return e.emit(Op.SHL, index, e.constant(step.bit_length() - 1))
    return e.emit(Op.MUL, index, e.constant(step))


def _index(e: Emitter, type_: ir.Type, value: ir.Value) -> int:
    operand = e.operand(type_, value)
    bits = ir.width(type_)
    return operand if bits == 64 else e.emit(Op.SEXT, operand, width=bits, x=64)


def _steps(inst: ir.Inst) -> list[tuple[int, ir.Type, ir.Value]]:
    """(bytes per step, index) of the indices that count elements; struct fields are not among them."""
    current: ir.Type | None = inst.source
    assert current is not None
    steps = [(current.size, *inst.operands[1])]
    for type_, value in inst.operands[2:]:
        if isinstance(current, ir.StructType):
            assert isinstance(value, ir.Number)
            current = current.fields[value.bits]
        else:
            assert isinstance(current, ir.ArrayType)
            current = current.element
            steps.append((current.size, type_, value))
    return steps


def _struct_offset(inst: ir.Inst) -> int:
    """The sum of the field offsets that a getelementptr adds."""
    current: ir.Type | None = inst.source
    assert current is not None
    total = 0
    for _, value in inst.operands[2:]:
        if isinstance(current, ir.StructType):
            assert isinstance(value, ir.Number)
            total += gep_offset(current, [0, value.bits])
            current = current.fields[value.bits]
        else:
            assert isinstance(current, ir.ArrayType)
            current = current.element
    return total
