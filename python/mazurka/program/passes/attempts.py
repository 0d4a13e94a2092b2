"""Finds loops that add to a counter until it was as they wanted, and take back each addition that failed.

``while (fetch_add(&left, -share) < share) { fetch_add(&left, share); ... }``: an attempt that has failed is
taken back at once, and its thread waits at most for the same counter before the next one. The engine stops it
as soon as it has failed (``docs/waiting.md`` says when that is sound). What this pass has to show:

1. every round begins with the attempt, an addition to one place, always of the same number;
2. its result is used in one signed comparison with a number that never changes, or a test for equality, and
   for nothing else, so the thread does the same whatever it has read, as long as it succeeds;
3. the next access after a failure takes the addition back. Nothing but loads of the same place follow, and
   the next round begins with the registers as they were.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from mazurka.program import CONST, Op, RmwOp
from mazurka.program.flow.function import CodeLoop, FunctionFlow
from mazurka.program.flow.liveness import bits
from mazurka.program.instructions import FACTS, operands_of, results_of
from mazurka.program.passes.spinning.terms import Term, number, operation

_SEEN: Term = ("seen",)  # what the attempt read
_FIRST_MARK = 2  # of an attempt; 1 is that of an addition with an unused result
_JUMPS = (Op.JMP, Op.BR, Op.LOOP, Op.SPIN)


class Wanted(IntEnum):
    """What an attempt must read to succeed."""

    EXACTLY = 0
    AT_LEAST = 1
    AT_MOST = 2


class Attempt(NamedTuple):
    """An attempt: its RMW, where its thread goes if it fails, and what it must read."""

    pc: int
    failed: int
    wanted: Wanted
    exactly: Term | None  # a number, or what a register holds in every round

    def mark(self, loop: int) -> int:
        """The mark of the RMW."""
        return _FIRST_MARK + len(Wanted) * loop + self.wanted


class _Update(NamedTuple):
    """An addition by a read-modify-write."""

    address: Term
    added: Term
    is_negative: bool
    width: int


def find_attempt(flow: FunctionFlow, loop: CodeLoop) -> Attempt | None:
    """The attempt with which every round of a loop begins, if there is one."""
    first = _Header(flow, loop)
    branch = flow.code[first.last]
    if not first.run() or first.attempt is None or branch.op != Op.BR or branch.b == branch.c:
        return None
    used = flow.live_before(branch.b) | flow.live_before(branch.c)
    if any(used >> register & 1 and _mentions(term) for register, term in first.registers.items()):
        return None
    ways = ((branch.b, True), (branch.c, False))
    return next((found for failed, holds in ways if (found := _failing(first, failed, holds))), None)


def _failing(first: _Header, failed: int, holds: bool) -> Attempt | None:
    """The attempt, if it has failed where the header's condition holds, or does not."""
    assert first.attempt is not None, "the header has an attempt"
    pc, update = first.attempt
    judged = _wanted(first.registers.get(first.flow.code[first.last].a), update.width, holds)
    if judged is None:
        return None
    wanted, beside = judged
    exactly = None
    if wanted is Wanted.EXACTLY:
        if beside[0] not in ("number", "start"):
            return None
        exactly = beside
    region = _Region(first.flow, first.loop, failed)
    leaves_all = not (region.written | first.written) & _kept(first.loop)
    return Attempt(pc, failed, wanted, exactly) if leaves_all and region.takes_back(first, update) else None


def _kept(loop: CodeLoop) -> int:
    """The registers that the next round needs."""
    return loop.live & ~loop.counters


class _Header:
    """The first block of a loop; registers hold terms."""

    def __init__(self, flow: FunctionFlow, loop: CodeLoop) -> None:
        self.flow = flow
        self.loop = loop
        self.pcs = flow.pcs(flow.block_of(loop.header))
        self.last = self.pcs[-1]
        self.registers: dict[int, Term] = {}
        self.attempt: tuple[int, _Update] | None = None

    def run(self) -> bool:
        """Whether the block does nothing but compute and attempt once."""
        for pc in self.pcs[:-1]:
            instr = self.flow.code[pc]
            if instr.op == Op.RMW and self.attempt is None:
                update = self.update(pc)
                if update is None:
                    return False
                self.attempt = pc, update
                self.registers[instr.dst] = _SEEN
            elif FACTS[instr.op].is_pure and len(results_of(instr)) == 1:
                parts = tuple(self.term(one) for one in operands_of(self.flow.program, instr))
                self.registers[instr.dst] = operation(instr, parts)
            elif instr.op != Op.NOP:
                return False
        return True

    @property
    def written(self) -> int:
        """The registers that the block writes."""
        return bits(self.registers)

    def term(self, operand: int) -> Term:
        """What an operand holds."""
        if operand & CONST:
            return number(self.flow.program.constants[operand & ~CONST])
        if operand in self.registers:
            return self.registers[operand]
        return ("unknown", operand) if self.loop.written >> operand & 1 else ("start", operand)

    def update(self, pc: int) -> _Update | None:
        """The addition that an RMW makes, if it adds what is the same in every round."""
        instr = self.flow.code[pc]
        address, added = self.term(instr.a), self.term(instr.b)
        if instr.x not in (RmwOp.ADD, RmwOp.SUB) or not (_is_the_same(address) and _is_the_same(added)):
            return None
        is_negative = instr.x == RmwOp.SUB
        if added[0] == Op.SUB and added[1] == instr.width and added[3] == number(0):
            added, is_negative = added[4], not is_negative
        return _Update(address, added, is_negative, instr.width)


