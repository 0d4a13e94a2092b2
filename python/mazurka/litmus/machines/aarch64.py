"""AArch64: the instructions of litmus tests. Registers are called X0 to X30, and SP; Wn is half of Xn."""

from __future__ import annotations

import re
from collections.abc import Callable

from mazurka.litmus.machines import aarch64_memory as memory
from mazurka.litmus.machines import aarch64_numbers as numbers
from mazurka.litmus.machines.aarch64_operands import (
    condition_name,
    fill,
    read,
    registers,
    second,
    width_of,
)
from mazurka.litmus.machines.flags import (
    CARRY,
    CONDITIONS,
    NEGATIVE,
    OVERFLOW,
    ZERO,
    condition,
    set_by_addition,
    set_by_result,
    set_by_subtraction,
)
from mazurka.litmus.machines.lines import Line, Machine
from mazurka.litmus.meaning.operations import END, Compute, Fence, Operand
from mazurka.program import Op

_DOMAINS = ("sy", "ld", "st")


def _arithmetic(op: Op, negates: bool = False) -> Callable[[Line], None]:
    """``op dst, a, b``, where b may be a number, or shifted or extended."""

    def translate(line: Line) -> None:
        line.expect(3, 4)
        width = width_of(line)
        b = second(line, 2, width)
        if negates:
            b = line.compute(Op.XOR, b, (1 << width) - 1, width=width)
        fill(line, 0, line.compute(op, read(line, 1), b, width=width))

    return translate


def _flagged(op: Op, compares: bool, negates: bool = False) -> Callable[[Line], None]:
    """An operation that sets the flags; a comparison has no destination."""

    def translate(line: Line) -> None:
        line.expect(*((2, 3) if compares else (3, 4)))
        width, first = width_of(line), 0 if compares else 1
        a, b = read(line, first), second(line, first + 1, width)
        if negates:
            b = line.compute(Op.XOR, b, (1 << width) - 1, width=width)
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
    fill(line, 0, second(line, 1, width_of(line)))


def _move_wide(line: Line) -> None:
    """MOVZ, MOVN and MOVK: 16 bits, at a position that is a multiple of 16."""
    line.expect(2, 3)
    width, shift = width_of(line), 0
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
        width = width_of(line)
        first = 0 if op is Op.SUB else (1 << width) - 1
        fill(line, 0, line.compute(op, first, second(line, 1, width), width=width))

    return translate


def _conditional_compare(line: Line) -> None:
    """CCMP and CCMN: the flags of a comparison, or the given ones if the condition does not hold."""
    line.expect(4)
    width, flags = width_of(line), line.immediate(2)
    holds = line.compute(Op.MOV, condition(line, condition_name(line, 3)))
    a, b = read(line, 0), second(line, 1, width, is_last=True)
    (set_by_subtraction if line.mnemonic.lower() == "ccmp" else set_by_addition)(line, a, b, width)
    for bit, flag in zip((3, 2, 1, 0), (NEGATIVE, ZERO, CARRY, OVERFLOW), strict=True):
        line.emit(Compute(Op.SELECT, flag, holds, flag, flags >> bit & 1))


def _step_if(line: Line) -> None:
    """CINC, CINV and CNEG: a change if the condition holds."""
    line.expect(3)
    width, value = width_of(line), read(line, 1)
    changed = _otherwise(line, value, width, line.mnemonic.lower().replace("c", "cs", 1))
    fill(line, 0, line.compute(Op.SELECT, condition(line, condition_name(line, 2)), changed, value))


def _select(line: Line) -> None:
    """CSEL and its relatives: the second operand if the condition holds, or else something of the third."""
    line.expect(4)
    width = width_of(line)
    holds = condition(line, condition_name(line, 3))
    otherwise = _otherwise(line, read(line, 2), width, line.mnemonic.lower())
    fill(line, 0, line.compute(Op.SELECT, holds, read(line, 1), otherwise))


def _otherwise(line: Line, value: Operand, width: int, name: str) -> Operand:
    ones = (1 << width) - 1
    match name:
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
    width = width_of(line)
    value = (1 << width) - 1 if line.mnemonic.lower() == "csetm" else 1
    fill(line, 0, line.compute(Op.SELECT, condition(line, condition_name(line, 1)), value, 0))


def _branch_if_zero(line: Line) -> None:
    line.expect(2)
    op = Op.EQ if line.mnemonic.lower() == "cbz" else Op.NE
    line.branch(line.compute(op, read(line, 0), 0, width=width_of(line)), line.label(1))


def _branch_on_bit(line: Line) -> None:
    line.expect(3)
    bit = line.immediate(1)
    if not 0 <= bit < width_of(line):
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
    **{"prfm": lambda line: line.expect(2), "yield": _nothing},  # hints
    **{"nop": _nothing, "mov": _move, "movz": _move_wide, "movn": _move_wide, "movk": _move_wide},
    **{"add": _arithmetic(Op.ADD), "sub": _arithmetic(Op.SUB), "and": _arithmetic(Op.AND)},
    **{"orr": _arithmetic(Op.OR), "eor": _arithmetic(Op.XOR), "bic": _arithmetic(Op.AND, True)},
    **{"orn": _arithmetic(Op.OR, True), "eon": _arithmetic(Op.XOR, True)},
    **{"adds": _flagged(Op.ADD, False), "subs": _flagged(Op.SUB, False), "ands": _flagged(Op.AND, False)},
    "bics": _flagged(Op.AND, False, True),
    **{"cmp": _flagged(Op.SUB, True), "cmn": _flagged(Op.ADD, True), "tst": _flagged(Op.AND, True)},
    **{"neg": _negate(Op.SUB), "mvn": _negate(Op.XOR)},
    **dict.fromkeys(("csel", "csinc", "csinv", "csneg"), _select),
    **{"cset": _set, "csetm": _set, "ccmp": _conditional_compare, "ccmn": _conditional_compare},
    **dict.fromkeys(("cinc", "cinv", "cneg"), _step_if),
    **{"cbz": _branch_if_zero, "cbnz": _branch_if_zero, "tbz": _branch_on_bit, "tbnz": _branch_on_bit},
    **{"b": _branch, "b.al": _branch, "ret": _return},
    **{"dmb": _fence, "dsb": _fence, "isb": _fence},
    **numbers.TABLE,
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


AARCH64 = Machine("AArch64", registers, translate)
