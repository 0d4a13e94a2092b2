"""Executions in which no thread contradicts itself: the order in which it accesses a location is that of co.

Hardly any model allows anything else, and whoever asks why an outcome is forbidden rarely means that. So an
execution is looked for among these first. What main does before it starts a thread, and after it has joined
it, counts as if main and the thread were one.

I1: if a graph is not coherent, then no graph that it is a part of is.
"""

from __future__ import annotations

from itertools import combinations

from mazurka.reference.graph import Graph
from mazurka.reference.running.labels import EventId, Kind

_MAIN = 0


def is_coherent(graph: Graph) -> bool:
    """Whether no read sees a write that was overwritten before or is made later, and co is in order."""
    order = _Order(graph)
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


class _Order:
    """Which events come before others: in one thread, or because main starts and joins threads."""

    def __init__(self, graph: Graph) -> None:
        self.starts: dict[int, int] = {}  # of each thread that main starts: where main does
        self.joins: dict[int, int] = {}
        for (thread, number), label in graph.labels.items():
            if thread == _MAIN and label.kind in (Kind.CREATE, Kind.JOIN):
                (self.starts if label.kind is Kind.CREATE else self.joins)[label.other] = number

    def has(self, first: EventId, second: EventId) -> bool:
        """Whether an event comes before another."""
        if first[0] == second[0]:
            return first[1] < second[1]
        end, start = self._end(first), self._start(second)
        return end is not None and start is not None and end <= start

    def _end(self, event: EventId) -> int | None:
        return event[1] if event[0] == _MAIN else self.joins.get(event[0])

    def _start(self, event: EventId) -> int | None:
        return event[1] if event[0] == _MAIN else self.starts.get(event[0])
