"""An execution graph and what went wrong in it, as values that findings, reports and other programs read.

Loaded only when there is a graph to show: most checks find nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from mazurka.errors import ErrorCode, UsageError
from mazurka.program import NO_POSITION, Instr, Mode, Op, Position, Program
from mazurka.program.sync import Operation

if TYPE_CHECKING:
    from mazurka._engine import Explored, RawEvent, RawGraph, RawThread
    from mazurka.checking.outcome import Outcome

EventRef = tuple[int, int]  # a thread and a position in its program order
Stack = tuple[tuple[int, int], ...]  # (function, pc), innermost first


@dataclass(frozen=True, slots=True)
class Part:
    """Bytes of a read that come from one write; None is initial memory. Or bytes that a section writes."""

    address: int
    size: int
    write: EventRef | None
    value: int


class Depends(NamedTuple):
    """The reads of its thread that an event depends on, by their positions there."""

    addr: tuple[int, ...] = ()  # by its address
    data: tuple[int, ...] = ()  # by what it writes
    ctrl: tuple[int, ...] = ()  # by being reached


@dataclass(frozen=True, slots=True)
class Event:
    """A node of an execution graph. Which fields mean something depends on ``kind``."""

    kind: str  # R W F ALLOC FREE CREATE JOIN ARRIVE DEPART CHOOSE
    mode: Mode
    function: int
    pc: int
    stamp: int  # position in the order in which the explorer added events
    address: int = 0
    size: int = 0
    value: int = 0  # ARRIVE and DEPART: the round
    exclusive: bool = False  # half of a read-modify-write
    rf: EventRef | None = None  # a read's write; None is initial memory. Of several the first
    other: int | None = None  # CREATE and JOIN: the other thread
    parts: tuple[Part, ...] = ()  # of a read that may have several writes, or of a section
    section: bool = False  # it belongs to an atomic section
    callers: Stack = ()  # the calls that led there
    depends: Depends | None = None  # None: that was not tracked

    @property
    def stack(self) -> Stack:
        """Its instruction, and the calls that led there."""
        return (self.function, self.pc), *self.callers

    @property
    def pieces(self) -> tuple[Part, ...]:
        """Which bytes of a read come from which write, whether there are several or one."""
        if self.section or self.parts:
            return self.parts
        return (Part(self.address, self.size, self.rf, self.value),)

    @property
    def accesses(self) -> tuple[Event, ...]:
        """What an access stands for: itself, or each of the parts of an atomic section."""
        return tuple(map(self._part, self.parts)) if self.section else (self,)

    def _part(self, part: Part) -> Event:
        return replace(
            self,
            address=part.address,
            size=part.size,
            value=part.value,
            rf=part.write,
            parts=(),
            section=False,
        )

    def overlaps(self, other: Event) -> bool:
        """Whether two accesses, neither of which is of a section, share a byte."""
        return self.address < other.end and other.address < self.end

    @property
    def writers(self) -> tuple[EventRef, ...]:
        """The writes that a read reads from, each once, without initial memory."""
        found = (part.write for part in self.parts) if self.parts else (self.rf,)
        return tuple(dict.fromkeys(write for write in found if write is not None))

    @property
    def end(self) -> int:
        """The address behind an access."""
        return self.address + self.size


@dataclass(frozen=True, slots=True)
class Thread:
    """A thread of an execution: who started it, its status, and its events in program order."""

    parent: int | None
    created_by: int | None  # index of the CREATE among the parent's events
    status: str  # done blocked spinning cut waiting running failed absent
    events: tuple[Event, ...]
    spins_in: int | None = None  # if it is spinning: which of ``Program.loops``


@dataclass(frozen=True, slots=True)
class Chain:
    """The coherence order of a location, or of a cell: its writes, oldest first, without the initial one."""

    address: int
    size: int
    writes: tuple[EventRef, ...]


@dataclass(frozen=True, slots=True)
class Graph:
    """An execution graph."""

    threads: tuple[Thread, ...]
    co: tuple[Chain, ...]

    def __getitem__(self, ref: EventRef) -> Event:
        return self.threads[ref[0]].events[ref[1]]

    def refs(self) -> Iterator[EventRef]:
        """All events, thread by thread in program order."""
        for t, thread in enumerate(self.threads):
            for i in range(len(thread.events)):
                yield t, i

    def failing(self, thread: int, function: int, pc: int) -> Event | None:
        """The event of a violation's own instruction, if it has one: the last one of its thread."""
        last = self.threads[thread].events[-1:]
        return last[0] if last and (last[0].function, last[0].pc) == (function, pc) else None

    @classmethod
    def from_engine(cls, raw: RawGraph) -> Graph:
        """Reads a graph as ``_engine.explore`` returns it."""
        return cls(
            tuple(_thread(t) for t in raw.threads),
            tuple(Chain(address, size, tuple(writes)) for address, size, writes in raw.co),
        )


class Meetings:
    """Who met whom in a graph."""

    def __init__(self, graph: Graph) -> None:
        self._of: defaultdict[tuple[str, int, int], list[EventRef]] = defaultdict(list)
        for ref in graph.refs():
            event = graph[ref]
            if event.kind in ("ARRIVE", "DEPART"):
                self._of[event.kind, event.address, event.value].append(ref)

    def arrivals(self, met: Event) -> list[EventRef]:
        """The arrivals at the meeting of an ARRIVE or DEPART."""
        return self._of["ARRIVE", met.address, met.value]

    def departures(self, met: Event) -> list[EventRef]:
        """The departures from that meeting."""
        return self._of["DEPART", met.address, met.value]


