"""RISC-V (RV64): the instructions of litmus tests. Registers are called x0 to x31; x0 is always 0."""

from __future__ import annotations

import re
from collections.abc import Callable

from mazurka.litmus.machines.lines import Line, Machine, parse_number
from mazurka.litmus.meaning.operations import END, Compute, Fence, Load, Operand, Order, Register, Rmw, Store
from mazurka.program import Op, RmwOp

_ALL = (1 << 64) - 1
_ALIASES = {
    **{"zero": 0, "ra": 1, "sp": 2, "gp": 3, "tp": 4, "fp": 8},
    **{f"t{n}": 5 + n if n < 3 else 25 + n for n in range(7)},
    **{f"s{n}": 8 + n if n < 2 else 16 + n for n in range(12)},
    **{f"a{n}": 10 + n for n in range(8)},
}
_DISPLACED = re.compile(r"(.*)\(\s*(\w+)\s*\)")
_ADDRESSES = "addresses are 0(x1) or (x1)"
_SIZES = {"b": 1, "h": 2, "w": 4, "d": 8}
_ORDERS = {
    **{"": Order.PLAIN, ".aq": Order.ACQUIRE, ".rl": Order.RELEASE},
    **{".aqrl": Order.ACQUIRE_RELEASE, ".aq.rl": Order.ACQUIRE_RELEASE},
}
_AMOS = {
    **{"swap": RmwOp.XCHG, "add": RmwOp.ADD, "and": RmwOp.AND, "or": RmwOp.OR, "xor": RmwOp.XOR},
    **{"max": RmwOp.MAX, "min": RmwOp.MIN, "maxu": RmwOp.UMAX, "minu": RmwOp.UMIN},
}
_COMPARED = {
    **{"beq": (Op.EQ, False), "bne": (Op.NE, False), "blt": (Op.SLT, False), "bltu": (Op.ULT, False)},
    **{"bge": (Op.SLE, True), "bgeu": (Op.ULE, True), "bgt": (Op.SLT, True), "bgtu": (Op.ULT, True)},
    **{"ble": (Op.SLE, False), "bleu": (Op.ULE, False)},
}


def register_name(text: str) -> str | None:
    """The full name of a register."""
    text = text.lower()
    match = re.fullmatch(r"x(\d+)", text)
    number = int(match[1]) if match else _ALIASES.get(text, 32)
    return f"x{number}" if number < 32 else None


def registers(text: str) -> tuple[str, int] | None:
    """The full name of a register, and its bits."""
    name = register_name(text)
    return (name, 64) if name else None


def _name(line: Line, number: int, text: str | None = None) -> str:
    text = line.operands[number] if text is None else text
    name = register_name(text)
    if name is None:
        raise line.problem(number, f"'{text}' is not a register", "registers are x0 to x31, or a0, s0, t0, …")
    return name


def _read(line: Line, number: int) -> Operand:
    name = _name(line, number)
    return 0 if name == "x0" else Register(name)


def _dst(line: Line, number: int = 0) -> Register | None:
    name = _name(line, number)
    return None if name == "x0" else Register(name)


def _result(line: Line, value: Operand, *, is_word: bool = False) -> None:
    """Fills the first register; results of 32 bits are extended with their sign."""
    dst = _dst(line)
    if dst is not None:
        line.emit(Compute(Op.SEXT, dst, value, width=32, x=64) if is_word else Compute(Op.MOV, dst, value))


def _binary(op: Op, *, immediate: bool, is_word: bool = False) -> Callable[[Line], None]:
    width = 32 if is_word else 64
    is_shift = op in (Op.SHL, Op.LSHR, Op.ASHR)

    def translate(line: Line) -> None:
        line.expect(3)
        a = line.truncate(_read(line, 1), width)
        b: Operand = (
            line.immediate(2) & (1 << width) - 1 if immediate else line.truncate(_read(line, 2), width)
        )
        if is_shift:
            b = b % width if isinstance(b, int) else line.compute(Op.AND, b, width - 1)
        _result(line, line.compute(op, a, b, width=width), is_word=is_word)

    return translate


def _unary(make: Callable[[Line, Operand], Operand]) -> Callable[[Line], None]:
    def translate(line: Line) -> None:
        line.expect(2)
        _result(line, make(line, _read(line, 1)))

    return translate


def _load_immediate(shift: int) -> Callable[[Line], None]:
    """li, and lui, whose number is 20 bits that are put above the lowest 12 and extended with their sign."""

    def translate(line: Line) -> None:
        line.expect(2)
        value = line.immediate(1)
        if shift:
            value = ((value << shift & 0xFFFF_FFFF) ^ 0x8000_0000) - 0x8000_0000
        _result(line, value & _ALL)

    return translate


def _address(line: Line, number: int) -> Operand:
    match = _DISPLACED.fullmatch(line.operands[number])
    offset = parse_number(match[1].strip() or "0") if match else None
    if match is None or offset is None:
        raise line.problem(number, f"expected an address, found '{line.operands[number]}'", _ADDRESSES)
    name = _name(line, number, match[2])
    return line.add(0 if name == "x0" else Register(name), offset & _ALL)


def _load(size: int, order: Order, *, signed: bool, exclusive: bool = False) -> Callable[[Line], None]:
    def translate(line: Line) -> None:
        line.expect(2)
        dst = _dst(line)
        line.emit(Load(dst, _address(line, 1), size, order, exclusive))
        if signed and size < 8 and dst is not None:
            line.emit(Compute(Op.SEXT, dst, dst, width=8 * size, x=64))

    return translate


def _store(size: int, order: Order) -> Callable[[Line], None]:
    def translate(line: Line) -> None:
        line.expect(2)
        line.emit(Store(_address(line, 1), _read(line, 0), size, order))

    return translate


