"""One hashable form for a graph, no matter who built it and in which order.

A read that takes all bytes from one write has that write, or None for the initial one. Others have their runs
of bytes with the same source, each as offset, size and source. Neighbouring cells with the same writes in the
same order are one. The read and the write of an atomic section have parts: runs of neighbouring bytes with
the same source.

I1: two graphs have the same form iff they agree on threads, labels, values, rf and, unless the equivalence is
``rf``, co. Insertion order, program counters and the number of events that never happened do not count.
I2: a read counts as exclusive iff its exclusive write follows it, so that it does not matter whether a
failed compare-exchange calls its read exclusive.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple, TypeAlias

from mazurka.reference.graph import Graph
from mazurka.reference.running.labels import EventId, Kind

Equivalence: TypeAlias = Literal["co", "rf"]
Run: TypeAlias = tuple[int, int, EventId | None]  # offset, size, source


class Runs(NamedTuple):
    """What a read reads from that takes its bytes from several writes; neighbouring runs differ."""

    runs: tuple[Run, ...]


class Part(NamedTuple):
    """A run of bytes of an atomic section, and for its read what it reads them from."""

    address: int
    size: int
    value: int
    source: EventId | None


class Parts(NamedTuple):
    """The bytes that an atomic section reads or writes."""

    parts: tuple[Part, ...]


CanonicalEvent: TypeAlias = tuple[str, int, int, int, int, bool, EventId | Runs | Parts | None, int]
Canonical: TypeAlias = tuple[
    tuple[tuple[CanonicalEvent, ...], ...],  # events by thread
    tuple[tuple[int, tuple[EventId, ...]], ...],  # cell, co
]


def canonical(graph: Graph, equivalence: Equivalence = "co") -> Canonical:
    """The form of a reference graph."""
    threads = [tuple(_event(graph, e) for e in graph.thread(t)) for t in _up_to(graph.threads())]
    return form_of(threads, list(graph.co.items()) if equivalence == "co" else [])


def without_co(form: Canonical) -> Canonical:
    """The form of the same graph up to reads-from equivalence."""
    return form[0], ()


def final_memory(form: Canonical) -> frozenset[tuple[int, int]]:
    """What the written locations of a graph hold in the end: addresses and values."""
    threads, co = form
    return frozenset((address, threads[writes[-1][0]][writes[-1][1]][4]) for address, writes in co)


def form_of(
    threads: list[tuple[CanonicalEvent, ...]], co: Sequence[tuple[int, tuple[EventId, ...]]]
) -> Canonical:
    """The form of a graph, from the events of its threads and the coherence order of each cell."""
    while threads and not threads[-1]:
        threads.pop()
    merged: list[tuple[int, tuple[EventId, ...]]] = []
    for address, writes in sorted(item for item in co if item[1]):
        if not merged or merged[-1][1] != writes:
            merged.append((address, writes))
    return tuple(threads), tuple(merged)


def source_of(runs: Iterable[Run]) -> EventId | Runs | None:
    """What a read reads from, given in runs of bytes in increasing order, maybe in more than necessary."""
    merged: list[Run] = []
    for offset, size, write in runs:
        if merged and merged[-1][2] == write:
            before, length, _ = merged.pop()
            merged.append((before, length + size, write))
        else:
            merged.append((offset, size, write))
    return merged[0][2] if len(merged) == 1 else Runs(tuple(merged))


def section_event(kind: str, mode: int, parts: Iterable[Part]) -> CanonicalEvent:
    """The read or the write of an atomic section, given in parts, maybe in more than necessary."""
    merged: list[Part] = []
    for part in sorted(parts):
        last = merged[-1] if merged else None
        if last is not None and (last.address + last.size, last.source) == (part.address, part.source):
            value = last.value | part.value << 8 * last.size
            merged[-1] = Part(last.address, last.size + part.size, value, last.source)
        else:
            merged.append(part)
    return (kind, mode, 0, 0, 0, False, Parts(tuple(merged)), 0)


def _up_to(threads: list[int]) -> range:
    return range(threads[-1] + 1)


def _parts(graph: Graph, event: EventId) -> list[Part]:
    label = graph.labels[event]
    if label.kind is Kind.WRITE:
        return [Part(at, 1, label.byte(at), None) for at in label.footprint]
    sources, values = graph.sources_by_byte(event), graph.value_by_byte(event)
    return [Part(at, 1, values[at], sources[at]) for at in label.footprint]


def _event(graph: Graph, event: EventId) -> CanonicalEvent:
    label = graph.labels[event]
    if label.scattered is not None:
        return section_event(label.kind.value, label.mode, _parts(graph, event))
    match label.kind:
        case Kind.READ:
            mode, value = graph.read_mode(event), graph.value(event)
            exclusive = graph.rmw_write(event) is not None
            source = source_of((offset, 1, w) for offset, w in enumerate(graph.sources(event)))
            return ("R", mode, label.address, label.size, value, exclusive, source, 0)
        case Kind.WRITE:
            return ("W", label.mode, label.address, label.size, label.value, label.exclusive, None, 0)
        case Kind.FENCE:
            return ("F", label.mode, label.address, label.size, 0, False, None, 0)
        case Kind.CREATE | Kind.JOIN:
            return (label.kind.value, 0, 0, 0, 0, False, None, label.other)
        case Kind.ALLOC:
            return ("ALLOC", 0, label.address, label.size, 0, False, None, 0)
        case Kind.ARRIVE | Kind.DEPART:
            return (label.kind.value, 0, label.address, 0, 0, False, None, label.other)
        case Kind.CHOOSE:
            return ("CHOOSE", 0, 0, 0, label.value, False, None, 0)
        case Kind.FREE:
            return ("FREE", 0, label.address, 0, 0, False, None, 0)
