"""Condition flags of AArch64 and x86: registers of their own, one for each flag.

``%z`` is whether the result is 0, ``%n`` its sign, ``%c`` the carry of an addition, and of a subtraction
whether it borrowed nothing (AArch64's sense; x86's carry is its opposite there), ``%v`` the signed overflow.
"""

from __future__ import annotations

from mazurka.litmus.machines.lines import Line
from mazurka.litmus.meaning.operations import Compute, Operand, Register
from mazurka.program import Op

ZERO, NEGATIVE, CARRY, OVERFLOW = (Register(f"%{flag}") for flag in "zncv")


def set_by_result(line: Line, result: Operand, width: int, carry: int) -> None:
    """The flags of a logical operation: a fixed carry, and no overflow."""
    line.emit(Compute(Op.EQ, ZERO, result, 0, width=width))
    line.emit(Compute(Op.SLT, NEGATIVE, result, 0, width=width))
    line.emit(Compute(Op.MOV, CARRY, carry))
    line.emit(Compute(Op.MOV, OVERFLOW, 0))


def set_by_subtraction(line: Line, a: Operand, b: Operand, width: int) -> Register:
    """The flags of ``a - b``, and the difference."""
    result = line.compute(Op.SUB, a, b, width=width)
    smaller = line.compute(Op.SLT, a, b, width=width)
    line.emit(Compute(Op.EQ, ZERO, a, b, width=width))
    line.emit(Compute(Op.SLT, NEGATIVE, result, 0, width=width))
    line.emit(Compute(Op.ULE, CARRY, b, a, width=width))
    line.emit(Compute(Op.XOR, OVERFLOW, NEGATIVE, smaller))
    return result


def set_by_addition(line: Line, a: Operand, b: Operand, width: int) -> Register:
    """The flags of ``a + b``, and the sum."""
    result = line.compute(Op.ADD, a, b, width=width)
    # Both operands have a sign that the sum does not have.
    differs = line.compute(
        Op.AND,
        line.compute(Op.XOR, a, result, width=width),
        line.compute(Op.XOR, b, result, width=width),
        width=width,
    )
    line.emit(Compute(Op.EQ, ZERO, result, 0, width=width))
    line.emit(Compute(Op.SLT, NEGATIVE, result, 0, width=width))
    line.emit(Compute(Op.ULT, CARRY, result, a, width=width))
    line.emit(Compute(Op.SLT, OVERFLOW, differs, 0, width=width))
    return result


def condition(line: Line, name: str) -> Register:
    """Whether a condition of AArch64 holds, such as ``eq`` or ``lt``; 1 or 0."""
    opposites = {
        "ne": "eq",
        "cc": "cs",
        "lo": "hs",
        "pl": "mi",
        "vc": "vs",
        "ls": "hi",
        "lt": "ge",
        "le": "gt",
    }
    if name in opposites:
        return line.is_zero(condition(line, opposites[name]))
    match name:
        case "eq":
            return ZERO
        case "cs" | "hs":
            return CARRY
        case "mi":
            return NEGATIVE
        case "vs":
            return OVERFLOW
        case "hi":
            return line.compute(Op.AND, CARRY, line.is_zero(ZERO))
        case "ge":
            return line.compute(Op.EQ, NEGATIVE, OVERFLOW)
        case _:
            return line.compute(Op.AND, condition(line, "ge"), line.is_zero(ZERO))


CONDITIONS = frozenset(
    ("eq", "ne", "cs", "hs", "cc", "lo", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le")
)
