"""Lowers arithmetic, comparisons, casts and aggregate values.

Widening an unsigned value, reinterpreting it and picking parts of aggregates need no code: registers hold
values zero-extended, one per scalar.
"""

from __future__ import annotations

from collections.abc import Callable

from mazurka.frontend.llvm import ir
from mazurka.frontend.llvm.ir import signed
from mazurka.frontend.lowering.emitter import Emitter, RefusalError, Slot, check_type
from mazurka.frontend.lowering.layout import ARITHMETIC
from mazurka.program import Check, Op

_BINARY = {
    "add": Op.ADD, "sub": Op.SUB, "mul": Op.MUL, "udiv": Op.UDIV, "sdiv": Op.SDIV, "urem": Op.UREM,
    "srem": Op.SREM, "and": Op.AND, "or": Op.OR, "xor": Op.XOR, "shl": Op.SHL, "lshr": Op.LSHR,
    "ashr": Op.ASHR, "fadd": Op.FADD, "fsub": Op.FSUB, "fmul": Op.FMUL, "fdiv": Op.FDIV, "frem": Op.FREM,
}  # fmt: skip
_SIGNED = ("add", "sub", "mul")  # if they are marked as computations of signed numbers
_CHECKS = {
    **{"add": Check.ADD, "sub": Check.SUB, "mul": Check.MUL, "sdiv": Check.DIV, "srem": Check.DIV},
    **dict.fromkeys(("shl", "lshr", "ashr"), Check.SHIFT),
}
_COMPARE = {  # operation, and whether the operands are swapped
    "eq": (Op.EQ, False), "ne": (Op.NE, False),
    "ult": (Op.ULT, False), "ule": (Op.ULE, False), "ugt": (Op.ULT, True), "uge": (Op.ULE, True),
    "slt": (Op.SLT, False), "sle": (Op.SLE, False), "sgt": (Op.SLT, True), "sge": (Op.SLE, True),
}  # fmt: skip
_FLOAT_PREDICATES = (  # by number
    *("false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord"),
    *("uno", "ueq", "ugt", "uge", "ult", "ule", "une", "true"),
)
_INT_FROM_FLOAT = {"fptosi": Op.FPTOSI, "fptoui": Op.FPTOUI}
_FLOAT_FROM_INT = {"sitofp": Op.SITOFP, "uitofp": Op.UITOFP}


def _scalar_only(type_: ir.Type) -> int:
    if isinstance(type_, (ir.ArrayType, ir.StructType)):
        raise RefusalError("vector arithmetic")
    check_type(type_)
    return ir.width(type_)


def _binary(e: Emitter, inst: ir.Inst) -> list[Slot]:
    bits = _scalar_only(inst.type)
    left, right = (e.operand(*operand) for operand in inst.operands)
    a, b = e.pools.value(left), e.pools.value(right)
    if e.undefined:
        _check_defined(e, inst, left, right)
    if a is not None and b is not None and inst.op in ARITHMETIC:
        return [e.constant(ARITHMETIC[inst.op](a, b) & (1 << bits) - 1)]
    if b == 0 and inst.op in ("add", "sub", "or", "xor", "shl", "lshr", "ashr"):
        return [left]
    result = e.emit(_BINARY[inst.op], left, right, width=bits)
    if bits == 1:
        e.known_bits[result] = 1
        if inst.op == "xor" and b == 1:
            e.truth[result] = (left, True)
    return [result]


def _check_defined(e: Emitter, inst: ir.Inst, left: int, right: int) -> None:
    """Asks for what C demands of the operands of a signed computation or a shift."""
    bits, by = ir.width(inst.type), e.pools.value(right)
    check = _CHECKS.get(inst.op)
    is_known = by is not None and (by < bits if check is Check.SHIFT else signed(by, bits) != -1)
    if check is None or (inst.op in _SIGNED and "nsw" not in inst.words):
        return
    if not (is_known and check in (Check.SHIFT, Check.DIV)):
        e.emit(Op.CHECK, left, right, x=check, width=bits, results=0)


