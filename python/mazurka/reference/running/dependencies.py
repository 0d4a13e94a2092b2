"""Which earlier reads of its thread an instruction depends on (HMC Algorithm 1; thesis §2.4.1).

Each register and each byte of private memory has the set of reads that its value was computed from. They are
known by their positions in the thread. The address of an access has its set (addr), so has what a
write writes (data), and every event has the reads that decided about a branch before it (ctrl).

What counts as what:
- Branches, switches, assumptions and calls through pointers are decisions. So is what an operation reads that
  may wait, such as the lock of a mutex: the thread goes on only if it need not. So are allocations, frees and
  open values, because they may happen without an event. A SELECT computes a value, and so do comparisons.
  Checks for undefined behaviour are not in the source, and decide nothing.
- A value that was read depends on its read alone; how the address was computed is in addr.
- Private memory and constants are read and written without events. There, the set of the address becomes
  part of what is read or written. It also decides: machines do not commit a write before the addresses of
  all earlier accesses are known, and without an event this cannot be said by addr.
- What a fetch-and-add reads is data of its own write, as it is for a pair of exclusive instructions with an
  addition between them; and so for all that compute what they write from what they read. Exchanges and
  compare-exchanges write what they were given. That their write follows their read is rmw alone.
- What a compare-exchange expects is data of its write, and part of whether it succeeded. What others see of a
  compare-exchange waits for its read, which says whether there is a write.
- A new thread starts with no reads, and so does what a join returns: both order everything anyway.

A read may be *late*: what it reads from is not known yet (``unordered``). Its thread goes on with some number
for its value; whatever is computed from that has the read in its set. Where a late read must be known,
because it decides, or because the instruction does more than compute, the thread stops and says what it
needs.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from mazurka.program import Instr, Op, Program, RmwOp
from mazurka.program.instructions import FACTS, Effect, operands_of, results_of
from mazurka.reference.running.labels import (
    NO_READS,
    Dependencies,
    Ending,
    Fate,
    Kind,
    Label,
    Late,
    Reads,
    ReferenceUnsupported,
)

if TYPE_CHECKING:
    from mazurka.reference.running.processor import Frame

DECIDE = frozenset((Op.BR, Op.SWITCH, Op.ASSUME, Op.CALLI))  # by their first operand
DECIDE_BY_ALL = frozenset((Op.ALLOC, Op.FREE, Op.CHOOSE))  # by all, as these say whether there is an event
CALLS = frozenset((Op.CALL, Op.CALLI))
EXCHANGES = frozenset((Op.CAS, Op.CAS_PAIR))
UPDATES = frozenset((Op.RMW, Op.RMW_PAIR))
# Beside those that may fail: instructions that need all of their operands.
NEED_ALL = frozenset(
    (Op.ALLOC, Op.FREE, Op.CREATE, Op.JOIN, Op.CHOOSE, Op.EXIT, Op.OBJSIZE, Op.SYNC, Op.FENCE_AT)
)


def union(sets: Iterable[Reads]) -> Reads:
    """All reads of some sets."""
    return NO_READS.union(*sets)


class Tracker:
    """The sets of one thread, and of the instruction that it executes."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.late: set[int] = set()
        self._frames: list[dict[int, Reads]] = [{}]  # by register; registers without a set have an empty one
        self._memory: dict[int, Reads] = {}  # by private byte
        self._decided = NO_READS
        self.branched = NO_READS  # what the last branches were decided by (``why_not.reasons``)
        self._operands: list[Reads] = []
        self._addr = self._expected = self._written = self._result = NO_READS
        self._own = NO_READS  # its read
        self._computes = False  # what it writes from what it reads
        self._may_fail = False  # by what it reads

    def begin(self, i: Instr) -> Ending | None:
        """Before an instruction; how the thread ends if it needs late reads for it."""
        facts = FACTS[i.op]
        named = operands_of(self.program, i) if self.program.lists or not facts.takes_list else ()
        self._operands = [self._frames[-1].get(operand, NO_READS) for operand in named]
        needed = self._needed(i) & self.late
        if needed:
            return Ending(Fate.NEEDS, needs=needed)
        if i.op is Op.BEGIN:
            raise ReferenceUnsupported("dependencies through atomic sections")
        if i.op in DECIDE or i.op in DECIDE_BY_ALL:
            self._decided |= union(self._operands) if i.op in DECIDE_BY_ALL else self._operands[0]
        self._addr = self._expected = self._written = self._own = NO_READS
        self._result = union(self._operands)
        if facts.is_access:
            self._begin_access(i)
        elif i.op is Op.FENCE_AT:
            self._addr = self._operands[0]
        return None

    def _needed(self, i: Instr) -> Reads:
        if i.op in NEED_ALL or FACTS[i.op].effect is Effect.FAILS:
            return union(self._operands)
        if i.op is Op.RET and len(self._frames) == 1:
            return union(self._operands)
        return self._operands[0] if i.op in DECIDE or FACTS[i.op].is_access else NO_READS

    def _begin_access(self, i: Instr) -> None:
        self._addr, *values = self._operands
        if i.op in EXCHANGES:
            half = len(values) // 2
            self._expected, values = union(values[:half]), values[half:]
        self._written = union(values)
        self._result = self._written if i.op is Op.SYNC else NO_READS
        self._computes = i.op in UPDATES and i.x != RmwOp.XCHG
        self._may_fail = i.op in EXCHANGES

    def end(self, i: Instr, frame: Frame) -> None:
        """After an instruction; the frame is the one in which the thread goes on."""
        if i.op in CALLS:
            arguments = self._operands[1 if i.op is Op.CALLI else 0 :]
            self._frames.append(dict(enumerate(arguments[: frame.function.params])))
        elif i.op is Op.RET:
            self._frames.pop()
            call = frame.function.code[frame.pc - 1]
            self._frames[-1].update(zip(results_of(call), self._operands, strict=False))
        else:
            registers = results_of(i)
            self._frames[-1].update(dict.fromkeys(registers, self._result))
            if i.op in EXCHANGES:
                self._frames[-1][registers[-1]] = self._result | self._expected
            if i.op is Op.SYNC and self.program.operations[i.c].may_wait:
                self._decided |= self._own

    def labelled(self, label: Label) -> Label:
        """The label of an event of the instruction, with what it depends on."""
        match label.kind:
            case Kind.READ:
                depends = Dependencies(addr=self._addr, ctrl=self._decided)
                return label._replace(depends=depends, awaits=self._expected & self.late)
            case Kind.WRITE:
                depends = Dependencies(self._addr, self._value() | self._expected, self._decided)
                known_by = self._value() | (self._result if self._may_fail else NO_READS)
                return label._replace(depends=depends, awaits=known_by & self.late)
            case _:
                return label._replace(depends=Dependencies(addr=self._addr, ctrl=self._decided))

    def _value(self) -> Reads:
        """What the instruction writes was computed from."""
        return self._written | self._result if self._computes else self._written

    def answered(self, label: Label, number: int, is_late: bool) -> None:
        """An event of the instruction, with its position in the thread, has got its answer."""
        if label.kind is Kind.READ:
            self._own |= {number}
            self._result |= {number}
            if is_late:
                self.late.add(number)

    def load(self, address: int, size: int) -> None:
        """The instruction reads private memory or constants."""
        self._decided |= self._addr
        self._result |= self._addr.union(*(self._memory.get(address + n, NO_READS) for n in range(size)))

    def store(self, address: int, size: int) -> None:
        """The instruction writes private memory."""
        self._decided |= self._addr
        self._memory.update(dict.fromkeys(range(address, address + size), self._value() | self._addr))


def stand_in(label: Label, late: Late) -> int:
    """The number with which a thread goes on after a late read."""
    if label.expected is None:
        return 0
    return label.expected if late is Late.SUCCEEDS else label.expected ^ 1
