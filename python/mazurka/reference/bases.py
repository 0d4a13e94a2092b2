"""The built-in relations of the model language on a graph, as sets of pairs (thesis §2.2).

An initial write is one event per cell (``graph``) that the graph accesses, of no thread (``initial_write``);
it is in rf and in co, where it comes first, and in no relation of program order.

Events are whole accesses, so relations between bytes are lifted (Mixer §4.1): two accesses are in rf, co or
fr if some of their bytes are, and they have the same location if they share a byte. If accesses have several
sizes, two of them can be in rf, co or fr both ways; ``consistency`` rules that out.

I1: ``po_imm`` generates po: thread creation comes before the new thread, and that before its join; each
arrival at a meeting comes before each departure of the same round.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, product
from typing import TypeAlias

from mazurka.reference.graph import Cell, Graph
from mazurka.reference.running.labels import EventId, Kind, Label, ReferenceUnsupported

Pairs: TypeAlias = set[tuple[EventId, EventId]]

NO_THREAD = -1


def initial_write(cell: Cell) -> EventId:
    """The event that stands for the initial write of a cell."""
    return NO_THREAD, cell


def is_initial(event: EventId) -> bool:
    """Whether an event is an initial write."""
    return event[0] == NO_THREAD


def accesses(graph: Graph) -> list[EventId]:
    """The reads and writes of a graph, without the initial writes."""
    return [e for e, label in graph.labels.items() if label.kind in (Kind.READ, Kind.WRITE)]


def cells(graph: Graph) -> list[Cell]:
    """The cells that a graph accesses, in increasing order."""
    return sorted({cell for event in accesses(graph) for cell in graph.cells(event)})


def po_imm(graph: Graph) -> Pairs:
    """Immediate neighbours in po: in a thread, creation to first event, last event (or creation) to join."""
    pairs = {((t, i - 1), (t, i)) for t, i in graph.order if i > 0}
    for event, label in graph.labels.items():
        if label.kind is Kind.CREATE and (label.other, 0) in graph.labels:
            pairs.add((event, (label.other, 0)))
        if label.kind is Kind.JOIN:
            pairs.add((_last_event(graph, label.other), event))
        if label.kind is Kind.DEPART:
            pairs |= {(arrival, event) for arrival in arrivals(graph, label.address, label.other)}
    return pairs


def arrivals(graph: Graph, address: int, number: int) -> list[EventId]:
    """The arrivals of a round of meetings at an address."""
    meeting = Kind.ARRIVE, address, number
    return [e for e, label in graph.labels.items() if (label.kind, label.address, label.other) == meeting]


def _last_event(graph: Graph, thread: int) -> EventId:
    """The last event of a thread, or its creation if it has none."""
    events = list(graph.thread(thread))
    last = events[-1] if events else graph.creation(thread)
    assert last is not None, "a joined thread was created"
    return last


def same_location(graph: Graph) -> Pairs:
    """Distinct accesses that share a byte, without the initial writes."""
    found = accesses(graph)
    return {(a, b) for a in found for b in found if a != b and graph.overlap(a, b)}


def same_domain(graph: Graph) -> Pairs:
    """Distinct fences of SRCU whose domains share a byte."""
    found = [(e, set(label.footprint)) for e, label in graph.labels.items() if label.kind is Kind.FENCE]
    return {(a, b) for (a, own), (b, other) in product(found, repeat=2) if a != b and own & other}


def rf(graph: Graph) -> Pairs:
    """From a write to the reads that read from it."""
    taken = ((graph.source(read, cell), cell, read) for read in graph.rf for cell in graph.cells(read))
    return {(initial_write(cell) if write is None else write, read) for write, cell, read in taken}


def co(graph: Graph) -> Pairs:
    """From a write to those that come later in the coherence order of one of its cells."""
    return {pair for x in cells(graph) for pair in combinations((initial_write(x), *graph.writes(x)), 2)}


def fr(graph: Graph) -> Pairs:
    """From a read to the writes that are co-after the one that it takes a cell from.

    The write of an atomic section happens at once with its read, so the same comes after it.
    """
    taken = ((read, cell) for read in graph.rf for cell in graph.cells(read))
    pairs = {(read, write) for read, cell in taken for write in later_writes(graph, read, cell)}
    at_once = {(graph.section_write(read), write) for read, write in pairs}
    return pairs | {(own, write) for own, write in at_once if own is not None and own != write}


def later_writes(graph: Graph, read: EventId, cell: Cell) -> tuple[EventId, ...]:
    """The writes that are co-after the one that a read takes a cell from, oldest first."""
    writes, write = graph.writes(cell), graph.source(read, cell)
    return writes if write is None else writes[writes.index(write) + 1 :]


def internal(pairs: Pairs) -> Pairs:
    """The pairs within a thread; initial writes belong to none."""
    return {(a, b) for a, b in pairs if a[0] == b[0] != NO_THREAD}


def external(pairs: Pairs) -> Pairs:
    """The pairs between threads."""
    return pairs - internal(pairs)


def rmw(graph: Graph) -> Pairs:
    """From the read of a successful read-modify-write to its write."""
    halves = ((read, graph.rmw_write(read)) for read in graph.rf)
    return {(read, write) for read, write in halves if write is not None}


def same_thread(graph: Graph) -> Pairs:
    """Distinct events of one thread, both ways."""
    return {(a, b) for a, b in product(graph.order, repeat=2) if a != b and a[0] == b[0]}


def thread_creation(graph: Graph) -> Pairs:
    """From a CREATE to every event of the new thread."""
    creates = [(e, label.other) for e, label in graph.labels.items() if label.kind is Kind.CREATE]
    return {(create, event) for create, child in creates for event in graph.thread(child)}


def thread_join(graph: Graph) -> Pairs:
    """From every event of a thread to a JOIN of it."""
    joins = [(e, label.other) for e, label in graph.labels.items() if label.kind is Kind.JOIN]
    return {(event, join) for join, child in joins for event in graph.thread(child)}


def allocation(graph: Graph) -> Pairs:
    """From an ALLOC to the accesses of its object."""
    return _lifetime(graph, Kind.ALLOC)


def deallocation(graph: Graph) -> Pairs:
    """From a FREE to the accesses of its object."""
    return _lifetime(graph, Kind.FREE)


def _lifetime(graph: Graph, kind: Kind) -> Pairs:
    found = accesses(graph)
    ends = [(e, label) for e, label in graph.labels.items() if label.kind is kind]
    return {(end, a) for end, label in ends for a in found if _within(graph.labels[a], _extent(graph, label))}


def _extent(graph: Graph, end: Label) -> Label:
    """The label with the object's size; a FREE knows it only of objects that the prologue allocated."""
    allocs = (label for label in graph.labels.values() if label.kind is Kind.ALLOC)
    return next((label for label in allocs if label.address == end.address), end)


