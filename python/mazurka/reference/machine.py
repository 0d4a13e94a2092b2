"""What a program can do next, given a graph (thesis Algorithm 5.2 without the choice).

A thread is re-run from its start against the answers that the graph holds for it. The answers determine
what it asks next (``interpreter`` I1), so results are remembered by answers; that changes nothing but time.

I1: a thread keeps its ThreadId in all executions: the k-th child of a parent is interned when first seen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from mazurka.program import OFFSET_MASK, Program
from mazurka.reference.canonical import Canonical, canonical
from mazurka.reference.graph import Graph
from mazurka.reference.interpreter import run_thread
from mazurka.reference.labels import Ending, EventId, Fate, Kind, Label
from mazurka.reference.memory import global_memory
from mazurka.reference.processor import Start

Step: TypeAlias = Label | Ending


@dataclass(frozen=True)
class Frontier:
    """How far a graph's threads have come."""

    available: tuple[tuple[EventId, Label], ...]  # the next event of each thread that can go on
    complete: bool  # every thread is done
    finding: Ending | None  # of the lowest thread that has one


class Machine:
    """A program, its initial memory, and the ThreadIds given out so far."""

    def __init__(self, program: Program, unroll: int | None = None) -> None:
        self.program = program
        self.unroll = unroll
        self._children: dict[tuple[int, int], int] = {}
        self._steps: dict[tuple[Start, tuple[int, ...]], Step] = {}
        self.initial = global_memory(program)
        self.resume(Start(0, program.entry), ())

    def frontier(self, graph: Graph) -> Frontier:
        """What the graph's threads ask for or how they ended. A join waits for its thread to be done."""
        threads = _Threads(self, graph)
        steps = {thread: threads.step(thread) for thread in sorted(threads.starts)}
        endings = [step for step in steps.values() if isinstance(step, Ending)]
        return Frontier(
            available=tuple(
                ((thread, graph.length(thread)), step)
                for thread, step in steps.items()
                if isinstance(step, Label) and not threads.waits(step)
            ),
            complete=len(endings) == len(steps) and all(e.fate is Fate.DONE for e in endings),
            finding=next((e for e in endings if e.fate is Fate.FAILED), None),
        )

    def step(self, graph: Graph, thread: int) -> Step:
        """What one thread asks for, or how it ended."""
        return _Threads(self, graph).step(thread)

    def value(self, graph: Graph, read: EventId) -> int:
        """What a read obtains."""
        write = graph.rf[read]
        if write is not None:
            return graph.labels[write].value
        label = graph.labels[read]
        return self.initial.read(label.address, label.size)

    def canonical(self, graph: Graph) -> Canonical:
        """The graph's canonical form."""
        return canonical(graph, self.value)

    def resume(self, start: Start, answers: tuple[int, ...]) -> Step:
        """What a thread asks for after some answers."""
        key = start, answers
        if key not in self._steps:
            self._steps[key] = self._run(start, answers)
        return self._steps[key]

    def _run(self, start: Start, answers: tuple[int, ...]) -> Step:
        """Runs a thread from its start; main's run leaves the initial memory of the other threads behind."""
        if start.thread == 0:
            self.initial = global_memory(self.program)

        def child(k: int) -> int:
            return self._children.setdefault((start.thread, k), len(self._children) + 1)

        thread = run_thread(self.program, start, self.initial, child, self.unroll)
        try:
            step = next(thread)
            for answer in answers:
                step = thread.send(answer)
        except StopIteration as stop:
            ending: Ending = stop.value
            return ending
        return step


class _Threads:
    """The threads of one graph: where each started, and what it asks for next."""

    def __init__(self, machine: Machine, graph: Graph) -> None:
        self.machine = machine
        self.graph = graph
        self.starts = {0: Start(0, machine.program.entry)}
        for label in graph.labels.values():
            if label.kind is Kind.CREATE:
                function = (label.address & OFFSET_MASK) // 16
                self.starts[label.other] = Start(label.other, function, (label.value,))

    def step(self, thread: int) -> Step:
        answers = tuple(self._answer(event) for event in self.graph.thread(thread))
        return self.machine.resume(self.starts[thread], answers)

    def waits(self, label: Label) -> bool:
        """Whether an event has to wait for another thread."""
        if label.kind is not Kind.JOIN:
            return False
        if label.other not in self.starts:
            return True
        ending = self.step(label.other)
        return not (isinstance(ending, Ending) and ending.fate is Fate.DONE)

    def _answer(self, event: EventId) -> int:
        label = self.graph.labels[event]
        if label.kind is Kind.READ:
            return self.machine.value(self.graph, event)
        if label.kind is Kind.JOIN:
            ending = self.step(label.other)
            assert isinstance(ending, Ending), "a join stands in a graph only with its thread's end"
            return ending.value
        return 0
