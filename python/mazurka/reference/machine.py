"""What a program can do next, given a graph (thesis Algorithm 5.2 without the choice).

A thread is re-run from its start with the answers that the graph has for it. The answers determine what it
asks next (``interpreter`` I1), so results are cached by answers, to save time. (Where addresses are computed
in shared objects, the set of objects counts as an answer, too.)

I1: a thread keeps its ThreadId in all executions: the k-th child of a parent is interned when first seen,
unless the caller gives its ThreadId (so that graphs that number threads differently can be compared).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from mazurka.kat.meaning import terms
from mazurka.program import OFFSET_MASK, Instr, Op, Program
from mazurka.reference.annotations import Step, annotation_errors, is_unconfirmed, link_of
from mazurka.reference.bases import arrivals, later_writes
from mazurka.reference.canonical import Canonical, Equivalence, canonical
from mazurka.reference.consistency import causal_prefix, has_own_order, model_errors
from mazurka.reference.graph import Graph, source_graph
from mazurka.reference.objects import object_errors
from mazurka.reference.running.dependencies import Tracker
from mazurka.reference.running.interpreter import Run, run_thread
from mazurka.reference.running.labels import (
    ROUNDS,
    Ending,
    EventId,
    Fate,
    Given,
    Kind,
    Label,
    Late,
    ReferenceUnsupported,
)
from mazurka.reference.running.memory import global_memory
from mazurka.reference.running.processor import Start
from mazurka.reference.running.spins import Spins

Objects: TypeAlias = tuple[tuple[int, int], ...]  # address, size
STOPPED = (Fate.BLOCKED, Fate.SPINNING)
Child: TypeAlias = tuple[int, int]  # a parent's ThreadId, and how many children it had before


@dataclass(frozen=True)
class Frontier:
    """How far a graph's threads have come."""

    available: tuple[tuple[EventId, Label], ...]  # the next event of each thread that can go on
    complete: bool  # every thread is done, or one ended the program and the others at most wait for ever
    waiting: bool  # all unfinished threads wait for ever, in vain, and none ended the program
    spurious: bool  # a thread waits for an object that has changed since: it could have waited longer
    early: bool  # a thread stopped that could have read a later write instead
    findings: tuple[Ending, ...]  # by thread


