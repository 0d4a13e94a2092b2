"""What threads wait for that wait for ever, and who could have ended it.

A thread in a loop waits for another value of what it reads: the report says what it sees there, who wrote
that, what was there before, and which instructions of the program would write the same place but were not
reached. These are found by the place's address if it is in the instruction, and otherwise by its name.
"""

from __future__ import annotations

from collections.abc import Iterator

from mazurka.checking.execution import (
    Event,
    EventRef,
    Graph,
    Seen,
    Violation,
    Wait,
    instruction,
    loop_position,
    operation_of,
    position,
)
from mazurka.checking.objects import thread_name
from mazurka.checking.outcome import InitialWrite
from mazurka.checking.wrappers import location
from mazurka.program import CONST, Instr, Mode, Op, Position, Program
from mazurka.program.sync import Hold
from mazurka.report.places import Places
from mazurka.report.values import Speaker

_WRITING = (Op.STORE, Op.RMW, Op.CAS, Op.STORE_PAIR, Op.RMW_PAIR, Op.CAS_PAIR)
MOST_WRITES = 3


def wait_lines(violation: Violation, graph: Graph, speaker: Speaker) -> Iterator[str]:
    """A line for each thread that waits, with more about loops, and who has ended."""
    teller = _Waits(violation, graph, speaker)
    for wait in violation.waits:
        yield from teller.lines(wait)
    ended = [thread_name(t) for t, thread in enumerate(graph.threads) if thread.status == "done"]
    if ended:
        yield f"{_and(ended)} {'has' if len(ended) == 1 else 'have'} ended"


class _Waits:
    """Describes the waits of one execution."""

    def __init__(self, violation: Violation, graph: Graph, speaker: Speaker) -> None:
        self.graph = graph
        self.speaker = speaker
        self.program = speaker.program
        self.places = Places(self.program, violation.location.file if violation.location else "")

    def lines(self, wait: Wait) -> Iterator[str]:
        who = thread_name(wait.thread)
        if wait.joins is not None:
            yield f"{who} waits for {thread_name(wait.joins)} to end{self._at(wait)}{self._held(wait)}"
        elif wait.object is not None:
            yield f"{who} waits for {self._object(wait.object)}{self._held(wait)}"
        else:
            sights = [f"{self._place(seen)} = {self._value(seen)}" for seen in wait.sees]
            why = f"it sees {_and(sights)}" if sights else "it reads nothing that other threads could write"
            yield f"{who} goes round the loop{self._loop(wait)} for ever: {why}{self._held(wait)}"
            for seen in wait.sees:
                yield from (f"  {line}" for line in self._chances(seen))

    def _loop(self, wait: Wait) -> str:
        where = None if wait.loop is None else loop_position(self.program, wait.loop)
        return f" at {where.file}:{where.line}" if where else ""

    def _at(self, wait: Wait) -> str:
        where = location(self.program, wait.stack)
        return f", at {where.file}:{where.line}" if where else ""

    def _object(self, read: EventRef) -> str:
        """The object, and who made it what it is."""
        event = self.graph[read]
        place = self.speaker.place(event)
        operation = operation_of(self.program, event)
        if operation is not None and operation.awaits:
            return f"{operation.awaits} {place}"
        last = self.graph[event.writers[0]] if event.writers else self._before_threads(event.address)
        if last is None:
            return place
        made = operation_of(self.program, last)
        if made is not None and made.hold is Hold.GIVES:
            for thread in range(len(self.graph.threads)):
                for taken in self._taken(thread):
                    if taken.address == event.address:  # taken more than once, or by several
                        return f"{place}, which {thread_name(thread)} still holds{self._line(taken)}"
        done = "written" if made is None else made.done
        writer = self._writer(event.writers[0]) if event.writers else f"main:{self._number(last)}".rstrip(":")
        return f"{place}, {done} by {writer}"

    def _held(self, wait: Wait) -> str:
        """The locks that the thread has taken and not given back, and where it took them."""
        names = [f"{self.speaker.place(event)}{self._line(event)}" for event in self._taken(wait.thread)]
        return f", and holds {_and(names)}" if names else ""

    def _taken(self, thread: int) -> list[Event]:
        """Where a thread took the locks that it holds."""
        held: dict[int, list[Event]] = {}
        for event in (*self._at_first(thread), *self.graph.threads[thread].events):
            operation = operation_of(self.program, event) if event.kind == "W" else None
            if operation is None:
                continue
            if operation.hold is Hold.TAKES:
                held.setdefault(event.address, []).append(event)
            elif operation.hold is Hold.GIVES and held.get(event.address):
                held[event.address].pop()
        return [events[0] for events in held.values() if events]

    def _at_first(self, thread: int) -> list[Event]:
        """What main did before the threads, as events."""
        return [] if thread else [_event_of(write) for write in self.speaker.prologue]

    def _before_threads(self, address: int) -> Event | None:
        """Main's last write of an object before the threads."""
        write = self.speaker.prologue_write(address)
        return None if write is None else _event_of(write)

    def _line(self, event: Event) -> str:
        line = self._number(event)
        return f" (since line {line})" if line else ""

    def _number(self, event: Event) -> str:
        """The line of an event, in the graph or before the threads."""
        write = InitialWrite(event.address, event.size, event.function, event.pc)
        return self.places.line(self.places.of(event) or self.places.of(write))

    def _place(self, seen: Seen) -> str:
        return self.speaker.place(seen.event())

    def _value(self, seen: Seen) -> str:
        sources = [self._writer(write) for write in self._newest(seen)]
        return f"{self.speaker.state_of(seen.event())} ({_and(sources) if sources else 'initially'})"

    def _writer(self, ref: EventRef) -> str:
        line = self.places.line(self.places.of(self.graph[ref]))
        return f"{thread_name(ref[0])}:{line}".rstrip(":")

    def _chances(self, seen: Seen) -> Iterator[str]:
        """What the place was before, and the writes of it that no thread came to."""
        name = self._place(seen)
        newest = self._newest(seen)
        earlier = [write for write in self._writes(seen) if write not in newest][-MOST_WRITES:]
        if earlier:
            values = [f"{self._written(seen, write)} ({self._writer(write)})" for write in earlier]
            yield f"{name} was {_and(values)} before"
        reached = {(event.function, event.pc) for event in map(self.graph.__getitem__, self.graph.refs())}
        reached |= {(write.function, write.pc) for write in self.speaker.prologue}
        writes = _writes_of(self.program, seen)
        # The graph does not say which instructions of an atomic section were reached.
        known = not any(self.graph[write].section for write in self._writes(seen))
        missed = [place for place in writes if place not in reached] if known else []
        for function, pc in missed[:MOST_WRITES]:
            where = position(self.program, function, pc)
            at = f" at {where.file}:{where.line}" if where else ""
            yield f"no thread reached the write of {name}{at}, in {self.program.functions[function].name}"
        if not earlier and not missed and seen.source is None:
            yield (
                f"only main writes {name}, before the threads"
                if writes
                else f"nothing in the program writes {name}"
            )

    def _chains(self, seen: Seen) -> list[tuple[EventRef, ...]]:
        """The coherence order of the place, or of each cell in it if accesses have several sizes."""
        end = seen.address + seen.size
        return [c.writes for c in self.graph.co if seen.address <= c.address < end]

    def _writes(self, seen: Seen) -> list[EventRef]:
        return list(dict.fromkeys(write for chain in self._chains(seen) for write in chain))

    def _newest(self, seen: Seen) -> list[EventRef]:
        """The writes that the thread sees for ever: the newest of each part."""
        chains = self._chains(seen)
        if len(chains) <= 1:
            return [] if seen.source is None else [seen.source]
        return list(dict.fromkeys(chain[-1] for chain in chains if chain))

    def _written(self, seen: Seen, write: EventRef) -> str:
        """What a write wrote; a write of another size says where."""
        found = (access for access in self.graph[write].accesses if access.overlaps(seen.event()))
        event = next(found, self.graph[write])
        value = self.speaker.state_of(event)
        is_same = (event.address, event.size) == (seen.address, seen.size)
        return value if is_same else f"{value} in {self.speaker.place(event)}"


