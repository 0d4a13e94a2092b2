"""TruSt, line by line: every consistent execution of a program, each exactly once.

Implements TruSt §4.1, Algorithm 1 (VERIFY, VISIT, VISITCOs, ISMAXIMALLYADDED; numbers in comments are its
lines) with the treatment of read-modify-writes of the thesis (§5.5, Algorithm 6.1), and §4.2, Algorithm 2,
which counts executions that differ only in co as one.

Departs 1: a revisit keeps the revisiting write itself; read literally, line 16 would delete it.
Departs 2: as in the thesis, an exclusive write counts as maximally added whenever its read is.
Departs 3: an erroneous graph is recorded and not extended, where the paper stops altogether.
Departs 4: ``next_event`` prefers by an ``Order``, which need not respect po (see ``schedules``).
Departs 5: Algorithm 2 asks GetConsCO about the graph without what is deleted; we leave out the revisited
read and the revisiting write, too. What the read reads now can decide which co is found. Then graphs that
differ in that alone may all be found maximal, and lead to one graph several times (test_trust_rf shows it).
The order has to be a function of what such graphs have in common, which is also where MAXCOMPLETION
(Algorithm 3) starts from.
Departs 6: a thread may choose a value. No write revisits a choice. One that a revisit deletes was added
maximally if it has its first value.

I1: the write of a read-modify-write is added right after its read. Its revisits are tried before VISIT
drops a graph in which it breaks atomicity, which is how two conflicting ones are reversed.
I2: in Algorithm 2, a graph that was found consistent has the co that ``coherence`` finds for it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from mazurka.kat.meaning import terms
from mazurka.program import Program
from mazurka.reference.canonical import Equivalence
from mazurka.reference.coherence import with_consistent_co
from mazurka.reference.consistency import causal_prefix, is_consistent
from mazurka.reference.graph import Graph
from mazurka.reference.machine import Frontier, Machine
from mazurka.reference.running.labels import INIT, EventId, Kind, Label, ReferenceUnsupported
from mazurka.reference.schedules import Order, writes_first
from mazurka.reference.shipped import SC


@dataclass
class Exploration:
    """The full graphs that were visited, in order, and the kinds of findings."""

    complete: list[Graph] = field(default_factory=list)
    blocked: list[Graph] = field(default_factory=list)
    early: list[Graph] = field(default_factory=list)  # as blocked, but see ``Frontier.early``
    findings: set[str] = field(default_factory=set)

    def record(self, graph: Graph, frontier: Frontier) -> None:
        """Notes a graph to which nothing can be added."""
        if not frontier.spurious:
            self.place_for(frontier).append(graph)

    def place_for(self, frontier: Frontier) -> list[Graph]:
        """Where a graph belongs to which nothing can be added."""
        if frontier.complete:
            return self.complete
        return self.early if frontier.early else self.blocked


def verify(
    program: Program,
    model: terms.Model = SC,
    *,
    equivalence: Equivalence = "co",
    order: Order = writes_first,
    unroll: int | None = None,
) -> Exploration:
    """Explores a program (VERIFY)."""
    algorithm = Explorer if equivalence == "co" else ReadsFromExplorer
    explorer = algorithm(Machine(program, unroll), model, order)
    explorer.visit(Graph())
    return explorer.result


class Explorer:
    """Algorithm 1: P, m and next_P, and what was visited."""

    def __init__(self, machine: Machine, model: terms.Model, order: Order) -> None:
        self.machine = machine
        self.model = model
        self.order = order
        self.result = Exploration()

    def visit(self, graph: Graph) -> None:
        """VISIT."""
        consistent = self.consistent(graph)
        if consistent is None:  # 4
            return
        graph = consistent
        frontier = self.machine.frontier(graph)
        findings = self.machine.findings(graph, frontier, self.model)
        self.result.findings |= findings
        if findings:  # 8-9
            return
        if not frontier.available:  # 6-7
            self.record(graph, frontier)
            return
        event, label = self.next_event(frontier)  # 5
        graph = graph.add(event, label)
        if graph.has_sections:
            raise ReferenceUnsupported("atomic sections, which mixing.sections explores")
        if graph.is_mixed:
            raise ReferenceUnsupported("accesses of several sizes to the same bytes, which mixer explores")
        if label.kind is Kind.READ:  # 10
            for write in (INIT, *graph.writes(label.address)):  # 11
                self.visit(graph.set_rf(event, write))  # 12
        elif label.kind is Kind.WRITE:  # 13
            self.visit_cos(graph, event)  # 14
            self.revisit(graph, event)  # 15-18
        elif label.kind is Kind.CHOOSE:  # departs 6
            for value in label.options:
                self.visit(graph.choose(event, value))
        else:  # 19
            self.visit(graph)  # 20

    def consistent(self, graph: Graph) -> Graph | None:
        """The graph if it is consistent."""
        return graph if is_consistent(graph, self.model) else None

    def record(self, graph: Graph, frontier: Frontier) -> None:
        """Notes a graph to which nothing can be added."""
        self.result.record(graph, frontier)

    def revisit(self, graph: Graph, write: EventId) -> None:
        """The backward revisits of a write that was just added and has no place in co yet."""
        prefix = causal_prefix(graph, write)
        for read in graph.reads(write):  # 15
            if read in prefix:
                continue
            later = graph.order[graph.order.index(read) + 1 :]
            deleted = {e for e in later if e not in prefix and e != write}  # 16
            if self.are_maximally_added(graph, deleted, read, write, prefix):  # 17
                kept = graph.restrict(set(graph.order) - deleted)
                self.visit_cos(kept.set_rf(read, write), write)  # 18

    def are_maximally_added(
        self, graph: Graph, deleted: set[EventId], read: EventId, write: EventId, prefix: set[EventId]
    ) -> bool:
        """Whether what a revisit of ``read`` by ``write`` deletes was added maximally, and the read too."""
        return all(is_maximally_added(graph, e, prefix) for e in {*deleted, read})

    def visit_cos(self, graph: Graph, write: EventId) -> None:
        """VISITCOs."""
        for predecessor in (INIT, *graph.writes(graph.labels[write].address)):  # 22
            self.visit(graph.set_co(predecessor, write))

    def next_event(self, frontier: Frontier) -> tuple[EventId, Label]:
        """next_P: the pending write of a read-modify-write (I1), or what the order prefers."""
        for event, label in frontier.available:
            if label.kind is Kind.WRITE and label.exclusive:
                return event, label
        return min(frontier.available, key=lambda pair: self.order(*pair))


class ReadsFromExplorer(Explorer):
    """Algorithm 2: a graph's co is not a choice but whichever makes it consistent."""

    def consistent(self, graph: Graph) -> Graph | None:
        """The graph with a co that makes it consistent (I2)."""
        return with_consistent_co(graph, self.model)

    def record(self, graph: Graph, frontier: Frontier) -> None:
        """Without co, no write is the latest."""
        self.result.record(graph, replace(frontier, early=False))

    def visit_cos(self, graph: Graph, write: EventId) -> None:
        """VISITCOs: one visit, which finds a place for the write."""
        self.visit(graph.set_co(INIT, write))

    def are_maximally_added(
        self, graph: Graph, deleted: set[EventId], read: EventId, write: EventId, prefix: set[EventId]
    ) -> bool:
        """The same by the co of what is kept, followed by the writes that are deleted, oldest first."""
        if any(source in deleted for e, source in graph.rf.items() if e not in deleted):
            return False  # line 25, before a graph is made in which a read has nothing to read from
        kept = with_consistent_co(self.kept(graph, deleted, read, write), self.model)
        assert kept is not None, "a consistent graph's prefix is consistent"
        co = {
            address: (*kept.writes(address), *(e for e in graph.order if e in deleted and e in writes))
            for address, writes in graph.co.items()
        }
        return super().are_maximally_added(replace(graph, co=co), deleted, read, write, prefix)

    def kept(self, graph: Graph, deleted: set[EventId], read: EventId, write: EventId) -> Graph:
        """The graph that decides about co: without what is deleted, and without the revisit (departs 5)."""
        return graph.restrict(set(graph.order) - deleted - {read, write})


def is_maximally_added(graph: Graph, event: EventId, prefix: set[EventId]) -> bool:
    """ISMAXIMALLYADDED, given the causal prefix of the revisiting write."""
    previous = {*graph.order[: graph.order.index(event) + 1], *prefix}  # 24
    if any(graph.rf.get(read, INIT) == event for read in previous):  # 25
        return False
    label = graph.labels[event]
    if label.kind is Kind.READ:
        return _is_co_maximal(graph, graph.source(event, label.address), label.address, previous)  # 26-27
    if label.kind is Kind.WRITE and not label.exclusive:
        return _is_co_maximal(graph, event, label.address, previous)
    return label.kind is not Kind.CHOOSE or label.value == label.options[0]


def _is_co_maximal(graph: Graph, write: EventId | None, address: int, among: set[EventId]) -> bool:
    """Whether a write is the co-latest among some events; INIT is, if they have no write to its address."""
    present = [w for w in graph.writes(address) if w in among]
    return write == (present[-1] if present else INIT)
