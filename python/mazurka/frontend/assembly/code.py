"""Virtual code: bytecode with any number of registers, in basic blocks, before register allocation.

I1: an operand is a virtual register (0 and up) or ``~i`` for entry ``i`` of the constant pool.
I2: every block ends with exactly one terminator, whose targets are blocks.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from mazurka.program import NO_POSITION, Mode, Op

TERMINATORS = frozenset((Op.JMP, Op.BR, Op.SWITCH, Op.RET, Op.UNREACHABLE))
_NO_OPERANDS = frozenset(
    (
        *(Op.JMP, Op.LOOP, Op.CALL, Op.RET, Op.UNREACHABLE, Op.FENCE, Op.FRAMEADDR, Op.TLSADDR, Op.SELF),
        Op.UNWIND,
        *(Op.FAIL, Op.PRINT, Op.UNKNOWN, Op.NOP, Op.REFUSE),
    )
)
_UNARY = frozenset(
    (
        *(
            Op.MOV,
            Op.TRUNC,
            Op.SEXT,
            Op.CTPOP,
            Op.CTLZ,
            Op.CTTZ,
            Op.BSWAP,
            Op.BITREV,
            Op.ABS,
            Op.FNEG,
            Op.FPTOSI,
        ),
        *(Op.FPTOUI, Op.SITOFP, Op.UITOFP, Op.FPEXT, Op.FPTRUNC, Op.FABS, Op.FSQRT, Op.FFLOOR, Op.FCEIL),
        *(Op.FTRUNC, Op.FROUND, Op.BR, Op.SWITCH, Op.CALLI, Op.LOAD, Op.FREE, Op.OBJSIZE, Op.JOIN, Op.EXIT),
        *(Op.LOCK, Op.TRYLOCK, Op.UNLOCK, Op.MUTEX_INIT, Op.MUTEX_DESTROY, Op.ASSUME),
    )
)
_TERNARY = frozenset((Op.SELECT, Op.FSHL, Op.FSHR, Op.CAS))
_NO_RESULT = frozenset(
    (
        *TERMINATORS,
        *(Op.STORE, Op.FENCE, Op.FREE, Op.LOCK, Op.UNLOCK, Op.MUTEX_INIT, Op.MUTEX_DESTROY, Op.ASSUME),
        *(Op.PRINT, Op.NOP, Op.EXIT, Op.FAIL, Op.UNKNOWN, Op.REFUSE),
    )
)
_TWO_RESULTS = frozenset((Op.SADDO, Op.UADDO, Op.SSUBO, Op.USUBO, Op.SMULO, Op.UMULO, Op.CAS))
_DIVISIONS = frozenset((Op.UDIV, Op.SDIV, Op.UREM, Op.SREM))  # a zero divisor is a finding
PURE = frozenset(op for op in Op if op <= Op.FROUND and op not in _DIVISIONS) | {
    *(Op.FRAMEADDR, Op.TLSADDR, Op.FDIGITS, Op.STEP)
}
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
        if self.op in _NO_OPERANDS:
            return 0
        if self.op in _UNARY:
            return 1
        return 3 if self.op in _TERNARY else 2

    def operands(self) -> list[int]:
        """All operands that are read, registers and constants."""
        if self.op == COPIES:
            return [source for _, source in self.copies]
        if self.op == Op.LOOP:
            return [self.dst]
        fields = [self.a, self.b, self.c][: self.operand_fields()]
        return fields + self.args if self.args else fields

    def results(self) -> range | list[int]:
        """The registers that are written."""
        op = self.op
        if op == COPIES:
            return [register for register, _ in self.copies]
        if op in _NO_RESULT:
            return []
        if op in (Op.CALL, Op.CALLI):
            return range(self.dst, self.dst + self.x)
        return range(self.dst, self.dst + 2) if op in _TWO_RESULTS else [self.dst]


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
