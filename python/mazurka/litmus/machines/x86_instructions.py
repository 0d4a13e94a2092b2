"""What x86's instructions do, whoever wrote their operands in which order.

``%c`` is the opposite of the carry flag, so that conditions are those of ``flags``. An instruction on memory
without LOCK is a load and a store, not one atomic operation; XCHG is always locked.
"""

from __future__ import annotations

from mazurka.litmus.machines.flags import (
    CARRY,
    NEGATIVE,
    OVERFLOW,
    condition,
    set_by_addition,
    set_by_result,
    set_by_subtraction,
)
from mazurka.litmus.machines.lines import Line
from mazurka.litmus.machines.x86_operands import (
    Memory,
    Part,
    X86Operand,
)
from mazurka.litmus.meaning.operations import (
    END,
    CompareSwap,
    Compute,
    Fence,
    Load,
    Operand,
    Register,
    Rmw,
    Store,
)
from mazurka.litmus.meaning.values import Address
from mazurka.program import Op, RmwOp

SUFFIXES = {"b": 8, "w": 16, "l": 32, "q": 64}
CONDITIONS = {
    **{
        "e": "eq",
        "z": "eq",
        "ne": "ne",
        "nz": "ne",
        "b": "lo",
        "c": "lo",
        "nae": "lo",
        "ae": "hs",
        "nb": "hs",
    },
    **{
        "nc": "hs",
        "be": "ls",
        "na": "ls",
        "a": "hi",
        "nbe": "hi",
        "s": "mi",
        "ns": "pl",
        "o": "vs",
        "no": "vc",
    },
    **{"l": "lt", "nge": "lt", "ge": "ge", "nl": "ge", "le": "le", "ng": "le", "g": "gt", "nle": "gt"},
}
BINARY = {
    **{"add": (Op.ADD, RmwOp.ADD), "sub": (Op.SUB, RmwOp.SUB), "and": (Op.AND, RmwOp.AND)},
    **{"or": (Op.OR, RmwOp.OR), "xor": (Op.XOR, RmwOp.XOR)},
}
UNARY = {"inc": (Op.ADD, RmwOp.ADD), "dec": (Op.SUB, RmwOp.SUB)}
_ACCUMULATOR = Part("RAX", 64)


