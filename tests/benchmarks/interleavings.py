"""Counts the executions of a program under sequential consistency by its interleavings, without any graph.

Under sc an execution is a class of interleavings that differ in the order of independent steps, and sleep
sets (Godefroid 1996, §5) let exactly one interleaving of each class pass. What can follow depends on the
state and the sleep set alone, so that counts are remembered by these. This shares neither TruSt nor models
with the engine or the reference, only the latter's interpreter of bytecode.

I1: steps of two threads are dependent if they access the same location and one of them writes it.
I2: all other steps (creations, joins, fences, meetings) are independent of everything and are made at once.
Not done: heap objects, accesses of several sizes to the same bytes, violations.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from mazurka.program import OFFSET_MASK, Program
from mazurka.reference import Machine
from mazurka.reference.machine import STOPPED
from mazurka.reference.running.labels import Ending, Fate, Kind, Label
from mazurka.reference.running.processor import Start

Answers: TypeAlias = tuple[int, ...]
Threads: TypeAlias = Mapping[int, tuple[Start, Answers]]
Memory: TypeAlias = Mapping[int, int]


class Count(NamedTuple):
    """Numbers of executions."""

    complete: int
    blocked: int


class _Access(NamedTuple):
    """A step of a thread: one access, or the two of a read-modify-write."""

    address: int
    answers: Answers
    written: int | None


class _State(NamedTuple):
    """The position of each thread, by the answers it got, and what was written."""

    threads: Threads
    memory: Memory

    def key(self) -> tuple[frozenset[tuple[int, Answers]], frozenset[tuple[int, int]]]:
        threads = frozenset((thread, answers) for thread, (_, answers) in self.threads.items())
        return threads, frozenset(self.memory.items())


def count_executions(program: Program) -> Count:
    """The complete and the blocked executions under sc."""
    counter = _Counter(Machine(program))
    return counter.count(counter.settled({0: (Start(0, program.entry), ())}, {}), frozenset())


class _Counter:
    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.known: dict[object, Count] = {}

    def count(self, state: _State, asleep: frozenset[int]) -> Count:
        """The executions from a state, leaving out those that begin with a thread that is asleep."""
        key = state.key(), asleep
        if key not in self.known:
            self.known[key] = self._count(state, asleep)
        return self.known[key]

    def _count(self, state: _State, asleep: frozenset[int]) -> Count:
        accesses = self._accesses(state)
        if not accesses:
            return self._end(state)
        total = Count(0, 0)
        for thread in sorted(accesses.keys() - asleep):
            left = frozenset(t for t in asleep if _independent(accesses[t], accesses[thread]))
            found = self.count(self._after(state, thread, accesses[thread]), left)
            total = Count(total.complete + found.complete, total.blocked + found.blocked)
            asleep |= {thread}
        return total

    def _end(self, state: _State) -> Count:
        steps = [self.machine.resume(*thread) for thread in state.threads.values()]
        done = all(isinstance(step, Ending) and step.fate in (Fate.DONE, Fate.EXITED) for step in steps)
        return Count(1, 0) if done else Count(0, 1)

    def _accesses(self, state: _State) -> dict[int, _Access]:
        """The next access of each thread that can go on."""
        found = {thread: self._access(state, thread) for thread in state.threads}
        return {thread: access for thread, access in found.items() if access is not None}

    def _access(self, state: _State, thread: int) -> _Access | None:
        start, answers = state.threads[thread]
        step = self.machine.resume(start, answers)
        if not isinstance(step, Label) or step.kind not in (Kind.READ, Kind.WRITE):
            return None
        if step.kind is Kind.WRITE:
            return _Access(step.address, (*answers, 0), step.value)
        answers = (*answers, state.memory.get(step.address, step.initial))
        then = self.machine.resume(start, answers)
        if isinstance(then, Ending) and then.fate in (Fate.WAITING, *STOPPED):
            return None  # the mutex is held, or the assumption fails: it reads later, or at the end
        if isinstance(then, Label) and then.kind is Kind.WRITE and then.exclusive:
            return _Access(step.address, (*answers, 0), then.value)
        return _Access(step.address, answers, None)

    def _after(self, state: _State, thread: int, access: _Access) -> _State:
        threads = {**state.threads, thread: (state.threads[thread][0], access.answers)}
        written = {} if access.written is None else {access.address: access.written}
        return self.settled(threads, {**state.memory, **written})

    def settled(self, threads: Threads, memory: Memory) -> _State:
        """The state after all steps that are not accesses (I2)."""
        threads = dict(threads)
        waiting = list(threads)
        while waiting:
            thread = waiting.pop()
            start, answers = threads[thread]
            step = self.machine.resume(start, answers)
            if isinstance(step, Ending):
                assert step.fate is not Fate.FAILED, step
                continue
            if step.kind is Kind.DEPART:
                waiting += self._meet(threads, step)
                continue
            answer = self._answer(threads, step)
            if answer is None:
                continue
            threads[thread] = start, (*answers, answer)
            waiting += [thread]
            if step.kind is Kind.CREATE:
                function = (step.address & OFFSET_MASK) // 16
                threads[step.other] = Start(step.other, function, (step.value,)), ()
                waiting += [step.other]
        return _State(threads, memory)

    def _meet(self, threads: dict[int, tuple[Start, Answers]], step: Label) -> list[int]:
        """Lets the threads go on that are at a barrier, if they are enough; these threads."""
        met = [thread for thread, position in threads.items() if self.machine.resume(*position) == step]
        if len(met) < step.value:
            return []
        for thread in met:
            start, answers = threads[thread]
            threads[thread] = start, (*answers, 0)
        return met

    def _answer(self, threads: Threads, step: Label) -> int | None:
        """What a step that is not an access returns; None for an access, and for a join that has to wait."""
        if step.kind is Kind.JOIN:
            ending = self.machine.resume(*threads[step.other])
            return ending.value if isinstance(ending, Ending) and ending.fate is Fate.DONE else None
        assert step.kind not in (Kind.ALLOC, Kind.FREE), "heap objects are not counted"
        return 0 if step.kind in (Kind.CREATE, Kind.FENCE, Kind.ARRIVE) else None


def _independent(a: _Access, b: _Access) -> bool:
    return a.address != b.address or (a.written is None and b.written is None)
