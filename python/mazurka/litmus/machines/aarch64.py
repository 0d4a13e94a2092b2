"""AArch64: the instructions of litmus tests. Registers are called X0 to X30, and SP; Wn is half of Xn."""

from __future__ import annotations

import re
from collections.abc import Callable

from mazurka.litmus.machines import aarch64_memory as memory
from mazurka.litmus.machines.aarch64_operands import (
    condition_name,
    fill,
    is_wide,
    read,
    register_name,
    second,
)
from mazurka.litmus.machines.flags import (
    CONDITIONS,
    condition,
    set_by_addition,
    set_by_result,
    set_by_subtraction,
)
from mazurka.litmus.machines.lines import Line, Machine
from mazurka.litmus.meaning.operations import END, Fence, Operand
from mazurka.program import Op

_DOMAINS = ("sy", "ld", "st")


def _width(line: Line) -> int:
    return 64 if is_wide(line, 0) else 32


def _arithmetic(op: Op, negates: bool = False) -> Callable[[Line], None]:
    """``op dst, a, b``, where b may be a number, or shifted or extended."""

    def translate(line: Line) -> None:
        line.expect(3, 4)
        width = _width(line)
        b = second(line, 2, width)
        if negates:
            b = line.compute(Op.XOR, b, (1 << width) - 1, width=width)
        fill(line, 0, line.compute(op, read(line, 1), b, width=width))

    return translate


def _flagged(op: Op, compares: bool) -> Callable[[Line], None]:
    """An operation that sets the flags; a comparison has no destination."""

    def translate(line: Line) -> None:
        line.expect(*((2, 3) if compares else (3, 4)))
        width, first = _width(line), 0 if compares else 1
        a, b = read(line, first), second(line, first + 1, width)
        result: Operand
        if op is Op.SUB:
            result = set_by_subtraction(line, a, b, width)
        elif op is Op.ADD:
            result = set_by_addition(line, a, b, width)
        else:
            result = line.compute(op, a, b, width=width)
            set_by_result(line, result, width, carry=0)
        if not compares:
            fill(line, 0, result)

    return translate


def _move(line: Line) -> None:
    line.expect(2)
    fill(line, 0, second(line, 1, _width(line)))


def _move_wide(line: Line) -> None:
    """MOVZ, MOVN and MOVK: 16 bits, at a position that is a multiple of 16."""
    line.expect(2, 3)
    width, shift = _width(line), 0
    if len(line.operands) == 3:
        match = re.fullmatch(r"lsl\s*#?(\d+)", line.operands[2], re.IGNORECASE)
        if not match or int(match[1]) % 16 or int(match[1]) >= width:
            raise line.problem(2, f"expected a shift, found '{line.operands[2]}'", "as in LSL #16")
        shift = int(match[1])
    value = line.immediate(1) << shift
    kind = line.mnemonic.lower()
    if kind == "movk":
        kept = line.compute(Op.AND, read(line, 0), ~(0xFFFF << shift) & (1 << width) - 1)
        fill(line, 0, line.compute(Op.OR, kept, value))
    else:
        fill(line, 0, (~value if kind == "movn" else value) & (1 << width) - 1)


def _negate(op: Op) -> Callable[[Line], None]:
    """NEG and MVN."""

    def translate(line: Line) -> None:
        line.expect(2, 3)
        width = _width(line)
        first = 0 if op is Op.SUB else (1 << width) - 1
        fill(line, 0, line.compute(op, first, second(line, 1, width), width=width))

    return translate


def _shift(op: Op) -> Callable[[Line], None]:
    def translate(line: Line) -> None:
        line.expect(3)
        width = _width(line)
        by = line.number(2)
        amount: Operand = line.compute(Op.AND, read(line, 2), width - 1) if by is None else by % width
        fill(line, 0, line.compute(op, read(line, 1), amount, width=width))

    return translate


def _rotate(line: Line) -> None:
    line.expect(3)
    width, value = _width(line), read(line, 1)
    by = line.number(2)
    amount: Operand = read(line, 2) if by is None else by
    fill(line, 0, line.compute(Op.FSHR, value, value, amount, width=width))


def _multiply(op: Op | None, has_third: bool) -> Callable[[Line], None]:
    """MUL, MNEG, MADD and MSUB: the product is added to or subtracted from the third operand, or 0."""

    def translate(line: Line) -> None:
        line.expect(4 if has_third else 3)
        width = _width(line)
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
        fill(line, 0, line.sign_extend(value, bits, _width(line)) if signed else value)

    return translate


def _extract(signed: bool) -> Callable[[Line], None]:
    """UBFX and SBFX: some bits of a register."""

    def translate(line: Line) -> None:
        line.expect(4)
        width, at, bits = _width(line), line.immediate(2), line.immediate(3)
        if not (at >= 0 and bits >= 1 and at + bits <= width):
            raise line.problem(2, f"these are not bits of a register of {width} bits", "change the numbers")
        value = line.truncate(line.compute(Op.LSHR, read(line, 1), at, width=width), bits)
        fill(line, 0, line.sign_extend(value, bits, width) if signed else value)

    return translate


def _reverse(unit: int | None) -> Callable[[Line], None]:
    """REV, REV16 and REV32: reverses the bytes in each unit of so many bits."""

    def translate(line: Line) -> None:
        line.expect(2)
        width, value = _width(line), read(line, 1)
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


