"""PowerPC's loads and stores, plain and conditional."""

from __future__ import annotations

import re
from collections.abc import Callable

from mazurka.litmus.machines.lines import Line, parse_number
from mazurka.litmus.machines.ppc_operands import base_of, register
from mazurka.litmus.meaning.operations import Compute, Load, Operand, Register, Store
from mazurka.program import Op

_ALL = (1 << 64) - 1
_DISPLACED = re.compile(r"(.*)\(\s*(\w+)\s*\)")
_ADDRESSES = "addresses are 0(r1), or 0,r1"
_SIZES = {"b": 1, "h": 2, "w": 4, "d": 8}
TABLE: dict[str, Callable[[Line], None]] = {}


def _displaced(line: Line) -> tuple[Operand, Register | None]:
    """The address ``k(ra)`` or ``k,ra``, and its base register."""
    match = _DISPLACED.fullmatch(line.operands[1]) if len(line.operands) == 2 else None
    offset, base = (match[1].strip() or "0", match[2]) if match else ("", "")
    if len(line.operands) == 3:
        offset, base = line.operands[1], line.operands[2]
    value = parse_number(offset)
    if value is None:
        raise line.problem(1, f"expected an address, found '{', '.join(line.operands[1:])}'", _ADDRESSES)
    start = base_of(line, 1, base)
    return line.add(start, value & _ALL), start if isinstance(start, Register) else None


def _indexed(line: Line) -> Operand:
    line.expect(3)
    base = base_of(line, 1)
    index = register(line, 2)
    return index if base == 0 else line.compute(Op.ADD, base, index)


def _load(size: int, *, indexed: bool, signed: bool = False, updates: bool = False) -> Callable[[Line], None]:
    def translate(line: Line) -> None:
        line.expect(2, 3)
        dst = register(line, 0)
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
        value = register(line, 0)
        at, base = (_indexed(line), None) if indexed else _displaced(line)
        line.emit(Store(at, value, size))
        if updates and base is not None:
            line.emit(Compute(Op.MOV, base, at))

    return translate


def _reserve(size: int) -> Callable[[Line], None]:
    def translate(line: Line) -> None:
        line.expect(3)
        line.emit(Load(register(line, 0), _indexed(line), size, is_exclusive=True))

    return translate


def _store_conditional(size: int) -> Callable[[Line], None]:
    """stwcx. and its relatives: cr0 says that they succeeded by eq."""

    def translate(line: Line) -> None:
        line.expect(3)
        status, value, at = line.fresh(), register(line, 0), _indexed(line)
        line.emit(Store(at, value, size, is_exclusive=True, status=status))
        line.emit(Compute(Op.EQ, Register("%cr0.eq"), status, 0))
        for flag in ("lt", "gt"):
            line.emit(Compute(Op.MOV, Register(f"%cr0.{flag}"), 0))

    return translate


for _letter, _size in _SIZES.items():
    _zero = "z" if _size < 8 else ""
    TABLE[f"l{_letter}{_zero}"] = _load(_size, indexed=False)
    TABLE[f"l{_letter}{_zero}u"] = _load(_size, indexed=False, updates=True)
    TABLE[f"l{_letter}{_zero}x"] = _load(_size, indexed=True)
    TABLE[f"st{_letter}"] = _store(_size, indexed=False)
    TABLE[f"st{_letter}u"] = _store(_size, indexed=False, updates=True)
    TABLE[f"st{_letter}x"] = _store(_size, indexed=True)
    TABLE[f"l{_letter}arx"] = _reserve(_size)
    TABLE[f"st{_letter}cx."] = _store_conditional(_size)
for _letter, _size in (("h", 2), ("w", 4)):
    TABLE[f"l{_letter}a"] = _load(_size, indexed=False, signed=True)
    TABLE[f"l{_letter}ax"] = _load(_size, indexed=True, signed=True)
