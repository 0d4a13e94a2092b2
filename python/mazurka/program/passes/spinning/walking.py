"""Follows a way round a loop, instruction by instruction, and notes what it does.

Registers hold terms, branches add to what is known, and calls are followed into the callee. Loops within the
round are passed by each of their exits, with unknown values in all registers that they write.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from mazurka.program import CONST, NO_POSITION, Instr, Op, RmwOp
from mazurka.program.flow.loops import FlowLoop
from mazurka.program.instructions import FACTS, Flow, results_of
from mazurka.program.loop_notes import Hindrance, Obstacle
from mazurka.program.passes.spinning.code import HARMLESS, Code
from mazurka.program.passes.spinning.terms import Attempt, Knowledge, Term, masked, number, operation

_DEEPEST = 8  # calls within calls
_PRIVATE = "frame"  # the terms of private addresses


@dataclass(frozen=True)
class Round:
    """A loop from a node of it and back; without a loop, a function from its entry to calls of itself."""

    code: Code
    callees: dict[int, Code]  # the functions, by number
    start: int
    header: int
    body: frozenset[int]
    marks: frozenset[int] = frozenset()  # the LOOP instructions on the edges back
    self_calls: frozenset[int] = frozenset()  # calls of the function itself that go round
    may_write_back: bool = False  # read-modify-writes may write back what they read
    # Stores to objects that no other thread knows, and the registers that may hold addresses in them.
    own_stores: frozenset[int] = frozenset()
    own_addresses: frozenset[int] = frozenset()


class Update(NamedTuple):
    """A read-modify-write that a way has made."""

    op: RmwOp
    old: Term
    operand: Term
    instr: Instr
    node: int | None  # if it is not in a callee


@dataclass
class Frame:
    """A call that the way is in; the first is the function of the loop."""

    code: Code
    node: int
    registers: dict[int, Term]
    call: Instr | None = None


@dataclass
class State:
    """How far a way has come."""

    frames: list[Frame]
    known: Knowledge
    mark: int | None = None
    hindrance: Hindrance | None = None
    reads: bool = False
    sections: int = 0  # atomic sections that the way has begun and not ended
    attempts: list[tuple[Term, Instr]] = field(default_factory=list)
    updates: list[Update] = field(default_factory=list)

    def copy(self) -> State:
        frames = [Frame(f.code, f.node, dict(f.registers), f.call) for f in self.frames]
        return State(
            *(frames, self.known.copy(), self.mark, self.hindrance, self.reads, self.sections),
            *(list(self.attempts), list(self.updates)),
        )

    def blame(self, obstacle: Obstacle, position: int = NO_POSITION, target: str = "") -> None:
        """Notes why the way is not pure; the first reason is kept."""
        self.hindrance = self.hindrance or Hindrance(obstacle, position, target)


class Walk:
    """Makes the steps of all ways round."""

    def __init__(self, way_round: Round) -> None:
        self.round = way_round
        self.program = way_round.code.program
        self._fresh = 0

    def begin(self) -> State:
        """Before the first step."""
        return State([Frame(self.round.code, self.round.start, {})], Knowledge())

    def step(self, state: State) -> Iterator[State]:
        """How a way may go on from its node; not at all if nothing follows, or a second round begins."""
        frame = state.frames[-1]
        inner = self._inner_loop(frame)
        if inner is not None:
            yield from self._pass_loop(state, inner)
            return
        instr, targets = frame.code.draft.code[frame.node], frame.code.draft.targets[frame.node]
        if len(state.frames) == 1 and frame.node in self.round.marks:
            if state.mark is not None:
                return  # a second round
            state.mark = frame.node
        flow = FACTS[instr.op].flow
        if instr.op in (Op.CALL, Op.CALLI):
            yield from self._call(state, instr)
        elif flow is Flow.RETURNS:
            yield from self._return(state, instr)
        elif instr.op == Op.BR:
            yield from self._branch(state, self.term(frame, instr.a), targets)
        elif instr.op == Op.SWITCH:
            yield from self._switch(state, instr, targets)
        elif flow in (Flow.NEXT, Flow.JUMPS) and self._run(state, frame, instr):
            (frame.node,) = targets
            yield state

    def _unknown(self, kind: str = "unknown") -> Term:
        self._fresh += 1
        return (kind, self._fresh)

    def term(self, frame: Frame, operand: int) -> Term:
        """The value of an operand."""
        if operand & CONST:
            return number(self.program.constants[operand & ~CONST])
        if operand in frame.registers:
            return frame.registers[operand]
        return ("start", operand) if frame.call is None else self._unknown()

    def _run(self, state: State, frame: Frame, instr: Instr) -> bool:
        """Runs an instruction that goes on to the next one; False if it never does."""
        facts, registers = FACTS[instr.op], frame.registers
        if instr.op == Op.LOOP:
            return True
        if instr.op == Op.ASSUME:
            return state.known.learn(self.term(frame, instr.a), True)
        if instr.op in (Op.BEGIN, Op.END):
            _enclose(state, instr)
        elif instr.op in (Op.CAS, Op.CAS_PAIR):
            self._attempt(state, frame, instr)
        elif instr.op == Op.RMW:
            self._update(state, frame, instr)
        elif instr.op in (Op.FRAMEADDR, Op.TLSADDR):
            # Thread-locals outlive all calls, as the objects of the first frame do.
            depth = len(state.frames) if instr.op == Op.FRAMEADDR else 1
            registers[instr.dst] = (_PRIVATE, depth, self._unknown())
        elif instr.op == Op.STEP and self.term(frame, instr.a)[0] == _PRIVATE:
            registers[instr.dst] = (_PRIVATE, self.term(frame, instr.a)[1], self._unknown())
        elif facts.is_pure:
            operands = (instr.a, instr.b, instr.c)[: facts.operands]
            parts = tuple(self.term(frame, operand) for operand in operands)
            results = results_of(instr)
            one = operation(instr, parts) if len(results) == 1 else self._unknown()
            registers.update(
                {register: one if len(results) == 1 else self._unknown() for register in results}
            )
        else:
            if facts.effect not in HARMLESS and not self._is_temporary(state, frame, instr):
                _blame_effect(state, instr)
            self._note_read(state, frame, instr)
            registers.update({register: self._unknown() for register in results_of(instr)})
        return True

    def _is_temporary(self, state: State, frame: Frame, instr: Instr) -> bool:
        """Whether a store is to a private object of a call that ends within the round, or one of those to
        an object that nobody else knows.
        """
        if frame.call is None and frame.node in self.round.own_stores:
            return True
        address = self.term(frame, instr.a)
        return instr.op == Op.STORE and address[0] == _PRIVATE and address[1] > 1

    def _note_read(self, state: State, frame: Frame, instr: Instr) -> None:
        if FACTS[instr.op].is_access and instr.op not in (Op.STORE, Op.STORE_PAIR):
            state.reads = state.reads or self.term(frame, instr.a)[0] != _PRIVATE

    def _attempt(self, state: State, frame: Frame, instr: Instr) -> None:
        self._note_read(state, frame, instr)
        flag = self._unknown("flag")
        *old, success = results_of(instr)
        found = {register: self._unknown() for register in old}
        if len(old) == 1:  # what two registers hold together is no term
            expected = masked(self.term(frame, instr.b), instr.width)
            state.known.attempts[flag] = Attempt(found[instr.dst], expected)
        state.attempts.append((flag, instr))
        frame.registers.update({**found, success: flag})

    def _update(self, state: State, frame: Frame, instr: Instr) -> None:
        self._note_read(state, frame, instr)
        old, operand = self._unknown(), masked(self.term(frame, instr.b), instr.width)
        node = frame.node if frame.call is None else None
        state.updates.append(Update(RmwOp(instr.x), old, operand, instr, node))
        frame.registers[instr.dst] = old

    def _branch(self, state: State, condition: Term, targets: tuple[int, ...]) -> Iterator[State]:
        for target, holds in zip(targets, (True, False), strict=True):
            after = state.copy()
            if after.known.learn(condition, holds):
                after.frames[-1].node = target
                yield after

    def _switch(self, state: State, instr: Instr, targets: tuple[int, ...]) -> Iterator[State]:
        condition = self.term(state.frames[-1], instr.a)
        values = [value for value, _ in self.program.switches[instr.c].cases]
        for target, value in zip(targets, [*values, None], strict=True):
            after = state.copy()
            if value is None or after.known.learn_value(condition, value):
                after.frames[-1].node = target
                yield after

    def _call(self, state: State, instr: Instr) -> Iterator[State]:
        frame = state.frames[-1]
        callee = None if instr.op == Op.CALLI else self.round.callees.get(instr.a)
        open_calls = [one.code for one in state.frames]
        if callee is None or callee in open_calls or len(open_calls) > _DEEPEST:
            _blame_effect(state, instr)
            frame.registers.update({register: self._unknown() for register in results_of(instr)})
            (frame.node,) = frame.code.draft.targets[frame.node]
        else:
            operands = self.program.lists[instr.c][: callee.draft.function.params]
            given = {register: self.term(frame, operand) for register, operand in enumerate(operands)}
            state.frames.append(Frame(callee, callee.draft.entry, given, instr))
        yield state

    def _return(self, state: State, instr: Instr) -> Iterator[State]:
        frame = state.frames.pop()
        if frame.call is None:
            return
        values = [self.term(frame, operand) for operand in self.program.lists[instr.c]]
        caller = state.frames[-1]
        for register, value in zip(results_of(frame.call), values, strict=False):
            caller.registers[register] = value
        (caller.node,) = caller.code.draft.targets[caller.node]
        yield state

    # Loops within the round.

    def _inner_loop(self, frame: Frame) -> FlowLoop | None:
        """The loop that begins at the next node, other than those that are being followed."""
        loop = frame.code.loops.get(frame.node)
        if loop is None or (
            frame.call is None and frame.node == self.round.header and not self.round.self_calls
        ):
            return None
        return loop

    def _pass_loop(self, state: State, loop: FlowLoop) -> Iterator[State]:
        """Leaves a loop by each of its exits, whatever it did to the registers that it writes."""
        frame = state.frames[-1]
        if loop.is_irreducible or not frame.code.is_harmless(loop.body):
            state.blame(Obstacle.INNER_LOOP, frame.code.draft.code[loop.header].position)
        written = frame.code.written(loop.body)
        for target in sorted(frame.code.exits(loop)):
            after = state.copy()
            after.frames[-1].registers.update({register: self._unknown() for register in written})
            after.frames[-1].node = target
            yield after


def _enclose(state: State, instr: Instr) -> None:
    """Begins or ends an atomic section. One that the round ends must be its own: another may have written."""
    state.sections += 1 if instr.op == Op.BEGIN else -1
    if state.sections < 0:
        _blame_effect(state, instr)


_EFFECTS = {
    Op.STORE: Obstacle.STORE,
    Op.ALLOC: Obstacle.ALLOCATION,
    Op.FREE: Obstacle.FREE,
    Op.CREATE: Obstacle.THREAD_CREATION,
    Op.JOIN: Obstacle.JOIN,
    Op.SYNC: Obstacle.SYNC_OBJECT,
    Op.PRINT: Obstacle.PRINT,
    Op.CALL: Obstacle.CALL_NOT_FOLLOWED,
    Op.CALLI: Obstacle.CALL_BY_ADDRESS,
}


def _blame_effect(state: State, instr: Instr) -> None:
    target = instr.expr if instr.op == Op.STORE else ""
    state.blame(_EFFECTS.get(instr.op, Obstacle.OTHER_EFFECT), instr.position, target)
