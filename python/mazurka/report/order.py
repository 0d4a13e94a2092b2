"""Puts the events of an execution into one order that people can read from top to bottom.

The order respects program order, thread creation and join, and rf: all models that are run forbid cycles of
these. It also respects co and fr if all of them together have no cycle, which is always so under sequential
consistency: the list is then an interleaving that shows the execution. If a weaker model leaves a cycle, it
is broken at co or fr, at the event that the explorer added first; ``overtaken`` says where that was.

I1: with ``wanted``, only the past of the two events is shown, and with ``last`` only what it rests on.
What comes later is not part of the failure, and may contradict the requested order. What an event does not
rest on need not have happened: an execution without it fails in the same way.
I2: the halves of a read-modify-write, or of an atomic section, are neighbours: a row that shows both must not
hide what comes between.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from typing import TypeAlias

from mazurka.checking.execution import EventRef, Graph, Meetings
from mazurka.report.relevance import writes_back

Before: TypeAlias = defaultdict[EventRef, set[EventRef]]  # what precedes an event, except by po
_Read: TypeAlias = tuple[EventRef, EventRef | None]  # a read, and its write; None is initial memory


def linearise(
    graph: Graph, wanted: tuple[EventRef, EventRef] | None = None, last: EventRef | None = None
) -> list[EventRef]:
    """All events, in an order consistent with the graph that changes thread as rarely as it can.

    ``wanted`` is a pair that the graph leaves unordered and that should come in this order: then the list
    ends with these two. With ``last``, it ends with that event (I1).
    """
    causes, before = _causes(graph), _predecessors(graph)
    ends = [len(t.events) for t in graph.threads]
    if wanted is not None:
        ends = _past(graph, before, wanted)
        before[wanted[1]].add(wanted[0])
    elif last is not None:
        ends = _past(graph, causes, (last,))
    done: set[EventRef] = set()
    following = [0] * len(graph.threads)
    order: list[EventRef] = []
    current = 0
    while len(order) < sum(ends):
        chosen = (current, following[current])
        if chosen[1] >= ends[current] or not before[chosen] <= done:
            heads = [(t, i) for t, i in enumerate(following) if i < ends[t]]
            ready = [ref for ref in heads if before[ref] <= done]
            caused = [ref for ref in heads if causes[ref] <= done and (wanted is None or ref != wanted[1])]
            chosen = _earliest(graph, ready or caused or heads)
        pair = writes_back(graph, chosen) and chosen[1] + 1 < ends[chosen[0]]
        order += [chosen, (chosen[0], chosen[1] + 1)] if pair else [chosen]  # I2
        done.update(order[-2:])
        current = chosen[0]
        following[current] += 2 if pair else 1
    return order


def overtaken(graph: Graph, order: Sequence[EventRef]) -> dict[EventRef, EventRef]:
    """The events that an order puts after a write which they precede by fr or co, with that write."""
    at = {ref: number for number, ref in enumerate(order)}
    causes, before = _causes(graph), _communication(graph)
    late: dict[EventRef, EventRef] = {}
    for write in sorted((ref for ref in before if ref in at), key=at.__getitem__):
        for ref in before[write] - causes[write]:
            if ref in at and at[ref] > at[write]:
                late.setdefault(ref, write)
    return late


def in_order(graph: Graph, one: EventRef, two: EventRef) -> tuple[EventRef, EventRef]:
    """Two events in the order of the graph; as they are given if the graph does not order them."""
    for before in (_causes(graph), _predecessors(graph)):
        if _precedes(graph, before, one, two):
            return one, two
        if _precedes(graph, before, two, one):
            return two, one
    return one, two


def _precedes(graph: Graph, before: Before, one: EventRef, two: EventRef) -> bool:
    return one[1] < _past(graph, before, (two,))[one[0]]


def _earliest(graph: Graph, candidates: list[EventRef]) -> EventRef:
    return min(candidates, key=lambda ref: graph[ref].stamp)


def _past(graph: Graph, before: Before, last: tuple[EventRef, ...]) -> list[int]:
    """How many events of each thread come before some events, themselves included."""
    ends = [0] * len(graph.threads)
    work = list(last)
    while work:
        thread, index = work.pop()
        for i in range(ends[thread], index + 1):
            work += before[thread, i]
        ends[thread] = max(ends[thread], index + 1)
    return ends


def _causes(graph: Graph) -> Before:
    """What must come before each event by creation, join, meeting and rf."""
    before: Before = defaultdict(set)
    for t, thread in enumerate(graph.threads):
        if thread.parent is not None and thread.created_by is not None and thread.events:
            before[t, 0].add((thread.parent, thread.created_by))
    meetings = Meetings(graph)
    for ref in graph.refs():
        event = graph[ref]
        if event.kind == "JOIN" and event.other is not None:
            joined = graph.threads[event.other].events
            before[ref].update({(event.other, len(joined) - 1)} if joined else set())
        elif event.kind == "R":
            before[ref].update(event.writers)
        elif event.kind == "DEPART":
            before[ref].update(meetings.arrivals(event))
    return before


def _communication(graph: Graph) -> Before:
    """What comes before each write by co and fr, neighbours in co only."""
    before: Before = defaultdict(set)
    reads = _reads_by_location(graph)
    for chain in graph.co:
        _add_coherence(chain.writes, reads[chain.address, chain.size], before)
    return before


def _predecessors(graph: Graph) -> Before:
    """What comes before each event by causes, co and fr."""
    before = _causes(graph)
    for write, earlier in _communication(graph).items():
        before[write] |= earlier
    for half in graph.refs():
        if writes_back(graph, half):
            before[half] |= before[half[0], half[1] + 1] - {half}  # I2
    return before


def _add_coherence(writes: tuple[EventRef, ...], reads: list[_Read], before: Before) -> None:
    """Adds co between neighbours of a chain, and fr from each read to the write after the one it read."""
    for earlier, later in pairwise(writes):
        before[later].add(earlier)
    overwriter = dict(zip((None, *writes), writes, strict=False))
    for read, source in reads:
        write = overwriter.get(source)
        if write is not None:
            before[write].add(read)


def _reads_by_location(graph: Graph) -> defaultdict[tuple[int, int], list[_Read]]:
    """The reads of each location, or of each cell where accesses have several sizes."""
    reads: defaultdict[tuple[int, int], list[_Read]] = defaultdict(list)
    for ref in graph.refs():
        event = graph[ref]
        if event.kind == "R":
            for part in event.pieces:
                reads[part.address, part.size].append((ref, part.write))
    return reads