class X86Instruction:
    """An instruction with its operands in Intel's order: the destination first."""

    def __init__(self, line: Line, name: str, operands: list[X86Operand], bits: int, locked: bool) -> None:
        self.line = line
        self.name = name
        self.operands = operands
        self.bits = bits
        self.locked = locked

    @property
    def size(self) -> int:
        """The bytes of an access."""
        return self.bits // 8

    def read(self, operand: X86Operand) -> Operand:
        """The value of an operand; one in memory is loaded."""
        match operand:
            case Part():
                return operand.read(self.line, self.bits)
            case Memory():
                value = self.line.fresh()
                self.line.emit(Load(value, operand.address(self.line), self.size))
                return value
            case int():
                return operand & (1 << self.bits) - 1
            case Address():
                return operand

    def write(self, operand: X86Operand, value: Operand, at: Operand | None = None) -> None:
        """Gives an operand a value."""
        if isinstance(operand, Part):
            operand.fill(self.line, value, self.bits)
        elif isinstance(operand, Memory):
            self.line.emit(Store(operand.address(self.line) if at is None else at, value, self.size))
        else:
            raise self.line.problem(
                0, f"{self.name.upper()} cannot write to a number", "name a register or memory"
            )

    def expect(self, *counts: int) -> None:
        """Checks the number of operands."""
        self.line.expect(*counts)

    def run(self) -> bool:
        """Adds what it does; False if it is not known."""
        name = self.name
        if name in ("mov", "movabs"):
            self._move()
        elif name == "xchg":
            self._exchange()
        elif name in BINARY or name in UNARY:
            self._update()
        elif name in ("not", "neg"):
            self._negate()
        elif name in ("cmp", "test"):
            self._compare()
        elif name == "xadd":
            self._exchange_add()
        elif name == "cmpxchg":
            self._compare_exchange()
        elif name[:4] in ("movz", "movs"):
            self._move_extended()
        elif name in ("shl", "sal", "shr", "sar"):
            self._shift()
        elif name == "lea":
            self._load_address()
        elif name in ("mfence", "lfence", "sfence"):
            self.expect(0)
            self.line.emit(Fence(name))
        elif name in ("ret", "retq"):
            self.expect(0)
            self.line.branch(None, END)
        elif name not in ("nop", "pause", "endbr64"):
            return self._conditional()
        return True

    def _move(self) -> None:
        self.expect(2)
        target, source = self.operands
        if isinstance(target, Memory) and isinstance(source, Memory):
            raise self.line.problem(0, "MOV cannot copy from memory to memory", "use a register in between")
        if isinstance(source, Memory) and isinstance(target, Part) and self.bits >= 32:
            at = source.address(self.line)
            self.line.emit(Load(Register(target.name), at, self.size))
            return
        self.write(target, self.read(source))

    def _move_extended(self) -> None:
        """MOVZX and MOVSX; as AT&T writes them, the letters behind give the sizes: MOVZBL."""
        self.expect(2)
        target, source = self.operands
        sizes = self.name[4:]
        if not isinstance(target, Part):
            raise self.line.problem(0, f"{self.name.upper()} needs a register to fill", "name a register")
        small = SUFFIXES.get(sizes[:1]) if len(sizes) == 2 else getattr(source, "bits", None)
        if small is None or small >= target.bits:
            raise self.line.problem(0, "the size of what is extended is not known", "name a smaller register")
        self.bits = small
        value = self.read(source)
        if self.name[3] == "s":
            value = self.line.sign_extend(value, small, target.bits)
        target.fill(self.line, value, target.bits)

    def _shift(self) -> None:
        """By a number; the carry is the last bit that is shifted out."""
        self.expect(2)
        target, by = self.operands
        if not isinstance(by, int):
            raise self.line.unsupported(1, "a shift by a register is not supported", "shift by a number")
        op = {"shr": Op.LSHR, "sar": Op.ASHR}.get(self.name, Op.SHL)
        amount = by % (64 if self.bits == 64 else 32)
        at = target.address(self.line) if isinstance(target, Memory) else None
        value = self._old(target, at)
        if amount >= self.bits:
            raise self.line.unsupported(1, f"a shift by {amount} bits is too far", "use a smaller number")
        if amount == 0:
            return
        result = self.line.compute(op, value, amount, width=self.bits)
        out = self.bits - amount if op is Op.SHL else amount - 1
        carry = self.line.compute(Op.AND, self.line.compute(Op.LSHR, value, out, width=self.bits), 1)
        set_by_result(self.line, result, self.bits, carry=0)
        self.line.emit(Compute(Op.EQ, CARRY, carry, 0))
        if op is Op.SHL:
            self.line.emit(Compute(Op.XOR, OVERFLOW, NEGATIVE, carry))
        elif op is Op.LSHR:
            self.line.emit(Compute(Op.SLT, OVERFLOW, value, 0, width=self.bits))
        self.write(target, result, at)

    def _exchange(self) -> None:
        self.expect(2)
        a, b = self.operands
        if isinstance(b, Memory):
            a, b = b, a
        if not isinstance(b, Part):
            raise self.line.problem(
                1, "XCHG exchanges a register", "name a register and memory, or two registers"
            )
        value = self.read(b)
        if isinstance(a, Memory):
            old = self.line.fresh()
            self.line.emit(Rmw(RmwOp.XCHG, old, a.address(self.line), value, self.size))
            b.fill(self.line, old, self.bits)
        elif isinstance(a, Part):
            kept = self.line.compute(Op.MOV, value)
            b.fill(self.line, self.read(a), self.bits)
            a.fill(self.line, kept, self.bits)

    def _update(self) -> None:
        """ADD and the like: ``dst = dst op src``, with flags; INC and DEC leave the carry as it is."""
        is_unary = self.name in UNARY
        self.expect(1 if is_unary else 2)
        op, rmw = (UNARY | BINARY)[self.name]
        target = self.operands[0]
        source: Operand = 1 if is_unary else self.read(self.operands[1])
        carry = self.line.compute(Op.MOV, CARRY) if is_unary else None
        if isinstance(target, Memory) and self.locked:
            old = self.line.fresh()
            self.line.emit(Rmw(rmw, old, target.address(self.line), source, self.size))
            self._result(op, old, source)
        else:
            at = target.address(self.line) if isinstance(target, Memory) else None
            self.write(target, self._result(op, self._old(target, at), source), at)
        if carry is not None:
            self.line.emit(Compute(Op.MOV, CARRY, carry))

    def _old(self, target: X86Operand, at: Operand | None) -> Operand:
        if at is None:
            return self.read(target)
        old = self.line.fresh()
        self.line.emit(Load(old, at, self.size))
        return old

    def _result(self, op: Op, a: Operand, b: Operand) -> Operand:
        """The result of an operation, which sets the flags."""
        if op is Op.SUB:
            return set_by_subtraction(self.line, a, b, self.bits)
        if op is Op.ADD:
            result = set_by_addition(self.line, a, b, self.bits)
            self.line.emit(Compute(Op.EQ, CARRY, CARRY, 0))
            return result
        result = self.line.compute(op, a, b, width=self.bits)
        set_by_result(self.line, result, self.bits, carry=1)
        return result

    def _negate(self) -> None:
        self.expect(1)
        target = self.operands[0]
        if self.locked:
            raise self.line.unsupported(
                0, f"a locked {self.name.upper()} is not supported", "use LOCK XOR or LOCK SUB"
            )
        at = target.address(self.line) if isinstance(target, Memory) else None
        value = self._old(target, at)
        if self.name == "not":
            ones = (1 << self.bits) - 1
            self.write(target, self.line.compute(Op.XOR, value, ones, width=self.bits), at)
        else:
            self.write(target, set_by_subtraction(self.line, 0, value, self.bits), at)

    def _compare(self) -> None:
        self.expect(2)
        a, b = (self.read(operand) for operand in self.operands)
        if self.name == "cmp":
            set_by_subtraction(self.line, a, b, self.bits)
        else:
            set_by_result(self.line, self.line.compute(Op.AND, a, b, width=self.bits), self.bits, carry=1)

    def _exchange_add(self) -> None:
        self.expect(2)
        target, source = self.operands
        if not isinstance(source, Part):
            raise self.line.problem(1, "XADD needs a register", "as in LOCK XADD [x],EAX")
        value = self.read(source)
        if isinstance(target, Memory) and self.locked:
            old: Operand = self.line.fresh()
            assert not isinstance(old, int | Address)
            self.line.emit(Rmw(RmwOp.ADD, old, target.address(self.line), value, self.size))
            self._result(Op.ADD, old, value)
        else:
            at = target.address(self.line) if isinstance(target, Memory) else None
            old = self._old(target, at)
            self.write(target, self._result(Op.ADD, old, value), at)
        source.fill(self.line, old, self.bits)

    def _compare_exchange(self) -> None:
        self.expect(2)
        target, source = self.operands
        if not isinstance(target, Memory) or not isinstance(source, Part):
            raise self.line.unsupported(
                0, "CMPXCHG needs memory and a register", "as in LOCK CMPXCHG [x],EBX"
            )
        new, expected, at = self.read(source), self.read(_ACCUMULATOR), target.address(self.line)
        old: Operand
        if self.locked:
            read = self.line.fresh()
            self.line.emit(CompareSwap(read, at, expected, new, self.size))
            old = read
            set_by_subtraction(self.line, expected, old, self.bits)
        else:  # it always writes: the old value, if it is not the expected one
            old = self._old(target, at)
            set_by_subtraction(self.line, expected, old, self.bits)
            holds = self.line.compute(Op.EQ, old, expected, width=self.bits)
            self.write(target, self.line.compute(Op.SELECT, holds, new, old), at)
        _ACCUMULATOR.fill(self.line, old, self.bits)

    def _load_address(self) -> None:
        self.expect(2)
        target, source = self.operands
        if not isinstance(source, Memory):
            raise self.line.problem(1, "LEA needs an address", "as in LEA EAX,[x]")
        self.write(target, source.address(self.line))

    def _conditional(self) -> bool:
        """JMP, Jcc, SETcc and CMOVcc."""
        name, line = self.name, self.line
        for prefix in ("cmov", "set"):
            if name.startswith(prefix) and name[len(prefix) :] in CONDITIONS:
                self.expect(2 if prefix == "cmov" else 1)
                holds = condition(line, CONDITIONS[name[len(prefix) :]])
                target = self.operands[0]
                if prefix == "set":
                    self.bits = 8
                    self.write(target, holds)
                else:
                    value = self.read(self.operands[1])
                    self.write(target, line.compute(Op.SELECT, holds, value, self.read(target)))
                return True
        return False
