"""AArch64's computations on numbers and their bits: shifts, products, quotients, bit fields, reversals."""

from __future__ import annotations

from collections.abc import Callable

from mazurka.litmus.machines.aarch64_operands import fill, read, width_of
from mazurka.litmus.machines.lines import Line
from mazurka.litmus.meaning.operations import Operand
from mazurka.program import Op


def _shift(op: Op) -> Callable[[Line], None]:
    def translate(line: Line) -> None:
        line.expect(3)
        width = width_of(line)
        by = line.number(2)
        amount: Operand = line.compute(Op.AND, read(line, 2), width - 1) if by is None else by % width
        fill(line, 0, line.compute(op, read(line, 1), amount, width=width))

    return translate


def _rotate(line: Line) -> None:
    line.expect(3)
    width, value = width_of(line), read(line, 1)
    by = line.number(2)
    amount: Operand = read(line, 2) if by is None else by
    fill(line, 0, line.compute(Op.FSHR, value, value, amount, width=width))


def _multiply(op: Op | None, has_third: bool) -> Callable[[Line], None]:
    """MUL, MNEG, MADD and MSUB: the product is added to or subtracted from the third operand, or 0."""

    def translate(line: Line) -> None:
        line.expect(4 if has_third else 3)
        width = width_of(line)
        product = line.compute(Op.MUL, read(line, 1), read(line, 2), width=width)
        if op is not None:
            product = line.compute(op, read(line, 3) if has_third else 0, product, width=width)
        fill(line, 0, product)

    return translate


def _extend(bits: int, signed: bool) -> Callable[[Line], None]:
    """SXTW, UXTB and so on."""

    def translate(line: Line) -> None:
        line.expect(2)
        value = line.truncate(read(line, 1), bits)
        fill(line, 0, line.sign_extend(value, bits, width_of(line)) if signed else value)

    return translate


def _extract(signed: bool) -> Callable[[Line], None]:
    """UBFX and SBFX: some bits of a register."""

    def translate(line: Line) -> None:
        line.expect(4)
        width, at, bits = width_of(line), line.immediate(2), line.immediate(3)
        if not (at >= 0 and bits >= 1 and at + bits <= width):
            raise line.problem(2, f"these are not bits of a register of {width} bits", "change the numbers")
        value = line.truncate(line.compute(Op.LSHR, read(line, 1), at, width=width), bits)
        fill(line, 0, line.sign_extend(value, bits, width) if signed else value)

    return translate


def _reverse(unit: int | None) -> Callable[[Line], None]:
    """REV, REV16 and REV32: reverses the bytes in each unit of so many bits."""

    def translate(line: Line) -> None:
        line.expect(2)
        width, value = width_of(line), read(line, 1)
        each = width if unit is None else unit
        swapped: Operand = line.compute(Op.BSWAP, value, width=width)
        # Now the units are in the opposite order; exchange neighbours of growing size.
        size = each
        while size < width:
            mask = sum((1 << size) - 1 << at for at in range(0, width, 2 * size))
            low = line.compute(Op.SHL, line.compute(Op.AND, swapped, mask), size, width=width)
            high = line.compute(Op.AND, line.compute(Op.LSHR, swapped, size, width=width), mask)
            swapped, size = line.compute(Op.OR, low, high), 2 * size
        fill(line, 0, swapped)

    return translate


def _count_leading(line: Line) -> None:
    """CLZ, and CLS, which counts the bits below the sign that are like it."""
    line.expect(2)
    width, value = width_of(line), read(line, 1)
    if line.mnemonic.lower() == "cls":
        sign = line.compute(Op.ASHR, value, width - 1, width=width)
        value = line.compute(Op.XOR, value, sign, width=width)
        count = line.compute(Op.CTLZ, value, width=width)
        fill(line, 0, line.compute(Op.SUB, count, 1, width=width))
    else:
        fill(line, 0, line.compute(Op.CTLZ, value, width=width))


def _reverse_bits(line: Line) -> None:
    line.expect(2)
    fill(line, 0, line.compute(Op.BITREV, read(line, 1), width=width_of(line)))


