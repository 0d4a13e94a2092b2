"""Chooses the steps of an execution that a reader needs; the rest is folded.

Kept are:

1. the last event of the failing thread and of every thread that is blocked or spins (of all threads, if some
   wait in loops for ever: the reader asks why nobody ended it), the other event that the
   finding names, and, if the failing thread had just joined others, the last events of these, whose values
   may be the cause of the failure;
2. the slice: every read (and fence, and chosen value) that comes before a kept event of the slice in its
   thread, and the write that each of these reads read from, whose thread the slice then follows in the
   same way;
3. every write, in any thread, to a location that the slice reads, and the reads of such locations that come
   before one in its thread: an update that was overtaken explains a failure as much as one that was read;
4. creations and joins of the threads that still show something.

A read is folded after all when the same place of the source reads the same location from the same write again
later: only the last round of a wait loop is of interest, and of what a container does in one call only what
each of its members was. So is a plain read of a value that main wrote before
the threads started and that no event has changed since, unless it is one of the last steps of the failing
thread: such data is background. Dependencies are not tracked, so the slice may keep too much; it never drops
a write whose value is shown as read, except by a plain read without a place in the source: that is how
the library hands a thread its arguments.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Set
from itertools import takewhile

from mazurka.checking.execution import Event, EventRef, Graph, Meetings
from mazurka.checking.objects import Allocation
from mazurka.program import REGION_SHIFT, Mode, Region

LAST_STEPS = 3  # of the failing thread: what it read right before it failed is never folded as background


_TOLD = ("R", "F", "ARRIVE", "DEPART", "CHOOSE")
Placing = Callable[[Event], object | None]  # where an event is in the source, if anywhere


def instruction_of(event: Event) -> object:
    """The place of an event, if nothing is known about the source."""
    return event.function, event.pc


def relevant(
    graph: Graph,
    thread: int,
    other: EventRef | None,
    initial: Set[int] = frozenset(),
    *,
    of_all: bool = False,
    place: Placing = instruction_of,
) -> set[EventRef]:
    """The events to show for a finding in ``thread``, or ``of_all`` threads.

    Main wrote ``initial`` before the threads; events have a ``place`` in the source.
    """
    stuck = [
        t
        for t, state in enumerate(graph.threads)
        if of_all or t == thread or state.status in ("blocked", "spinning")
    ]
    roots = [(t, len(graph.threads[t].events) - 1) for t in stuck]
    if other is not None:
        roots.append(other)
    roots += _just_joined(graph, thread)
    kept = {ref for ref in roots if ref[1] >= 0}
    reach = _follow(graph, kept)
    sliced = {ref for ref in graph.refs() if ref[1] <= reach[ref[0]] and graph[ref].kind in _TOLD}
    sliced -= _without_place(graph, sliced, place)
    kept |= sliced
    kept |= _updates(graph, _read_bytes(graph, sliced))
    setting = _setting(graph, kept, initial) - set(roots)
    setting = {ref for ref in setting if ref[0] != thread or not _among_last(graph, ref)}
    kept = _with_pairs(graph, kept - setting - _repeated_reads(graph, kept, place))
    shown = {t for t, _ in kept} | {thread}
    return kept | {ref for ref in graph.refs() if _starts_or_joins(graph[ref], shown)}


def own_memory(graph: Graph, objects: Iterable[Allocation]) -> set[EventRef]:
    """What a thread does to memory without a name that no other thread accesses, apart from atomic accesses.

    It tells nothing about how threads meet, such as what ``main`` does to a ``std::vector``.
    """
    threads: dict[int, set[int]] = {}
    for t, i in graph.refs():
        for byte in _bytes(graph[t, i]) if graph[t, i].kind in ("R", "W") else ():
            threads.setdefault(byte, set()).add(t)
    shared = {byte for byte, those in threads.items() if len(those) > 1}
    places = sorted(shared)

    def is_shared(one: Allocation) -> bool:
        after = bisect_left(places, one.address)
        return after < len(places) and one.holds(places[after])

    alone = {one.address for one in objects if not is_shared(one)}
    return {ref for ref in graph.refs() if _is_alone(graph[ref], shared, alone)}


def _is_alone(event: Event, shared: Set[int], alone: Set[int]) -> bool:
    if event.kind in ("ALLOC", "FREE"):
        return event.address in alone
    is_plain = event.kind in ("R", "W") and event.mode == Mode.NA and not event.section
    return is_plain and event.address >> REGION_SHIFT == Region.SHARED and shared.isdisjoint(_bytes(event))


def _without_place(graph: Graph, refs: set[EventRef], place: Placing) -> set[EventRef]:
    """Plain reads without a place, in threads of which others have one."""
    known = {ref[0] for ref in refs if place(graph[ref]) is not None}
    return {
        ref for ref in refs if ref[0] in known and _is_plain_read(graph[ref]) and place(graph[ref]) is None
    }


def _just_joined(graph: Graph, thread: int) -> list[EventRef]:
    """The last events of the threads that another one has joined as its last steps."""
    joins = takewhile(lambda event: event.kind == "JOIN", reversed(graph.threads[thread].events))
    others = [event.other for event in joins if event.other is not None]
    return [(other, len(graph.threads[other].events) - 1) for other in others]


def _follow(graph: Graph, roots: set[EventRef]) -> list[int]:
    """How far into each thread the slice reaches: closed under program order, meetings and rf."""
    reach = [-1] * len(graph.threads)
    meetings = Meetings(graph)
    work = list(roots)
    while work:
        t, i = work.pop()
        new = graph.threads[t].events[reach[t] + 1 : i + 1]
        reach[t] = max(reach[t], i)
        work += [write for event in new for write in event.writers]
        work += [arrival for event in new if event.kind == "DEPART" for arrival in meetings.arrivals(event)]
    return reach


def _read_bytes(graph: Graph, refs: set[EventRef]) -> set[int]:
    return {byte for ref in refs if graph[ref].kind == "R" for byte in _bytes(graph[ref])}


def _bytes(event: Event) -> set[int]:
    return {byte for access in event.accesses for byte in range(access.address, access.end)}


def _updates(graph: Graph, places: set[int]) -> set[EventRef]:
    """The writes to some places, and the reads of them that a write follows in their thread."""
    found = set()
    for t, thread in enumerate(graph.threads):
        writes_later = False
        for i, event in reversed(list(enumerate(thread.events))):
            if event.kind in ("R", "W") and not places.isdisjoint(_bytes(event)):
                writes_later = writes_later or event.kind == "W"
                found |= {(t, i)} if writes_later else set()
    return found


def _setting(graph: Graph, refs: set[EventRef], initial: Set[int]) -> set[EventRef]:
    """Plain reads of what main wrote before the threads and no event in the graph writes."""
    written = {byte for ref in graph.refs() if graph[ref].kind == "W" for byte in _bytes(graph[ref])}
    settings = (ref for ref in refs if _reads_setting(graph[ref], initial))
    return {ref for ref in settings if written.isdisjoint(_bytes(graph[ref]))}


def _reads_setting(event: Event, initial: Set[int]) -> bool:
    return _is_plain_read(event) and event.address in initial


def _is_plain_read(event: Event) -> bool:
    return event.kind == "R" and event.mode == Mode.NA


def _among_last(graph: Graph, ref: EventRef) -> bool:
    return ref[1] >= len(graph.threads[ref[0]].events) - LAST_STEPS


def _repeated_reads(graph: Graph, refs: set[EventRef], place: Placing) -> set[EventRef]:
    """Reads that their own place in the source repeats later with the same result."""
    last: dict[object, EventRef] = {}
    repeated = set()
    for ref in sorted(refs):
        event = graph[ref]
        if event.kind == "R" and not writes_back(graph, ref):
            key = (ref[0], place(event) or instruction_of(event), event.pieces)
            if key in last:
                repeated.add(last[key])
            last[key] = ref
    return repeated


def writes_back(graph: Graph, ref: EventRef) -> bool:
    """Whether a read is the first half of an RMW, or of an atomic section, that also wrote."""
    events = graph.threads[ref[0]].events
    if not (graph[ref].exclusive or graph[ref].section) or ref[1] + 1 >= len(events):
        return False
    read, write = graph[ref], events[ref[1] + 1]
    if read.section:
        return read.kind == "R" and write.kind == "W" and write.section
    return write.kind == "W" and write.exclusive and (write.function, write.pc) == (read.function, read.pc)


def _with_pairs(graph: Graph, refs: set[EventRef]) -> set[EventRef]:
    """Adds the missing half of every RMW and section of which one half is kept."""
    pairs = [((t, i), (t, i + 1)) for t, i in graph.refs() if writes_back(graph, (t, i))]
    return refs | {half for pair in pairs if not refs.isdisjoint(pair) for half in pair}


def _starts_or_joins(event: Event, shown: set[int]) -> bool:
    return event.kind in ("CREATE", "JOIN") and event.other in shown
