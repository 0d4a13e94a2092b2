"""Which reads made an assertion fail: those that the last branches before the failure were decided by.

``reasons`` says what counts as decided by a read.

The specification runs the failing thread once more, with the answers that the execution has for it, and
tracks what each value was computed from (``reference.running.dependencies``).
"""

from __future__ import annotations

from collections.abc import Generator

from mazurka.checking.execution import Event, EventRef, Graph
from mazurka.program import OFFSET_MASK, Program
from mazurka.reference.running.interpreter import Run, run_thread
from mazurka.reference.running.labels import Ending, Fate, Given, Kind, Label, ReferenceUnsupported
from mazurka.reference.running.memory import global_memory
from mazurka.reference.running.processor import Start
from mazurka.why_not.reasons import ReasonTracker

_FUNCTIONS = 16  # addresses of functions are multiples
_MOST_EVENTS = 5_000


def deciding_reads(program: Program, graph: Graph, thread: int) -> tuple[EventRef, ...]:
    """The reads that made a thread fail; none if that is not known."""
    if sum(len(one.events) for one in graph.threads) > _MOST_EVENTS:
        return ()
    try:
        ending = _Rerun(program, graph).ending(thread)
    except ReferenceUnsupported:
        return ()
    if ending.fate is not Fate.FAILED:
        return ()
    return tuple((thread, number) for number in sorted(ending.decided))


class _Rerun:
    """Runs threads of one execution once more, each alone."""

    def __init__(self, program: Program, graph: Graph) -> None:
        self.program = program
        self.graph = graph
        children: dict[tuple[int, int], int] = {}
        for parent in range(len(graph.threads)):
            born = [(t.created_by, n) for n, t in enumerate(graph.threads) if t.parent == parent]
            children |= {(parent, k): number for k, (_, number) in enumerate(sorted(born))}
        self.children = children
        next(self._run(Start(0, program.entry)), None)  # what main does first

    def ending(self, thread: int) -> Ending:
        """How a thread ends."""
        steps = self._steps(thread)
        while True:
            try:
                next(steps)
            except StopIteration as stop:
                ending: Ending = stop.value
                return ending

    def _steps(self, thread: int) -> Generator[Label, None, Ending]:
        """What a thread asks for, one by one; in the end, how it ends."""
        run = self._run(self._start(thread))
        events = self.graph.threads[thread].events
        try:
            label = next(run)
            for event in events:
                if (label.kind.value, label.address) != (event.kind, _place(event, label)):
                    raise ReferenceUnsupported("another execution than that of the engine")
                yield label
                label = run.send(self._answer(event))
        except StopIteration as stop:
            ending: Ending = stop.value
            return ending
        raise ReferenceUnsupported("a thread that goes on")

    def _run(self, start: Start) -> Run:
        """A thread at its start; main's run leaves the initial memory of the other threads behind."""
        if start.thread == 0:
            self.initial = global_memory(self.program)

        def child(number: int) -> int:
            if (start.thread, number) not in self.children:
                raise ReferenceUnsupported("another execution than that of the engine")
            return self.children[start.thread, number]

        tracker = ReasonTracker(self.program)
        return run_thread(self.program, start, self.initial, child, None, self._objects(), tracker=tracker)

    def _start(self, thread: int) -> Start:
        """How a thread began: as its parent asked for it."""
        me = self.graph.threads[thread]
        if me.parent is None or me.created_by is None:
            return Start(0, self.program.entry)
        label = next(label for n, label in enumerate(self._steps(me.parent)) if n == me.created_by)
        return Start(thread, (label.address & OFFSET_MASK) // _FUNCTIONS, (label.value,))

    def _answer(self, event: Event) -> Given:
        if event.section or event.kind in ("ARRIVE", "DEPART"):
            raise ReferenceUnsupported("atomic sections and barriers")
        if event.kind == "JOIN":
            return self.ending(event.other or 0).value
        return event.value if event.kind in ("R", "CHOOSE") else 0

    def _objects(self) -> tuple[tuple[int, int], ...]:
        first = ((base, item.size) for base, item in self.initial.objects.items())
        made = (self.graph[ref] for ref in self.graph.refs() if self.graph[ref].kind == "ALLOC")
        return tuple(sorted([*first, *((event.address, event.size) for event in made)]))


def _place(event: Event, label: Label) -> int:
    """The address that the label should have, if events of its kind have one."""
    return event.address if label.kind in (Kind.READ, Kind.WRITE) else label.address
