"""Functions of floating-point numbers that are a few instructions: fmin, fmax, fmod, and rounding to even."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mazurka.frontend.llvm import ir
from mazurka.program import Op

if TYPE_CHECKING:
    from mazurka.frontend.library.arguments import Handler
    from mazurka.frontend.lowering.emitter import Slot
    from mazurka.frontend.lowering.function import FunctionLowering

_LESS, _GREATER, _UNORDERED = 4, 2, 8  # LLVM's numbers of predicates; one more includes equality
_NO_FRACTION = {64: 0x4330000000000000, 32: 0x4B000000}  # 2^52 and 2^23: from here on, all numbers are whole


def _extreme(predicate: int) -> Handler:
    """The smaller or the larger of two numbers; if one is not a number, the other."""

    def handler(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
        width = ir.width(inst.type)
        first, second = (e.operand(*operand) for operand in inst.operands[1:3])
        wins = e.emit(Op.FCMP, first, second, width=width, x=predicate + 1)
        is_alone = e.emit(Op.FCMP, second, second, width=width, x=_UNORDERED)
        return [e.emit(Op.SELECT, e.emit(Op.OR, wins, is_alone), first, second)]

    return handler


def copy_sign(e: FunctionLowering, magnitude: int, sign: int, width: int) -> int:
    """A number with the sign of another one."""
    top = 1 << (width - 1)
    size = e.emit(Op.AND, magnitude, e.constant(top - 1), width=width)
    return e.emit(Op.OR, size, e.emit(Op.AND, sign, e.constant(top), width=width), width=width)


def _copy_sign(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    magnitude, sign = (e.operand(*operand) for operand in inst.operands[1:3])
    return [copy_sign(e, magnitude, sign, ir.width(inst.type))]


def _nearest(e: FunctionLowering, inst: ir.Inst) -> int:
    """The nearest whole number, the even one of two: a large addend leaves no room for a fraction."""
    width = ir.width(inst.operands[1][0])
    number, large = e.operand(*inst.operands[1]), e.constant(_NO_FRACTION[width])
    size = e.emit(Op.FABS, number, width=width)
    rounded = e.emit(Op.FSUB, e.emit(Op.FADD, size, large, width=width), large, width=width)
    is_small = e.emit(Op.FCMP, size, large, width=width, x=_LESS)
    return e.emit(Op.SELECT, is_small, copy_sign(e, rounded, number, width), number)


def _to_integer(e: FunctionLowering, inst: ir.Inst, number: int) -> list[Slot]:
    return [e.emit(Op.FPTOSI, number, width=ir.width(inst.operands[1][0]), x=ir.width(inst.type))]


def _round_to_integer(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    width = ir.width(inst.operands[1][0])
    return _to_integer(e, inst, e.emit(Op.FROUND, e.operand(*inst.operands[1]), width=width))


def _remainder(e: FunctionLowering, inst: ir.Inst) -> list[Slot]:
    first, second = (e.operand(*operand) for operand in inst.operands[1:3])
    return [e.emit(Op.FREM, first, second, width=ir.width(inst.type))]


_NEAREST = ("rint", "nearbyint", "roundeven")
# Intrinsics, by name and the kinds of their types
FLOATS: dict[tuple[str, str], Handler] = {
    **dict.fromkeys((("minnum", "f"), ("minimumnum", "f")), _extreme(_LESS)),
    **dict.fromkeys((("maxnum", "f"), ("maximumnum", "f")), _extreme(_GREATER)),
    ("copysign", "f"): _copy_sign,
    **{(name, "f"): lambda e, inst: [_nearest(e, inst)] for name in _NEAREST},
    **{(name, "if"): lambda e, inst: _to_integer(e, inst, _nearest(e, inst)) for name in ("lrint", "llrint")},
    **dict.fromkeys((("lround", "if"), ("llround", "if")), _round_to_integer),
    ("frem", "f"): _remainder,
}
_BITS = (("", 64), ("f", 32))
# Functions of math.h, which clang calls where it does not use the intrinsic itself
FUNCTIONS: dict[str, str] = {
    **{name + suffix: f"llvm.{name}.f{bits}" for name in (*_NEAREST, "copysign") for suffix, bits in _BITS},
    **{
        name + suffix: f"llvm.{name}.i64.f{bits}"
        for name in ("lrint", "llrint", "lround", "llround")
        for suffix, bits in _BITS
    },
    **{f"fmin{suffix}": f"llvm.minnum.f{bits}" for suffix, bits in _BITS},
    **{f"fmax{suffix}": f"llvm.maxnum.f{bits}" for suffix, bits in _BITS},
    **{f"fmod{suffix}": f"llvm.frem.f{bits}" for suffix, bits in _BITS},
}
