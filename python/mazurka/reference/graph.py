"""Execution graphs that track coherence, as values (thesis Def. 2.2.1-2.2.4, §5.4).

A graph is never changed: each operation returns a new one. Copying dictionaries is slow and makes every
step of the algorithms a plain function of graphs.

I1: the events of a thread are (t, 0) … (t, n-1), added in that order (po-maximal additions only).
I2: ``rf`` maps each read to a write of the same address that is in the graph, or to INIT.
I3: ``co`` lists the writes of each address, oldest first, without the initial write, which precedes all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count

from mazurka.program import Mode
from mazurka.reference.running.labels import EventId, Kind, Label, ReferenceUnsupported
from mazurka.reference.running.sync import is_written


@dataclass(frozen=True)
class Graph:
    """Events in insertion order, their labels, and the relations that are choices."""

    order: tuple[EventId, ...] = ()
    labels: dict[EventId, Label] = field(default_factory=dict)
    rf: dict[EventId, EventId | None] = field(default_factory=dict)
    co: dict[int, tuple[EventId, ...]] = field(default_factory=dict)

    def add(self, event: EventId, label: Label) -> Graph:
        """The graph with one more event, last in insertion order, without rf or co."""
        for old in self.labels.values():
            _refuse_mixed_sizes(old, label)
        return Graph((*self.order, event), {**self.labels, event: label}, self.rf, self.co)

    def set_rf(self, read: EventId, write: EventId | None) -> Graph:
        """The graph in which a read reads from a write (SetRF)."""
        return Graph(self.order, self.labels, {**self.rf, read: write}, self.co)

    def set_co(self, predecessor: EventId | None, write: EventId) -> Graph:
        """The graph in which a write comes right after another in co, or first (SetCO)."""
        address = self.labels[write].address
        others = self.writes(address)
        position = 0 if predecessor is None else others.index(predecessor) + 1
        placed = (*others[:position], write, *others[position:])
        return Graph(self.order, self.labels, self.rf, {**self.co, address: placed})

    def restrict(self, kept: set[EventId]) -> Graph:
        """The graph with only some of its events (G|E)."""
        return Graph(
            tuple(e for e in self.order if e in kept),
            {e: label for e, label in self.labels.items() if e in kept},
            {r: w for r, w in self.rf.items() if r in kept},
            {x: tuple(w for w in writes if w in kept) for x, writes in self.co.items()},
        )

    def writes(self, address: int) -> tuple[EventId, ...]:
        """The writes to an address that are in co, oldest first."""
        return self.co.get(address, ())

    def reads(self, address: int) -> list[EventId]:
        """The reads of an address, in insertion order."""
        return [e for e in self.order if e in self.rf and self.labels[e].address == address]

    def thread(self, thread: int) -> Iterator[EventId]:
        """The events of a thread in program order (I1)."""
        return ((thread, index) for index in range(self.length(thread)))

    def length(self, thread: int) -> int:
        """How many events a thread has."""
        return next(n for n in count() if (thread, n) not in self.labels)

    def threads(self) -> list[int]:
        """Main and all threads that were created, in increasing order."""
        created = (label.other for label in self.labels.values() if label.kind is Kind.CREATE)
        return sorted({0, *created})

    def creation(self, thread: int) -> EventId | None:
        """The event that created a thread; None for main."""
        for event, label in self.labels.items():
            if label.kind is Kind.CREATE and label.other == thread:
                return event
        return None

    def rmw_write(self, read: EventId) -> EventId | None:
        """The exclusive write that belongs to an exclusive read, if it is in the graph (rmw)."""
        after = (read[0], read[1] + 1)
        label = self.labels.get(after)
        paired = label is not None and label.kind is Kind.WRITE and label.exclusive
        return after if paired and self.labels[read].exclusive else None

    def value(self, read: EventId) -> int:
        """What a read obtains."""
        write = self.rf[read]
        return self.labels[read].initial if write is None else self.labels[write].value

    def is_failed(self, read: EventId) -> bool:
        """Whether a read belongs to an instruction that would have written, had it read something else."""
        label = self.labels[read]
        if label.use is not None:
            return not is_written(label.use, self.value(read))
        return label.expected is not None and self.value(read) != label.expected

    def read_mode(self, read: EventId) -> Mode:
        """How strongly a read orders, which depends on what a compare-exchange read."""
        label = self.labels[read]
        return label.failure if self.is_failed(read) else label.mode


def _refuse_mixed_sizes(one: Label, two: Label) -> None:
    accesses = (Kind.READ, Kind.WRITE)
    if one.kind not in accesses or two.kind not in accesses:
        return
    overlap = one.address < two.address + two.size and two.address < one.address + one.size
    if overlap and (one.address, one.size) != (two.address, two.size):
        raise ReferenceUnsupported("accesses of several sizes to the same bytes")
