"""Lowers accesses to memory: loads, stores, address arithmetic, atomics and fences.

I1: an access keeps the size that the source gives it; an aggregate is accessed scalar by scalar.
"""

from __future__ import annotations

from collections.abc import Callable

from ..program import Mode, Op, RmwOp
from . import ir
from .emitter import Emitter, RefusalError, Slot, check_type
from .layout import gep_offset, signed

MODES = {
    "unordered": Mode.RLX,
    "monotonic": Mode.RLX,
    "acquire": Mode.ACQ,
    "release": Mode.REL,
    "acq_rel": Mode.ACQ_REL,
    "seq_cst": Mode.SC,
}
_RMW = {op.name.lower(): op for op in RmwOp}

Namer = Callable[[ir.Value, int], str]  # an address and a byte offset, to what the source writes


def _modes(inst: ir.Inst) -> list[Mode]:
    """The orderings; one that only concerns signal handlers orders nothing between threads."""
    modes = [MODES[word] for word in inst.words if word in MODES]
    if "singlethread" in inst.words:
        return [Mode.RLX for _ in modes]
    return modes


def atomic_size(inst: ir.Inst) -> int:
    """Bytes of an atomic access, of an instruction or a call to libatomic; 0 for everything else."""
    if inst.op == "load":
        return inst.type.size if inst.words else 0
    if inst.op == "store":
        return inst.operands[0][0].size if inst.words else 0
    if inst.op in ("atomicrmw", "cmpxchg"):
        return inst.operands[1][0].size
    callee = inst.operands[0][1] if inst.op == "call" else None
    if not isinstance(callee, ir.Symbol) or not callee.name.startswith("__atomic_"):
        return 0
    suffix = callee.name.rpartition("_")[2]
    first = inst.operands[1][1] if len(inst.operands) > 1 else None
    generic = first.bits if isinstance(first, ir.Number) and not callee.name.endswith("_is_lock_free") else 0
    return int(suffix) if suffix.isdigit() else generic


def _check_atomic(type_: ir.Type) -> int:
    check_type(type_)
    return ir.width(type_)


def load(e: Emitter, inst: ir.Inst, name: Namer) -> list[Slot]:
    """One LOAD a scalar."""
    check_type(inst.type)
    modes = _modes(inst)
    base = e.slots(*inst.operands[0])[0]
    pointer = inst.operands[0][1]
    if modes:
        _check_atomic(inst.type)
        return [
            e.emit(
                Op.LOAD, e.materialise(base), width=ir.width(inst.type), mode=modes[0], expr=name(pointer, 0)
            )
        ]
    return [
        e.emit(Op.LOAD, e.materialise(e.add(base, offset)), width=ir.width(leaf), expr=name(pointer, offset))
        for offset, leaf in ir.scalars(inst.type)
    ]


def store(e: Emitter, inst: ir.Inst, name: Namer) -> list[Slot]:
    """One STORE a scalar."""
    type_, value = inst.operands[0]
    check_type(type_)
    modes = _modes(inst)
    if modes:
        _check_atomic(type_)
    base = e.slots(*inst.operands[1])[0]
    pointer = inst.operands[1][1]
    mode = modes[0] if modes else Mode.NA
    for slot, (offset, leaf) in zip(e.slots(type_, value), ir.scalars(type_), strict=True):
        where = e.materialise(e.add(base, offset))
        what = e.materialise(slot)
        e.emit(Op.STORE, where, what, width=ir.width(leaf), mode=mode, expr=name(pointer, offset), results=0)
    return []


def read_modify_write(e: Emitter, inst: ir.Inst, name: Namer) -> list[Slot]:
    """An RMW; exchange of a pointer or float is an exchange of its bits."""
    bits = _check_atomic(inst.type)
    op = _RMW.get(inst.words[0])
    if op is None:
        raise RefusalError(f"atomicrmw {inst.words[0]}")
    pointer, operand = e.operand(*inst.operands[0]), e.operand(*inst.operands[1])
    expr = name(inst.operands[0][1], 0)
    return [e.emit(Op.RMW, pointer, operand, width=bits, x=op, mode=_modes(inst)[0], expr=expr)]


def compare_exchange(e: Emitter, inst: ir.Inst, name: Namer) -> list[Slot]:
    """A CAS, weak or strong."""
    bits = _check_atomic(inst.operands[1][0])
    pointer, expected, new = (e.operand(*operand) for operand in inst.operands)
    success, failure = _modes(inst)
    expr = name(inst.operands[0][1], 0)
    old = e.emit(Op.CAS, pointer, expected, new, width=bits, mode=success, x=failure, expr=expr, results=2)
    e.known_bits[old + 1] = 1
    return [old, old + 1]


def fence(e: Emitter, inst: ir.Inst, _name: Namer) -> list[Slot]:
    """A FENCE, unless it only concerns signal handlers."""
    if "singlethread" not in inst.words:
        e.emit(Op.FENCE, mode=_modes(inst)[0], results=0)
    return []


def getelementptr(e: Emitter, inst: ir.Inst, _name: Namer) -> list[Slot]:
    """Address arithmetic; constant parts are folded."""
    if isinstance(inst.operands[0][0], ir.ArrayType):
        raise RefusalError("a vector of pointers")
    assert inst.source is not None
    base = e.slots(*inst.operands[0])[0]
    offset = 0
    terms: list[tuple[int, int]] = []
    for step, type_, value in _steps(inst):
        known = e.number(value, type_)
        if known is not None:
            offset += step * signed(known, ir.width(type_))
        else:
            terms.append((step, _index(e, type_, value)))
    offset += _struct_offset(inst)
    result: Slot = base
    for step, index in terms:
        if step:
            scaled = index if step == 1 else _scale(e, index, step)
            result = e.emit(Op.ADD, e.materialise(result), scaled)
    return [e.add(result, offset)]


def _scale(e: Emitter, index: int, step: int) -> int:
    if step & (step - 1) == 0:
        return e.emit(Op.SHL, index, e.constant(step.bit_length() - 1))
    return e.emit(Op.MUL, index, e.constant(step))


def _index(e: Emitter, type_: ir.Type, value: ir.Value) -> int:
    operand = e.operand(type_, value)
    bits = ir.width(type_)
    return operand if bits == 64 else e.emit(Op.SEXT, operand, width=bits, x=64)


def _steps(inst: ir.Inst) -> list[tuple[int, ir.Type, ir.Value]]:
    """(bytes a step, index) of the indices that count elements; struct fields are not among them."""
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


LOWERINGS: dict[str, Callable[[Emitter, ir.Inst, Namer], list[Slot]]] = {
    "load": load,
    "store": store,
    "atomicrmw": read_modify_write,
    "cmpxchg": compare_exchange,
    "fence": fence,
    "getelementptr": getelementptr,
}
