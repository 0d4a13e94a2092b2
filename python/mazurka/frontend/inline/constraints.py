"""The operands of an ``asm``: what its constraints make of its arguments and results.

LLVM writes the constraints of outputs, then of inputs, then clobbers. An output that is memory (``=*m``) has
an argument, its address; the others are results, in order. ``+r`` is an output and an input that is tied to
it by its number.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from mazurka.frontend.llvm import ir

_PHYSICAL = re.compile(r"\{(@cc\w+|\w+)\}")


@dataclass
class AsmOperand:
    """One operand: memory at an address, or a value in a register."""

    type: ir.Type
    address: ir.Operand | None = None  # of memory
    value: ir.Operand | None = None  # with which a register starts
    register: str = ""  # the register it has to be in, or a condition ("@ccz")
    result: int | None = None  # which of the results it is


@dataclass
class Operands:
    """All operands, by number, and where one that is tied to another stands."""

    all: list[AsmOperand] = field(default_factory=list)
    tied: dict[int, int] = field(default_factory=dict)

    def of(self, number: int) -> AsmOperand | None:
        """The operand that a number in the text means."""
        number = self.tied.get(number, number)
        return self.all[number] if number < len(self.all) else None


def operands_of(inst: ir.Inst, assembly: ir.Assembly) -> Operands:
    """The operands of a call of inline assembly."""
    found = Operands()
    arguments = iter(zip(inst.operands[1:], assembly.elements, strict=True))
    results = _results(inst.type)
    count = 0
    for text in _constraints(assembly.constraints):
        if text.startswith("~"):
            continue
        is_output, body = text.startswith("="), text.lstrip("=&+%")
        if body.startswith("*"):
            address, element = next(arguments)
            found.all.append(AsmOperand(element or ir.IntType(0), address=address))
        elif is_output:
            found.all.append(AsmOperand(results[count], register=_physical(body), result=count))
            count += 1
        else:
            _input(found, body, next(arguments)[0])
    return found


def _input(found: Operands, body: str, argument: ir.Operand) -> None:
    number = len(found.all)
    if body.isdigit():  # starts in the register of an output
        found.all[int(body)].value = argument
        found.tied[number] = int(body)
    found.all.append(AsmOperand(argument[0], value=argument, register=_physical(body)))


def _results(type_: ir.Type) -> list[ir.Type]:
    if isinstance(type_, ir.VoidType):
        return []
    return list(type_.fields) if isinstance(type_, ir.StructType) else [type_]


def _constraints(text: str) -> list[str]:
    parts, depth = [""], 0
    for character in text:
        depth += {"{": 1, "}": -1}.get(character, 0)
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part for part in parts if part]


def _physical(body: str) -> str:
    named = _PHYSICAL.search(body)
    return named[1] if named is not None else ""
