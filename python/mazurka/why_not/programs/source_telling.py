"""Executions of C programs in words: events with their files, lines and threads."""

from __future__ import annotations

from mazurka.checking.objects import thread_name
from mazurka.frontend.naming import name_of
from mazurka.program import Program
from mazurka.reference.running.labels import EventId, Kind
from mazurka.why_not.candidates import Candidate
from mazurka.why_not.telling import Teller

_POINTER = 8  # bytes
_LONGEST = 60  # of a line of the source
_VERBS = {Kind.CREATE: "start", Kind.JOIN: "join"}


class SourceTeller(Teller):
    """Names the events of a program."""

    def __init__(self, program: Program, candidate: Candidate) -> None:
        super().__init__(program, candidate, self._is_shown)
        self.expressions = {  # for memory that has no name
            self.graph.labels[event].address: self.instructions[event[0]][event[1]].expr
            for event in self.shown
        }

    def _is_shown(self, event: EventId) -> bool:
        """Whether an event matters to the user: not what libraries do in main, such as ``std::vector``."""
        return event[0] > 0 or not self.program.positions or self.position(event) is not None

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
        return f"&{name}" if name else str(number - (1 << bits) if number >> (bits - 1) & 1 else number)

    def place(self, address: int) -> str:
        """``x``, ``queue.head``; memory that has no name as the source accesses it."""
        return name_of(self.program, address, 1) or self.expressions.get(address) or hex(address)
