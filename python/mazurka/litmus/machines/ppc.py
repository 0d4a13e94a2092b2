"""PowerPC: the instructions of litmus tests, as a 64-bit machine. Registers are called r0 to r31.

r0 is a register like the others, as litmus tests use it, also where the architecture reads it as 0: as the
base of an address, and in addi and addis. A field of the condition register is three registers, such as
``%cr0.lt``, ``%cr0.gt`` and ``%cr0.eq``.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from mazurka.litmus.machines import ppc_memory as memory
from mazurka.litmus.machines.lines import Line, Machine
from mazurka.litmus.machines.ppc_operands import base_of, fill, register, registers, set_field
from mazurka.litmus.meaning.operations import END, Fence, Operand, Register
from mazurka.program import Op

_ALL = (1 << 64) - 1
_FIELD = re.compile(r"cr([0-7])", re.IGNORECASE)
_CONDITIONS = {
    "lt": ("lt", 1),
    "gt": ("gt", 1),
    "eq": ("eq", 1),
    "ge": ("lt", 0),
    "le": ("gt", 0),
    "ne": ("eq", 0),
}


def _arithmetic(op: Op, *, swaps: bool = False) -> Callable[[Line], None]:
    def translate(line: Line) -> None:
        line.expect(3)
        a, b = register(line, 1), register(line, 2)
        fill(line, line.compute(op, *((b, a) if swaps else (a, b))))

    return translate


def _word_product(line: Line) -> None:
    """mullw: the product of two signed words, with 64 bits."""
    line.expect(3)
    a, b = (_sign_extended(32)(line, register(line, number)) for number in (1, 2))
    fill(line, line.compute(Op.MUL, a, b))


def _immediate(
    op: Op, shift: int = 0, *, from_base: bool = False, negates: bool = False
) -> Callable[[Line], None]:
    """Operations with a number, which the instructions whose names end in s shift by 16."""

    def translate(line: Line) -> None:
        line.expect(3)
        a: Operand = base_of(line, 1) if from_base else register(line, 1)
        value = line.immediate(2) << shift
        fill(line, line.compute(op, a, (-value if negates else value) & _ALL))

    return translate


def _load_immediate(shift: int) -> Callable[[Line], None]:
    def translate(line: Line) -> None:
        line.expect(2)
        fill(line, line.immediate(1) << shift & _ALL)

    return translate


def _unary(make: Callable[[Line, Operand], Operand]) -> Callable[[Line], None]:
    def translate(line: Line) -> None:
        line.expect(2)
        fill(line, make(line, register(line, 1)))

    return translate


def _sign_extended(bits: int) -> Callable[[Line, Operand], Operand]:
    return lambda line, value: line.sign_extend(line.truncate(value, bits), bits)


def _shifted(op: Op, width: int) -> Callable[[Line], None]:
    """slwi, srwi, srawi, sldi, srdi, sradi."""

    def translate(line: Line) -> None:
        line.expect(3)
        value = line.truncate(register(line, 1), width)
        shifted: Operand = line.compute(op, value, line.immediate(2) % width, width=width)
        fill(line, line.sign_extend(shifted, width) if op is Op.ASHR else shifted)

    return translate


def _shifted_by_register(op: Op, width: int) -> Callable[[Line], None]:
    """slw, srd and so on: a shift by as many bits as there are, or more, leaves nothing but signs."""

    def translate(line: Line) -> None:
        line.expect(3)
        value = line.truncate(register(line, 1), width)
        by = line.compute(Op.AND, register(line, 2), 2 * width - 1)
        is_far = line.compute(Op.ULE, width, by)
        near = line.compute(Op.SELECT, is_far, width - 1, by)
        shifted: Operand = line.compute(op, value, near, width=width)
        if op is Op.ASHR:
            fill(line, line.sign_extend(shifted, width))
        else:
            fill(line, line.compute(Op.SELECT, is_far, 0, shifted))

    return translate


def _negated_logical(op: Op, *, negates: bool) -> Callable[[Line], None]:
    """andc and orc negate the second operand; nand, nor and eqv the result."""

    def translate(line: Line) -> None:
        line.expect(3)
        a, b = register(line, 1), register(line, 2)
        if negates:
            fill(line, line.compute(op, a, line.compute(Op.XOR, b, _ALL)))
        else:
            fill(line, line.compute(Op.XOR, line.compute(op, a, b), _ALL))

    return translate


def _clear_left(width: int) -> Callable[[Line], None]:
    """clrldi and clrlwi: the upper bits become 0."""

    def translate(line: Line) -> None:
        line.expect(3)
        kept = width - line.immediate(2)
        if not 0 <= kept <= width:
            raise line.problem(2, "this clears more bits than there are", f"use a number up to {width}")
        fill(line, line.compute(Op.AND, register(line, 1), (1 << kept) - 1))

    return translate


def _mask(begin: int, end: int) -> int:
    """The bits of a word from ``begin`` to ``end``, where 0 is the highest, around its end if need be."""
    bits = range(begin, end + 1) if begin <= end else (*range(begin, 32), *range(end + 1))
    return sum(1 << 31 - bit for bit in bits)


def _rotate_and_mask(line: Line) -> None:
    """rlwinm, and rlwimi, which keeps the other bits of the first register."""
    line.expect(5)
    by, begin, end = (line.immediate(number) for number in (2, 3, 4))
    if not all(0 <= n < 32 for n in (by, begin, end)):
        raise line.problem(2, "a word has the bits 0 to 31", "change the numbers")
    word = line.truncate(register(line, 1), 32)
    mask = _mask(begin, end)
    rotated = line.compute(Op.AND, line.compute(Op.FSHL, word, word, by, width=32), mask)
    if line.mnemonic.lower().startswith("rlwimi"):
        kept = line.compute(Op.AND, register(line, 0), ~mask & _ALL)
        rotated = line.compute(Op.OR, rotated, kept)
    fill(line, rotated)


def _compare(width: int, *, signed: bool, immediate: bool) -> Callable[[Line], None]:
    """cmpw and its relatives; the first of three operands is the field to set."""

    def translate(line: Line) -> None:
        line.expect(2, 3)
        first, field = 0, "0"
        if len(line.operands) == 3:
            match = _FIELD.fullmatch(line.operands[0])
            if not match:
                raise line.problem(0, f"'{line.operands[0]}' is not a field", "fields are cr0 to cr7")
            first, field = 1, match[1]
        a = line.truncate(register(line, first), width)
        b: Operand
        if immediate:
            b = line.immediate(first + 1) & (1 << width) - 1
        else:
            b = line.truncate(register(line, first + 1), width)
        set_field(line, field, a, b, width, signed=signed)

    return translate


def _conditional(name: str) -> Callable[[Line], None]:
    flag, value = _CONDITIONS[name]

    def translate(line: Line) -> None:
        line.expect(1, 2)
        field = "0"
        if len(line.operands) == 2:
            match = _FIELD.fullmatch(line.operands[0])
            if not match:
                raise line.problem(0, f"'{line.operands[0]}' is not a field", "fields are cr0 to cr7")
            field = match[1]
        tested = Register(f"%cr{field}.{flag}")
        line.branch(tested if value else line.is_zero(tested), line.label(len(line.operands) - 1))

    return translate


def _branch(line: Line) -> None:
    line.expect(1)
    line.branch(None, line.label(0))


def _return(line: Line) -> None:
    line.expect(0)
    line.branch(None, END)


def _fence(line: Line) -> None:
    line.expect(0)
    kind = line.mnemonic.lower()
    line.emit(Fence("sync" if kind == "hwsync" else kind))


_TABLE: dict[str, Callable[[Line], None]] = {
    **{"nop": lambda line: line.expect(0), "li": _load_immediate(0), "lis": _load_immediate(16)},
    **{
        "mr": _unary(lambda line, value: value),
        "neg": _unary(lambda line, value: line.compute(Op.SUB, 0, value)),
    },
    **{"not": _unary(lambda line, value: line.compute(Op.XOR, value, _ALL))},
    **{
        "extsb": _unary(_sign_extended(8)),
        "extsh": _unary(_sign_extended(16)),
        "extsw": _unary(_sign_extended(32)),
    },
    **{"add": _arithmetic(Op.ADD), "sub": _arithmetic(Op.SUB), "subf": _arithmetic(Op.SUB, swaps=True)},
    **{"mullw": _word_product, "mulld": _arithmetic(Op.MUL), "and": _arithmetic(Op.AND)},
    **{"or": _arithmetic(Op.OR), "xor": _arithmetic(Op.XOR)},
    **{"addi": _immediate(Op.ADD, from_base=True), "addis": _immediate(Op.ADD, 16, from_base=True)},
    **{"subi": _immediate(Op.ADD, from_base=True, negates=True), "mulli": _immediate(Op.MUL)},
    **{"andi": _immediate(Op.AND), "ori": _immediate(Op.OR), "oris": _immediate(Op.OR, 16)},
    **{"xori": _immediate(Op.XOR), "xoris": _immediate(Op.XOR, 16), "andis": _immediate(Op.AND, 16)},
    **{"slwi": _shifted(Op.SHL, 32), "srwi": _shifted(Op.LSHR, 32), "srawi": _shifted(Op.ASHR, 32)},
    **{"sldi": _shifted(Op.SHL, 64), "srdi": _shifted(Op.LSHR, 64), "sradi": _shifted(Op.ASHR, 64)},
    **{"slw": _shifted_by_register(Op.SHL, 32), "srw": _shifted_by_register(Op.LSHR, 32)},
    **{"sld": _shifted_by_register(Op.SHL, 64), "srd": _shifted_by_register(Op.LSHR, 64)},
    **{"sraw": _shifted_by_register(Op.ASHR, 32), "srad": _shifted_by_register(Op.ASHR, 64)},
    **{"andc": _negated_logical(Op.AND, negates=True), "orc": _negated_logical(Op.OR, negates=True)},
    **{"nand": _negated_logical(Op.AND, negates=False), "nor": _negated_logical(Op.OR, negates=False)},
    "eqv": _negated_logical(Op.XOR, negates=False),
    **{"clrldi": _clear_left(64), "clrlwi": _clear_left(32)},
    **{"rlwinm": _rotate_and_mask, "rlwimi": _rotate_and_mask},
    **{"b": _branch, "blr": _return},
    **dict.fromkeys(("sync", "hwsync", "lwsync", "eieio", "isync"), _fence),
}
_DOTTED = (
    "add sub subf mullw mulld and or xor andi andis neg mr not extsb extsh extsw slwi srwi srawi sldi srdi "
    "sradi clrldi clrlwi rlwinm rlwimi slw srw sld srd sraw srad andc orc nand nor eqv"
)
_TABLE |= {f"{name}.": _TABLE[name] for name in _DOTTED.split()}
for _name in ("andi", "andis"):
    del _TABLE[_name]  # they exist with a dot only
for _letter, _width in (("w", 32), ("d", 64)):
    for _logical in ("", "l"):
        _name = f"cmp{_logical}{_letter}"
        _TABLE[_name] = _compare(_width, signed=not _logical, immediate=False)
        _TABLE[f"{_name}i"] = _compare(_width, signed=not _logical, immediate=True)
_TABLE |= memory.TABLE
# A sign is a hint for the prediction of the branch.
_TABLE |= {f"b{name}{hint}": _conditional(name) for name in _CONDITIONS for hint in ("", "+", "-")}


def translate(line: Line) -> None:
    """Adds what an instruction does to its line."""
    handler = _TABLE.get(line.mnemonic.lower())
    if handler is None:
        raise line.unknown(_TABLE, "PowerPC")
    handler(line)


PPC = Machine("PPC", registers, translate)