def _extract_pair(line: Line) -> None:
    """EXTR: some bits of two registers as one."""
    line.expect(4)
    by = line.immediate(3)
    fill(line, 0, line.compute(Op.FSHR, read(line, 1), read(line, 2), by, width=width_of(line)))


def _insert(line: Line) -> None:
    """BFI puts the lowest bits of a register at a place in another; BFXIL bits from a place at the lowest."""
    line.expect(4)
    width, at, bits = width_of(line), line.immediate(2), line.immediate(3)
    if not (at >= 0 and bits >= 1 and at + bits <= width):
        raise line.problem(2, f"these are not bits of a register of {width} bits", "change the numbers")
    value, mask = read(line, 1), (1 << bits) - 1
    to = at if line.mnemonic.lower() == "bfi" else 0
    if to != at:
        value = line.compute(Op.LSHR, value, at, width=width)
    piece = line.compute(Op.SHL, line.compute(Op.AND, value, mask), to, width=width)
    kept = line.compute(Op.AND, read(line, 0), ~(mask << to) & (1 << width) - 1)
    fill(line, 0, line.compute(Op.OR, kept, piece))


def _widening(signed: bool, op: Op | None) -> Callable[[Line], None]:
    """SMULL and its relatives: the product of two words, of 64 bits, alone or added to a third operand."""

    def translate(line: Line) -> None:
        line.expect(3 if op is None else 4)
        words = [line.truncate(read(line, number), 32) for number in (1, 2)]
        a, b = (line.sign_extend(word, 32) if signed else word for word in words)
        product = line.compute(Op.MUL, a, b)
        fill(line, 0, product if op is None else line.compute(op, read(line, 3), product))

    return translate


def _divide(op: Op) -> Callable[[Line], None]:
    """UDIV and SDIV: a division by 0 gives 0, and that of the smallest number by -1 itself."""

    def translate(line: Line) -> None:
        line.expect(3)
        width, a, b = width_of(line), read(line, 1), read(line, 2)
        is_zero = line.is_zero(b, width)
        special = is_zero
        if op is Op.SDIV:
            is_minus = line.compute(Op.EQ, b, (1 << width) - 1, width=width)
            special = line.compute(Op.OR, is_zero, is_minus)
        quotient = line.compute(op, a, line.compute(Op.SELECT, special, 1, b), width=width)
        if op is Op.SDIV:
            negated = line.compute(Op.SUB, 0, a, width=width)
            quotient = line.compute(Op.SELECT, is_minus, negated, quotient)
        fill(line, 0, line.compute(Op.SELECT, is_zero, 0, quotient))

    return translate


TABLE: dict[str, Callable[[Line], None]] = {
    **{"lsl": _shift(Op.SHL), "lsr": _shift(Op.LSHR), "asr": _shift(Op.ASHR), "ror": _rotate},
    **{"mul": _multiply(None, False), "mneg": _multiply(Op.SUB, False)},
    **{"madd": _multiply(Op.ADD, True), "msub": _multiply(Op.SUB, True)},
    **{"sxtb": _extend(8, True), "sxth": _extend(16, True), "sxtw": _extend(32, True)},
    **{"uxtb": _extend(8, False), "uxth": _extend(16, False), "uxtw": _extend(32, False)},
    **{"ubfx": _extract(False), "sbfx": _extract(True)},
    **{"rev": _reverse(None), "rev64": _reverse(64), "rev32": _reverse(32), "rev16": _reverse(16)},
    **{"clz": _count_leading, "cls": _count_leading, "rbit": _reverse_bits, "extr": _extract_pair},
    **{"bfi": _insert, "bfxil": _insert, "udiv": _divide(Op.UDIV), "sdiv": _divide(Op.SDIV)},
    **{"smull": _widening(True, None), "umull": _widening(False, None)},
    **{"smaddl": _widening(True, Op.ADD), "umaddl": _widening(False, Op.ADD)},
    **{"smsubl": _widening(True, Op.SUB), "umsubl": _widening(False, Op.SUB)},
    **{"lslv": _shift(Op.SHL), "lsrv": _shift(Op.LSHR), "asrv": _shift(Op.ASHR), "rorv": _rotate},
}
