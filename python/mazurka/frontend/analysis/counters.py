"""Whether a counter stops satisfying a comparison before it wraps around.

A counter has the width of its phi, and may be widened before it is compared: an ``unsigned char`` that is
compared with an ``int`` never gets past 255, whatever the width of the comparison. So
everything here is computed on the numbers that the compared value can be, as integers without a width.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from mazurka.frontend.llvm import ir
from mazurka.frontend.llvm.ir import signed

# Continuing while "counter < bound" ends if the counter grows, and so on.
_UPWARDS = frozenset(("slt", "sle", "ult", "ule"))
KEEPS_ORDER = frozenset(("sext", "zext", "freeze", "ptrtoint"))


class Range(NamedTuple):
    """A range of consecutive numbers."""

    lowest: int
    highest: int

    def holds(self, other: Range) -> bool:
        return self.lowest <= other.lowest and other.highest <= self.highest


def all_of(width: int, is_signed: bool) -> Range:
    """All numbers of a width."""
    return Range(-(1 << (width - 1)), (1 << (width - 1)) - 1) if is_signed else Range(0, (1 << width) - 1)


def added(made: ir.Inst) -> int:
    """The constant that an instruction adds to its first operand; for pointers, in elements."""
    if made.op not in ("add", "sub", "getelementptr") or len(made.operands) != 2:
        return 0
    type_, number = made.operands[1]
    if not isinstance(number, ir.Number):
        return 0
    by = signed(number.bits, ir.width(type_))
    return -by if made.op == "sub" else by


def reached(counter: ir.Inst, steps: Iterable[ir.Inst], is_signed: bool) -> Range | None:
    """The numbers that a value computed from a counter goes through, in order.

    None if a step does not keep the order.
    """
    width, range_ = ir.width(counter.type), None
    for made in steps:
        if made.op in ("sext", "zext"):
            range_ = range_ or all_of(width, made.op == "sext")
            if not all_of(width, made.op == "sext").holds(range_):
                return None
            width = ir.width(made.type)
        elif range_ is not None and (by := added(made)):
            range_ = Range(range_.lowest + by, range_.highest + by)
            if not any(all_of(width, sign).holds(range_) for sign in (True, False)):
                return None
    if range_ is None:
        return all_of(width, is_signed)
    if all_of(width, is_signed).holds(range_):
        return range_
    # Negative numbers are treated as large ones: the numbers from zero on are consecutive and wrap around.
    is_whole = not is_signed and range_.lowest == -range_.highest - 1
    return Range(0, range_.highest) if is_whole else None


def arrives(predicate: str, step: int, counter: Range, bound: Range) -> bool:
    """Whether a counter that grows by a step stops satisfying "counter PREDICATE bound" for each bound."""
    if predicate == "ne":
        return abs(step) == 1 and counter.holds(bound)
    if predicate == "eq" or (predicate in _UPWARDS) != (step > 0):
        return False
    # The furthest that the counter gets must not wrap around.
    furthest = (bound.highest if step > 0 else bound.lowest) + step
    if predicate[2] == "t":
        furthest -= 1 if step > 0 else -1
    return counter.lowest <= furthest <= counter.highest
