"""Arithmetic on intervals of values, as far as comparisons with constants need it.

An interval is a pair of unsigned numbers, first and last; what is not known is None. Intervals of more than
one value come from an open value (``open_values``), and an answer that differs inside of one is not guessed:
``Divided`` asks for smaller ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mazurka.program import Instr, Op

Interval = tuple[int, int]


class Divided(Exception):  # noqa: N818 - not an error
    """The values of an interval do not all have the same answer."""


def computed(instr: Instr, operands: Sequence[Interval | None]) -> Interval | None:
    """The values of the first result of a pure instruction, from those of its operands."""
    op, size = instr.op, 1 << instr.width
    if op is Op.SELECT:
        condition, *values = operands
        return _chosen(condition, values)
    known = [operand for operand in operands if operand is not None and operand[1] < size]
    if op is Op.TRUNC and operands and operands[0] is not None:
        return _moved(operands[0], 0, size)
    if len(known) != len(operands):
        return _half_known(op, operands)
    if op is Op.MOV:
        return known[0]
    if op is Op.SEXT:
        low, high = _signed(known[0], size)
        return low % (1 << instr.x), high % (1 << instr.x)
    if op in _COMPARES:
        pairs = [_signed(one, size) for one in known] if op in (Op.SLT, Op.SLE) else known
        return _compared(op, *pairs)
    if op in (Op.ADD, Op.SUB) and known[1][0] == known[1][1]:
        return _moved(known[0], known[1][0] if op is Op.ADD else -known[1][0], size)
    if op in _BITS and all(low == high for low, high in known):
        value = _BITS[op](known[0][0], known[1][0])
        return value, value
    return None


_COMPARES = frozenset((Op.EQ, Op.NE, Op.ULT, Op.ULE, Op.SLT, Op.SLE))
_BITS: dict[Op, Callable[[int, int], int]] = {
    Op.AND: lambda a, b: a & b,
    Op.OR: lambda a, b: a | b,
    Op.XOR: lambda a, b: a ^ b,
}


def _half_known(op: Op, operands: Sequence[Interval | None]) -> Interval | None:
    """0 if one of two is 0 of which both must hold."""
    return (0, 0) if op is Op.AND and (0, 0) in operands else None


def _chosen(condition: Interval | None, values: Sequence[Interval | None]) -> Interval | None:
    if condition is None:
        return values[0] if values[0] == values[1] else None
    if condition[0] == 0 < condition[1]:
        raise Divided
    return values[0] if condition[0] else values[1]


def _moved(values: Interval, by: int, size: int) -> Interval:
    """The values plus a constant, modulo a size."""
    low, high = values[0] + by, values[1] + by
    if low // size != high // size:
        raise Divided
    return low % size, high % size


def _signed(values: Interval, size: int) -> Interval:
    low, high = values
    if low < size >> 1 <= high:
        raise Divided
    return (low - size, high - size) if low >= size >> 1 else values


def _compared(op: Op, a: Interval, b: Interval) -> Interval:
    if op in (Op.EQ, Op.NE):
        is_apart = a[1] < b[0] or b[1] < a[0]
        if not is_apart and not a[0] == a[1] == b[0] == b[1]:
            raise Divided
        return (int(is_apart == (op is Op.NE)),) * 2
    less = op in (Op.ULT, Op.SLT)
    if a[1] < b[0] or (not less and a[1] == b[0]):
        return 1, 1
    if a[0] > b[1] or (less and a[0] == b[1]):
        return 0, 0
    raise Divided
