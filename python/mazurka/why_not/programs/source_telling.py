"""Executions of C programs in words: events with their files, lines and threads."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from mazurka.checking.objects import count, thread_name
from mazurka.frontend.naming import name_of
from mazurka.program import REGION_SHIFT, Mode, Program, Region
from mazurka.reference.running.labels import EventId, Kind
from mazurka.why_not.candidates import Candidate
from mazurka.why_not.telling import Teller

_POINTER = 8  # bytes
_LONGEST = 60  # of a line of the source
_VERBS = {Kind.CREATE: "start", Kind.JOIN: "join"}


class SourceTeller(Teller):
    """Names the events of a program."""

    def __init__(self, program: Program, candidate: Candidate) -> None:
        graph, initial = candidate.graph, candidate.machine.initial.objects
        self.threads: dict[int, set[int]] = defaultdict(set)  # that access memory, by its address
        for (thread, _), label in graph.labels.items():
            if label.kind in (Kind.READ, Kind.WRITE):
                self.threads[label.address].add(thread)
        self.objects = {
            address: (item.size, "main allocated before the threads") for address, item in initial.items()
        }
        for event, label in sorted(graph.labels.items()):
            if label.kind is Kind.ALLOC:
                self.objects[label.address] = label.size, f"{thread_name(event[0])} allocated"
        self.numbers: dict[int, int] = {}  # of the objects that were mentioned, by their addresses
        super().__init__(program, candidate, self._is_shown)

    def _is_shown(self, event: EventId) -> bool:
        """Whether an event matters to the user: not what libraries do in main, such as ``std::vector``.

        Neither do plain accesses to memory that has no name and that no other thread accesses.
        """
        label = self.graph.labels[event]
        is_own = (
            label.kind in (Kind.READ, Kind.WRITE)
            and label.mode is Mode.NA
            and label.address >> REGION_SHIFT == Region.SHARED
            and len(self.threads[label.address]) == 1
        )
        is_placed = event[0] > 0 or not self.program.positions or self.position(event) is not None
        return is_placed and not is_own

    def at(self, event: EventId) -> str:
        """``T1 mp.c:6``."""
        where = self.position(event)
        who = thread_name(event[0])
        return f"{who} {where.file.rpartition('/')[2]}:{where.line}" if where else who

    def text(self, event: EventId) -> str:
        """The line of the source."""
        where = self.position(event)
        lines = self.program.sources.get(where.file, "").splitlines() if where else []
        text = " ".join(lines[where.line - 1].split()) if where and 0 < where.line <= len(lines) else ""
        return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"

    def access(self, event: EventId) -> str:
        """``R.acq x=1``, ``start T1``."""
        label = self.graph.labels[event]
        verb = _VERBS.get(label.kind)
        return super().access(event) if verb is None else f"{verb} {thread_name(label.other)}"

    def value(self, event: EventId) -> str:
        """A number with its sign, or the name of what a pointer points to."""
        number, size = self.number(event), self.graph.labels[event].size
        name = name_of(self.program, number, 1) if size == _POINTER else None
        bits = 8 * size
        held = self._object(number) if size == _POINTER and not name else ""
        return (
            held or f"&{name}"
            if name or held
            else str(number - (1 << bits) if number >> (bits - 1) & 1 else number)
        )

    def place(self, address: int) -> str:
        """``x``, ``queue.head``, ``#1+8``."""
        return name_of(self.program, address, 1) or self._object(address) or hex(address)

    def place_of(self, event: EventId) -> str:
        """The same; memory that has no name also as the source accesses it: ``n->next (#1+8)``."""
        address, written = self.graph.labels[event].address, self.instructions[event[0]][event[1]].expr
        place = self.place(address)
        return f"{written} ({place})" if written and place[0] in "#0" else place

    def _object(self, address: int) -> str:
        """``#1``, ``#1+8``: memory that was allocated, as reports number it; nothing if it is none."""
        for start, (size, _) in self.objects.items():
            if start <= address < start + max(size, 1):
                number = self.numbers.setdefault(start, len(self.numbers) + 1)
                return f"#{number}+{address - start}" if address > start else f"#{number}"
        return ""

    def execution(self) -> Iterator[str]:
        """Also what the numbers of objects stand for."""
        yield from super().execution()
        for start, number in self.numbers.items():
            size, whose = self.objects[start]
            yield f"    #{number}: {count(size)} that {whose}"
