"""Operands of x86, as Intel (X86) and as AT&T (X86_64) write them.

A register is called by its 64-bit name; smaller names are parts of it. Writing 32 bits clears the upper ones.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from mazurka.litmus.machines.lines import Line, parse_number
from mazurka.litmus.meaning.operations import Compute, Operand, Register
from mazurka.litmus.meaning.values import Address
from mazurka.program import Op

_ALL = (1 << 64) - 1
_PARTS = {
    **{
        f"{before}{letter}X": (f"R{letter}X", bits)
        for letter in "ABCD"
        for before, bits in (("R", 64), ("E", 32), ("", 16))
    },
    **{f"{letter}L": (f"R{letter}X", 8) for letter in "ABCD"},
    **{
        f"{before}{name}{after}": (f"R{name}", bits)
        for name in ("SI", "DI", "BP", "SP")
        for before, after, bits in (("R", "", 64), ("E", "", 32), ("", "", 16), ("", "L", 8))
    },
    **{
        f"R{n}{after}": (f"R{n}", bits)
        for n in range(8, 16)
        for after, bits in (("", 64), ("D", 32), ("W", 16), ("B", 8))
    },
    **{name: (name, 16) for name in ("CS", "DS", "ES", "FS", "GS", "SS")},
}
_NAME = re.compile(r"[A-Za-z_]\w*")


def register_name(text: str) -> str | None:
    """The full name of a register."""
    part = _PARTS.get(text.lstrip("%").upper())
    return part[0] if part else None


def registers(text: str) -> tuple[str, int] | None:
    """The full name of a register, and how many bits are meant."""
    return _PARTS.get(text.upper())


@dataclass(frozen=True, slots=True)
class Part:
    """A register, or its lower bits."""

    name: str
    bits: int

    def read(self, line: Line, bits: int) -> Operand:
        """Its value, of so many bits."""
        return line.truncate(Register(self.name), bits)

    def fill(self, line: Line, value: Operand, bits: int) -> None:
        """Writes so many of its lower bits."""
        if bits >= 32:
            line.emit(Compute(Op.MOV, Register(self.name), value, width=bits))
            return
        kept = line.compute(Op.AND, Register(self.name), ~((1 << bits) - 1) & _ALL)
        line.emit(Compute(Op.OR, Register(self.name), kept, line.truncate(value, bits)))


@dataclass(frozen=True, slots=True)
class Memory:
    """A place in memory: a location or registers, and an offset."""

    location: str | None
    base: str | None
    index: str | None
    scale: int
    offset: int

    def address(self, line: Line) -> Operand:
        """Its address."""
        at: Operand = Address(self.location, 0, self.offset) if self.location else self.offset & _ALL
        if self.base:
            base = Register(self.base)
            at = base if at == 0 else line.compute(Op.ADD, base, at)
        if self.index:
            index: Operand = Register(self.index)
            scaled = line.compute(Op.MUL, index, self.scale) if self.scale != 1 else index
            at = scaled if at == 0 else line.compute(Op.ADD, at, scaled)
        return at


X86Operand: TypeAlias = Part | Memory | int | Address


def parse_intel(line: Line, number: int) -> X86Operand:
    """``EAX``, ``[x]``, ``[EBX+4]``, ``$1`` or ``1``."""
    text = line.operands[number]
    value = parse_number(text)
    if value is not None:
        return value & _ALL
    part = _PARTS.get(text.upper())
    if part:
        return Part(*part)
    memory = re.fullmatch(r"(?:(?:byte|word|dword|qword)(?:\s+ptr)?\s*)?\[([^][]*)\]", text, re.IGNORECASE)
    if memory is None:
        raise line.problem(
            number, f"expected an operand, found '{text}'", "operands are EAX, [x], [EBX+4] and $1"
        )
    return _sum(line, number, memory[1])


def _sum(line: Line, number: int, text: str) -> Memory:
    """What is between Intel's brackets: terms with + and - between them."""
    location, registers, offset = None, [], 0
    for sign, term in re.findall(r"([-+]?)\s*([^-+\s]+)\s*", text):
        value = parse_number(term)
        if value is not None:
            offset += -value if sign == "-" else value
        elif term.upper() in _PARTS and sign != "-":
            registers.append(_PARTS[term.upper()][0])
        elif _NAME.fullmatch(term) and location is None and sign != "-":
            location = term
        else:
            raise line.problem(
                number, f"'{term}' cannot be part of an address", "addresses are [x], [EBX] and [EBX+4]"
            )
    if len(registers) > 2 or (location is None and not registers):
        raise line.problem(number, f"'[{text}]' is not an address", "addresses are [x], [EBX] and [EBX+4]")
    base, index = (*registers, None, None)[:2]
    return Memory(location, base, index, 1, offset)


_ATT = re.compile(r"(?:%[cdefgs]s:)?\s*([-+]?[\w.]*)\s*(?:\(([^()]*)\))?", re.IGNORECASE)


def parse_att(line: Line, number: int) -> X86Operand:
    """``%eax``, ``(x)``, ``8(%rax)``, ``(%rax,%rbx,4)``, ``x(%rip)``, ``$1`` or ``$x``."""
    text = line.operands[number]
    hint = "operands are %eax, (x), (%rax), 8(%rax,%rbx,4), x(%rip) and $1"
    if text.startswith("%") and ":" not in text:
        part = _PARTS.get(text[1:].upper())
        if part is None:
            raise line.problem(number, f"'{text}' is not a register", hint)
        return Part(*part)
    if text.startswith("$"):
        value = parse_number(text)
        if value is not None:
            return value & _ALL
        if _NAME.fullmatch(text[1:]):
            return Address(text[1:])
    match = _ATT.fullmatch(text)
    if match is None or not (match[1] or match[2]):
        raise line.problem(number, f"expected an operand, found '{text}'", hint)
    inner = [part.strip() for part in match[2].split(",")] if match[2] else []
    return _memory(line, number, match[1], inner, hint)


def _memory(line: Line, number: int, before: str, inner: list[str], hint: str) -> Memory:
    offset = parse_number(before or "0")
    location = before if offset is None else None
    base, index, scale = None, None, 1
    if inner and not inner[0].startswith("%") and location is None and _NAME.fullmatch(inner[0]):
        location, inner = inner[0], inner[1:]
    elif inner and inner[0].lower() == "%rip":
        inner = inner[1:]
    names = [register_name(name) if name.startswith("%") else None for name in inner[:2]]
    if inner[2:]:
        scale = parse_number(inner[2]) if parse_number(inner[2]) is not None else -1  # type: ignore[assignment]
    if None in names or len(inner) > 3 or scale < 0 or not (location or names):
        raise line.problem(number, f"'{line.operands[number]}' is not an address", hint)
    base, index = (*names, None, None)[:2]
    return Memory(location, base, index, scale, offset or 0)
