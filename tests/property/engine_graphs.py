"""What the engine returns, in forms that can be compared with the reference's graphs and with each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import Any

from mazurka._engine import Explored, RawEvent, RawFinding, RawGraph, RawThread, RawWait
from mazurka.reference.canonical import (
    Canonical,
    CanonicalEvent,
    Equivalence,
    Part,
    form_of,
    section_event,
    source_of,
)

_RAW = (Explored, RawFinding, RawWait, RawGraph, RawThread, RawEvent)


def canonical_from_engine(graph: RawGraph, equivalence: Equivalence = "co") -> Canonical:
    """The form that the reference gives to the same graph."""
    threads = [_thread(thread.events) for thread in graph.threads]
    co = graph.co if equivalence == "co" else []
    return form_of(threads, [(address, tuple(writes)) for address, _, writes in co])


def children_from_engine(graphs: Iterable[RawGraph]) -> dict[tuple[int, int], int]:
    """The ThreadId of each parent's k-th child in the engine's graphs, where it must be one and its own."""
    found: dict[tuple[int, int], int] = {}
    for graph in graphs:
        for parent, thread in enumerate(graph.threads):
            created = [event.other for event in thread.events if event.kind == "CREATE"]
            for k, child in enumerate(created):
                assert child is not None
                assert found.setdefault((parent, k), child) == child, "a thread has two ids"
    assert len(set(found.values())) == len(found), "two threads have one id"
    return found


def plain(value: Any) -> Any:
    """A value of the engine as dictionaries and lists, which can be compared."""
    if isinstance(value, _RAW):
        names = (name for name in dir(value) if not name.startswith("_"))
        return {name: plain(getattr(value, name)) for name in names}
    return [plain(item) for item in value] if isinstance(value, (list, tuple)) else value


def _thread(events: Sequence[RawEvent]) -> tuple[CanonicalEvent, ...]:
    return tuple(_event(event, after) for event, after in zip_longest(events, events[1:]) if event)


def _event(event: RawEvent, after: RawEvent | None) -> CanonicalEvent:
    kind, mode = event.kind, event.mode
    if event.section:
        parts = (Part(address, size, value, write) for address, size, write, value in event.parts)
        return section_event(kind, mode, parts)
    match kind:
        case "R":
            paired = after is not None and after.kind == "W" and after.exclusive and event.exclusive
            runs = [(start - event.address, size, write) for start, size, write, _ in event.parts]
            source = source_of(runs) if runs else event.rf
            return ("R", mode, event.address, event.size, event.value, paired, source, 0)
        case "W":
            return ("W", mode, event.address, event.size, event.value, event.exclusive, None, 0)
        case "F":
            return ("F", mode, event.address, event.size, 0, False, None, 0)
        case "CREATE" | "JOIN":
            assert event.other is not None
            return (kind, 0, 0, 0, 0, False, None, event.other)
        case "ARRIVE" | "DEPART":
            return (kind, 0, event.address, 0, 0, False, None, event.value)
        case "CHOOSE":
            return (kind, 0, 0, 0, event.value, False, None, 0)
        case "ALLOC":
            return (kind, 0, event.address, event.size, 0, False, None, 0)
        case "FREE":
            return (kind, 0, event.address, 0, 0, False, None, 0)
