"""One hashable form for a graph, whoever built it and in whatever order.

I1: two graphs have the same form iff they agree on threads, labels, values, rf and, unless the equivalence is
``rf``, co. Insertion order, program counters and the number of events that never happened do not count.
I2: a read counts as exclusive iff its exclusive write follows it, so that it does not matter whether a
failed compare-exchange calls its read exclusive.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import Any, Literal, TypeAlias

from mazurka.reference.graph import Graph
from mazurka.reference.running.labels import EventId, Kind

Equivalence: TypeAlias = Literal["co", "rf"]
CanonicalEvent: TypeAlias = tuple[str, int, int, int, int, bool, EventId | None, int]
Canonical: TypeAlias = tuple[
    tuple[tuple[CanonicalEvent, ...], ...],  # events by thread
    tuple[tuple[int, tuple[EventId, ...]], ...],  # address, co
]


def canonical(graph: Graph, equivalence: Equivalence = "co") -> Canonical:
    """The form of a reference graph."""
    threads = [tuple(_event(graph, e) for e in graph.thread(t)) for t in _up_to(graph.threads())]
    return _form(threads, list(graph.co.items()) if equivalence == "co" else [])


def canonical_from_engine(graph: dict[str, Any], equivalence: Equivalence = "co") -> Canonical:
    """The form of a graph as ``_engine.explore`` returns it."""
    threads = [_engine_thread(thread["events"]) for thread in graph["threads"]]
    co = graph["co"] if equivalence == "co" else []
    return _form(threads, [(address, tuple(map(tuple, writes))) for address, _, writes in co])


def without_co(form: Canonical) -> Canonical:
    """The form of the same graph up to reads-from equivalence."""
    return form[0], ()


def children_from_engine(graphs: Iterable[dict[str, Any]]) -> dict[tuple[int, int], int]:
    """The ThreadId of each parent's k-th child in the engine's graphs, where it must be one and its own."""
    found: dict[tuple[int, int], int] = {}
    for graph in graphs:
        for parent, thread in enumerate(graph["threads"]):
            created = [event["other"] for event in thread["events"] if event["kind"] == "CREATE"]
            for k, child in enumerate(created):
                assert found.setdefault((parent, k), child) == child, "a thread has two ids"
    assert len(set(found.values())) == len(found), "two threads have one id"
    return found


def _form(
    threads: list[tuple[CanonicalEvent, ...]], co: Sequence[tuple[int, tuple[EventId, ...]]]
) -> Canonical:
    while threads and not threads[-1]:
        threads.pop()
    return tuple(threads), tuple(sorted(item for item in co if item[1]))


def _up_to(threads: list[int]) -> range:
    return range(threads[-1] + 1)


def _event(graph: Graph, event: EventId) -> CanonicalEvent:
    label = graph.labels[event]
    match label.kind:
        case Kind.READ:
            mode, value = graph.read_mode(event), graph.value(event)
            exclusive = graph.rmw_write(event) is not None
            return ("R", mode, label.address, label.size, value, exclusive, graph.rf[event], 0)
        case Kind.WRITE:
            return ("W", label.mode, label.address, label.size, label.value, label.exclusive, None, 0)
        case Kind.FENCE:
            return ("F", label.mode, 0, 0, 0, False, None, 0)
        case Kind.CREATE | Kind.JOIN:
            return (label.kind.value, 0, 0, 0, 0, False, None, label.other)
        case Kind.ALLOC:
            return ("ALLOC", 0, label.address, label.size, 0, False, None, 0)
        case Kind.FREE:
            return ("FREE", 0, label.address, 0, 0, False, None, 0)


def _engine_thread(events: list[dict[str, Any]]) -> tuple[CanonicalEvent, ...]:
    followers = zip_longest(events, events[1:], fillvalue={"kind": ""})
    return tuple(_engine_event(event, after) for event, after in followers)


def _engine_event(event: dict[str, Any], after: dict[str, Any]) -> CanonicalEvent:
    kind, mode = event["kind"], event["mode"]
    match kind:
        case "R":
            paired = after["kind"] == "W" and after["exclusive"] and event["exclusive"]
            rf = None if event["rf"] is None else tuple(event["rf"])
            return ("R", mode, event["address"], event["size"], event["value"], paired, rf, 0)
        case "W":
            exclusive = event["exclusive"]
            return ("W", mode, event["address"], event["size"], event["value"], exclusive, None, 0)
        case "F":
            return ("F", mode, 0, 0, 0, False, None, 0)
        case "CREATE" | "JOIN":
            return (kind, 0, 0, 0, 0, False, None, event["other"])
        case "ALLOC":
            return (kind, 0, event["address"], event["size"], 0, False, None, 0)
        case _:
            return (kind, 0, event["address"], 0, 0, False, None, 0)