def _store_conditional(size: int, order: Order) -> Callable[[Line], None]:
    def translate(line: Line) -> None:
        line.expect(3)
        value, at = _read(line, 1), _address(line, 2)
        line.emit(Store(at, value, size, order, is_exclusive=True, status=_dst(line)))

    return translate


def _amo(op: RmwOp, size: int, order: Order) -> Callable[[Line], None]:
    """An atomic operation; the bits aq and rl are of both its halves."""

    def translate(line: Line) -> None:
        line.expect(3)
        dst = _dst(line)
        line.emit(Rmw(op, dst, _address(line, 2), _read(line, 1), size, order, order))
        if size < 8 and dst is not None:
            line.emit(Compute(Op.SEXT, dst, dst, width=8 * size, x=64))

    return translate


def _fence(line: Line) -> None:
    """``fence rw,w``, ``fence`` alone for all, ``fence.tso``, ``fence.i``."""
    line.expect(0, 2)
    kinds = [operand.lower() for operand in line.operands] or ["rw", "rw"]
    for number, kind in enumerate(kinds):
        if not re.fullmatch(r"(?!$)i?o?r?w?", kind):
            raise line.problem(
                number, f"'{kind}' is not a set of accesses", "use r, w or rw, as in fence rw,w"
            )
    names = [re.sub("[io]", "", kind) for kind in kinds]
    if all(names):  # a fence of devices alone orders no memory
        line.emit(Fence(f"fence.{'.'.join(names)}"))


def _named_fence(line: Line) -> None:
    line.expect(0)
    line.emit(Fence(line.mnemonic.lower()))


def _branch_if(op: Op, swaps: bool) -> Callable[[Line], None]:
    def translate(line: Line) -> None:
        line.expect(3)
        a, b = _read(line, 0), _read(line, 1)
        line.branch(line.compute(op, *((b, a) if swaps else (a, b))), line.label(2))

    return translate


def _branch_zero(op: Op, swaps: bool) -> Callable[[Line], None]:
    def translate(line: Line) -> None:
        line.expect(2)
        value = _read(line, 0)
        line.branch(line.compute(op, *((0, value) if swaps else (value, 0))), line.label(1))

    return translate


def _jump(line: Line) -> None:
    line.expect(1)
    line.branch(None, line.label(0))


def _return(line: Line) -> None:
    line.expect(0)
    line.branch(None, END)


_TABLE: dict[str, Callable[[Line], None]] = {
    **{"nop": lambda line: line.expect(0), "li": _load_immediate(0), "lui": _load_immediate(12)},
    **{"mv": _unary(lambda line, value: value), "not": _unary(lambda line, v: line.compute(Op.XOR, v, _ALL))},
    **{"neg": _unary(lambda line, value: line.compute(Op.SUB, 0, value))},
    **{"seqz": _unary(lambda line, value: line.compute(Op.EQ, value, 0))},
    **{"snez": _unary(lambda line, value: line.compute(Op.NE, value, 0))},
    **{"sext.w": _unary(lambda line, value: line.sign_extend(line.truncate(value, 32), 32))},
    **{"zext.w": _unary(lambda line, value: line.truncate(value, 32))},
    **{"mul": _binary(Op.MUL, immediate=False), "mulw": _binary(Op.MUL, immediate=False, is_word=True)},
    "pause": lambda line: line.expect(0),
    **{"j": _jump, "ret": _return, "fence": _fence, "fence.i": _named_fence, "fence.tso": _named_fence},
    **{name: _branch_if(op, swaps) for name, (op, swaps) in _COMPARED.items()},
    **{f"{name}z": _branch_zero(op, swaps) for name, (op, swaps) in _COMPARED.items() if name[-1] != "u"},
}
for _mnemonic, _op in {"add": Op.ADD, "sub": Op.SUB, "sll": Op.SHL, "srl": Op.LSHR, "sra": Op.ASHR}.items():
    for _word in ("", "w"):
        _TABLE[_mnemonic + _word] = _binary(_op, immediate=False, is_word=bool(_word))
        if _mnemonic != "sub":
            _TABLE[f"{_mnemonic}i{_word}"] = _binary(_op, immediate=True, is_word=bool(_word))
for _mnemonic, _op in {"and": Op.AND, "or": Op.OR, "xor": Op.XOR, "slt": Op.SLT}.items():
    _TABLE[_mnemonic] = _binary(_op, immediate=False)
    _TABLE[f"{_mnemonic}i"] = _binary(_op, immediate=True)
_TABLE |= {"sltu": _binary(Op.ULT, immediate=False), "sltiu": _binary(Op.ULT, immediate=True)}
for _letter, _size in _SIZES.items():
    for _suffix, _order in _ORDERS.items():
        _TABLE[f"l{_letter}{_suffix}"] = _load(_size, _order, signed=True)
        _TABLE[f"s{_letter}{_suffix}"] = _store(_size, _order)
        if _size < 8:
            _TABLE[f"l{_letter}u{_suffix}"] = _load(_size, _order, signed=False)
        if _size >= 4:
            _TABLE[f"lr.{_letter}{_suffix}"] = _load(_size, _order, signed=True, exclusive=True)
            _TABLE[f"sc.{_letter}{_suffix}"] = _store_conditional(_size, _order)
            for _amo_name, _rmw in _AMOS.items():
                _TABLE[f"amo{_amo_name}.{_letter}{_suffix}"] = _amo(_rmw, _size, _order)


def translate(line: Line) -> None:
    """Adds what an instruction does to its line."""
    handler = _TABLE.get(line.mnemonic.lower())
    if handler is None:
        raise line.unknown(_TABLE, "RISC-V")
    handler(line)


RISCV = Machine("RISCV", registers, translate)
