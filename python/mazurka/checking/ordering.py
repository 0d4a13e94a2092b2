"""What is missing between two events that nothing orders: the chain of messages that comes closest.

A message is a read and the write that it goes back to: the one that it reads from, or one before it that
read-modify-writes carried on. It orders what is before the write and what is after the read if the write
releases and the read acquires (C11 §5.1.2.4; the models' ``sw``): by their own modes, or by a fence between
the first event and the write, or between the read and the last event. A side that does neither is a ``Gap``.
Creating and joining a thread always orders.

Departs 1: the same-thread release sequences of C++11 are not followed. A read of such a write has a gap at
that write, and a release there would do.

I1: strengthening every gap of a way, as it says, makes the way one of happens-before.
"""

from __future__ import annotations

import heapq
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from mazurka.checking.execution import Event, EventRef, Graph, Meetings
from mazurka.program import Mode

RELEASES = frozenset({Mode.REL, Mode.ACQ_REL, Mode.SC})
ACQUIRES = frozenset({Mode.ACQ, Mode.ACQ_REL, Mode.SC})


class Gap(NamedTuple):
    """An access or a fence that is too weak, and what it lacks: REL, ACQ, or RLX for being atomic at all."""

    event: EventRef
    needed: Mode
    misplaced: EventRef | None = (
        None  # a fence that would be enough if it were between the access and the message
    )


class Message(NamedTuple):
    """A read and the write that it goes back to, with the gaps on either side."""

    write: EventRef
    read: EventRef
    gaps: tuple[Gap, ...]


class Way(NamedTuple):
    """Messages that lead from one event to another, in order."""

    messages: tuple[Message, ...]

    @property
    def gaps(self) -> tuple[Gap, ...]:
        """Everything on the way that is too weak."""
        return tuple(gap for message in self.messages for gap in message.gaps)


def closest_way(graph: Graph, one: EventRef, two: EventRef) -> Way | None:
    """The way with the fewest gaps from one event to the other, whichever comes first, if there is one."""
    ways = [
        way for way in (_Search(graph, one, two).way(), _Search(graph, two, one).way()) if way is not None
    ]
    return min(ways, key=lambda way: len(way.gaps), default=None)


