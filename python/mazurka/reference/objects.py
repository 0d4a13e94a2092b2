"""Errors in the use of shared memory and synchronisation objects, which only the whole graph shows.

The model's ``happens_before`` must put an access between the start and the end of its object's lifetime; if
it does not order them, both orders happen in some execution. Kinds are named as in the engine.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mazurka.kat.meaning import terms
from mazurka.program import Region
from mazurka.reference.bases import arrivals
from mazurka.reference.consistency import causal_prefix, happens_before
from mazurka.reference.graph import Cell, Graph
from mazurka.reference.relations import Relations
from mazurka.reference.running.labels import EventId, Kind, Label, ReferenceUnsupported
from mazurka.reference.running.memory import Memory, free_error, region
from mazurka.reference.running.sync import misuse_of_overwritten


@dataclass(frozen=True)
class _Object:
    """An object as a graph sees it; ``filled`` if reading its initial bytes is not an error."""

    base: int
    size: int
    filled: bool
    owner: int  # who ends it: AllocFlag
    dead: bool = False  # freed in the prologue

    def contains(self, label: Label) -> bool:
        if label.scattered is not None and label.ranges[1:]:
            raise ReferenceUnsupported("a heap access in an atomic section with accesses elsewhere")
        return self.base <= label.address and label.address + label.size <= self.base + self.size


def object_errors(graph: Graph, initial: Memory, model: terms.Model) -> set[str]:
    """The kinds of errors that a graph shows."""
    misused = {kind for cell in graph.co for kind in _misuses(graph, cell, initial)}
    return _memory_errors(graph, initial, model) | misused


def _misuses(graph: Graph, cell: Cell, initial: Memory) -> Iterator[str]:
    """The kinds of synchronisation objects with a write at a wrong place in co."""
    writes = graph.co[cell]
    labels = [graph.labels[write] for write in writes]
    for older, label, write in zip([None, *labels], labels, writes, strict=False):
        if label.use is None:
            continue
        if len(graph.cells(write)) > 1:
            raise ReferenceUnsupported("a synchronisation object that is also accessed in parts")
        old = initial.read(cell, label.size) if older is None else older.value
        if misuse_of_overwritten(label.use, old) or _is_met(graph, write):
            yield label.use.operation.object.kind


def _is_met(graph: Graph, write: EventId) -> bool:
    """Whether an operation that must not be done while threads wait to meet is done then."""
    label = graph.labels[write]
    if label.use is None or not label.use.operation.while_met:
        return False
    here = ((e, a) for e, a in graph.labels.items() if a.kind is Kind.ARRIVE and a.address == label.address)
    waiting = (e for e, a in here if len(arrivals(graph, a.address, a.other)) < a.value)
    return any(write not in causal_prefix(graph, event) for event in waiting)


def _memory_errors(graph: Graph, initial: Memory, model: terms.Model) -> set[str]:
    objects = [*_prologue_objects(initial), *_allocated(graph)]
    accesses = [
        event
        for event, label in graph.labels.items()
        if label.kind in (Kind.READ, Kind.WRITE) and region(label.address) == Region.SHARED
    ]
    frees = [event for event, label in graph.labels.items() if label.kind is Kind.FREE]
    if not accesses and not frees:
        return set()
    found = {kind for event in accesses for kind in _access_errors(graph, event, objects, initial)}
    found |= set(_free_errors([graph.labels[free] for free in frees], objects))
    found |= {"unallocated"} if _unbegun(graph, model, [*accesses, *frees]) else set()
    return found | ({"freed"} if _unordered(graph, model, accesses, frees, objects) else set())


def _prologue_objects(initial: Memory) -> list[_Object]:
    return [_Object(base, o.size, False, o.owner, o.dead) for base, o in initial.objects.items()]


def _allocated(graph: Graph) -> list[_Object]:
    allocs = (label for label in graph.labels.values() if label.kind is Kind.ALLOC)
    return [_Object(label.address, label.size, label.tame, label.value) for label in allocs]


def _access_errors(graph: Graph, event: EventId, objects: list[_Object], initial: Memory) -> Iterator[str]:
    label = graph.labels[event]
    owner = next((o for o in objects if o.contains(label)), None)
    if owner is None:
        yield "unallocated"
    elif owner.dead:
        yield "freed"
    elif label.kind is Kind.READ and not label.tame and not owner.filled:
        ends = (*graph.cells(event)[1:], label.address + label.size)
        cells = ((cell, end - cell) for cell, end in zip(graph.cells(event), ends, strict=True))
        if any(
            graph.source(event, cell) is None and not initial.is_written(cell, size) for cell, size in cells
        ):
            yield "uninitialized"


def _free_errors(frees: list[Label], objects: list[_Object]) -> Iterator[str]:
    bases = {o.base: o for o in objects}
    ended: set[int] = {base for base, o in bases.items() if o.dead}
    for label in frees:
        owner = bases[label.address].owner if label.address in bases else None
        error = "invalid-free" if owner is None else free_error(owner, label.value, label.address in ended)
        if error:
            yield error
        ended.add(label.address)


def _unbegun(graph: Graph, model: terms.Model, events: list[EventId]) -> bool:
    """Whether an allocation is not ordered before an access to its object, or before its end."""
    allocs = {event: label for event, label in graph.labels.items() if label.kind is Kind.ALLOC}
    pairs = [
        (alloc, event)
        for alloc, label in allocs.items()
        for event in events
        if alloc[0] != event[0]
        and label.address <= graph.labels[event].address < label.address + max(label.size, 1)
    ]
    earlier = Relations(graph, model.views).pairs(happens_before(model)) if pairs else ()
    return any(pair not in earlier for pair in pairs)


def _unordered(
    graph: Graph, model: terms.Model, accesses: list[EventId], frees: list[EventId], objects: list[_Object]
) -> bool:
    """Whether an access is not ordered before the end of its object."""
    if not accesses or not frees:
        return False
    earlier = Relations(graph, model.views).pairs(happens_before(model))
    for free in frees:
        ended = [o for o in objects if o.base == graph.labels[free].address]
        if any(o.contains(graph.labels[a]) and (a, free) not in earlier for o in ended for a in accesses):
            return True
    return False