class _Region:
    """What a thread may do after a failed attempt, up to the next round."""

    def __init__(self, flow: FunctionFlow, loop: CodeLoop, failed: int) -> None:
        self.flow = flow
        self.loop = loop
        self.failed = failed
        self.blocks = {flow.block_of(failed)}
        header = flow.block_of(loop.header)
        left = list(self.blocks)
        while left:
            found = set(flow.graph.successors[left.pop()]) - {header} - self.blocks
            self.blocks |= found
            left += found

    @property
    def written(self) -> int:
        """The registers that it may write, without the counters of the loop's rounds."""
        return self.flow.written_in(self.blocks) & ~self.loop.counters

    def takes_back(self, first: _Header, update: _Update) -> bool:
        """Whether the thread takes the addition back, and does nothing else than wait for the same place."""
        flow = self.flow
        pcs = [pc for block in sorted(self.blocks) for pc in flow.pcs(block)]
        inside = set(self.loop.body)
        entry = flow.block_of(self.failed)
        ends = (flow.last_of(block) for block in self.blocks)
        if (
            any(pc not in inside and flow.code[pc].op != Op.SPIN for pc in ends)
            or flow.pcs(entry)[0] != self.failed
            or list(flow.graph.predecessors[entry]) != [flow.block_of(first.last)]
            or any(header in pcs for header in flow.loops)
        ):
            return False
        updates = [pc for pc in pcs if flow.code[pc].op == Op.RMW]
        return (
            len(updates) == 1
            and updates[0] in flow.pcs(entry)
            and self._cancels(first, updates[0], update)
            and all(FACTS[flow.code[pc].op].is_pure for pc in range(self.failed, updates[0]))
            and all(self._is_harmless(first, pc, update) for pc in pcs if pc != updates[0])
        )

    def _cancels(self, first: _Header, pc: int, update: _Update) -> bool:
        taken = first.update(pc)
        if taken is None or (taken.address, taken.width) != (update.address, update.width):
            return False
        if self.flow.live_before(pc + 1) >> self.flow.code[pc].dst & 1:
            return False
        if taken.added[0] == update.added[0] == "number":
            sizes = [int(one.added[1]) * (-1 if one.is_negative else 1) for one in (taken, update)]
            return sum(sizes) % (1 << update.width) == 0
        return taken.added == update.added and taken.is_negative != update.is_negative

    def _is_harmless(self, first: _Header, pc: int, update: _Update) -> bool:
        instr = self.flow.code[pc]
        if instr.op == Op.LOAD:
            return first.term(instr.a) == update.address
        return FACTS[instr.op].is_pure or instr.op in _JUMPS


def _wanted(condition: Term | None, width: int, fails_if: bool) -> tuple[Wanted, Term] | None:
    """What an attempt wants to read, and beside what, if it fails where a condition holds, or does not."""
    if condition is None:
        return None
    if condition == _SEEN:
        return (Wanted.EXACTLY, number(0)) if fails_if else None
    if condition[0] == "not":
        return _wanted(condition[1], width, not fails_if)
    if condition[0] not in (Op.EQ, Op.SLT, Op.SLE) or condition[1] != width:
        return None
    left, right = condition[3:]
    is_left = left == _SEEN
    beside = right if is_left else left
    if not (is_left or right == _SEEN) or not _is_the_same(beside):
        return None
    if condition[0] == Op.EQ:
        return None if fails_if else (Wanted.EXACTLY, beside)
    return (Wanted.AT_LEAST if is_left == fails_if else Wanted.AT_MOST), beside


def _is_the_same(term: Term) -> bool:
    """Whether a term has the same value in every round."""
    if term[0] in ("number", "start"):
        return True
    if not isinstance(term[0], Op):
        return term[0] == "not" and _is_the_same(term[1])
    return all(_is_the_same(part) for part in term[3:])


def _mentions(term: Term) -> bool:
    """Whether a term depends on what the attempt has read."""
    return term == _SEEN or any(isinstance(part, tuple) and _mentions(part) for part in term)