class _Search:
    """Dijkstra's algorithm over (thread, position): everything after it is reached; gaps are the cost."""

    def __init__(self, graph: Graph, first: EventRef, last: EventRef) -> None:
        self._graph = graph
        self._meetings = Meetings(graph)
        self._first = first
        self._last = last
        self._readers = _readers(graph)
        self._fence_positions = [
            [i for i, event in enumerate(thread.events) if event.kind == "F"] for thread in graph.threads
        ]

    def way(self) -> Way | None:
        """The way with the fewest gaps."""
        queue: list[tuple[int, int, EventRef, tuple[Message, ...]]] = [(0, 0, self._first, ())]
        reached: dict[int, int] = {}  # thread -> the first position that was reached with fewer gaps
        number = 0
        while queue:
            gaps, _, here, messages = heapq.heappop(queue)
            if here[0] == self._last[0] and here[1] <= self._last[1]:
                return Way(messages)
            if reached.get(here[0], here[1] + 1) <= here[1]:
                continue
            reached[here[0]] = here[1]
            for there, message in self._steps(here):
                number += 1
                added = () if message is None else (message,)
                cost = gaps + sum(len(one.gaps) for one in added)
                heapq.heappush(queue, (cost, number, there, messages + added))
        return None

    def _steps(self, here: EventRef) -> Iterator[tuple[EventRef, Message | None]]:
        thread, position = here
        events = self._graph.threads[thread].events
        start = max(position, 0) if here == self._first or self._is_fence(here) else position + 1
        for index in range(start, len(events)):
            event = events[index]
            if event.kind == "CREATE" and event.other is not None:
                yield (event.other, -1), None
            if event.kind == "ARRIVE":
                yield from ((departure, None) for departure in self._meetings.departures(event))
            for read in self._readers.get((thread, index), ()):
                yield from self._message(here, (thread, index), read)
        yield from self._joins(thread)

    def _is_fence(self, here: EventRef) -> bool:
        return here[1] >= 0 and self._graph[here].kind == "F"

    def _joins(self, thread: int) -> Iterator[tuple[EventRef, None]]:
        for ref in self._graph.refs():
            event = self._graph[ref]
            if event.kind == "JOIN" and event.other == thread:
                yield ref, None

    def _message(self, here: EventRef, write: EventRef, read: EventRef) -> Iterator[tuple[EventRef, Message]]:
        """The message, arriving at a fence behind the read, or at the read itself."""
        if read[0] == write[0] or (read[0] == self._last[0] and read[1] > self._last[1]):
            return
        if (write, read) == (self._first, self._last):
            return  # communication between the two events themselves is not a message between them
        sent = self._sent(here, write)
        for arrives, received in self._received(read):
            yield arrives, Message(write, read, tuple(gap for gap in (sent, received) if gap is not None))

    def _sent(self, here: EventRef, write: EventRef) -> Gap | None:
        """What is too weak on the side of the write."""
        start = here[1] if self._is_fence(here) else here[1] + 1
        fences = self._fences(write[0], start, write[1])
        if self._graph[write].mode not in RELEASES and fences:
            return _by_fence(self._graph, write, _best(self._graph, fences, RELEASES), RELEASES, Mode.REL)
        early = _only(self._graph, self._fences(write[0], 0, start), RELEASES)
        return _by_itself(self._graph, write, RELEASES, Mode.REL, early[-1:])

    def _received(self, read: EventRef) -> Iterator[tuple[EventRef, Gap | None]]:
        """Where the message may arrive, and what is too weak on the side of the read."""
        thread, index = read
        length = len(self._graph.threads[thread].events)
        end = self._last[1] if thread == self._last[0] else length
        fences = self._fences(thread, index + 1, end)
        if fences:
            fence = _best(self._graph, fences, ACQUIRES)
            yield fence, _by_fence(self._graph, read, fence, ACQUIRES, Mode.ACQ)
        late = _only(self._graph, self._fences(thread, end, length), ACQUIRES)
        yield read, _by_itself(self._graph, read, ACQUIRES, Mode.ACQ, late[:1])

    def _fences(self, thread: int, start: int, end: int) -> list[EventRef]:
        positions = self._fence_positions[thread]
        return [(thread, i) for i in positions[bisect_left(positions, start) : bisect_left(positions, end)]]


def _by_itself(
    graph: Graph, access: EventRef, enough: frozenset[Mode], needed: Mode, misplaced: list[EventRef]
) -> Gap | None:
    """What an access without a fence lacks."""
    if graph[access].mode in enough:
        return None
    return Gap(access, needed, misplaced[0] if misplaced else None)


def _by_fence(
    graph: Graph, access: EventRef, fence: EventRef, enough: frozenset[Mode], needed: Mode
) -> Gap | None:
    """What an access with a fence lacks: a plain access is never a message, whatever fences there are."""
    if graph[access].mode == Mode.NA:
        return Gap(access, Mode.RLX if graph[fence].mode in enough else needed)
    return None if graph[fence].mode in enough else Gap(fence, needed)


def _best(graph: Graph, fences: list[EventRef], enough: frozenset[Mode]) -> EventRef:
    return (_only(graph, fences, enough) or fences)[0]


def _only(graph: Graph, fences: list[EventRef], enough: frozenset[Mode]) -> list[EventRef]:
    return [fence for fence in fences if graph[fence].mode in enough]


def _readers(graph: Graph) -> dict[EventRef, list[EventRef]]:
    """For each write the reads that go back to it."""
    found: dict[EventRef, list[EventRef]] = {}
    for ref in graph.refs():
        sources = list(graph[ref].writers)
        for source in sources:  # it grows
            found.setdefault(source, []).append(ref)
            sources += [write for write in _carried_on(graph, source) if write not in sources]
    return found


def _carried_on(graph: Graph, write: EventRef) -> tuple[EventRef, ...]:
    """The writes before it that a read-modify-write carries on."""
    if not graph[write].exclusive or write[1] == 0:
        return ()
    half: Event = graph[write[0], write[1] - 1]
    return half.writers if half.kind == "R" and half.exclusive else ()
