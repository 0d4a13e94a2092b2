"""Virtual code: bytecode with any number of registers, in basic blocks, before register allocation.

I1: an operand is a virtual register (0 and up) or ``~i`` for entry ``i`` of the constant pool.
I2: every block ends with exactly one terminator, whose targets are blocks.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from mazurka.program import NO_POSITION, Mode, Op
from mazurka.program.instructions import FACTS, TERMINATORS

PURE = frozenset(op for op, row in FACTS.items() if row.is_pure)
COPIES = -1  # pseudo-operation: parallel copies, pairs in ``copies``


@dataclass(slots=True)
class Code:
    """One instruction of virtual code."""

    op: int
    dst: int = 0
    a: int = 0
    b: int = 0
    c: int = 0
    width: int = 64
    mode: Mode = Mode.NA
    x: int = 0
    position: int = NO_POSITION
    expr: str = ""
    args: list[int] = field(default_factory=list)  # operand list
    targets: list[CodeBlock] = field(default_factory=list)  # SWITCH: cases, then the default
    cases: list[int] = field(default_factory=list)
    copies: list[tuple[int, int]] = field(default_factory=list)  # (register, operand)

    def operand_fields(self) -> int:
        """How many of ``a``, ``b``, ``c`` are operands."""
        return FACTS[Op(self.op)].operands

    def operands(self) -> list[int]:
        """All operands that are read, registers and constants."""
        if self.op == COPIES:
            return [source for _, source in self.copies]
        facts = FACTS[Op(self.op)]
        fields = [self.a, self.b, self.c][: facts.operands]
        if facts.reads_dst:
            fields.append(self.dst)
        return fields + self.args if self.args else fields

    def results(self) -> range | list[int]:
        """The registers that are written."""
        op = self.op
        if op == COPIES:
            return [register for register, _ in self.copies]
        count = FACTS[Op(op)].results
        return range(self.dst, self.dst + (self.x if count is None else count))


@dataclass(eq=False, slots=True)
class CodeBlock:
    """A basic block of virtual code."""

    code: list[Code] = field(default_factory=list)

    def terminator(self) -> Code:
        """The last instruction."""
        return self.code[-1]

    def ended(self) -> bool:
        """Whether the block already has its terminator."""
        return bool(self.code) and self.code[-1].op in TERMINATORS


@dataclass(slots=True)
class VirtualFunction:
    """A function before register allocation; parameters are registers 0..params-1."""

    name: str
    params: int
    registers: int
    blocks: list[CodeBlock]
    groups: list[tuple[int, int]]  # (first register, count) that must be consecutive
