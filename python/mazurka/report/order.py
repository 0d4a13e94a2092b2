"""Puts the events of an execution into one order that people can read from top to bottom.

The order respects program order, thread creation and join, rf, co and fr whenever these together have no
cycle, which under sequential consistency is always: the list then is an interleaving that shows
the execution. Where weaker models leave a cycle, it is broken at the event that the explorer added first,
and only program order is sure to hold.

I1: with ``wanted``, only the past of the two events is told. It has no cycle with the extra edge: that would
need a path from the second event to the first, and the graph orders them the other way or not at all.
What comes later is no part of the failure, and may contradict the edge under weaker models.
I2: the halves of a read-modify-write are neighbours: a row that shows both must not hide what comes between.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise

from mazurka.outcome import EventRef, Graph
from mazurka.report.relevance import writes_back


def linearise(graph: Graph, wanted: tuple[EventRef, EventRef] | None = None) -> list[EventRef]:
    """All events, in an order consistent with the graph that changes thread as rarely as it can.

    ``wanted`` is a pair that the graph leaves unordered and that is to come in this order: then the story
    ends with these two (I1).
    """
    before = _predecessors(graph)
    ends = [len(t.events) for t in graph.threads]
    if wanted is not None:
        ends = _past(graph, before, wanted)
        before[wanted[1]].add(wanted[0])
    done: set[EventRef] = set()
    following = [0] * len(graph.threads)
    order: list[EventRef] = []
    current = 0
    while len(order) < sum(ends):
        heads = [(t, i) for t, i in enumerate(following) if i < ends[t]]
        ready = [ref for ref in heads if before[ref] <= done]
        chosen = _choose(graph, ready or heads, current)
        order.append(chosen)
        done.add(chosen)
        current = chosen[0]
        following[current] += 1
    return order


def _choose(graph: Graph, candidates: list[EventRef], current: int) -> EventRef:
    return min(candidates, key=lambda ref: (ref[0] != current, graph[ref].stamp))


def _past(
    graph: Graph, before: defaultdict[EventRef, set[EventRef]], last: tuple[EventRef, EventRef]
) -> list[int]:
    """How many events of each thread come before two events, themselves included."""
    ends = [0] * len(graph.threads)
    work = list(last)
    while work:
        thread, index = work.pop()
        for i in range(ends[thread], index + 1):
            work += before[thread, i]
        ends[thread] = max(ends[thread], index + 1)
    return ends


def _predecessors(graph: Graph) -> defaultdict[EventRef, set[EventRef]]:
    """What must come before each event, program order aside."""
    before: defaultdict[EventRef, set[EventRef]] = defaultdict(set)
    for t, thread in enumerate(graph.threads):
        if thread.parent is not None and thread.created_by is not None and thread.events:
            before[t, 0].add((thread.parent, thread.created_by))
    for ref in graph.refs():
        event = graph[ref]
        if event.kind == "JOIN" and event.other is not None:
            joined = graph.threads[event.other].events
            before[ref].update({(event.other, len(joined) - 1)} if joined else set())
        elif event.kind == "R" and event.rf is not None:
            before[ref].add(event.rf)
    reads = _reads_by_location(graph)
    for chain in graph.co:
        _add_coherence(graph, chain.writes, reads[chain.address, chain.size], before)
    for half in graph.refs():
        if writes_back(graph, half):
            before[half] |= before[half[0], half[1] + 1] - {half}  # I2
    return before


def _add_coherence(
    graph: Graph,
    writes: tuple[EventRef, ...],
    reads: list[EventRef],
    before: defaultdict[EventRef, set[EventRef]],
) -> None:
    """Adds co between neighbours of a chain, and fr from each read to the write after the one it read."""
    for earlier, later in pairwise(writes):
        before[later].add(earlier)
    overwriter = dict(zip((None, *writes), writes, strict=False))
    for read in reads:
        write = overwriter.get(graph[read].rf)
        if write is not None:
            before[write].add(read)


def _reads_by_location(graph: Graph) -> defaultdict[tuple[int, int], list[EventRef]]:
    reads: defaultdict[tuple[int, int], list[EventRef]] = defaultdict(list)
    for ref in graph.refs():
        event = graph[ref]
        if event.kind == "R":
            reads[event.address, event.size].append(ref)
    return reads