def _thread(raw: RawThread) -> Thread:
    events = [_event(event) for event in raw.events]
    for i, event in enumerate(events):
        if event.section and event.kind == "W":  # all of a section is where it begins
            begin = events[i - 1]
            events[i] = replace(event, function=begin.function, pc=begin.pc, callers=begin.callers)
    return Thread(raw.parent, raw.created_by, raw.status, tuple(events), raw.spins_in)


_MODES = {mode.value: mode for mode in Mode}  # to call the enumeration takes a fifth of the time


def _event(raw: RawEvent) -> Event:
    return Event(
        kind=raw.kind,
        mode=_MODES[raw.mode],
        function=raw.stack[0][0],
        pc=raw.stack[0][1],
        callers=tuple(raw.stack[1:]),
        stamp=raw.stamp,
        address=raw.address,
        size=raw.size,
        value=raw.value,
        exclusive=raw.exclusive,
        rf=raw.rf,
        other=raw.other,
        parts=tuple(Part(*part) for part in raw.parts),
        section=raw.section,
        depends=None if raw.depends is None else Depends(*map(tuple, raw.depends)),
    )


@dataclass(frozen=True, slots=True)
class Seen:
    """A location that a thread reads in each round of a loop, for ever."""

    address: int
    size: int
    value: int
    source: EventRef | None  # the write; None is initial memory
    function: int
    pc: int

    def event(self) -> Event:
        """The read that the thread would make next."""
        return Event(
            "R", Mode.NA, self.function, self.pc, 0, self.address, self.size, self.value, rf=self.source
        )


@dataclass(frozen=True, slots=True)
class Wait:
    """A thread that waits for ever: for a thread, for an object, or else in a loop."""

    thread: int
    stack: Stack
    loop: int | None  # which of ``Program.loops``
    joins: int | None  # the thread whose end it waits for
    object: EventRef | None  # its read of the object
    sees: tuple[Seen, ...]


@dataclass(frozen=True, slots=True)
class Violation:
    """A finding: what went wrong, where, and the execution in which it did."""

    kind: str
    message: str
    location: Position | None
    thread: int
    function: int
    pc: int
    stack: Stack
    other: EventRef | None  # a second event involved, such as the free of a use after free
    graph: Graph | None
    event: EventRef | None = None  # a broken error rule: the access that is unordered with ``other``
    brief: str = ""  # the message for a row of the execution, where the whole is too long
    missing: str = ""  # for two events that nothing orders: what would have ordered them
    other_location: Position | None = None  # the place of ``other``
    waits: tuple[Wait, ...] = ()  # if threads wait for ever: what for

    @property
    def name(self) -> str:
        """Its kind and its line."""
        return f"{self.kind} at {self.location.file}:{self.location.line}" if self.location else self.kind

    def __repr__(self) -> str:
        return f"<Violation: {self.name}: {self.message}>"


class Route(NamedTuple):
    """What leads to one execution: the choices, and what was known when they were made.

    It means something only for the same program, model and options, and the same version of Mazurka.
    """

    attempt: int  # which way of exploring
    choices: tuple[int, ...]  # how many options each choice had used up, with the one that was taken
    threads: tuple[tuple[int, int], ...]  # the parent of each thread, and which child of it
    schedule_seed: int | None
    stuck: int  # how many schedules were tried
    observed: tuple[int, ...]  # loops whose rounds are explored
    contended: tuple[int, ...]  # loops whose attempts are explored
    cuts: tuple[int, ...]  # where accesses of several sizes start or end

    @classmethod
    def of(cls, result: Explored) -> Route | None:
        """That of a finding."""
        if result.route is None:
            return None
        attempt, choices, threads, seed, stuck, *learned = result.route
        return cls(attempt, tuple(choices), tuple(threads), seed, stuck, *map(tuple, learned))


class LostRouteError(UsageError):
    """A route leads to no violation."""

    def __init__(self, outcome: Outcome) -> None:
        message = "the route leads to no violation, so it is that of another program or of other options"
        hint = "pass the program and the options of the check whose Outcome has this route"
        super().__init__(ErrorCode.CHANGED, message, hint=hint)
        self.outcome = outcome  # of the execution to which it leads


def loop_position(program: Program, loop: int) -> Position | None:
    """Where a loop begins in the source, if the front-end knew it."""
    index = program.loops[loop].position
    return None if index == NO_POSITION else program.positions[index]


def instruction(program: Program, function: int, pc: int) -> Instr:
    """The instruction at a place that the engine names."""
    return program.functions[function].code[pc]


def operation_of(program: Program, event: Event) -> Operation | None:
    """The operation on a synchronisation object that an event belongs to, if it does."""
    instr = instruction(program, event.function, event.pc)
    return program.operations[instr.c] if instr.op == Op.SYNC else None


def position(program: Program, function: int, pc: int) -> Position | None:
    """The source position of an instruction, if the front-end knew it."""
    index = instruction(program, function, pc).position
    return None if index == NO_POSITION else program.positions[index]


def innermost(program: Program, stack: Sequence[tuple[int, int]]) -> Position | None:
    """The innermost place of a stack that has a source position."""
    return next((found for function, pc in stack if (found := position(program, function, pc))), None)