def _within(inner: Label, outer: Label) -> bool:
    """Whether an access has bytes in an object; only a section can have others, too."""
    if inner.scattered is not None:
        return any(at in outer.footprint for at in inner.scattered)
    return outer.address <= inner.address and inner.address + inner.size <= outer.address + outer.size


def dependencies(graph: Graph, kind: str) -> Pairs:
    """From the reads that an event depends on in one way to the event, within threads.

    The address of a fence of SRCU is in no relation.
    """
    pairs: Pairs = set()
    for (thread, number), label in graph.labels.items():
        if label.depends is None:
            raise ReferenceUnsupported(f"the relation {kind}, because dependencies were not tracked")
        if label.kind is Kind.FENCE and kind != "ctrl":
            continue
        pairs |= {((thread, read), (thread, number)) for read in getattr(label.depends, kind)}
    return pairs


def detour(graph: Graph) -> Pairs:
    """From a write to a later read of its thread that reads another thread's write, which overwrites it."""
    return internal(_joined(external(co(graph)), external(rf(graph))) & _later(graph))


def read_different_writes(graph: Graph) -> Pairs:
    """From a read to a later one of its thread that reads another thread's newer write."""
    return internal(_joined(external(fr(graph)), external(rf(graph))) & _later(graph))


def _joined(first: Pairs, second: Pairs) -> Pairs:
    return {(a, c) for a, b in first for other, c in second if b == other}


def _later(graph: Graph) -> Pairs:
    """Accesses of one location, in the order of their thread."""
    return {(a, b) for a, b in same_location(graph) if a[0] == b[0] and a[1] < b[1]}


BASES: dict[str, Callable[[Graph], Pairs]] = {
    "po-imm": po_imm,
    "rf": rf,
    "rfe": lambda graph: external(rf(graph)),
    "rfi": lambda graph: internal(rf(graph)),
    "co": co,
    "coe": lambda graph: external(co(graph)),
    "coi": lambda graph: internal(co(graph)),
    "fr": fr,
    "fre": lambda graph: external(fr(graph)),
    "fri": lambda graph: internal(fr(graph)),
    "rmw": rmw,
    "same-thread": same_thread,
    "loc-overlap": same_location,
    "same-domain": same_domain,
    "tc": thread_creation,
    "tj": thread_join,
    "alloc": allocation,
    "free": deallocation,
    "addr": lambda graph: dependencies(graph, "addr"),
    "data": lambda graph: dependencies(graph, "data"),
    "ctrl": lambda graph: dependencies(graph, "ctrl"),
    "detour": detour,
    # What the shipped models declare, because only the prover had to know about it. C has no isync.
    "rdw": read_different_writes,
    "ctrl-isync": lambda graph: set(),
}