def _event_of(write: InitialWrite) -> Event:
    return Event("W", Mode.NA, write.function, write.pc, 0, write.address, write.size)


def _writes_of(program: Program, seen: Seen) -> list[tuple[int, int]]:
    """The instructions that write the place that a thread reads, by function and pc."""
    name = instruction(program, seen.function, seen.pc).expr
    return [
        (f, pc)
        for f, function in enumerate(program.functions)
        for pc, instr in enumerate(function.code)
        if instr.op in _WRITING and _is_at(program, instr, seen, name)
    ]


def _is_at(program: Program, instr: Instr, seen: Seen, name: str) -> bool:
    if instr.a & CONST:
        start = program.constants[instr.a & ~CONST]
        return start < seen.address + seen.size and seen.address < start + max(instr.width // 8, 1)
    return bool(name) and instr.expr == name


def _and(words: list[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def wait_objects(program: Program, violation: Violation) -> list[dict[str, object]]:
    """The same for programs, as JSON."""
    return [
        {
            "thread": wait.thread,
            "loop": None if wait.loop is None else _location(loop_position(program, wait.loop)),
            "joins": wait.joins,
            "object": wait.object,
            "sees": [_sight(program, seen) for seen in wait.sees],
        }
        for wait in violation.waits
    ]


def _sight(program: Program, seen: Seen) -> dict[str, object]:
    return {
        "address": seen.address,
        "size": seen.size,
        "value": seen.value,
        "rf": seen.source,
        "place": instruction(program, seen.function, seen.pc).expr or None,
        "location": _location(position(program, seen.function, seen.pc)),
        "writes": [_location(position(program, *place)) for place in _writes_of(program, seen)],
    }


def _location(where: Position | None) -> dict[str, object] | None:
    return None if where is None else {"file": where.file, "line": where.line, "column": where.column}
