"""Errors in the use of shared objects and mutexes: what a whole graph shows and no single thread knows.

An access and the end of its object's life must be in order, by some axiom's order, and the access first; if
they are in no order then both orders happen in some execution. Kinds are spelt as the engine spells them.
Not done: escaping locals (``AllocFlag.STACK``), which are taken for heap objects.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mazurka.plan import Plan
from mazurka.program import Region
from mazurka.reference.consistency import orders, prefix
from mazurka.reference.graph import Graph
from mazurka.reference.labels import EventId, Kind, Label
from mazurka.reference.memory import MUTEX_SIZE, Memory, misuses_mutex, region


@dataclass(frozen=True)
class _Object:
    """An object as a graph sees it; ``filled`` if reading its initial bytes is no error."""

    base: int
    size: int
    filled: bool
    dead: bool = False  # freed in the prologue

    def contains(self, label: Label) -> bool:
        return self.base <= label.address and label.address + label.size <= self.base + self.size


def object_errors(graph: Graph, initial: Memory, plan: Plan) -> set[str]:
    """The kinds of errors that a graph shows."""
    misused = any(_misuses_mutex(graph, address, initial) for address in graph.co)
    return _memory_errors(graph, initial, plan) | ({"mutex"} if misused else set())


def _misuses_mutex(graph: Graph, address: int, initial: Memory) -> bool:
    """Whether a write to a mutex stands in co where it must not."""
    labels = [graph.labels[write] for write in graph.co[address]]
    values = [initial.read(address, MUTEX_SIZE), *(label.value for label in labels)]
    return any(
        label.mutex is not None and misuses_mutex(label.mutex, old)
        for old, label in zip(values, labels, strict=False)
    )


def _memory_errors(graph: Graph, initial: Memory, plan: Plan) -> set[str]:
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
    return found | ({"freed"} if _unordered(graph, plan, accesses, frees, objects) else set())


def _prologue_objects(initial: Memory) -> list[_Object]:
    return [_Object(base, o.size, False, o.dead) for base, o in initial.objects.items()]


def _allocated(graph: Graph) -> list[_Object]:
    allocs = (label for label in graph.labels.values() if label.kind is Kind.ALLOC)
    return [_Object(label.address, label.size, label.tame) for label in allocs]


def _access_errors(graph: Graph, event: EventId, objects: list[_Object], initial: Memory) -> Iterator[str]:
    label = graph.labels[event]
    owner = next((o for o in objects if o.contains(label)), None)
    if owner is None:
        yield "unallocated"
    elif owner.dead:
        yield "freed"
    elif label.kind is Kind.READ and graph.rf[event] is None and not label.tame:
        yield from () if owner.filled or initial.is_written(label.address, label.size) else ("uninitialized",)


def _free_errors(frees: list[Label], objects: list[_Object]) -> Iterator[str]:
    bases = {o.base: o for o in objects}
    ended: set[int] = {base for base, o in bases.items() if o.dead}
    for label in frees:
        if label.address not in bases:
            yield "invalid-free"
        elif label.address in ended:
            yield "double-free"
        ended.add(label.address)


def _unordered(
    graph: Graph, plan: Plan, accesses: list[EventId], frees: list[EventId], objects: list[_Object]
) -> bool:
    """Whether an access is not ordered before the end of its object."""
    if not accesses or not frees:
        return False
    unions = orders(graph, plan)
    for free in frees:
        earlier = set().union(*(prefix(order, free) for order in unions))
        ended = [o for o in objects if o.base == graph.labels[free].address]
        if any(o.contains(graph.labels[a]) and a not in earlier for o in ended for a in accesses):
            return True
    return False