class Machine:
    """A program, its initial memory, and the ThreadIds given out so far."""

    def __init__(
        self,
        program: Program,
        unroll: int | None = None,
        children: Mapping[Child, int] | None = None,
        confirms: bool = True,
        *,
        helps: bool = False,
        stop_spins: bool = False,
        tracks: bool = False,
    ) -> None:
        self.program = program
        self.unroll = unroll
        self.confirms = confirms  # confirming compare-exchanges stop their threads (``annotations``)
        self.helps = helps  # so do helping ones
        self.stop_spins = stop_spins
        self.tracks = tracks  # dependencies (``dependencies``)
        self._children: dict[Child, int] = dict(children or {})
        self._steps: dict[tuple[Start, tuple[Given, ...], Objects], Step] = {}
        self.computes_addresses = any(i.op is Op.STEP for f in program.functions for i in f.code)
        self.initial = global_memory(program)
        self.resume(Start(0, program.entry), ())

    def frontier(self, graph: Graph) -> Frontier:
        """What the graph's threads ask for or how they ended. A join waits for its thread to be done."""
        threads = Threads(self, graph)
        steps = {thread: threads.step(thread) for thread in sorted(threads.starts)}
        endings = {thread: step for thread, step in steps.items() if isinstance(step, Ending)}
        fates = {ending.fate for ending in endings.values()}
        early = [t for t, e in endings.items() if e.fate in STOPPED and threads.could_read_again(t)]
        if not any(endings[thread].fate is Fate.SPINNING for thread in early):  # all spin in vain
            fates = {Fate.WAITING if fate is Fate.SPINNING else fate for fate in fates}
        return Frontier(
            available=tuple(
                ((thread, graph.length(thread)), step)
                for thread, step in steps.items()
                if isinstance(step, Label) and not threads.waits(step)
            ),
            complete=(
                fates <= {Fate.DONE, Fate.EXITED, Fate.WAITING}
                if Fate.EXITED in fates
                else fates == {Fate.DONE} and len(endings) == len(steps)
            ),
            waiting=fates <= {Fate.DONE, Fate.WAITING},
            spurious=any(
                threads.could_go_on(t, e.value) for t, e in endings.items() if e.fate is Fate.WAITING
            )
            or any(map(threads.stopped_at_exchange, endings)),
            early=bool(early),
            findings=tuple(ending for ending in endings.values() if ending.fate is Fate.FAILED),
        )

    def findings(
        self, graph: Graph, frontier: Frontier, model: terms.Model, rules: terms.Model | None = None
    ) -> set[str]:
        """The kinds of findings that a graph shows: of its threads, of the model, of shared objects.

        With ``rules``, the error rules of that model count, on the graph of the source, and so does its order
        of accesses and the starts and ends of their objects' lifetimes.
        """
        by_threads = {ending.finding for ending in frontier.findings}
        by_rules = model_errors(graph, model) if rules is None else self._broken(source_graph(graph), rules)
        return (
            by_threads
            | by_rules
            | object_errors(graph, self.initial, model)
            | annotation_errors(graph, model, frontier.complete, Threads(self, graph).left_to_helped())
        )

    def _broken(self, source: Graph, rules: terms.Model) -> set[str]:
        by_objects = object_errors(source, self.initial, rules) if has_own_order(rules) else set()
        return model_errors(source, rules) | by_objects

    def step(self, graph: Graph, thread: int) -> Step:
        """What one thread asks for, or how it ended."""
        return Threads(self, graph).step(thread)

    def canonical(self, graph: Graph, equivalence: Equivalence = "co") -> Canonical:
        """The graph's canonical form."""
        return canonical(graph, equivalence)

    def resume(self, start: Start, answers: tuple[Given, ...], objects: Objects = ()) -> Step:
        """What a thread asks for after some answers."""
        key = start, answers, objects
        if key not in self._steps:
            self._steps[key] = self._run(start, answers, objects)
        return self._steps[key]

    def _run(self, start: Start, answers: tuple[Given, ...], objects: Objects) -> Step:
        """Runs a thread from its start and with some answers."""
        run = self.run(start, objects)
        step = next(run)
        for answer in answers:
            if isinstance(step, Ending):
                break
            step = run.send(answer)
        return self.completed(step)

    def run(self, start: Start, objects: Objects = ()) -> Generator[Step, Given, None]:
        """What a thread asks for, as it gets one answer after the other, and at last how it ended."""
        thread = self.start(start, objects, self.unroll, Spins() if self.stop_spins else None)
        try:
            step = next(thread)
            while True:
                step = thread.send((yield step))
        except StopIteration as stop:
            yield stop.value

    def instructions(self, graph: Graph, thread: int) -> list[Instr]:
        """The instruction of each event of a thread."""
        threads, seen = Threads(self, graph), list[Instr]()
        run = self.start(threads.starts[thread], threads.objects, self.unroll, None, seen.append)
        next(run, None)
        found = [seen[-1]]
        for answer in threads.answers(thread, graph.length(thread) - 1):
            run.send(answer)
            found.append(seen[-1])
        return found

    def start(
        self,
        start: Start,
        objects: Objects,
        unroll: int | None,
        spins: Spins | None,
        watch: Callable[[Instr], object] | None = None,
    ) -> Run:
        """A thread at its start; main's run leaves the initial memory of the other threads behind."""
        if start.thread == 0:
            self.initial = global_memory(self.program)

        def child(k: int) -> int:
            return self._children.setdefault((start.thread, k), max(self._children.values(), default=0) + 1)

        tracker = Tracker(self.program) if self.tracks else None
        return run_thread(self.program, start, self.initial, child, unroll, objects, spins, tracker, watch)

    def completed(self, step: Step) -> Step:
        """A step, with what initial memory adds: a read's initial value, a freed object's size."""
        if isinstance(step, Ending):
            return step
        if step.kind is Kind.READ:
            found = (self.initial.read(at, 1) << 8 * n for n, at in enumerate(step.footprint))
            return step._replace(initial=sum(found))
        if step.kind is Kind.FREE and step.address in self.initial.objects:
            return step._replace(size=self.initial.objects[step.address].size)
        return step


