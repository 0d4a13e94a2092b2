"""Mixer, line by line: every execution of a program whose accesses have several sizes, each exactly once.

Implements Mixer §4.3, Algorithm 1 (numbers in comments are its lines): steps and revisits are of whole
accesses, and several writes may revisit a read together. Where all accesses have one size, this is TruSt.

Departs 1: a keep set K has only writes that the revisit would otherwise delete (as §3.2 says, but not line
11). To keep a write that stays anyway is the same revisit as not to keep it.
Departs 2: in line 15, the product is over the bytes of the revisited read, not over those of the new write,
and over writes that are not deleted. So r reads from the new write and from each of K, and takes its other
bytes from wherever it can. A write of K that r is causally before is left out at once: r cannot read from it.
Departs 3: MAXIMALEXTENSION also asks that no event which stays, or was there before, reads from a deleted
write, and that what a read reads from is among these events; TruSt asks for both (its line 25). As printed, a
read could be left without its write, and a deleted read may read from a write that was added after it.
Departs 4: w <next a is a total order that extends po (``clock``). It compares how many events of each thread
are po-before, the rightmost thread first. Where no thread joins another this is the paper's left to right,
but what comes after a join belongs to the right of the joined thread. Whichever of two independent
writes is later in this order is also added later, whatever was revisited in between.
Departs 5: as in ``trust``, an erroneous graph is recorded and not extended.

What the paper leaves open. A kept write keeps its causal past and its place in co: where it came in co was
chosen when it was added, and all choices are explored. A revisited read of a read-modify-write loses its
write, which is computed anew and is the next event, before anything to its left; it revisits in its turn.
Its revisits are tried even if the write breaks atomicity in every place. A deleted exclusive write counts as
maximal whenever its read is, since there is only one place for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from mazurka.kat.meaning import terms
from mazurka.program import Program
from mazurka.reference.bases import po_imm
from mazurka.reference.consistency import causal_prefix, is_consistent
from mazurka.reference.graph import Cell, Graph
from mazurka.reference.machine import Frontier, Machine
from mazurka.reference.running.labels import INIT, EventId, Kind, Label
from mazurka.reference.shipped import SC
from mazurka.reference.trust import Exploration


def verify_mixed(program: Program, model: terms.Model = SC, *, unroll: int | None = None) -> Exploration:
    """Explores a program."""
    mixer = Mixer(Machine(program, unroll), model)
    mixer.explore(Graph())
    return mixer.result


class Mixer:
    """P and M, and what was visited."""

    def __init__(self, machine: Machine, model: terms.Model) -> None:
        self.machine = machine
        self.model = model
        self.result = Exploration()
        self.explored = 0  # graphs, also partial ones

    def explore(self, graph: Graph) -> None:
        """EXPLORE."""
        self.explored += 1
        frontier = self.machine.frontier(graph)
        findings = self.machine.findings(graph, frontier, self.model)
        self.result.findings |= findings
        if findings:  # 2
            return
        if not frontier.available:
            self.result.record(graph, frontier)
            return
        self.extend(graph, *self.next_event(graph, frontier))  # 3

    def extend(self, graph: Graph, event: EventId, label: Label) -> None:
        """The rest of EXPLORE."""
        graph = graph.add(event, label)
        if label.kind is Kind.READ:  # 4
            for writes in graph.choices(event):  # 6
                self.explore_if_consistent(graph.set_rf(event, writes))  # 7
        elif label.kind is Kind.WRITE:  # 8
            self.explore_cos(graph, event)  # 9
            self.revisit(graph, event)  # 10-17
        else:  # 18
            self.explore(graph)  # 19

    def next_event(self, graph: Graph, frontier: Frontier) -> tuple[EventId, Label]:
        """ADDNEXTEVENT: the pending write of a read-modify-write, or the leftmost event."""
        for event, label in frontier.available:
            if label.kind is Kind.WRITE and label.exclusive:
                return event, label
        return min(frontier.available, key=lambda pair: clock(graph.add(*pair), pair[0]))

    def revisit(self, graph: Graph, write: EventId) -> None:
        """The revisits of a write that was just added and has no place in co yet."""
        for read in self.revisited_reads(graph, write):  # 12
            if read in causal_prefix(graph, write):
                continue
            for others in self.keep_sets(graph, read, write):  # 11
                kept = past(graph, {*others, write})
                deleted = added_after(graph, read) - kept  # 13
                if is_maximal_extension(graph, {read, *deleted}):  # 14
                    rest = graph.restrict(set(graph.order) - deleted)
                    for writes in rest.choices(read, write):  # 15
                        revisited = rest.set_rf(read, writes)
                        if is_relevant(revisited, read, {*others, write}):  # 16
                            self.explore_cos(revisited, write)  # 17

    def revisited_reads(self, graph: Graph, write: EventId) -> list[EventId]:
        """The reads that a write may revisit."""
        return graph.reads(write)

    def keep_sets(self, graph: Graph, read: EventId, write: EventId) -> Iterator[tuple[EventId, ...]]:
        """The sets of writes that may revisit a read together with a new write (departs 1, 2).

        The read takes a cell from each of them and from the new write, so there are fewer of them than cells.
        """
        stays = past(graph, {write})
        now = clock(graph, write)
        candidates = [
            w
            for w in added_after(graph, read) - stays
            if graph.labels[w].kind is Kind.WRITE
            and graph.overlap(w, read)
            and clock(graph, w) < now  # TieBreak
            and read not in causal_prefix(graph, w)
        ]
        for size in range(len(graph.cells(read))):
            for others in combinations(sorted(candidates), size):
                if is_independent(graph, {*others, write}):
                    yield others

    def explore_if_consistent(self, graph: Graph) -> None:
        """EXPLOREIFCONSISTENT."""
        if self.is_consistent(graph):  # 21
            self.explore(graph)

    def is_consistent(self, graph: Graph) -> bool:
        """consistent_M."""
        return is_consistent(graph, self.model)

    def explore_cos(self, graph: Graph, write: EventId) -> None:
        """EXPLORECOS."""
        for predecessors in graph.choices(write):  # 24
            self.explore_if_consistent(graph.set_co(predecessors, write))  # 25


def is_independent(graph: Graph, writes: set[EventId]) -> bool:
    """Independent: none is causally before another."""
    return not any(causal_prefix(graph, write) & writes for write in writes)


def is_relevant(graph: Graph, read: EventId, writes: set[EventId]) -> bool:
    """Relevant: the read takes something from each of them."""
    return writes <= set(graph.sources(read))


def is_maximal_extension(graph: Graph, affected: set[EventId]) -> bool:
    """MAXIMALEXTENSION: each was added in the way that counts, given what stays and what was there before."""
    stays = set(graph.order) - affected
    return all(is_maximal(graph, e, stays | {*graph.order} - added_after(graph, e)) for e in affected)


def is_maximal(graph: Graph, event: EventId, among: set[EventId]) -> bool:
    """ISMAXIMAL in each cell, and nobody among some events reads from it (departs 3)."""
    if any(event in graph.sources(read) for read in graph.rf if read in among):
        return False
    label = graph.labels[event]
    if label.kind is Kind.READ:
        return all(graph.source(event, cell) == latest(graph, cell, among) for cell in graph.cells(event))
    if label.kind is Kind.WRITE and not label.exclusive:
        return all(event == latest(graph, cell, among) for cell in graph.cells(event))
    return label.kind is not Kind.CHOOSE or label.value == label.options[0]


def latest(graph: Graph, cell: Cell, among: set[EventId]) -> EventId | None:
    """The co-latest write of a cell among some events; a write that has no place in co yet does not count."""
    return next((write for write in reversed(graph.writes(cell)) if write in among), INIT)


def past(graph: Graph, events: set[EventId]) -> set[EventId]:
    """Some events and what is causally before them."""
    return events.union(*(causal_prefix(graph, event) for event in events))


def added_after(graph: Graph, event: EventId) -> set[EventId]:
    """The events that were added after an event."""
    return {*graph.order[graph.order.index(event) + 1 :]}


def clock(graph: Graph, event: EventId) -> tuple[int, ...]:
    """How many events of each thread are po-before an event or the event itself, rightmost thread first.

    Clocks are compared lexicographically; this is the total order <next (departs 4).
    """
    predecessors: dict[EventId, set[EventId]] = {}
    for before, after in po_imm(graph):
        predecessors.setdefault(after, set()).add(before)
    found, pending = {event}, [event]
    while pending:
        new = predecessors.get(pending.pop(), set()) - found
        found |= new
        pending.extend(new)
    counts = [sum(thread == t for thread, _ in found) for t in range(graph.threads()[-1] + 1)]
    return tuple(reversed(counts))
