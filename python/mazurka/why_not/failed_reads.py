"""Which reads made an assertion fail: those that the last branches before the failure were decided by.

``reasons`` says what counts as decided by a read.

The specification runs the failing thread once more, with the answers that the execution has for it, and
tracks what each value was computed from (``reference.running.dependencies``). Other threads run as far as
that needs them: up to where one creates a thread, and to the end of one that is joined.

I1: no thread runs twice, and all together run for a limited number of steps. What needs more has no answer.
"""

from __future__ import annotations

from typing import NamedTuple

from mazurka.checking.execution import Event, EventRef, Graph
from mazurka.program import OFFSET_MASK, Instr, Program
from mazurka.reference.running.interpreter import Run, run_thread
from mazurka.reference.running.labels import Ending, Fate, Given, Kind, Label, ReferenceUnsupported
from mazurka.reference.running.memory import global_memory
from mazurka.reference.running.processor import Start
from mazurka.why_not.reasons import ReasonTracker

_FUNCTIONS = 16  # addresses of functions are multiples
_MOST_EVENTS = 5_000
STEPS = 200_000  # of all threads together


def deciding_reads(
    program: Program, graph: Graph, thread: int, *, steps: int = STEPS
) -> tuple[EventRef, ...]:
    """The reads that made a thread fail; none if that is not known, or takes more steps."""
    if sum(len(one.events) for one in graph.threads) > _MOST_EVENTS:
        return ()
    try:
        ending = _Rerun(program, graph, steps).ending(thread)
    except ReferenceUnsupported:
        return ()
    if ending.fate is not Fate.FAILED:
        return ()
    return tuple((thread, number) for number in sorted(ending.decided))


class _Goal(NamedTuple):
    """How far a thread has to run: until it has done its event with this number, or to its end."""

    thread: int
    event: int | None = None


class _Thread:
    """A thread that was begun: it has done some of its events, and waits for the answer to ``label``."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.done = 0
        self.label: Label | None = None
        self.ending: Ending | None = None
        self.go_on(None)

    def go_on(self, answer: Given | None) -> None:
        """Runs to the next event, or to the end."""
        try:
            self.label = next(self.run) if answer is None else self.run.send(answer)
        except StopIteration as stop:
            self.ending = stop.value


class _Rerun:
    """Runs threads of one execution once more, as far as they are needed."""

    def __init__(self, program: Program, graph: Graph, steps: int) -> None:
        self.program = program
        self.graph = graph
        self.steps = steps
        born = [(t.parent or 0, t.created_by or 0, n) for n, t in enumerate(graph.threads) if n]
        self.children: dict[int, list[int]] = {}
        for parent, _, number in sorted(born):
            self.children.setdefault(parent, []).append(number)
        made = (graph[ref] for ref in graph.refs() if graph[ref].kind == "ALLOC")
        self.made = [(event.address, event.size) for event in made]
        self.initial = global_memory(program)
        self.starts: dict[int, Start] = {}
        self.threads = {0: _Thread(self._run(Start(0, program.entry)))}  # what main does first is memory

    def ending(self, thread: int) -> Ending:
        """How a thread ends."""
        goals = [_Goal(thread)]
        while goals:
            if len(goals) > 2 * len(self.graph.threads):
                raise ReferenceUnsupported("threads that wait for each other")
            more = self._towards(goals[-1])
            if more is not None:
                goals.append(more)
            elif self._is_reached(goals[-1]):
                goals.pop()
        ending = self.threads[thread].ending
        assert ending is not None, "it ran to its end"
        return ending

    def _is_reached(self, goal: _Goal) -> bool:
        thread = self.threads[goal.thread]
        return thread.ending is not None or (goal.event is not None and thread.done > goal.event)

    def _towards(self, goal: _Goal) -> _Goal | None:
        """Lets a thread do its next event; or says what other threads have to do before that."""
        me = self.graph.threads[goal.thread]
        if goal.thread not in self.threads:
            if goal.thread not in self.starts:
                return _Goal(me.parent or 0, me.created_by)
            self.threads[goal.thread] = _Thread(self._run(self.starts[goal.thread]))
        if self._is_reached(goal):
            return None
        thread = self.threads[goal.thread]
        if thread.done == len(me.events):
            raise ReferenceUnsupported("a thread that goes on")
        event, label = me.events[thread.done], thread.label
        if label is None or (label.kind.value, label.address) != (event.kind, _place(event, label)):
            raise ReferenceUnsupported("another execution than that of the engine")
        if event.kind == "JOIN" and not self._has_ended(event.other or 0):
            return _Goal(event.other or 0)
        if event.kind == "CREATE":
            function = (label.address & OFFSET_MASK) // _FUNCTIONS
            self.starts[label.other] = Start(label.other, function, (label.value,))
        thread.done += 1
        thread.go_on(self._answer(event))
        return None

    def _has_ended(self, thread: int) -> bool:
        return thread in self.threads and self.threads[thread].ending is not None

    def _run(self, start: Start) -> Run:
        """A thread at its start; main's run leaves the initial memory of the other threads behind."""
        born = self.children.get(start.thread, [])

        def child(number: int) -> int:
            if number >= len(born):
                raise ReferenceUnsupported("another execution than that of the engine")
            return born[number]

        first = ((base, item.size) for base, item in self.initial.objects.items())
        objects = tuple(sorted([*first, *self.made]))
        tracker = ReasonTracker(self.program)
        return run_thread(
            self.program, start, self.initial, child, None, objects, tracker=tracker, watch=self._count
        )

    def _count(self, _: Instr) -> None:
        self.steps -= 1
        if self.steps < 0:
            raise ReferenceUnsupported("threads that run for too long")

    def _answer(self, event: Event) -> Given:
        if event.section or event.kind in ("ARRIVE", "DEPART"):
            raise ReferenceUnsupported("atomic sections and barriers")
        if event.kind == "JOIN":
            ending = self.threads[event.other or 0].ending
            return 0 if ending is None else ending.value
        return event.value if event.kind in ("R", "CHOOSE") else 0


def _place(event: Event, label: Label) -> int:
    """The address that the label should have, if events of its kind have one."""
    return event.address if label.kind in (Kind.READ, Kind.WRITE) else label.address
