"""x86: the instructions of litmus tests, with operands as Intel writes them (X86) and AT&T does (X86_64).

``%c`` is the opposite of the carry flag, so that conditions are those of ``flags``. An instruction on memory
without LOCK is a load and a store, not one atomic operation; XCHG is always locked.
"""

from __future__ import annotations

from collections.abc import Callable

from mazurka.litmus.machines.flags import (
    CARRY,
    condition,
    set_by_addition,
    set_by_result,
    set_by_subtraction,
)
from mazurka.litmus.machines.lines import Line, Machine
from mazurka.litmus.machines.x86_operands import (
    Memory,
    Part,
    X86Operand,
    parse_att,
    parse_intel,
    register_name,
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
from mazurka.litmus.text.columns import Cell
from mazurka.program import Op, RmwOp

_SUFFIXES = {"b": 8, "w": 16, "l": 32, "q": 64}
_CONDITIONS = {
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
_BINARY = {
    **{"add": (Op.ADD, RmwOp.ADD), "sub": (Op.SUB, RmwOp.SUB), "and": (Op.AND, RmwOp.AND)},
    **{"or": (Op.OR, RmwOp.OR), "xor": (Op.XOR, RmwOp.XOR)},
}
_UNARY = {"inc": (Op.ADD, RmwOp.ADD), "dec": (Op.SUB, RmwOp.SUB)}
_ACCUMULATOR = Part("RAX", 64)
_LOCKABLE = frozenset((*_BINARY, *_UNARY, "xadd", "cmpxchg", "xchg", "not", "neg"))


class _Instruction:
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
        elif name in _BINARY or name in _UNARY:
            self._update()
        elif name in ("not", "neg"):
            self._negate()
        elif name in ("cmp", "test"):
            self._compare()
        elif name == "xadd":
            self._exchange_add()
        elif name == "cmpxchg":
            self._compare_exchange()
        elif name == "lea":
            self._load_address()
        elif name in ("mfence", "lfence", "sfence"):
            self.expect(0)
            self.line.emit(Fence(name))
        elif name in ("ret", "retq"):
            self.expect(0)
            self.line.branch(None, END)
        elif name != "nop":
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
        is_unary = self.name in _UNARY
        self.expect(1 if is_unary else 2)
        op, rmw = (_UNARY | _BINARY)[self.name]
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
            if name.startswith(prefix) and name[len(prefix) :] in _CONDITIONS:
                self.expect(2 if prefix == "cmov" else 1)
                holds = condition(line, _CONDITIONS[name[len(prefix) :]])
                target = self.operands[0]
                if prefix == "set":
                    self.bits = 8
                    self.write(target, holds)
                else:
                    value = self.read(self.operands[1])
                    self.write(target, line.compute(Op.SELECT, holds, value, self.read(target)))
                return True
        return False


def _jump(line: Line, name: str) -> bool:
    """JMP and Jcc, whose operand is a label."""
    if name == "jmp":
        line.expect(1)
        line.branch(None, line.label(0))
    elif name[:1] == "j" and name[1:] in _CONDITIONS:
        line.expect(1)
        line.branch(condition(line, _CONDITIONS[name[1:]]), line.label(0))
    else:
        return False
    return True


def _known() -> frozenset[str]:
    names = {
        "mov",
        "xchg",
        "cmp",
        "test",
        "xadd",
        "cmpxchg",
        "lea",
        "mfence",
        "lfence",
        "sfence",
        "nop",
        "jmp",
        "ret",
    }
    names |= {*_BINARY, *_UNARY, "not", "neg", "lock"}
    return frozenset(
        (*names, *(f"j{name}" for name in _CONDITIONS), *(f"cmov{name}" for name in _CONDITIONS))
    )


_NAMES = _known()
_SIZED = frozenset(
    (*_BINARY, *_UNARY, "mov", "xchg", "cmp", "test", "xadd", "cmpxchg", "lea", "not", "neg", "nop")
)


def _split_suffix(name: str) -> tuple[str, int | None]:
    """AT&T's names end in the size of the operands."""
    if name not in _NAMES and name[-1:] in _SUFFIXES and name[:-1] in _SIZED:
        return name[:-1], _SUFFIXES[name[-1]]
    return name, None


def _translator(parse: Callable[[Line, int], X86Operand], *, is_att: bool) -> Callable[[Line], None]:
    def translate(line: Line) -> None:
        name, locked = line.mnemonic.lower(), False
        if name in ("lock", "lock;") and line.cell.text[len(name) :].strip():
            rest = line.cell.text[len(name) :].lstrip()
            inner = Line(line.source, Cell(rest, line.cell.at + len(line.cell.text) - len(rest)))
            line.mnemonic, line.operands, line.starts = inner.mnemonic, inner.operands, inner.starts
            name, locked = inner.mnemonic.lower(), True
        if _jump(line, name):
            return
        name, bits = _split_suffix(name) if is_att else (name, None)
        if locked and name not in _LOCKABLE:
            raise line.problem(0, f"LOCK cannot precede {line.mnemonic}", "remove LOCK")
        if name not in _NAMES and not name.startswith(("set", "cmov")):
            raise line.unknown(map(str.upper, _NAMES), "x86")
        operands = [parse(line, number) for number in range(len(line.operands))]
        if is_att:
            operands.reverse()
        sizes = [operand.bits for operand in operands if isinstance(operand, Part)]
        instruction = _Instruction(line, name, operands, bits or (sizes[0] if sizes else 32), locked)
        if not instruction.run():
            raise line.unknown(map(str.upper, _NAMES), "x86")

    return translate


X86 = Machine("X86", register_name, _translator(parse_intel, is_att=False))
X86_64 = Machine("X86_64", register_name, _translator(parse_att, is_att=True))
