"""PowerPC: the instructions of litmus tests, as a 64-bit machine. Registers are called r0 to r31.

r0 is a register like the others, as litmus tests use it, also where the architecture reads it as 0: as the
base of an address, and in addi and addis. A field of the condition register is three registers, such as
``%cr0.lt``, ``%cr0.gt`` and ``%cr0.eq``.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from mazurka.litmus.machines.lines import Line, Machine, parse_number
from mazurka.litmus.meaning.operations import END, Compute, Fence, Load, Operand, Register, Store
from mazurka.program import Op

_ALL = (1 << 64) - 1
_REGISTER = re.compile(r"r(\d+)", re.IGNORECASE)
_FIELD = re.compile(r"cr([0-7])", re.IGNORECASE)
_DISPLACED = re.compile(r"(.*)\(\s*(\w+)\s*\)")
_ADDRESSES = "addresses are 0(r1), or 0,r1"
_SIZES = {"b": 1, "h": 2, "w": 4, "d": 8}
_CONDITIONS = {
    "lt": ("lt", 1),
    "gt": ("gt", 1),
    "eq": ("eq", 1),
    "ge": ("lt", 0),
    "le": ("gt", 0),
    "ne": ("eq", 0),
}


def register_name(text: str) -> str | None:
    """The full name of a register."""
    match = _REGISTER.fullmatch(text)
    return f"r{int(match[1])}" if match and int(match[1]) < 32 else None


def _register(line: Line, number: int, text: str | None = None) -> Register:
    text = line.operands[number] if text is None else text
    name = register_name(text)
    if name is None:
        raise line.problem(number, f"'{text}' is not a register", "registers are r0 to r31")
    return Register(name)


def _base(line: Line, number: int, text: str | None = None) -> Operand:
    """The base of an address: a register, or the number 0."""
    text = line.operands[number] if text is None else text
    return 0 if parse_number(text) == 0 else _register(line, number, text)


def _compare_with_zero(line: Line, value: Operand) -> None:
    """What an instruction with a dot does to the field cr0."""
    _set_field(line, "0", value, 0, 64, signed=True)


def _set_field(line: Line, field: str, a: Operand, b: Operand, width: int, *, signed: bool) -> None:
    less = Op.SLT if signed else Op.ULT
    for name, op, left, right in (("lt", less, a, b), ("gt", less, b, a), ("eq", Op.EQ, a, b)):
        line.emit(Compute(op, Register(f"%cr{field}.{name}"), left, right, width=width))


def _result(line: Line, value: Operand) -> None:
    """Fills the first register; a dot compares it with 0."""
    dst = _register(line, 0)
    line.emit(Compute(Op.MOV, dst, value))
    if line.mnemonic.endswith("."):
        _compare_with_zero(line, dst)


def _arithmetic(op: Op, *, swaps: bool = False) -> Callable[[Line], None]:
    def translate(line: Line) -> None:
        line.expect(3)
        a, b = _register(line, 1), _register(line, 2)
        _result(line, line.compute(op, *((b, a) if swaps else (a, b))))

    return translate


def _word_product(line: Line) -> None:
    """mullw: the product of two signed words, with 64 bits."""
    line.expect(3)
    a, b = (_sign_extended(32)(line, _register(line, number)) for number in (1, 2))
    _result(line, line.compute(Op.MUL, a, b))


def _immediate(
    op: Op, shift: int = 0, *, from_base: bool = False, negates: bool = False
) -> Callable[[Line], None]:
    """Operations with a number, which the instructions whose names end in s shift by 16."""

    def translate(line: Line) -> None:
        line.expect(3)
        a: Operand = _base(line, 1) if from_base else _register(line, 1)
        value = line.immediate(2) << shift
        _result(line, line.compute(op, a, (-value if negates else value) & _ALL))

    return translate


def _load_immediate(shift: int) -> Callable[[Line], None]:
    def translate(line: Line) -> None:
        line.expect(2)
        _result(line, line.immediate(1) << shift & _ALL)

    return translate


def _unary(make: Callable[[Line, Operand], Operand]) -> Callable[[Line], None]:
    def translate(line: Line) -> None:
        line.expect(2)
        _result(line, make(line, _register(line, 1)))

    return translate


def _sign_extended(bits: int) -> Callable[[Line, Operand], Operand]:
    return lambda line, value: line.sign_extend(line.truncate(value, bits), bits)


def _shifted(op: Op, width: int) -> Callable[[Line], None]:
    """slwi, srwi, srawi, sldi, srdi, sradi."""

    def translate(line: Line) -> None:
        line.expect(3)
        value = line.truncate(_register(line, 1), width)
        shifted: Operand = line.compute(op, value, line.immediate(2) % width, width=width)
        _result(line, line.sign_extend(shifted, width) if op is Op.ASHR else shifted)

    return translate


def _clear_left(width: int) -> Callable[[Line], None]:
    """clrldi and clrlwi: the upper bits become 0."""

    def translate(line: Line) -> None:
        line.expect(3)
        kept = width - line.immediate(2)
        if not 0 <= kept <= width:
            raise line.problem(2, "this clears more bits than there are", f"use a number up to {width}")
        _result(line, line.compute(Op.AND, _register(line, 1), (1 << kept) - 1))

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
    word = line.truncate(_register(line, 1), 32)
    mask = _mask(begin, end)
    rotated = line.compute(Op.AND, line.compute(Op.FSHL, word, word, by, width=32), mask)
    if line.mnemonic.lower().startswith("rlwimi"):
        kept = line.compute(Op.AND, _register(line, 0), ~mask & _ALL)
        rotated = line.compute(Op.OR, rotated, kept)
    _result(line, rotated)


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
        a = line.truncate(_register(line, first), width)
        b: Operand
        if immediate:
            b = line.immediate(first + 1) & (1 << width) - 1
        else:
            b = line.truncate(_register(line, first + 1), width)
        _set_field(line, field, a, b, width, signed=signed)

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
        register = Register(f"%cr{field}.{flag}")
        line.branch(register if value else line.is_zero(register), line.label(len(line.operands) - 1))

    return translate


def _branch(line: Line) -> None:
    line.expect(1)
    line.branch(None, line.label(0))


def _return(line: Line) -> None:
    line.expect(0)
    line.branch(None, END)


def _displaced(line: Line) -> tuple[Operand, Register | None]:
    """The address ``k(ra)`` or ``k,ra``, and its base register."""
    match = _DISPLACED.fullmatch(line.operands[1]) if len(line.operands) == 2 else None
    offset, base = (match[1].strip() or "0", match[2]) if match else ("", "")
    if len(line.operands) == 3:
        offset, base = line.operands[1], line.operands[2]
    value = parse_number(offset)
    if value is None:
        raise line.problem(1, f"expected an address, found '{', '.join(line.operands[1:])}'", _ADDRESSES)
    register = _base(line, 1, base)
    return line.add(register, value & _ALL), register if isinstance(register, Register) else None


def _indexed(line: Line) -> Operand:
    line.expect(3)
    base = _base(line, 1)
    index = _register(line, 2)
    return index if base == 0 else line.compute(Op.ADD, base, index)


def _load(size: int, *, indexed: bool, signed: bool = False, updates: bool = False) -> Callable[[Line], None]:
    def translate(line: Line) -> None:
        line.expect(2, 3)
        dst = _register(line, 0)
        at, base = (_indexed(line), None) if indexed else _displaced(line)
        line.emit(Load(dst, at, size))
        if signed:
            line.emit(Compute(Op.SEXT, dst, dst, width=8 * size, x=64))
        if updates and base is not None:
            line.emit(Compute(Op.MOV, base, at))

    return translate


def _store(size: int, *, indexed: bool, updates: bool = False) -> Callable[[Line], None]:
    def translate(line: Line) -> None:
        line.expect(2, 3)
        value = _register(line, 0)
        at, base = (_indexed(line), None) if indexed else _displaced(line)
        line.emit(Store(at, value, size))
        if updates and base is not None:
            line.emit(Compute(Op.MOV, base, at))

    return translate


def _reserve(size: int) -> Callable[[Line], None]:
    def translate(line: Line) -> None:
        line.expect(3)
        line.emit(Load(_register(line, 0), _indexed(line), size, is_exclusive=True))

    return translate


def _store_conditional(size: int) -> Callable[[Line], None]:
    """stwcx. and its relatives: cr0 says that they succeeded by eq."""

    def translate(line: Line) -> None:
        line.expect(3)
        status, value, at = line.fresh(), _register(line, 0), _indexed(line)
        line.emit(Store(at, value, size, is_exclusive=True, status=status))
        line.emit(Compute(Op.EQ, Register("%cr0.eq"), status, 0))
        for flag in ("lt", "gt"):
            line.emit(Compute(Op.MOV, Register(f"%cr0.{flag}"), 0))

    return translate


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
    **{"clrldi": _clear_left(64), "clrlwi": _clear_left(32)},
    **{"rlwinm": _rotate_and_mask, "rlwimi": _rotate_and_mask},
    **{"b": _branch, "blr": _return},
    **dict.fromkeys(("sync", "hwsync", "lwsync", "eieio", "isync"), _fence),
}
_DOTTED = (
    "add sub subf mullw mulld and or xor andi andis neg mr not extsb extsh extsw slwi srwi srawi sldi srdi "
    "sradi clrldi clrlwi rlwinm rlwimi"
)
_TABLE |= {f"{name}.": _TABLE[name] for name in _DOTTED.split()}
for _name in ("andi", "andis"):
    del _TABLE[_name]  # they exist with a dot only
for _letter, _size in _SIZES.items():
    _zero = "z" if _size < 8 else ""
    _TABLE[f"l{_letter}{_zero}"] = _load(_size, indexed=False)
    _TABLE[f"l{_letter}{_zero}u"] = _load(_size, indexed=False, updates=True)
    _TABLE[f"l{_letter}{_zero}x"] = _load(_size, indexed=True)
    _TABLE[f"st{_letter}"] = _store(_size, indexed=False)
    _TABLE[f"st{_letter}u"] = _store(_size, indexed=False, updates=True)
    _TABLE[f"st{_letter}x"] = _store(_size, indexed=True)
    _TABLE[f"l{_letter}arx"] = _reserve(_size)
    _TABLE[f"st{_letter}cx."] = _store_conditional(_size)
for _letter, _size in (("h", 2), ("w", 4)):
    _TABLE[f"l{_letter}a"] = _load(_size, indexed=False, signed=True)
    _TABLE[f"l{_letter}ax"] = _load(_size, indexed=True, signed=True)
for _letter, _width in (("w", 32), ("d", 64)):
    for _logical in ("", "l"):
        _name = f"cmp{_logical}{_letter}"
        _TABLE[_name] = _compare(_width, signed=not _logical, immediate=False)
        _TABLE[f"{_name}i"] = _compare(_width, signed=not _logical, immediate=True)
_TABLE |= {f"b{name}": _conditional(name) for name in _CONDITIONS}


def translate(line: Line) -> None:
    """Adds what an instruction does to its line."""
    handler = _TABLE.get(line.mnemonic.lower())
    if handler is None:
        raise line.unknown(_TABLE, "PowerPC")
    handler(line)


PPC = Machine("PPC", register_name, translate)
