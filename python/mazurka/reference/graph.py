"""Execution graphs that track coherence, as values (thesis Def. 2.2.1-2.2.4, §5.4; Mixer Def. 4.1, 4.2).

A graph is never changed: each operation returns a new one. Copying dictionaries is slow and makes every
step of the algorithms a plain function of graphs.

Accesses may overlap with different sizes. An event is a whole access, but a read may take each of its bytes
from another write, and each byte has a coherence order of its own. Neighbouring bytes that no access tells
apart form a *cell*, named by its first byte. A cell's bytes have the same writes, and whoever orders these
differently, or reads different ones, would tear an access (``consistency``); so the choices are made per
cell. If all accesses have one size, then a cell is what is called a location elsewhere.

I1: the events of a thread are (t, 0) … (t, n-1), added in that order (po-maximal additions only).
I2: ``rf`` maps each read to a write of the same bytes that is in the graph, or to INIT, or says it per byte;
only while an execution is built in ``unordered``, a read may be late, without a place in rf.
I3: ``co`` lists the writes of each cell, oldest first, without the initial write, which precedes all.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count, product
from typing import TypeAlias

from mazurka.program import Mode
from mazurka.reference.running.labels import INIT, Dependencies, EventId, Kind, Label
from mazurka.reference.running.sync import is_written

Cell: TypeAlias = int  # the address of its first byte


@dataclass(frozen=True)
class PerByte:
    """A write or INIT for each byte of an access, not the same for all (``per_byte``); or there are none."""

    events: tuple[EventId | None, ...]


Choice: TypeAlias = EventId | PerByte | None


def per_byte(events: tuple[EventId | None, ...]) -> Choice:
    """The choice of a write for each byte of an access."""
    return events[0] if len(set(events)) == 1 else PerByte(events)


NOTHING = PerByte(())  # for an access without bytes


@dataclass(frozen=True)
class Graph:
    """Events in insertion order, their labels, and the relations that are choices."""

    order: tuple[EventId, ...] = ()
    labels: dict[EventId, Label] = field(default_factory=dict)
    rf: Mapping[EventId, Choice] = field(default_factory=dict)
    co: Mapping[Cell, tuple[EventId, ...]] = field(default_factory=dict)

    def add(self, event: EventId, label: Label) -> Graph:
        """The graph with one more event, last in insertion order, without rf or co."""
        co = dict(self.co)
        if label.kind in (Kind.READ, Kind.WRITE):
            for edge in (edge for part in label.ranges for edge in part):
                _split(self, co, edge)
        return type(self)((*self.order, event), {**self.labels, event: label}, self.rf, co)

    def set_rf(self, read: EventId, writes: Choice) -> Graph:
        """The graph in which a read reads from a write, or its bytes from some (SetRF)."""
        return type(self)(self.order, self.labels, {**self.rf, read: writes}, self.co)

    def set_co(self, predecessors: Choice, write: EventId) -> Graph:
        """The graph in which a write comes right after another in co, or first; maybe per byte (SetCO)."""
        co = dict(self.co)
        for cell in self.cells(write):
            others = self.writes(cell)
            predecessor = self.at(predecessors, write, cell)
            position = 0 if predecessor is None else others.index(predecessor) + 1
            co[cell] = (*others[:position], write, *others[position:])
        return type(self)(self.order, self.labels, self.rf, co)

    def choose(self, event: EventId, value: int) -> Graph:
        """The graph in which a choice has a value."""
        label = self.labels[event]._replace(value=value)
        return type(self)(self.order, {**self.labels, event: label}, self.rf, self.co)

    def restrict(self, kept: set[EventId]) -> Graph:
        """The graph with only some of its events (G|E)."""
        return type(self)(
            tuple(e for e in self.order if e in kept),
            {e: label for e, label in self.labels.items() if e in kept},
            {r: w for r, w in self.rf.items() if r in kept},
            self._merged(kept),
        )

    def _merged(self, kept: set[EventId]) -> dict[Cell, tuple[EventId, ...]]:
        """The orders of the cells that some events tell apart."""
        edges = self.edges_of(label for event, label in self.labels.items() if event in kept)
        orders = ((cell, tuple(w for w in writes if w in kept)) for cell, writes in self.co.items())
        return {cell: writes for cell, writes in orders if cell in edges}

    def writes(self, cell: Cell) -> tuple[EventId, ...]:
        """The writes to a cell that are in co, oldest first."""
        return self.co.get(cell, ())

    def reads(self, access: EventId) -> list[EventId]:
        """The reads that share a byte with an access, in insertion order."""
        return [e for e in self.order if e in self.rf and self.overlap(e, access)]

    @cached_property
    def edges(self) -> frozenset[int]:
        """The addresses where accesses begin and end."""
        return self.edges_of(self.labels.values())

    @staticmethod
    def edges_of(labels: Iterable[Label]) -> frozenset[int]:
        """The addresses where some accesses begin and end."""
        accesses = [label for label in labels if label.kind in (Kind.READ, Kind.WRITE)]
        return frozenset(edge for a in accesses for part in a.ranges for edge in part)

    def cells(self, access: EventId) -> tuple[Cell, ...]:
        """The cells of an access, in increasing order."""
        return self._cells[access]

    @cached_property
    def _cells(self) -> dict[EventId, tuple[Cell, ...]]:
        edges = sorted(self.edges)
        accesses = ((e, a) for e, a in self.labels.items() if a.kind in (Kind.READ, Kind.WRITE))
        return {
            event: tuple(
                cell
                for start, end in a.ranges
                for cell in edges[bisect_left(edges, start) : bisect_left(edges, end)]
            )
            for event, a in accesses
        }

    @cached_property
    def is_mixed(self) -> bool:
        """Whether some bytes are accessed with several sizes."""
        return any(len(cells) > 1 for cells in self._cells.values())

    def overlap(self, one: EventId, two: EventId) -> bool:
        """Whether two accesses share a byte."""
        a, b = self.labels[one], self.labels[two]
        if a.scattered is not None or b.scattered is not None:
            return not set(a.footprint).isdisjoint(b.footprint)
        return a.address < b.address + b.size and b.address < a.address + a.size

    def at(self, choice: Choice, access: EventId, cell: Cell) -> EventId | None:
        """What is chosen for a cell of an access."""
        if isinstance(choice, PerByte):
            return choice.events[self.labels[access].footprint.index(cell)]
        return choice

    def source(self, read: EventId, cell: Cell) -> EventId | None:
        """The write that a read takes a cell from."""
        return self.at(self.rf[read], read, cell)

    def sources(self, read: EventId) -> tuple[EventId | None, ...]:
        """The writes that a read reads from."""
        choice = self.rf[read]
        return choice.events if isinstance(choice, PerByte) else (choice,)

    def sources_by_byte(self, read: EventId) -> dict[int, EventId | None]:
        """For each byte of a read the write that it takes it from."""
        label, sources = self.labels[read], self.sources(read)
        return dict(zip(label.footprint, sources if len(sources) > 1 else sources * label.size, strict=True))

    def choices(self, access: EventId, *more: EventId) -> Iterator[Choice]:
        """A write or INIT for each cell of an access, in every way; ``more`` are writes without co.

        These are the products of Mixer's lines 6, 15 and 24: what to read from, or what to come right after.
        """
        options = [
            [INIT, *self.writes(cell), *(w for w in more if cell in self.cells(w))]
            for cell in self.cells(access)
        ]
        yield from self.products(access, options)

    def products(self, access: EventId, options: Sequence[Sequence[EventId | None]]) -> Iterator[Choice]:
        """One of the options for each cell of an access, in every way."""
        sizes = [end - cell for cell, end in self.spans(access)]
        for chosen in product(*options):
            yield per_byte(tuple(w for w, size in zip(chosen, sizes, strict=True) for _ in range(size)))

    def spans(self, access: EventId) -> list[tuple[Cell, int]]:
        """The cells of an access, each with the address where it ends."""
        edges = sorted(self.edges)
        return [(cell, edges[bisect_left(edges, cell) + 1]) for cell in self.cells(access)]

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

    def section_write(self, read: EventId) -> EventId | None:
        """The write of the atomic section that a read belongs to, if both are there."""
        after = (read[0], read[1] + 1)
        label = self.labels.get(after)
        paired = label is not None and label.kind is Kind.WRITE and label.scattered is not None
        return after if paired else None

    @cached_property
    def has_sections(self) -> bool:
        """Whether there are atomic sections."""
        return any(label.scattered is not None for label in self.labels.values())

    def value(self, read: EventId) -> int:
        """What a read obtains: its bytes are those that the writes have there, little-endian."""
        label, write = self.labels[read], self.rf[read]
        if write is None:
            return label.initial
        if not isinstance(write, PerByte) and label.scattered is self.labels[write].scattered is None:
            written = self.labels[write]  # the same, sooner
            return written.value >> 8 * (label.address - written.address) & (1 << 8 * label.size) - 1
        found = self.value_by_byte(read)
        return sum(byte << 8 * number for number, byte in enumerate(found.values()))

    def value_by_byte(self, read: EventId) -> dict[int, int]:
        """The same for each byte."""
        initial = self.labels[read].initial
        return {
            at: initial >> 8 * number & 0xFF if write is None else self.labels[write].byte(at)
            for number, (at, write) in enumerate(self.sources_by_byte(read).items())
        }

    def is_failed(self, read: EventId) -> bool:
        """Whether a read belongs to an instruction that would have written, had it read something else.

        While what it reads or expects is not known, its write is there, or the instruction fails.
        """
        label = self.labels[read]
        if label.awaits or self.is_late(read):
            return label.exclusive and self.rmw_write(read) is None
        if label.use is not None:
            return not is_written(label.use, self.value(read))
        return label.expected is not None and self.value(read) != label.expected

    def is_late(self, event: EventId) -> bool:
        """Whether an event is a read whose place in rf is not known yet (``unordered``)."""
        return event not in self.rf and self.labels[event].kind is Kind.READ

    def read_mode(self, read: EventId) -> Mode:
        """How strongly a read orders, which depends on what a compare-exchange read."""
        label = self.labels[read]
        return label.failure if self.is_failed(read) else label.mode


def _split(graph: Graph, co: dict[Cell, tuple[EventId, ...]], edge: int) -> None:
    """Splits the cell that has an edge inside it; both parts have its writes in the same order."""
    before = max((cell for cell in co if cell <= edge), default=None)
    if before is None or before == edge or not co[before]:
        return
    write = graph.labels[co[before][0]]
    if edge in write.footprint and edge not in graph.edges:
        co[edge] = co[before]


def source_graph(graph: Graph) -> Graph:
    """The graph of a program's source, from that of what it was compiled to for a machine.

    It has the modes of the source, and only its fences; rf and co are the same. Rules about a language, such
    as C11's about races, are about this graph.
    """
    if all(label.source is None for label in graph.labels.values()):
        return graph
    kept = [event for event in graph.order if not _is_absent(graph.labels[event])]
    names: dict[EventId, EventId] = {}
    counts: dict[int, int] = {}
    for thread, index in sorted(kept):
        names[thread, index] = thread, counts.setdefault(thread, 0)
        counts[thread] += 1

    def choice(writes: Choice) -> Choice:
        if isinstance(writes, PerByte):
            return PerByte(tuple(None if write is None else names[write] for write in writes.events))
        return None if writes is None else names[writes]

    return Graph(
        tuple(names[event] for event in kept),
        {names[event]: _relabelled(graph.labels[event], event[0], names) for event in kept},
        {names[read]: choice(writes) for read, writes in graph.rf.items()},
        {cell: tuple(names[write] for write in writes) for cell, writes in graph.co.items()},
    )


def _is_absent(label: Label) -> bool:
    return label.source is not None and label.source.mode is None


def _relabelled(label: Label, thread: int, names: dict[EventId, EventId]) -> Label:
    depends = label.depends
    if depends is not None:
        renamed = (frozenset(names[thread, read][1] for read in reads) for reads in depends)
        depends = Dependencies(*renamed)
    label = label._replace(depends=depends)
    if label.source is None or label.source.mode is None:
        return label
    return label._replace(mode=label.source.mode, failure=label.source.failure)
