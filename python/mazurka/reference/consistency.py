"""Whether a graph is consistent, straight from a Plan's axioms (thesis §2.3).

Each base relation is a set of pairs, an axiom's order is their union, and an order is acyclic if events
without predecessors can be taken away until none is left. Relations are given by pairs that suffice for
their closure: only cycles matter here.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TypeAlias

from mazurka.plan import Plan
from mazurka.reference.graph import Graph
from mazurka.reference.labels import EventId, Kind

Pairs: TypeAlias = set[tuple[EventId, EventId]]


def is_consistent(graph: Graph, plan: Plan) -> bool:
    """Whether every axiom of the plan holds, and read-modify-writes are atomic, which they always are."""
    if not is_atomic(graph):
        return False
    return all(is_acyclic(order) for order in orders(graph, plan))


def orders(graph: Graph, plan: Plan) -> list[Pairs]:
    """The union of relations of each axiom."""
    relations = {name: build(graph) for name, build in BUILDERS.items()}
    return [set().union(*(relations[r] for r in axiom.relations)) for axiom in plan.axioms]


def program_order(graph: Graph) -> Pairs:
    """po, with thread creation before the new thread's events and these before a join of it."""
    pairs = {((t, i - 1), (t, i)) for t, i in graph.order if i > 0}
    for event, label in graph.labels.items():
        if label.kind is Kind.CREATE and (label.other, 0) in graph.labels:
            pairs.add((event, (label.other, 0)))
        if label.kind is Kind.JOIN:
            pairs.add((_last_event(graph, label.other), event))
    return pairs


def _last_event(graph: Graph, thread: int) -> EventId:
    """The last event of a thread, or its creation if it has none."""
    events = list(graph.thread(thread))
    last = events[-1] if events else graph.creation(thread)
    assert last is not None, "a joined thread was created"
    return last


def reads_from(graph: Graph) -> Pairs:
    """rf between events; reading the initial write orders nothing after anything."""
    return {(write, read) for read, write in graph.rf.items() if write is not None}


def coherence(graph: Graph) -> Pairs:
    """co between neighbours."""
    return {pair for writes in graph.co.values() for pair in pairwise(writes)}


def from_read(graph: Graph) -> Pairs:
    """fr from a read to the writes that are co-after the one it read."""
    return {(read, write) for read in graph.rf for write in _later_writes(graph, read)}


def _later_writes(graph: Graph, read: EventId) -> tuple[EventId, ...]:
    """The writes that are co-after what a read reads, oldest first."""
    writes = graph.writes(graph.labels[read].address)
    write = graph.rf[read]
    return writes if write is None else writes[writes.index(write) + 1 :]


BUILDERS = {"po": program_order, "rf": reads_from, "co": coherence, "fr": from_read}


def is_atomic(graph: Graph) -> bool:
    """Whether the write of each read-modify-write is the co-successor of what its read reads.

    That excludes writes in between, and with them two read-modify-writes that read the same write.
    """
    for read in graph.rf:
        write = graph.rmw_write(read)
        if write is not None and _later_writes(graph, read)[:1] != (write,):
            return False
    return True


def is_acyclic(pairs: Pairs) -> bool:
    """Whether the transitive closure of a relation is irreflexive."""
    while pairs:
        targets = {target for _, target in pairs}
        rest = {pair for pair in pairs if pair[0] in targets}
        if len(rest) == len(pairs):
            return False
        pairs = rest
    return True


def causal_prefix(graph: Graph, event: EventId) -> set[EventId]:
    """The events strictly porf-before an event."""
    return prefix(program_order(graph) | reads_from(graph), event)


def prefix(pairs: Pairs, event: EventId) -> set[EventId]:
    """The events before an event in the transitive closure of a relation."""
    predecessors: dict[EventId, set[EventId]] = {}
    for before, after in pairs:
        predecessors.setdefault(after, set()).add(before)
    found: set[EventId] = set()
    pending = [event]
    while pending:
        new = predecessors.get(pending.pop(), set()) - found
        found |= new
        pending.extend(new)
    return found
