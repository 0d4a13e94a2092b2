"""The integer instructions of the bytecode, on Python's unbounded integers.

Values are zero-extended (``program.py`` I1); the caller masks results. Floating point is not interpreted.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable

from mazurka.program import Check, Op, RmwOp


def signed(value: int, width: int) -> int:
    """A value of ``width`` bits read as two's complement."""
    return value - (1 << width) if value >> (width - 1) & 1 else value


def _divide(a: int, b: int) -> int:
    """C's division, which rounds to zero. Python's own exception signals a division by zero."""
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def _remainder(a: int, b: int) -> int:
    return a - b * _divide(a, b)


def _leading_zeros(a: int, width: int) -> int:
    return width - a.bit_length()


def _trailing_zeros(a: int, width: int) -> int:
    return (a & -a).bit_length() - 1 if a else width


def _swap_bytes(a: int, width: int) -> int:
    return int.from_bytes(a.to_bytes(width // 8, "little"), "big")


def _reverse_bits(a: int, width: int) -> int:
    return int(f"{a:0{width}b}"[::-1], 2)


UNARY: dict[Op, Callable[[int, int], int]] = {
    Op.MOV: lambda a, w: a,
    Op.TRUNC: lambda a, w: a,
    Op.CTPOP: lambda a, w: a.bit_count(),
    Op.CTLZ: _leading_zeros,
    Op.CTTZ: _trailing_zeros,
    Op.BSWAP: _swap_bytes,
    Op.BITREV: _reverse_bits,
    Op.ABS: lambda a, w: abs(signed(a, w)),
}

BINARY: dict[Op, Callable[[int, int, int], int]] = {
    Op.ADD: lambda a, b, w: a + b,
    Op.SUB: lambda a, b, w: a - b,
    Op.MUL: lambda a, b, w: a * b,
    Op.UDIV: lambda a, b, w: _divide(a, b),
    Op.SDIV: lambda a, b, w: _divide(signed(a, w), signed(b, w)),
    Op.UREM: lambda a, b, w: _remainder(a, b),
    Op.SREM: lambda a, b, w: _remainder(signed(a, w), signed(b, w)),
    Op.AND: lambda a, b, w: a & b,
    Op.OR: lambda a, b, w: a | b,
    Op.XOR: lambda a, b, w: a ^ b,
    Op.SHL: lambda a, b, w: a << b if b < w else 0,
    Op.LSHR: lambda a, b, w: a >> min(b, w),
    Op.ASHR: lambda a, b, w: signed(a, w) >> min(b, w),
    Op.EQ: lambda a, b, w: a == b,
    Op.NE: lambda a, b, w: a != b,
    Op.ULT: lambda a, b, w: a < b,
    Op.ULE: lambda a, b, w: a <= b,
    Op.SLT: lambda a, b, w: signed(a, w) < signed(b, w),
    Op.SLE: lambda a, b, w: signed(a, w) <= signed(b, w),
    Op.SMAX: lambda a, b, w: max(signed(a, w), signed(b, w)),
    Op.SMIN: lambda a, b, w: min(signed(a, w), signed(b, w)),
    Op.UMAX: lambda a, b, w: max(a, b),
    Op.UMIN: lambda a, b, w: min(a, b),
}

# The exact result; it overflowed if it does not fit the width, signed (True) or unsigned.
OVERFLOWING: dict[Op, tuple[bool, Callable[[int, int], int]]] = {
    Op.SADDO: (True, lambda a, b: a + b),
    Op.UADDO: (False, lambda a, b: a + b),
    Op.SSUBO: (True, lambda a, b: a - b),
    Op.USUBO: (False, lambda a, b: a - b),
    Op.SMULO: (True, lambda a, b: a * b),
    Op.UMULO: (False, lambda a, b: a * b),
}

_CHECKED = {Check.ADD: Op.SADDO, Check.SUB: Op.SSUBO, Check.MUL: Op.SMULO}

RMW: dict[RmwOp, Callable[[int, int, int], int]] = {
    RmwOp.XCHG: lambda old, b, w: b,
    RmwOp.ADD: BINARY[Op.ADD],
    RmwOp.SUB: BINARY[Op.SUB],
    RmwOp.AND: BINARY[Op.AND],
    RmwOp.OR: BINARY[Op.OR],
    RmwOp.XOR: BINARY[Op.XOR],
    RmwOp.NAND: lambda old, b, w: ~(old & b),
    RmwOp.MAX: BINARY[Op.SMAX],
    RmwOp.MIN: BINARY[Op.SMIN],
    RmwOp.UMAX: BINARY[Op.UMAX],
    RmwOp.UMIN: BINARY[Op.UMIN],
}


def overflowing(op: Op, a: int, b: int, width: int) -> tuple[int, int]:
    """The wrapped result and the overflow flag."""
    is_signed, function = OVERFLOWING[op]
    if not is_signed:
        exact = function(a, b)
        return exact, not 0 <= exact < 1 << width
    exact = function(signed(a, width), signed(b, width))
    return exact, not -(1 << (width - 1)) <= exact < 1 << (width - 1)


def _broken_shift(a: int, b: int, width: int) -> str:
    if b >= width or -(1 << width - 1) <= a << b < 1 << width - 1:
        return "undefined" if b >= width or a < 0 else ""
    return "overflow"


def _fits(bits: int, width: int, first: int, end: int) -> bool:
    """Whether a float, without its fraction, is a number of a range."""
    (value,) = struct.unpack("<f" if width == 32 else "<d", bits.to_bytes(width // 8, "little"))
    return math.isfinite(value) and first <= int(value) < end


def broken(check: Check, a: int, b: int, width: int) -> str:
    """The kind of violation, if what a CHECK asks does not hold."""
    match check:
        case Check.WRITTEN:
            return "" if a else "uninitialized"
        case Check.INDEX:
            return "" if a < b else "unallocated"
        case Check.SHIFT:
            return "" if b < width else "undefined"
        case Check.SHL:
            return _broken_shift(signed(a, width), b, width)
        case Check.SIGNED:
            return "" if _fits(a, width, -(1 << b - 1), 1 << b - 1) else "overflow"
        case Check.UNSIGNED:
            return "" if _fits(a, width, 0, 1 << b) else "undefined"
        case Check.DIV:
            overflows = signed(b, width) == -1 and signed(a, width) == -(1 << width - 1)
        case _:
            overflows = bool(overflowing(_CHECKED[check], a, b, width)[1])
    return "overflow" if overflows else ""


def funnel_shift(op: Op, a: int, b: int, amount: int, width: int) -> int:
    """FSHL and FSHR: shift the double-width value ``a:b``, the amount taken modulo the width."""
    both, amount = a << width | b, amount % width
    return (both << amount) >> width if op is Op.FSHL else both >> amount
