"""The ways round a loop, and whether each leaves the thread as it was.

A way begins at a node of the loop, the *start*, and ends when it comes back there, having passed the header
once (``walking``). It is *pure* if, with what is known at its end,

1. it stored nothing and did nothing else that lasts or that others see, and ended the atomic sections that it
   began,
2. each of its compare-exchanges failed, and each other read-modify-write wrote back what it had read,
3. each register that is live at the start holds what it held there, and
4. it read memory that others may write.

A *test* is what is missing to know that an exchange of the function itself wrote back what it read: the way
is pure if a comparison at its end says so.

I1: every run that goes round is covered by a way: where something is not followed, there is a way with the
reason why it is not pure.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from mazurka.deadline import look
from mazurka.program import CONST, NO_POSITION, Op, RmwOp
from mazurka.program.flow.liveness import members
from mazurka.program.instructions import results_of
from mazurka.program.loop_notes import Hindrance, Obstacle
from mazurka.program.passes.spinning.terms import Knowledge, Term
from mazurka.program.passes.spinning.walking import Round, State, Update, Walk

_MOST_STEPS = 20_000

# An exchange, and an operand with the value that it must have read.
Test: TypeAlias = tuple[int, int]


class Way(NamedTuple):
    """A way round: the LOOP instruction that it passes, why it is not pure, and the tests that it needs."""

    mark: int
    hindrance: Hindrance | None
    tests: frozenset[Test] = frozenset()
    publishes: bool = False  # it may tell others of an object that was the thread's own


class Ways:
    """The ways of a round."""

    def __init__(self, way_round: Round) -> None:
        self.round = way_round
        self.walk = Walk(way_round)

    def all(self) -> list[Way]:
        """All of them."""
        found: list[Way] = []
        left = [*self.walk.step(self.walk.begin())]
        steps = 1
        while left:
            state = left.pop()
            look()
            steps += 1
            if steps > _MOST_STEPS:
                too_many = Hindrance(Obstacle.TOO_MANY_WAYS, NO_POSITION)
                return [*found, *(Way(mark, too_many) for mark in self._goals())]
            ended = self._end(state)
            if ended is None:
                left += self.walk.step(state)
            else:
                found += ended
        return found

    def _goals(self) -> frozenset[int]:
        return self.round.marks | self.round.self_calls

    def _end(self, state: State) -> list[Way] | None:
        """The way that has come to its end, or nothing if it leaves the loop; None if it goes on."""
        frame = state.frames[-1]
        if len(state.frames) > 1:
            return None
        if frame.node in self.round.self_calls:
            return [self._judged(state, frame.node, self._arguments(state))]
        if frame.node == self.round.start and not self.round.self_calls:
            return [] if state.mark is None else [self._judged(state, state.mark, frame.registers)]
        return None if frame.node in self.round.body else []

    def _arguments(self, state: State) -> dict[int, Term]:
        frame = state.frames[-1]
        call = frame.code.draft.code[frame.node]
        operands = self.round.code.program.lists[call.c]
        return {register: self.walk.term(frame, operand) for register, operand in enumerate(operands)}

    def _judged(self, state: State, mark: int, registers: dict[int, Term]) -> Way:
        """The way, with what is missing for it to be pure."""
        tests: set[Test] = set()
        publishes = False
        if not state.reads:
            state.blame(Obstacle.READS_NOTHING)
        if state.sections:
            state.blame(Obstacle.OTHER_EFFECT)
        for flag, instr in state.attempts:
            if state.known.value(flag) != 0:
                is_own = instr.op == Op.CAS and instr.c in self.round.own_addresses
                publishes = publishes or is_own
                state.blame(Obstacle.COMPARE_EXCHANGE, instr.position)
        for update in state.updates:
            self._judge_update(state, update, registers, tests)
        live = self.round.code.live(self.round.start) & ~self.round.code.counters(self.round.marks)
        for register in members(live):
            before: Term = ("start", register)
            if register in registers and not state.known.are_equal(before, registers[register]):
                state.blame(Obstacle.VALUE_CHANGES, self._changed(register))
        return Way(mark, state.hindrance, frozenset(tests), publishes)

    def _changed(self, register: int) -> int:
        """Where the loop writes a register."""
        code = self.round.code.draft.code
        writers = [code[node] for node in sorted(self.round.body) if register in results_of(code[node])]
        return next((i.position for i in writers if i.position != NO_POSITION), NO_POSITION)

    def _judge_update(
        self, state: State, update: Update, registers: dict[int, Term], tests: set[Test]
    ) -> None:
        writes_back = self.round.may_write_back and _writes_back(state.known, update)
        if writes_back:
            return
        if writes_back is None and update.op == RmwOp.XCHG and update.node is not None:
            operand = self._operand(update.operand, registers)
            if operand is not None and not self.round.self_calls:
                tests.add((update.node, operand))
                return
        state.blame(Obstacle.READ_MODIFY_WRITE, update.instr.position)

    def _operand(self, term: Term, registers: dict[int, Term]) -> int | None:
        """A constant or a register with the value of a term."""
        if term[0] == "number" and term[1] in self.round.code.program.constants:
            return CONST | self.round.code.program.constants.index(term[1])
        if term[0] == "start" and term[1] not in registers:
            held: int = term[1]
            return held
        return next((register for register, held in registers.items() if held == term), None)


def _writes_back(known: Knowledge, update: Update) -> bool | None:
    """Whether an update surely writes, or surely does not write, what it read."""
    if update.op == RmwOp.XCHG:
        return known.are_equal(update.old, update.operand)
    operand, old = known.value(update.operand), known.value(update.old)
    if operand is None:
        return None
    if update.op in (RmwOp.ADD, RmwOp.SUB, RmwOp.XOR) or (update.op == RmwOp.OR and operand == 0):
        return operand == 0
    if update.op == RmwOp.OR and old is not None:
        return old | operand == old
    if update.op == RmwOp.AND and old is not None:
        return old & operand == old
    return None
