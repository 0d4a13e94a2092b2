"""Follows the ways round a loop: what each does, and whether it leaves the thread as it was.

A way begins at a node of the loop, the *start*, and ends when it comes back there, having passed the header
once. Registers hold terms, branches add to what is known, and calls are followed into the callee. A way is
*pure* if, with what is known at its end,

1. it stored nothing and did nothing else that lasts or that others see,
2. each of its compare-exchanges failed, and each other read-modify-write wrote back what it had read,
3. each register that is live at the start holds what it held there, and
4. it read memory that others may write.

A *test* is what is missing to know that an exchange of the function itself wrote back what it read: the way
is pure if a comparison at its end says so.

I1: every run that goes round is covered by a way: where something is not followed, there is a way with the
reason why it is not pure.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from mazurka.deadline import look
from mazurka.program import CONST, NO_POSITION, Instr, Op, RmwOp
from mazurka.program.flow.liveness import members
from mazurka.program.flow.loops import FlowLoop
from mazurka.program.instructions import FACTS, Flow, results_of
from mazurka.program.loop_notes import Hindrance, Obstacle
from mazurka.program.passes.spinning.code import HARMLESS, Code
from mazurka.program.passes.spinning.terms import Attempt, Knowledge, Term, masked, number, operation

_MOST_STEPS = 20_000
_DEEPEST = 8  # calls within calls
_PRIVATE = "frame"  # the terms of private addresses

# An exchange, and an operand with the value that it must have read.
Test: TypeAlias = tuple[int, int]


class Way(NamedTuple):
    """A way round: the LOOP instruction that it passes, why it is not pure, and the tests that it needs."""

    mark: int
    hindrance: Hindrance | None
    tests: frozenset[Test] = frozenset()
    publishes: bool = False  # it may tell others of an object that was the thread's own


class Update(NamedTuple):
    """A read-modify-write that a way has made."""

    op: RmwOp
    old: Term
    operand: Term
    instr: Instr
    node: int | None  # if it is not in a callee


@dataclass
class _Frame:
    """A call that the way is in; the first is the function of the loop."""

    code: Code
    node: int
    registers: dict[int, Term]
    call: Instr | None = None


@dataclass
class _State:
    """How far a way has come."""

    frames: list[_Frame]
    known: Knowledge
    mark: int | None = None
    hindrance: Hindrance | None = None
    reads: bool = False
    attempts: list[tuple[Term, Instr]] = field(default_factory=list)
    updates: list[Update] = field(default_factory=list)

    def copy(self) -> _State:
        frames = [_Frame(f.code, f.node, dict(f.registers), f.call) for f in self.frames]
        return _State(
            *(frames, self.known.copy(), self.mark, self.hindrance, self.reads),
            *(list(self.attempts), list(self.updates)),
        )

    def blame(self, obstacle: Obstacle, position: int = NO_POSITION, target: str = "") -> None:
        """Notes why the way is not pure; the first reason is kept."""
        self.hindrance = self.hindrance or Hindrance(obstacle, position, target)


class Ways:
    """The ways round a loop from a node of it and back; without a loop, from the entry to calls of itself."""

    def __init__(
        self, code: Code, callees: dict[int, Code], start: int, header: int, body: frozenset[int]
    ) -> None:
        self.code = code
        self.callees = callees  # the functions, by number
        self.start = start
        self.header = header
        self.body = body
        self.marks: frozenset[int] = frozenset()
        self.self_calls: frozenset[int] = frozenset()  # calls of the function itself that go round
        self.may_write_back = False  # read-modify-writes may write back what they read
        # Stores to objects that no other thread knows, and the registers that may hold addresses in them.
        self.own_stores: frozenset[int] = frozenset()
        self.own_addresses: frozenset[int] = frozenset()
        self._fresh = 0
        self._steps = 0

    def all(self) -> list[Way]:
        """All of them."""
        first = _State([_Frame(self.code, self.start, {})], Knowledge())
        found: list[Way] = []
        left = [(first, True)]
        while left:
            state, is_first = left.pop()
            look()
            self._steps += 1
            if self._steps > _MOST_STEPS:
                too_many = Hindrance(Obstacle.TOO_MANY_WAYS, NO_POSITION)
                return [*found, *(Way(mark, too_many) for mark in self._goals())]
            ended = None if is_first else self._end(state)
            if ended is not None:
                found += ended
                continue
            left += [(after, False) for after in self._step(state)]
        return found

    def _goals(self) -> frozenset[int]:
        return self.marks | self.self_calls

    def _end(self, state: _State) -> list[Way] | None:
        """The way that has come to its end, or nothing if it leaves the loop; None if it goes on."""
        frame = state.frames[-1]
        if len(state.frames) > 1:
            return None
        if frame.node in self.self_calls:
            return [self._judged(state, frame.node, self._arguments(state))]
        if frame.node == self.start and not self.self_calls:
            return [] if state.mark is None else [self._judged(state, state.mark, frame.registers)]
        return None if frame.node in self.body else []

    def _arguments(self, state: _State) -> dict[int, Term]:
        frame = state.frames[-1]
        call = frame.code.draft.code[frame.node]
        operands = self.code.program.lists[call.c]
        return {register: self._term(frame, operand) for register, operand in enumerate(operands)}

    # What an instruction does.

    def _step(self, state: _State) -> Iterator[_State]:
        frame = state.frames[-1]
        inner = self._inner_loop(frame)
        if inner is not None:
            yield from self._pass_loop(state, inner)
            return
        instr, targets = frame.code.draft.code[frame.node], frame.code.draft.targets[frame.node]
        if len(state.frames) == 1 and frame.node in self.marks:
            if state.mark is not None:
                return  # a second round
            state.mark = frame.node
        flow = FACTS[instr.op].flow
        if instr.op in (Op.CALL, Op.CALLI):
            yield from self._call(state, instr)
        elif flow is Flow.RETURNS:
            yield from self._return(state, instr)
        elif instr.op == Op.BR:
            yield from self._branch(state, self._term(frame, instr.a), targets)
        elif instr.op == Op.SWITCH:
            yield from self._switch(state, instr, targets)
        elif flow in (Flow.NEXT, Flow.JUMPS) and self._run(state, frame, instr):
            (frame.node,) = targets
            yield state

    def _unknown(self, kind: str = "unknown") -> Term:
        self._fresh += 1
        return (kind, self._fresh)

    def _term(self, frame: _Frame, operand: int) -> Term:
        if operand & CONST:
            return number(self.code.program.constants[operand & ~CONST])
        if operand in frame.registers:
            return frame.registers[operand]
        return ("start", operand) if frame.call is None else self._unknown()

    def _run(self, state: _State, frame: _Frame, instr: Instr) -> bool:
        """Runs an instruction that goes on to the next one; False if it never does."""
        facts, registers = FACTS[instr.op], frame.registers
        if instr.op == Op.LOOP:
            return True
        if instr.op == Op.ASSUME:
            return state.known.learn(self._term(frame, instr.a), True)
        if instr.op == Op.CAS:
            self._attempt(state, frame, instr)
        elif instr.op == Op.RMW:
            self._update(state, frame, instr)
        elif instr.op in (Op.FRAMEADDR, Op.TLSADDR):
            # Thread-locals outlive all calls, as the objects of the first frame do.
            depth = len(state.frames) if instr.op == Op.FRAMEADDR else 1
            registers[instr.dst] = (_PRIVATE, depth, self._unknown())
        elif instr.op == Op.STEP and self._term(frame, instr.a)[0] == _PRIVATE:
            registers[instr.dst] = (_PRIVATE, self._term(frame, instr.a)[1], self._unknown())
        elif facts.is_pure:
            operands = (instr.a, instr.b, instr.c)[: facts.operands]
            parts = tuple(self._term(frame, operand) for operand in operands)
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

    def _is_temporary(self, state: _State, frame: _Frame, instr: Instr) -> bool:
        """Whether a store is to a private object of a call that ends within the round, or one of those to
        an object that nobody else knows.
        """
        if frame.call is None and frame.node in self.own_stores:
            return True
        address = self._term(frame, instr.a)
        return instr.op == Op.STORE and address[0] == _PRIVATE and address[1] > 1

    def _note_read(self, state: _State, frame: _Frame, instr: Instr) -> None:
        if FACTS[instr.op].is_access and instr.op != Op.STORE:
            state.reads = state.reads or self._term(frame, instr.a)[0] != _PRIVATE

    def _attempt(self, state: _State, frame: _Frame, instr: Instr) -> None:
        self._note_read(state, frame, instr)
        old, flag = self._unknown(), self._unknown("flag")
        expected = masked(self._term(frame, instr.b), instr.width)
        state.known.attempts[flag] = Attempt(old, expected)
        state.attempts.append((flag, instr))
        frame.registers[instr.dst], frame.registers[instr.dst + 1] = old, flag

    def _update(self, state: _State, frame: _Frame, instr: Instr) -> None:
        self._note_read(state, frame, instr)
        old, operand = self._unknown(), masked(self._term(frame, instr.b), instr.width)
        node = frame.node if frame.call is None else None
        state.updates.append(Update(RmwOp(instr.x), old, operand, instr, node))
        frame.registers[instr.dst] = old

    def _branch(self, state: _State, condition: Term, targets: tuple[int, ...]) -> Iterator[_State]:
        for target, holds in zip(targets, (True, False), strict=True):
            after = state.copy()
            if after.known.learn(condition, holds):
                after.frames[-1].node = target
                yield after

    def _switch(self, state: _State, instr: Instr, targets: tuple[int, ...]) -> Iterator[_State]:
        condition = self._term(state.frames[-1], instr.a)
        values = [value for value, _ in self.code.program.switches[instr.c].cases]
        for target, value in zip(targets, [*values, None], strict=True):
            after = state.copy()
            if value is None or after.known.learn_value(condition, value):
                after.frames[-1].node = target
                yield after

    def _call(self, state: _State, instr: Instr) -> Iterator[_State]:
        frame = state.frames[-1]
        callee = None if instr.op == Op.CALLI else self.callees.get(instr.a)
        open_calls = [one.code for one in state.frames]
        if callee is None or callee in open_calls or len(open_calls) > _DEEPEST:
            _blame_effect(state, instr)
            frame.registers.update({register: self._unknown() for register in results_of(instr)})
            (frame.node,) = frame.code.draft.targets[frame.node]
        else:
            operands = self.code.program.lists[instr.c][: callee.draft.function.params]
            given = {register: self._term(frame, operand) for register, operand in enumerate(operands)}
            state.frames.append(_Frame(callee, callee.draft.entry, given, instr))
        yield state

    def _return(self, state: _State, instr: Instr) -> Iterator[_State]:
        frame = state.frames.pop()
        if frame.call is None:
            return
        values = [self._term(frame, operand) for operand in self.code.program.lists[instr.c]]
        caller = state.frames[-1]
        for register, value in zip(results_of(frame.call), values, strict=False):
            caller.registers[register] = value
        (caller.node,) = caller.code.draft.targets[caller.node]
        yield state

    # Loops within the round.

    def _inner_loop(self, frame: _Frame) -> FlowLoop | None:
        """The loop that begins at the next node, other than those that are being followed."""
        loop = frame.code.loops.get(frame.node)
        if loop is None or (frame.call is None and frame.node == self.header and not self.self_calls):
            return None
        return loop

    def _pass_loop(self, state: _State, loop: FlowLoop) -> Iterator[_State]:
        """Leaves a loop by each of its exits, whatever it did to the registers that it writes."""
        frame = state.frames[-1]
        if loop.is_irreducible or not frame.code.is_harmless(loop.body):
            state.blame(Obstacle.INNER_LOOP, frame.code.draft.code[loop.header].position)
        written = frame.code.written(loop.body)
        exits = {
            target
            for node in loop.body
            for target in frame.code.draft.targets[node]
            if target not in loop.body
        }
        for target in sorted(exits):
            after = state.copy()
            after.frames[-1].registers.update({register: self._unknown() for register in written})
            after.frames[-1].node = target
            yield after

    # What is known at the end.

    def _judged(self, state: _State, mark: int, registers: dict[int, Term]) -> Way:
        """The way, with what is missing for it to be pure."""
        tests: set[Test] = set()
        publishes = False
        if not state.reads:
            state.blame(Obstacle.READS_NOTHING)
        for flag, instr in state.attempts:
            if state.known.value(flag) != 0:
                publishes = publishes or instr.c in self.own_addresses
                state.blame(Obstacle.COMPARE_EXCHANGE, instr.position)
        for update in state.updates:
            self._judge_update(state, update, registers, tests)
        live = self.code.live(self.start) & ~self.code.counters(self.marks)
        for register in members(live):
            before: Term = ("start", register)
            if register in registers and not state.known.are_equal(before, registers[register]):
                state.blame(Obstacle.VALUE_CHANGES, self._changed(register))
        return Way(mark, state.hindrance, frozenset(tests), publishes)

    def _changed(self, register: int) -> int:
        """Where the loop writes a register."""
        code = self.code.draft.code
        writers = [code[node] for node in sorted(self.body) if register in results_of(code[node])]
        return next((i.position for i in writers if i.position != NO_POSITION), NO_POSITION)

    def _judge_update(
        self, state: _State, update: Update, registers: dict[int, Term], tests: set[Test]
    ) -> None:
        writes_back = self.may_write_back and _writes_back(state.known, update)
        if writes_back:
            return
        if writes_back is None and update.op == RmwOp.XCHG and update.node is not None:
            operand = self._operand(update.operand, registers)
            if operand is not None and not self.self_calls:
                tests.add((update.node, operand))
                return
        state.blame(Obstacle.READ_MODIFY_WRITE, update.instr.position)

    def _operand(self, term: Term, registers: dict[int, Term]) -> int | None:
        """A constant or a register with the value of a term."""
        if term[0] == "number" and term[1] in self.code.program.constants:
            return CONST | self.code.program.constants.index(term[1])
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


def _blame_effect(state: _State, instr: Instr) -> None:
    target = instr.expr if instr.op == Op.STORE else ""
    state.blame(_EFFECTS.get(instr.op, Obstacle.OTHER_EFFECT), instr.position, target)