def _select(line: Line) -> None:
    """CSEL and its relatives: the second operand if the condition holds, or else something of the third."""
    line.expect(4)
    width = _width(line)
    holds = condition(line, condition_name(line, 3))
    fill(line, 0, line.compute(Op.SELECT, holds, read(line, 1), _otherwise(line, read(line, 2), width)))


def _otherwise(line: Line, value: Operand, width: int) -> Operand:
    ones = (1 << width) - 1
    match line.mnemonic.lower():
        case "csinc":
            return line.compute(Op.ADD, value, 1, width=width)
        case "csinv":
            return line.compute(Op.XOR, value, ones, width=width)
        case "csneg":
            return line.compute(Op.SUB, 0, value, width=width)
        case _:
            return value


def _set(line: Line) -> None:
    """CSET and CSETM."""
    line.expect(2)
    width = _width(line)
    value = (1 << width) - 1 if line.mnemonic.lower() == "csetm" else 1
    fill(line, 0, line.compute(Op.SELECT, condition(line, condition_name(line, 1)), value, 0))


def _branch_if_zero(line: Line) -> None:
    line.expect(2)
    op = Op.EQ if line.mnemonic.lower() == "cbz" else Op.NE
    line.branch(line.compute(op, read(line, 0), 0, width=_width(line)), line.label(1))


def _branch_on_bit(line: Line) -> None:
    line.expect(3)
    bit = line.immediate(1)
    if not 0 <= bit < _width(line):
        raise line.problem(1, f"there is no bit {bit} in this register", "change the number")
    tested = line.compute(Op.AND, read(line, 0), 1 << bit)
    op = Op.EQ if line.mnemonic.lower() == "tbz" else Op.NE
    line.branch(line.compute(op, tested, 0), line.label(2))


def _branch(line: Line) -> None:
    line.expect(1)
    line.branch(None, line.label(0))


def _return(line: Line) -> None:
    line.expect(0, 1)
    line.branch(None, END)


def _fence(line: Line) -> None:
    """DMB, DSB: by what they order, as all threads are in one domain; ISB."""
    kind = line.mnemonic.lower()
    line.expect(*((0, 1) if kind == "isb" else (1,)))
    domain = line.operands[0].lower() if line.operands else "sy"
    ordered = re.sub(r"^(?:ish|nsh|osh)", "", domain) or "sy"
    if ordered not in _DOMAINS:
        raise line.problem(0, f"unknown option '{line.operands[0]}'", "use SY, LD, ST, ISH, ISHLD or ISHST")
    line.emit(Fence(kind if kind == "isb" else f"{kind}.{ordered}"))


def _nothing(line: Line) -> None:
    line.expect(0)


_TABLE: dict[str, Callable[[Line], None]] = {
    **{"nop": _nothing, "mov": _move, "movz": _move_wide, "movn": _move_wide, "movk": _move_wide},
    **{"add": _arithmetic(Op.ADD), "sub": _arithmetic(Op.SUB), "and": _arithmetic(Op.AND)},
    **{"orr": _arithmetic(Op.OR), "eor": _arithmetic(Op.XOR), "bic": _arithmetic(Op.AND, True)},
    **{"orn": _arithmetic(Op.OR, True), "eon": _arithmetic(Op.XOR, True)},
    **{"adds": _flagged(Op.ADD, False), "subs": _flagged(Op.SUB, False), "ands": _flagged(Op.AND, False)},
    **{"cmp": _flagged(Op.SUB, True), "cmn": _flagged(Op.ADD, True), "tst": _flagged(Op.AND, True)},
    **{"neg": _negate(Op.SUB), "mvn": _negate(Op.XOR)},
    **{"lsl": _shift(Op.SHL), "lsr": _shift(Op.LSHR), "asr": _shift(Op.ASHR), "ror": _rotate},
    **{"mul": _multiply(None, False), "mneg": _multiply(Op.SUB, False)},
    **{"madd": _multiply(Op.ADD, True), "msub": _multiply(Op.SUB, True)},
    **{"sxtb": _extend(8, True), "sxth": _extend(16, True), "sxtw": _extend(32, True)},
    **{"uxtb": _extend(8, False), "uxth": _extend(16, False), "uxtw": _extend(32, False)},
    **{"ubfx": _extract(False), "sbfx": _extract(True)},
    **{"rev": _reverse(None), "rev64": _reverse(64), "rev32": _reverse(32), "rev16": _reverse(16)},
    **dict.fromkeys(("csel", "csinc", "csinv", "csneg"), _select),
    **{"cset": _set, "csetm": _set},
    **{"cbz": _branch_if_zero, "cbnz": _branch_if_zero, "tbz": _branch_on_bit, "tbnz": _branch_on_bit},
    **{"b": _branch, "b.al": _branch, "ret": _return},
    **{"dmb": _fence, "dsb": _fence, "isb": _fence},
    **memory.TABLE,
}


def _conditional(name: str) -> Callable[[Line], None]:
    def translate(line: Line) -> None:
        line.expect(1)
        line.branch(condition(line, name), line.label(0))

    return translate


_TABLE |= {f"b.{name}": _conditional(name) for name in CONDITIONS}
_TABLE |= {f"b{name}": _conditional(name) for name in CONDITIONS}


def translate(line: Line) -> None:
    """Adds what an instruction does to its line."""
    handler = _TABLE.get(line.mnemonic.lower())
    if handler is None:
        raise line.unknown(map(str.upper, _TABLE), "AArch64")
    handler(line)


AARCH64 = Machine("AArch64", register_name, translate)
