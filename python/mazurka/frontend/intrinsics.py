"""LLVM intrinsics: what clang emits for builtins of C."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..program import Op
from . import ir
from .copying import lower_copy, lower_fill
from .emitter import Private, RefusalError, Slot, check_type

if TYPE_CHECKING:
    from .lowering import FunctionLowering

    Handler = Callable[[FunctionLowering, ir.Inst], list[Slot]]

_UNARY = {
    "ctpop": Op.CTPOP, "ctlz": Op.CTLZ, "cttz": Op.CTTZ, "bswap": Op.BSWAP, "bitreverse": Op.BITREV,
    "abs": Op.ABS, "fabs": Op.FABS, "sqrt": Op.FSQRT, "floor": Op.FFLOOR, "ceil": Op.FCEIL,
    "trunc": Op.FTRUNC, "round": Op.FROUND,
}  # fmt: skip
_BINARY = {"smax": Op.SMAX, "smin": Op.SMIN, "umax": Op.UMAX, "umin": Op.UMIN}
_FUNNEL = {"fshl": Op.FSHL, "fshr": Op.FSHR}
_OVERFLOW = {
    "sadd": Op.SADDO, "uadd": Op.UADDO, "ssub": Op.SSUBO, "usub": Op.USUBO, "smul": Op.SMULO, 
    "umul": Op.UMULO,
}  # fmt: skip
_IGNORED = (
    "lifetime.", "dbg.", "assume", "donothing", "invariant.", "experimental.noalias", "prefetch",
    "sideeffect",     "stackrestore", "annotation",
)  # fmt: skip
# libm functions that are one instruction of the bytecode; clang calls them when errno might matter
INTRINSICS = {
    name + suffix: name
    for name in ("fabs", "sqrt", "floor", "ceil", "trunc", "round")
    for suffix in ("", "f")
} | {"abs": "abs", "labs": "abs", "llabs": "abs"}


def lower_intrinsic(e: FunctionLowering, inst: ir.Inst, name: str) -> list[Slot]:
    """The slots of an intrinsic's result."""
    base = INTRINSICS.get(name) or name.removeprefix("llvm.")
    if base.startswith(_IGNORED):
        return [e.constant(0)] * len(ir.scalars(inst.type))
    word = base.split(".")[0]
    if isinstance(inst.type, ir.ArrayType):
        raise RefusalError("vector arithmetic")
    for table, lower in ((_UNARY, _unary), (_BINARY, _binary), (_FUNNEL, _funnel)):
        if word in table and "with" not in base:
            check_type(inst.type)
            return lower(e, inst, table[word])
    if ".with.overflow" in base:
        return _overflow(e, inst, _OVERFLOW[word])
    handler = _OTHERS.get(word)
    if handler is None:
        raise RefusalError(f"the intrinsic '{name}'" if not word.startswith("va_") else "variable arguments")
    return handler(e, inst)


def _operands(e: FunctionLowering, inst: ir.Inst, count: int) -> list[int]:
    return [e.operand(*operand) for operand in inst.operands[1 : count + 1]]


def _unary(e: FunctionLowering, inst: ir.Inst, op: Op) -> list[Slot]:
    return [e.emit(op, *_operands(e, inst, 1), width=ir.width(inst.type))]


def _binary(e: FunctionLowering, inst: ir.Inst, op: Op) -> list[Slot]:
    return [e.emit(op, *_operands(e, inst, 2), width=ir.width(inst.type))]


def _funnel(e: FunctionLowering, inst: ir.Inst, op: Op) -> list[Slot]:
    return [e.emit(op, *_operands(e, inst, 3), width=ir.width(inst.type))]


def _overflow(e: FunctionLowering, inst: ir.Inst, op: Op) -> list[Slot]:
    check_type(inst.operands[1][0])
    width = ir.width(inst.operands[1][0])
    value = e.emit(op, *_operands(e, inst, 2), width=width, results=2)
    e.known_bits[value + 1] = 1
    return [value, value + 1]


def _multiply_add(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    check_type(inst.type)
    a, b, c = _operands(e, inst, 3)
    width = ir.width(inst.type)
    return [e.emit(Op.FADD, e.emit(Op.FMUL, a, b, width=width), c, width=width)]


def _first(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    return list(e.slots(*inst.operands[1]))


def _threadlocal(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    symbol = inst.operands[1][1]
    if not isinstance(symbol, ir.Symbol) or symbol.name not in e.layout.tls:
        raise RefusalError("the address of this thread-local variable")
    if e.module.escape.tls_escapes(symbol.name):
        raise RefusalError(f"the address of the thread-local variable '{symbol.name}' outside its thread")
    return [Private(Op.TLSADDR, e.layout.tls[symbol.name])]


def _object_size(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    """Unknown: -1, or 0 when the caller asks for the least."""
    least = e.number(inst.operands[2][1], inst.operands[2][0]) == 1
    return [e.constant(0 if least else -1)]


def _constant(value: int) -> Handler:
    return lambda e, inst: [e.constant(value)]


def _trap(e: FunctionLowering, _inst: ir.Inst) -> list[Slot]:
    e.emit(Op.FAIL, e.pools.string("assertion"), e.pools.string("__builtin_trap() was reached"), results=0)
    return []


_OTHERS: dict[str, Handler] = {
    "memcpy": lambda e, inst: lower_copy(e, inst, overlap=False),
    "memmove": lambda e, inst: lower_copy(e, inst, overlap=True),
    "memset": lambda e, inst: lower_fill(e, inst),
    "fmuladd": _multiply_add,
    "expect": _first,
    "ptr": _first,
    "launder": _first,
    "threadlocal": _threadlocal,
    "objectsize": _object_size,
    "is": _constant(0),
    "stacksave": _constant(0),
    "trap": _trap,
    "debugtrap": _trap,
}
