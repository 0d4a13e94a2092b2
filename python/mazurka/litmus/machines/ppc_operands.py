"""Operands and results of PowerPC: registers, and fields of the condition register."""

from __future__ import annotations

import re

from mazurka.litmus.machines.lines import Line, parse_number
from mazurka.litmus.meaning.operations import Compute, Operand, Register
from mazurka.program import Op

_REGISTER = re.compile(r"r(\d+)", re.IGNORECASE)


def register_name(text: str) -> str | None:
    """The full name of a register."""
    match = _REGISTER.fullmatch(text)
    return f"r{int(match[1])}" if match and int(match[1]) < 32 else None


def registers(text: str) -> tuple[str, int] | None:
    """The full name of a register, and its bits."""
    name = register_name(text)
    return (name, 64) if name else None


def register(line: Line, number: int, text: str | None = None) -> Register:
    text = line.operands[number] if text is None else text
    name = register_name(text)
    if name is None:
        raise line.problem(number, f"'{text}' is not a register", "registers are r0 to r31")
    return Register(name)


def base_of(line: Line, number: int, text: str | None = None) -> Operand:
    """The base of an address: a register, or the number 0."""
    text = line.operands[number] if text is None else text
    return 0 if parse_number(text) == 0 else register(line, number, text)


def _compare_with_zero(line: Line, value: Operand) -> None:
    """What an instruction with a dot does to the field cr0."""
    set_field(line, "0", value, 0, 64, signed=True)


def set_field(line: Line, field: str, a: Operand, b: Operand, width: int, *, signed: bool) -> None:
    less = Op.SLT if signed else Op.ULT
    for name, op, left, right in (("lt", less, a, b), ("gt", less, b, a), ("eq", Op.EQ, a, b)):
        line.emit(Compute(op, Register(f"%cr{field}.{name}"), left, right, width=width))


def fill(line: Line, value: Operand) -> None:
    """Fills the first register; a dot compares it with 0."""
    dst = register(line, 0)
    line.emit(Compute(Op.MOV, dst, value))
    if line.mnemonic.endswith("."):
        _compare_with_zero(line, dst)