class Threads:
    """The threads of one graph: where each started, and what it asks for next."""

    def __init__(self, machine: Machine, graph: Graph) -> None:
        self.machine = machine
        self.graph = graph
        self.starts = {0: Start(0, machine.program.entry)}
        for label in graph.labels.values():
            if label.kind is Kind.CREATE:
                function = (label.address & OFFSET_MASK) // 16
                self.starts[label.other] = Start(label.other, function, (label.value,))
        self.objects = self._objects() if machine.computes_addresses else ()

    def _objects(self) -> Objects:
        """The shared objects, which decide which addresses a thread can compute from theirs."""
        first = ((base, item.size) for base, item in self.machine.initial.objects.items())
        made = (label for label in self.graph.labels.values() if label.kind is Kind.ALLOC)
        return tuple(sorted([*first, *((label.address, label.size) for label in made)]))

    def stopped_at_exchange(self, thread: int) -> bool:
        """Whether its newest event does not confirm what it had to, or leaves its work to the helped one."""
        newest = (thread, self.graph.length(thread) - 1)
        return newest in self.graph.rf and (
            (self.machine.confirms and is_unconfirmed(self.graph, newest)) or self._link(newest) is not None
        )

    def _link(self, event: EventId) -> EventId | None:
        return link_of(self.graph, event) if self.machine.helps else None

    def left_to_helped(self) -> dict[EventId, Step]:
        """The helping compare-exchanges that stopped, and what the thread that linked does next."""
        links = {event: self._link(event) for event in self.graph.rf}
        return {
            event: self.graph.labels.get((link[0], link[1] + 1)) or self.step(link[0])
            for event, link in links.items()
            if link is not None
        }

    def step(self, thread: int) -> Step:
        """What a thread asks for, or how it ended."""
        if self.stopped_at_exchange(thread):
            return Ending(Fate.BLOCKED)
        step = self.after(thread, self.answers(thread, self.graph.length(thread)))
        if isinstance(step, Label) and step.kind in (Kind.ARRIVE, Kind.DEPART):
            return self._in_round(thread, step)
        if isinstance(step, Label) and step.kind is Kind.JOIN:
            return self._checked_join(step)
        return step

    def answers(self, thread: int, count: int) -> tuple[Given, ...]:
        """What the first events of a thread returned to it."""
        return tuple(self.answer((thread, number)) for number in range(count))

    def after(self, thread: int, answers: tuple[Given, ...]) -> Step:
        """What a thread asks for after some answers; which round of a meeting it is in is left out."""
        return self.machine.resume(self.starts[thread], answers, self.objects)

    def _checked_join(self, label: Label) -> Step:
        if label.other not in self.starts.keys() - {0}:
            return Ending(Fate.FAILED, finding="thread", message="a join of something that is not a thread")
        joined = (other.other for other in self.graph.labels.values() if other.kind is Kind.JOIN)
        if label.other in joined:
            return Ending(Fate.FAILED, finding="thread", message="a join of a thread that was joined already")
        return label

    def _in_round(self, thread: int, label: Label) -> Label:
        """The label with its round: an arrival belongs to the first that it does not know to be over."""
        last = list(self.graph.thread(thread))[-1:]
        if label.kind is Kind.DEPART:
            return label._replace(other=self.graph.labels[last[0]].other)
        return label._replace(other=self._rounds(label.address, last[0]) if last else 0)

    def _rounds(self, address: int, event: EventId) -> int:
        """How many rounds of meetings at an address are over for an event."""
        known = (self.graph.labels[e] for e in causal_prefix(self.graph, event) | {event})
        met = [label.other + 1 for label in known if label.kind is Kind.ARRIVE and label.address == address]
        return max(met, default=0)

    def waits(self, label: Label) -> bool:
        """Whether an event has to wait for another thread."""
        if label.kind in (Kind.ARRIVE, Kind.DEPART):
            return self._waits_for_others(label)
        if label.kind is not Kind.JOIN:
            return False
        ending = self.step(label.other)
        return not (isinstance(ending, Ending) and ending.fate is Fate.DONE)

    def _waits_for_others(self, label: Label) -> bool:
        """Whether a departure waits for arrivals; there must not be more of them than threads that meet."""
        there = len(arrivals(self.graph, label.address, label.other))
        if label.kind is Kind.ARRIVE and there >= label.value:
            raise ReferenceUnsupported("more threads at a barrier than its count")
        return label.kind is Kind.DEPART and there < label.value

    def could_go_on(self, thread: int, address: int) -> bool:
        """Whether the word that a thread waits for was written after the write that it saw."""
        read = (thread, self.graph.length(thread) - 1)
        if read not in self.graph.rf or self.graph.labels[read].address != address:
            return False  # an object of its own, or one that the prologue waits for
        return not self._sees_latest(read)

    def could_read_again(self, thread: int) -> bool:
        """Whether a stopped thread could have read a later write instead: right before it stopped, or, if it
        spins, anywhere in its last round. What was written in such rounds goes with them.
        """
        labels = ((event, self.graph.labels[event]) for event in reversed([*self.graph.thread(thread)]))
        last = next((event for event, label in labels if label.kind is not Kind.FENCE), None)
        if last is not None and last in self.graph.rf and not self._sees_latest(last):
            return True
        spun = self._spun()
        return any(
            event[0] == thread and event in self.graph.rf and not spun.issuperset(self._writes_after(event))
            for event in spun
        )

    def _spun(self) -> set[EventId]:
        """The events of the rounds after which threads stopped."""
        steps = {thread: self.step(thread) for thread in self.starts}
        since = {
            thread: step.since
            for thread, step in steps.items()
            if isinstance(step, Ending) and step.fate is Fate.SPINNING and step.since is not None
        }
        return {event for thread in since for event in self.graph.thread(thread) if event[1] >= since[thread]}

    def _writes_after(self, read: EventId) -> list[EventId]:
        """The writes that are later in coherence than what a read sees."""
        return [w for cell in self.graph.cells(read) for w in later_writes(self.graph, read, cell)]

    def _sees_latest(self, read: EventId) -> bool:
        return not self._writes_after(read)

    def answer(self, event: EventId) -> Given:
        """What an event of the graph returned to its thread."""
        label = self.graph.labels[event]
        if self.graph.is_late(event):
            return Late.FAILS if self.graph.rmw_write(event) is None else Late.SUCCEEDS
        if label.kind is Kind.READ and label.scattered is not None:
            return tuple(self.graph.value_by_byte(event).items())
        if label.kind is Kind.READ and label.use is not None and label.use.operation.counts_rounds:
            rounds = self._rounds(self.graph.labels[event].address, event)
            return self.graph.value(event) + rounds * ROUNDS
        if label.kind is Kind.READ:
            return self.graph.value(event)
        if label.kind is Kind.JOIN:
            ending = self.step(label.other)
            assert isinstance(ending, Ending), "a join stands in a graph only with its thread's end"
            return ending.value
        return label.value if label.kind is Kind.CHOOSE else 0
