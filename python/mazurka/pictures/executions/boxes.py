"""The boxes of an execution's picture: its events in one order, with what does not matter folded.

I1: the halves of a read-modify-write, or of an atomic section, share a box, as they share a row in reports.
I2: boxes are numbered in the order of the linearisation, so what the reader steps through is their numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace

from mazurka.checking.execution import Event, EventRef, Graph, Part
from mazurka.report.relevance import writes_back

MOST_INITIAL = 4  # more initial values would hide the threads; boxes then say what they read


@dataclass(frozen=True)
class BoxedEvents:
    """The events of a box. A fold has some that are not shown; a failure has none."""

    number: int
    thread: int
    refs: tuple[EventRef, ...]
    kind: str = "event"  # event fold fail


@dataclass(frozen=True)
class InitialValue:
    """Initial memory that some box reads; ``read`` is an access of exactly these bytes."""

    number: int
    read: Event


@dataclass(frozen=True)
class Boxes:
    """All boxes of a picture."""

    events: tuple[BoxedEvents, ...]
    initial: tuple[InitialValue, ...]
    of: dict[EventRef, int]  # the box of each event that is shown

    def threads(self) -> list[int]:
        """The threads that have boxes."""
        return sorted({box.thread for box in self.events})

    def of_thread(self, thread: int) -> list[BoxedEvents]:
        """The boxes of a thread, in its order."""
        return [box for box in self.events if box.thread == thread]


def boxes_of(
    graph: Graph, order: Sequence[EventRef], kept: Set[EventRef], failing: Sequence[int] = ()
) -> Boxes:
    """The boxes of an execution, with a failure at the end of some threads."""
    shown = {thread for thread, _ in kept} | set(failing)
    found = [*_in_order(graph, order, kept, shown), *((t, (), "fail") for t in failing)]
    events = tuple(BoxedEvents(n, *box) for n, box in enumerate(found))
    of = {ref: box.number for box in events if box.kind == "event" for ref in box.refs}
    return Boxes(events, _initial(graph, events), of)


def _in_order(
    graph: Graph, order: Sequence[EventRef], kept: Set[EventRef], shown: Set[int]
) -> Iterator[tuple[int, tuple[EventRef, ...], str]]:
    told = set(order)
    for ref in order:
        thread, index = ref
        before = (thread, index - 1)
        if thread not in shown:
            continue
        if ref not in kept:
            if index == 0 or before in kept:
                yield thread, tuple(_run(told - kept, ref)), "fold"
        elif not (index and writes_back(graph, before)):  # I1
            after = (thread, index + 1)
            both = writes_back(graph, ref) and after in told
            yield thread, (ref, after) if both else (ref,), "event"


def _run(folded: Set[EventRef], ref: EventRef) -> Iterator[EventRef]:
    """The neighbours from an event on that are folded with it."""
    thread, index = ref
    while (thread, index) in folded:
        yield thread, index
        index += 1


def _read_of(event: Event, part: Part) -> Event:
    """A read of nothing but the initial value of a part."""
    return replace(event, address=part.address, size=part.size, value=part.value, rf=None, parts=())


def _initial(graph: Graph, boxes: Sequence[BoxedEvents]) -> tuple[InitialValue, ...]:
    """The initial values that boxes read, each once; none if there are too many."""
    found: dict[tuple[int, int], Event] = {}
    for box in boxes:
        for ref in box.refs if box.kind == "event" else ():
            event = graph[ref]
            for part in event.pieces if event.kind == "R" else ():
                if part.write is None:
                    found.setdefault((part.address, part.size), _read_of(event, part))
    if len(found) > MOST_INITIAL:
        return ()
    return tuple(InitialValue(len(boxes) + n, read) for n, read in enumerate(found.values()))
