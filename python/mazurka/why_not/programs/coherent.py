"""Executions in which no thread contradicts itself: the order in which it accesses a location is that of co.

Hardly any model allows anything else, and whoever asks why an outcome is forbidden rarely means that. So an
execution is looked for among these first. What main does before it starts a thread, and after it has joined
it, counts as if main and the thread were one.

A location is in order if each of its accesses comes before or after each write to it in this way, as with
what a ``std::vector`` of threads does to its memory. There, a read can only see the latest write.

I1: if a graph is not coherent, then no graph that it is a part of is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from mazurka.reference.graph import Graph
from mazurka.reference.running.labels import EventId

if TYPE_CHECKING:
    from mazurka.checking.execution import Event, EventRef
    from mazurka.checking.execution import Graph as ExploredGraph

_MAIN = 0


def is_coherent(graph: Graph) -> bool:
    """Whether no read sees a write that was overwritten before or is made later, and co is in order."""
    order = _Order((event, label.kind, label.other) for event, label in graph.labels.items())
    for read in graph.rf:
        for cell in graph.cells(read):
            source, writes = graph.source(read, cell), graph.writes(cell)
            seen = 0 if source is None else writes.index(source) + 1
            if any(order.has(read, write) for write in writes[:seen]):
                return False
            if any(order.has(write, read) for write in writes[seen:]):
                return False
    return not any(
        order.has(second, first) for writes in graph.co.values() for first, second in combinations(writes, 2)
    )


def in_order(graphs: Sequence[ExploredGraph]) -> set[int]:
    """The addresses of the locations that are in order in all of these executions."""
    found, others = set[int](), set[int]()
    for graph in graphs:
        order = _Order((ref, graph[ref].kind, graph[ref].other) for ref in graph.refs())
        for address, accesses in _by_address(graph).items():
            if address not in others:
                (found if order.has_all(accesses) else others).add(address)
    return found - others


def _by_address(graph: ExploredGraph) -> Mapping[int, dict[EventRef, Event]]:
    found: dict[int, dict[EventRef, Event]] = {}
    for ref in graph.refs():
        if graph[ref].kind in ("R", "W"):
            found.setdefault(graph[ref].address, {})[ref] = graph[ref]
    return found


class _Order:
    """Which events come before others: in one thread, or because main starts and joins threads."""

    def __init__(self, events: Iterable[tuple[EventId, str, int | None]]) -> None:
        """``events`` have a kind and, if they start or join a thread, that thread."""
        self.starts: dict[int, int] = {}  # of each thread that main starts: where main does
        self.joins: dict[int, int] = {}
        for (thread, number), kind, other in events:
            if thread == _MAIN and other is not None and kind in ("CREATE", "JOIN"):
                (self.starts if kind == "CREATE" else self.joins)[other] = number

    def has(self, first: EventId, second: EventId) -> bool:
        """Whether an event comes before another."""
        if first[0] == second[0]:
            return first[1] < second[1]
        end, start = self._end(first), self._start(second)
        return end is not None and start is not None and end <= start

    def has_all(self, accesses: Mapping[EventId, Event]) -> bool:
        """Whether each of some accesses comes before or after each write among them."""
        return len({thread for thread, _ in accesses}) == 1 or all(
            self.has(first, second) or self.has(second, first)
            for first, second in combinations(accesses, 2)
            if "W" in (accesses[first].kind, accesses[second].kind)
        )

    def _end(self, event: EventId) -> int | None:
        return event[1] if event[0] == _MAIN else self.joins.get(event[0])

    def _start(self, event: EventId) -> int | None:
        return event[1] if event[0] == _MAIN else self.starts.get(event[0])