def _compare(e: Emitter, inst: ir.Inst) -> list[Slot]:
    bits = _scalar_only(inst.operands[0][0])
    left, right = (e.operand(*operand) for operand in inst.operands)
    predicate = inst.words[0]
    if isinstance(inst.operands[0][0], ir.PointerType) and predicate[0] == "u":
        predicate = "s" + predicate[1:]  # this also orders addresses before their object
    with_zero = predicate in ("eq", "ne") and e.pools.value(right) == 0 and left >= 0
    if with_zero and predicate == "ne" and e.known_bits.get(left) == 1:
        return [left]
    op, swap = _COMPARE[predicate]
    if swap:
        left, right = right, left
    result = e.emit(op, left, right, width=bits)
    e.known_bits[result] = 1
    if with_zero:
        e.truth[result] = (left, predicate == "eq")
    return [result]


def _float_compare(e: Emitter, inst: ir.Inst) -> list[Slot]:
    bits = _scalar_only(inst.operands[0][0])
    left, right = (e.operand(*operand) for operand in inst.operands)
    result = e.emit(Op.FCMP, left, right, width=bits, x=_FLOAT_PREDICATES.index(inst.words[0]))
    e.known_bits[result] = 1
    return [result]


def _trunc(e: Emitter, inst: ir.Inst) -> list[Slot]:
    bits = _scalar_only(inst.type)
    source = e.operand(*inst.operands[0])
    known = e.pools.value(source)
    if known is not None:
        return [e.constant(known & (1 << bits) - 1)]
    if e.known_bits.get(source, 64) <= bits:
        return [source]
    return [e.emit(Op.TRUNC, source, width=bits)]


def _sext(e: Emitter, inst: ir.Inst) -> list[Slot]:
    narrow, wide = _scalar_only(inst.operands[0][0]), _scalar_only(inst.type)
    source = e.operand(*inst.operands[0])
    known = e.pools.value(source)
    if known is not None:
        return [e.constant(signed(known, narrow) & (1 << wide) - 1)]
    return [e.emit(Op.SEXT, source, width=narrow, x=wide)]


def _same(e: Emitter, inst: ir.Inst) -> list[Slot]:
    """Casts and copies that leave the register as it is."""
    check_type(inst.type)
    slots = e.slots(*inst.operands[0])
    if len(slots) != len(ir.scalars(inst.type)):
        raise RefusalError(f"a conversion from '{inst.operands[0][0]}' to '{inst.type}'")
    return list(slots)


def _pointer_to_int(e: Emitter, inst: ir.Inst) -> list[Slot]:
    bits = _scalar_only(inst.type)
    source = e.operand(*inst.operands[0])
    return [source if bits == 64 else e.emit(Op.TRUNC, source, width=bits)]


def _int_from_float(e: Emitter, inst: ir.Inst) -> list[Slot]:
    source_bits, bits = _scalar_only(inst.operands[0][0]), _scalar_only(inst.type)
    source = e.operand(*inst.operands[0])
    if e.undefined:
        check = Check.SIGNED if inst.op == "fptosi" else Check.UNSIGNED
        e.emit(Op.CHECK, source, e.constant(bits), x=check, width=source_bits, results=0)
    return [e.emit(_INT_FROM_FLOAT[inst.op], source, width=source_bits, x=bits)]


def _float_from_int(e: Emitter, inst: ir.Inst) -> list[Slot]:
    source_bits, bits = _scalar_only(inst.operands[0][0]), _scalar_only(inst.type)
    return [e.emit(_FLOAT_FROM_INT[inst.op], e.operand(*inst.operands[0]), width=bits, x=source_bits)]


