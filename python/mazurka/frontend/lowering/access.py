"""Lowers accesses to memory: loads, stores, atomics and fences.

I1: an access keeps the size that the source gives it; an aggregate is accessed scalar by scalar.
An atomic access of 16 bytes is one instruction on pairs of registers; a plain one is two accesses of 8 bytes.
"""

from __future__ import annotations

from collections.abc import Callable

from mazurka.frontend.llvm import ir
from mazurka.frontend.lowering.addresses import getelementptr
from mazurka.frontend.lowering.emitter import WORD, Emitter, RefusalError, Slot, check_type
from mazurka.frontend.lowering.expressions import Names
from mazurka.program import MOVED, Mode, Op, RmwOp

MODES = {
    "unordered": Mode.RLX,
    "monotonic": Mode.RLX,
    "acquire": Mode.ACQ,
    "release": Mode.REL,
    "acq_rel": Mode.ACQ_REL,
    "seq_cst": Mode.SC,
}
# What volatile accesses are, by the word of the option: the modes of loads and of stores.
VOLATILE_MODES = {
    "plain": (Mode.NA, Mode.NA),
    "relaxed": (Mode.RLX, Mode.RLX),
    "acquire-release": (Mode.ACQ, Mode.REL),
}
_WORDS = (8, 16, 32, 64)
_RMW = {op.name.lower(): op for op in RmwOp}


def _modes(inst: ir.Inst) -> list[Mode]:
    """The orderings; one that only concerns signal handlers orders nothing between threads."""
    modes = [MODES[word] for word in inst.words if word in MODES]
    if "singlethread" in inst.words:
        return [Mode.RLX for _ in modes]
    return modes


def _check_atomic(type_: ir.Type) -> int:
    check_type(type_)
    return ir.width(type_)


def load(e: Emitter, inst: ir.Inst, names: Names) -> list[Slot]:
    """One LOAD per scalar."""
    check_type(inst.type)
    base = e.slots(*inst.operands[0])[0]
    pointer = inst.operands[0][1]
    modes = _modes(inst)
    if ir.VOLATILE in inst.metadata and _is_word(inst.type):
        return [e.volatile_load(e.materialise(base), ir.width(inst.type), names.access(pointer, 0))]
    if modes:
        where = e.materialise(base)
        expr, bits = names.access(pointer, 0), _check_atomic(inst.type)
        if bits > WORD:
            low = e.emit(Op.LOAD_PAIR, where, width=bits, mode=modes[0], expr=expr, results=2)
            return [low, low + 1]
        return [e.emit(Op.LOAD, where, width=bits, mode=modes[0], expr=expr)]
    parts = _parts(inst, names, inst.type)
    if parts is not None:
        return [_load_parts(e, base, parts, pointer, names)]
    return [
        e.emit(
            Op.LOAD,
            e.materialise(e.add(base, offset)),
            width=ir.width(leaf),
            x=MOVED if inst.result in e.moving else 0,
            expr=names.access(pointer, offset),
        )
        for offset, leaf in ir.scalars(inst.type)
    ]


def store(e: Emitter, inst: ir.Inst, names: Names) -> list[Slot]:
    """One STORE per scalar."""
    type_, value = inst.operands[0]
    check_type(type_)
    base = e.slots(*inst.operands[1])[0]
    pointer = inst.operands[1][1]
    modes = _modes(inst)
    if ir.VOLATILE in inst.metadata and _is_word(type_):
        stored, name = e.operand(type_, value), names.access(pointer, 0)
        e.volatile_store(e.materialise(base), stored, ir.width(type_), name)
        return []
    mode = modes[0] if modes else Mode.NA
    parts = None if modes else _parts(inst, names, type_)
    if parts is not None:
        _store_parts(e, base, parts, e.operand(type_, value), pointer, names)
        return []
    if modes and ir.width(type_) > WORD:
        low, high = e.operands(type_, value)
        where, expr = e.materialise(base), names.access(pointer, 0)
        e.emit(Op.STORE_PAIR, where, low, high, width=ir.width(type_), mode=mode, expr=expr, results=0)
        return []
    for slot, (offset, leaf) in zip(e.slots(type_, value), ir.scalars(type_), strict=True):
        where = e.materialise(e.add(base, offset))
        expr = names.access(pointer, offset)
        e.emit(Op.STORE, where, e.materialise(slot), width=ir.width(leaf), mode=mode, expr=expr, results=0)
    return []


