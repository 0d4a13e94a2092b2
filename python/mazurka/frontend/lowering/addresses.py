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

from collections.abc import Collection

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


def places_to_check(function: ir.IrFunction, names: Collection[str]) -> dict[str, list[ir.Inst]]:
    """Before which instructions an index is checked, of those of these addresses that are only accessed, as
    a whole or a part.

    An address right behind an array may be computed, and a condition, or a call that does not return, may
    then keep the program from using it. So unless it is surely used, each access checks.
    """
    users: dict[str, list[tuple[ir.Inst, bool]]] = {}
    stretches: dict[int, tuple[int, int]] = {}  # instructions of one are all executed if the first is
    made: dict[str, ir.Inst] = {}
    for number, block in enumerate(function.blocks):
        calls = 0
        for inst in block.insts:
            made[inst.result] = inst
            stretches[id(inst)] = number, calls
            calls += inst.op == "call" and not _returns(inst)
            for position, (_, value) in enumerate(inst.operands):
                if isinstance(value, ir.Local) and not inst.variable:
                    users.setdefault(value.name, []).append((inst, _is_access(inst, position)))

    def accesses(name: str) -> list[ir.Inst] | None:
        found: list[ir.Inst] = []
        for inst, is_access in users.get(name, ()):
            is_part = inst.op == "getelementptr" and _is_part(inst)
            of_user = [inst] if is_access else accesses(inst.result) if is_part else None
            if of_user is None:
                return None
            found += of_user
        return found

    places: dict[str, list[ir.Inst]] = {}
    for name in names:
        found = accesses(name)
        if found:
            own = stretches[id(made[name])]
            at_once = any(stretches[id(inst)] == own for inst in found)
            places[name] = [made[name]] if at_once else found
    return places


def _returns(inst: ir.Inst) -> bool:
    """Whether a call surely comes back: it is one of LLVM's own."""
    callee = inst.operands[0][1]
    return isinstance(callee, ir.Symbol) and callee.name.startswith(_RETURNING)


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


_RETURNING = ("llvm.lifetime.", "llvm.mem", "mazurka.mem")
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
    if not terms:
        stays_near = offset in _NEAR and inst.result in e.accessed
        return [e.add(base, offset) if stays_near and not e.knows_object(base) else e.step(base, offset)]
    if offset:
        terms.append(e.constant(offset))
    total = terms[0]
    for term in terms[1:]:
        total = e.emit(Op.ADD, total, term)
    return [e.step_by(base, total)]


def check_index(e: Emitter, inst: ir.Inst, count: int) -> None:
    """Asks whether the last index of address arithmetic is one of an array."""
    index = _index(e, *inst.operands[-1])
    e.emit(Op.CHECK, index, e.constant(count), x=Check.INDEX, results=0)


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
