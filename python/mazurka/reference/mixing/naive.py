"""What an exploration considers that takes the bytes of an access for independent accesses (Mixer §2.4).

There, an access is a sequence of accesses of one byte, the model's axioms are about these, and executions in
which an access is torn, or which are inconsistent for other reasons, are filtered out at the end. TruSt
visits each execution of the bytes once. So does Mixer, which can keep the accesses whole, if it makes its
choices for each byte and asks the axioms about bytes: that is simpler, and the number is the same. This
module is for the number; the exploration is not a good one.

Not done: findings of torn executions are not told apart from others, so programs should have none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mazurka.kat.meaning import terms
from mazurka.kat.meaning.rows import Rows
from mazurka.program import Program
from mazurka.reference.bases import is_initial
from mazurka.reference.consistency import holds, is_atomic
from mazurka.reference.graph import Graph
from mazurka.reference.machine import Machine
from mazurka.reference.mixing.mixer import Mixer
from mazurka.reference.predicates import facts
from mazurka.reference.relations import Relations
from mazurka.reference.running.labels import EventId, Kind, Label
from mazurka.reference.trust import Exploration


def considered(program: Program, model: terms.Model) -> Exploration:
    """The executions of a program's bytes; those that count are consistent as whole accesses, too."""
    explorer = _ByteExplorer(Machine(program), model)
    explorer.explore(ByteGraph())
    return explorer.result


class ByteGraph(Graph):
    """A graph in which each byte is a cell."""

    @staticmethod
    def edges_of(labels: Iterable[Label]) -> frozenset[int]:
        """Every address that is accessed, and where accesses end."""
        accesses = [label for label in labels if label.kind in (Kind.READ, Kind.WRITE)]
        return frozenset(at for a in accesses for at in range(a.address, a.address + a.size + 1))


class _ByteExplorer(Mixer):
    def is_consistent(self, graph: Graph) -> bool:
        """Whether the axioms hold of the accesses of single bytes."""
        if not is_atomic(graph):
            return False
        relations = _ByteRelations(split(graph), self.model.views)
        return all(holds(relations, axiom) for axiom in self.model.axioms)


@dataclass(frozen=True)
class Bytes:
    """A graph of single bytes: where each event of a graph begins, and which event each belongs to."""

    graph: Graph
    first: Mapping[EventId, EventId]
    whole: Graph
    owner: Mapping[EventId, EventId]


def split(whole: Graph) -> Bytes:
    """The graph whose events are the bytes of accesses, in increasing order, and the other events."""
    first: dict[EventId, EventId] = {}
    owner: dict[EventId, EventId] = {}
    for thread in whole.threads():
        length = 0
        for event in whole.thread(thread):
            first[event] = thread, length
            size = len(whole.cells(event)) if _is_access(whole, event) else 1
            owner |= {(thread, number): event for number in range(length, length + size)}
            length += size

    def byte(event: EventId | None, cell: int) -> EventId | None:
        return None if event is None else _byte(whole, first, event, cell)

    bytes_ = [e for event in whole.order for e in sorted(e for e in owner if owner[e] == event)]
    labels = {e: _label(whole.labels[owner[e]], e[1] - first[owner[e]][1]) for e in bytes_}
    reads = [e for e in bytes_ if owner[e] in whole.rf]
    rf = {e: byte(whole.source(owner[e], labels[e].address), labels[e].address) for e in reads}
    co = {cell: tuple(_byte(whole, first, w, cell) for w in writes) for cell, writes in whole.co.items()}
    return Bytes(Graph(tuple(bytes_), labels, rf, co), first, whole, owner)


def _byte(whole: Graph, first: Mapping[EventId, EventId], event: EventId, cell: int) -> EventId:
    thread, number = first[event]
    return thread, number + cell - whole.labels[event].address


def _is_access(graph: Graph, event: EventId) -> bool:
    return graph.labels[event].kind in (Kind.READ, Kind.WRITE)


def _label(label: Label, offset: int) -> Label:
    if label.kind not in (Kind.READ, Kind.WRITE):
        return label
    return label._replace(address=label.address + offset, size=1)


class _ByteRelations(Relations):
    """The relations of bytes; whether a read-modify-write succeeded depends on all its bytes."""

    def __init__(self, split_graph: Bytes, views: Mapping[str, terms.Relation]) -> None:
        self.split = split_graph
        super().__init__(split_graph.graph, views)
        self._facts = [
            facts(split_graph.whole, event if is_initial(event) else split_graph.owner[event])
            for event in self.events
        ]

    def _build(self, name: str) -> Rows:
        if name != "rmw":
            return super()._build(name)
        rows = [0] * self.size
        for read in self.graph.rf:
            write = self.split.whole.rmw_write(self.split.owner[read])
            if write is not None:
                after = _byte(self.split.whole, self.split.first, write, self.graph.labels[read].address)
                rows[self.numbers[read]] |= 1 << self.numbers[after]
        return rows