def _float_resize(e: Emitter, inst: ir.Inst) -> list[Slot]:
    _scalar_only(inst.operands[0][0])
    bits = _scalar_only(inst.type)
    op = Op.FPEXT if inst.op == "fpext" else Op.FPTRUNC
    return [e.emit(op, e.operand(*inst.operands[0]), width=bits)]


def _fneg(e: Emitter, inst: ir.Inst) -> list[Slot]:
    return [e.emit(Op.FNEG, e.operand(*inst.operands[0]), width=_scalar_only(inst.type))]


def _select(e: Emitter, inst: ir.Inst) -> list[Slot]:
    if isinstance(inst.operands[0][0], ir.ArrayType):
        raise RefusalError("vector arithmetic")
    condition = e.operand(*inst.operands[0])
    left, right = e.operands(*inst.operands[1]), e.operands(*inst.operands[2])
    leaves = ir.scalars(inst.type)
    return [
        e.emit(Op.SELECT, condition, a, b, width=ir.width(leaf))
        for a, b, (_, leaf) in zip(left, right, leaves, strict=True)
    ]


def _part(type_: ir.Type, indices: list[int]) -> tuple[int, int]:
    """The first scalar of a part of an aggregate, and how many scalars it has."""
    first = 0
    for index in indices:
        if isinstance(type_, ir.StructType):
            first += sum(len(ir.scalars(member)) for member in type_.fields[:index])
            type_ = type_.fields[index]
        else:
            assert isinstance(type_, ir.ArrayType)
            type_ = type_.element
            first += index * len(ir.scalars(type_))
    return first, len(ir.scalars(type_))


def _extract(e: Emitter, inst: ir.Inst) -> list[Slot]:
    whole = e.slots(*inst.operands[0])
    first, count = _part(inst.operands[0][0], inst.indices)
    return list(whole[first : first + count])


def _insert(e: Emitter, inst: ir.Inst) -> list[Slot]:
    whole = list(e.slots(*inst.operands[0]))
    first, count = _part(inst.operands[0][0], inst.indices)
    whole[first : first + count] = e.slots(*inst.operands[1])
    return whole


def _extract_element(e: Emitter, inst: ir.Inst) -> list[Slot]:
    first, end = _element(e, inst)
    return list(e.slots(*inst.operands[0])[first:end])


def _insert_element(e: Emitter, inst: ir.Inst) -> list[Slot]:
    first, end = _element(e, inst)
    whole = list(e.slots(*inst.operands[0]))
    whole[first:end] = e.slots(*inst.operands[1])
    return whole


def _element(e: Emitter, inst: ir.Inst) -> tuple[int, int]:
    """Where the slots of an element of a vector begin and end; the last operand is its number."""
    vector, number = inst.operands[0][0], e.number(inst.operands[-1][1], inst.operands[-1][0])
    assert isinstance(vector, ir.ArrayType)
    if number is None:
        raise RefusalError("a variable index into a vector")
    if number >= vector.count:
        raise RefusalError(f"element {number} of a vector of {vector.count}")
    each = len(ir.scalars(vector.element))
    return number * each, (number + 1) * each


LOWERINGS: dict[str, Callable[[Emitter, ir.Inst], list[Slot]]] = {
    **dict.fromkeys(_BINARY, _binary),
    **dict.fromkeys(_INT_FROM_FLOAT, _int_from_float),
    **dict.fromkeys(_FLOAT_FROM_INT, _float_from_int),
    **dict.fromkeys(("zext", "inttoptr", "bitcast", "freeze", "addrspacecast"), _same),
    **dict.fromkeys(("ptrtoint", "ptrtoaddr"), _pointer_to_int),
    **dict.fromkeys(("fpext", "fptrunc"), _float_resize),
    "icmp": _compare,
    "fcmp": _float_compare,
    "trunc": _trunc,
    "sext": _sext,
    "fneg": _fneg,
    "select": _select,
    "extractvalue": _extract,
    "insertvalue": _insert,
    "extractelement": _extract_element,
    "insertelement": _insert_element,
}