def _is_word(type_: ir.Type) -> bool:
    """Whether a type is a scalar that one access of a volatile object reaches."""
    return isinstance(type_, (ir.IntType, ir.FloatType, ir.PointerType)) and ir.width(type_) in _WORDS


def _parts(inst: ir.Inst, names: Names, type_: ir.Type) -> list[tuple[int, int]] | None:
    """The fields that one access covers, if the compiler made it to pass a small struct by value.

    Such an access has no type of its own (no ``tbaa``): it stands for accesses to the fields.
    """
    if "tbaa" in inst.metadata or not isinstance(type_, ir.IntType) or not 8 < type_.bits <= WORD:
        return None
    return names.fields_within(inst.operands[-1][1], (type_.bits + 7) // 8)


def _load_parts(e: Emitter, base: Slot, parts: list[tuple[int, int]], pointer: ir.Value, names: Names) -> int:
    whole = e.constant(0)
    for offset, size in parts:
        expr = names.part(pointer, offset)
        part = e.emit(Op.LOAD, e.materialise(e.add(base, offset)), width=8 * size, x=MOVED, expr=expr)
        shifted = e.emit(Op.SHL, part, e.constant(8 * offset)) if offset else part
        whole = e.emit(Op.OR, whole, shifted) if offset else part
    return whole


def _store_parts(
    e: Emitter, base: Slot, parts: list[tuple[int, int]], whole: int, pointer: ir.Value, names: Names
) -> None:
    for offset, size in parts:
        shifted = e.emit(Op.LSHR, whole, e.constant(8 * offset)) if offset else whole
        part = e.emit(Op.TRUNC, shifted, width=8 * size)
        where = e.materialise(e.add(base, offset))
        e.emit(Op.STORE, where, part, width=8 * size, expr=names.part(pointer, offset), results=0)


def read_modify_write(e: Emitter, inst: ir.Inst, names: Names) -> list[Slot]:
    """An RMW; exchange of a pointer or float is an exchange of its bits."""
    bits = _check_atomic(inst.type)
    op = _RMW.get(inst.words[0])
    if op is None:
        raise RefusalError(f"atomicrmw {inst.words[0]}")
    pointer, operands = e.operand(*inst.operands[0]), e.operands(*inst.operands[1])
    expr = names.access(inst.operands[0][1], 0)
    code = Op.RMW if len(operands) == 1 else Op.RMW_PAIR
    old = e.emit(
        code, pointer, *operands, width=bits, x=op, mode=_modes(inst)[0], expr=expr, results=len(operands)
    )
    return list(range(old, old + len(operands)))


def compare_exchange(e: Emitter, inst: ir.Inst, names: Names) -> list[Slot]:
    """A CAS, weak or strong."""
    bits = _check_atomic(inst.operands[1][0])
    pointer, *values = (operand for pair in inst.operands for operand in e.operands(*pair))
    success, failure = _modes(inst)
    expr = names.access(inst.operands[0][1], 0)
    return list(exchange(e, pointer, values, bits, (success, failure), expr))


def exchange(
    e: Emitter, pointer: int, values: list[int], bits: int, modes: tuple[Mode, Mode], expr: str
) -> range:
    """A CAS; ``values`` are what it expects and what it writes. What it found, and whether it wrote."""
    success, failure = modes
    if bits > WORD:
        old = e.emit(
            Op.CAS_PAIR, pointer, width=bits, mode=success, x=failure, expr=expr, results=3, args=values
        )
    else:
        old = e.emit(Op.CAS, pointer, *values, width=bits, mode=success, x=failure, expr=expr, results=2)
    found = range(old, old + 1 + len(values) // 2)
    e.known_bits[found[-1]] = 1
    return found


def fence(e: Emitter, inst: ir.Inst, _names: Names) -> list[Slot]:
    """A FENCE, unless it only concerns signal handlers."""
    if "singlethread" not in inst.words:
        e.emit(Op.FENCE, mode=_modes(inst)[0], results=0)
    return []


LOWERINGS: dict[str, Callable[[Emitter, ir.Inst, Names], list[Slot]]] = {
    "load": load,
    "store": store,
    "atomicrmw": read_modify_write,
    "cmpxchg": compare_exchange,
    "fence": fence,
    "getelementptr": getelementptr,
}
