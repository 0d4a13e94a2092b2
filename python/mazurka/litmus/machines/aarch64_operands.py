"""Operands of AArch64: registers, shifted and extended registers, and addresses."""

from __future__ import annotations

import re

from mazurka.litmus.machines.flags import CONDITIONS
from mazurka.litmus.machines.lines import Line, parse_number
from mazurka.litmus.meaning.operations import Compute, Operand, Register
from mazurka.program import Op

_REGISTER = re.compile(r"([XW])(\d+|ZR)|(SP|WSP|LR|FP)")
_MODIFIER = re.compile(r"(lsl|lsr|asr|uxt[bhwx]|sxt[bhwx])(?:\s*#?\s*(\d+))?", re.IGNORECASE)
_SHIFTS = {"lsl": Op.SHL, "lsr": Op.LSHR, "asr": Op.ASHR}
_EXTENDED_BITS = {"b": 8, "h": 16, "w": 32, "x": 64}
_REGISTERS = "registers are X0 to X30 and XZR, and W0 to W30 and WZR for their lower halves"
_ADDRESSES = "addresses are [X1], [X1,#8], [X1,X2], [X1,W2,SXTW], [X1,X2,LSL #3], [X1],#8 and [X1,#8]!"


def _parse(text: str) -> tuple[str, bool] | None:
    """The full name of a register and whether all its 64 bits are meant; ``ZR`` is the zero register."""
    match = _REGISTER.fullmatch(text.upper())
    if not match:
        return None
    if match[3]:
        return {"LR": "X30", "FP": "X29"}.get(match[3], "SP"), match[3] != "WSP"
    if match[2] == "ZR":
        return "ZR", match[1] == "X"
    return (f"X{int(match[2])}", match[1] == "X") if int(match[2]) <= 30 else None


def registers(text: str) -> tuple[str, int] | None:
    """The full name of a register, and how many bits are meant."""
    parsed = _parse(text)
    return (parsed[0], 64 if parsed[1] else 32) if parsed else None


def _register(line: Line, number: int) -> tuple[str, bool]:
    parsed = _parse(line.operands[number])
    if parsed is None:
        raise line.problem(number, f"'{line.operands[number]}' is not a register", _REGISTERS)
    return parsed


def is_wide(line: Line, number: int) -> bool:
    """Whether an operand is a register of 64 bits."""
    return _register(line, number)[1]


def width_of(line: Line) -> int:
    """The bits of an instruction's first register."""
    return 64 if is_wide(line, 0) else 32


def destination(line: Line, number: int) -> Register | None:
    """The register that an operand fills, if it is not the zero register."""
    name, _ = _register(line, number)
    return None if name == "ZR" else Register(name)


def fill(line: Line, number: int, value: Operand) -> None:
    """Moves a result to the register that an operand names."""
    dst = destination(line, number)
    if dst is not None:
        line.emit(Compute(Op.MOV, dst, value, width=64 if is_wide(line, number) else 32))


def read(line: Line, number: int) -> Operand:
    """The value of the register that an operand names."""
    return _value(line, *_register(line, number))


def _value(line: Line, name: str, wide: bool) -> Operand:
    if name == "ZR":
        return 0
    return Register(name) if wide else line.truncate(Register(name), 32)


def condition_name(line: Line, number: int) -> str:
    """An operand that names a condition."""
    name = line.operands[number].lower()
    if name not in CONDITIONS:
        raise line.problem(
            number, f"unknown condition '{line.operands[number]}'", "conditions are EQ, NE, LT, …"
        )
    return name


def second(line: Line, number: int, width: int, *, is_last: bool = False) -> Operand:
    """The last operand of a computation: a number or a register, perhaps modified by one more operand."""
    value = line.number(number)
    modifier = line.operands[number + 1] if number + 1 < len(line.operands) and not is_last else None
    if value is not None:
        if modifier is not None:
            value <<= _fixed_shift(line, number + 1)
        return value & (1 << width) - 1
    operand = read(line, number)
    if modifier is None:
        return operand
    return _modified(line, number + 1, modifier, operand, width)


def _fixed_shift(line: Line, number: int) -> int:
    match = _MODIFIER.fullmatch(line.operands[number])
    if not match or match[1].lower() != "lsl" or match[2] is None:
        raise line.problem(number, f"expected a shift, found '{line.operands[number]}'", "as in LSL #12")
    return min(int(match[2]), 64)


def _modified(line: Line, number: int, modifier: str, value: Operand, width: int) -> Operand:
    match = _MODIFIER.fullmatch(modifier.strip())
    if not match:
        raise line.problem(
            number, f"expected a shift or an extension, found '{modifier}'", "as in LSL #2 or SXTW"
        )
    kind, amount = match[1].lower(), int(match[2] or 0)
    if amount >= width:
        raise line.problem(number, f"a shift by {amount} bits is too far", "use a smaller number")
    if kind in _SHIFTS:
        return value if amount == 0 else line.compute(_SHIFTS[kind], value, amount, width=width)
    bits = _EXTENDED_BITS[kind[3]]
    value = line.truncate(value, bits)
    value = line.sign_extend(value, bits, width) if kind[0] == "s" else value
    return value if amount == 0 else line.compute(Op.SHL, value, amount, width=width)


def address(line: Line, number: int) -> Operand:
    """The address that an operand names. The base register is changed at once where it is said to be."""
    text = line.operands[number]
    match = re.fullmatch(r"\[([^][]*)\](!?)", text)
    if not match:
        raise line.problem(number, f"expected an address, found '{text}'", _ADDRESSES)
    parts = [part.strip() for part in match[1].split(",")]
    base = _parse(parts[0])
    if base is None or not base[1] or base[0] == "ZR":
        raise line.problem(number, f"'{parts[0]}' cannot hold an address", _ADDRESSES)
    register = Register(base[0])
    if len(line.operands) == number + 2:  # post-indexed: the old value is the address
        old = line.compute(Op.MOV, register)
        line.emit(Compute(Op.ADD, register, register, _step(line, number + 1)))
        return old
    found = line.add(register, _offset(line, number, parts[1:]))
    if match[2]:
        line.emit(Compute(Op.MOV, register, found))
    return found


def _step(line: Line, number: int) -> Operand:
    value = line.number(number)
    return line.immediate(number) & (1 << 64) - 1 if value is not None else read(line, number)


def _offset(line: Line, number: int, parts: list[str]) -> Operand:
    if not parts:
        return 0
    value = parse_number(parts[0])
    if value is not None and len(parts) == 1:
        return value & (1 << 64) - 1
    register = _parse(parts[0])
    if register is None or len(parts) > 2 or value is not None:
        raise line.problem(number, f"expected an address, found '{line.operands[number]}'", _ADDRESSES)
    name, wide = register
    if len(parts) == 1:
        return _value(line, name, wide)
    return _modified(line, number, parts[1], _value(line, name, wide), 64)
