"""Executions in words: events with their lines and what they do, and what lies between them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from mazurka.kat.meaning import terms
from mazurka.program import NO_POSITION, Mode, Position, Program
from mazurka.reference.bases import is_initial
from mazurka.reference.running.labels import EventId, Kind
from mazurka.why_not.candidates import Candidate
from mazurka.why_not.paths import Step

SHOWN = (Kind.READ, Kind.WRITE, Kind.FENCE)


class Teller(ABC):
    """Names the events of one execution. What they are called depends on the language."""

    def __init__(self, program: Program, candidate: Candidate, is_shown: Callable[[EventId], bool]) -> None:
        self.program = program
        self.graph = candidate.graph
        threads = {event[0] for event in self.graph.order}
        self.instructions = {t: candidate.machine.instructions(self.graph, t) for t in threads}
        accesses = (e for e in sorted(self.graph.order) if self.graph.labels[e].kind in SHOWN)
        self.shown = [event for event in accesses if is_shown(event)]

    @abstractmethod
    def at(self, event: EventId) -> str:
        """The thread and the line of an event."""

    @abstractmethod
    def text(self, event: EventId) -> str:
        """What the source says there."""

    @abstractmethod
    def place(self, address: int) -> str:
        """The name of a location."""

    @abstractmethod
    def value(self, event: EventId) -> str:
        """What an access reads or writes."""

    def forbidden(self, candidate: Candidate, model: terms.Model) -> list[str]:
        """What the first axiom excludes, the names of the others, and the execution."""
        others, limit = candidate.others(), candidate.limit
        return [
            *self.cycle(candidate.cycle(model)),
            *([f"  and by {', '.join(others)}"] if others else []),
            *([f"  (another execution may be closer to being allowed: {limit})"] if limit else []),
            "  in the execution",
            *self.execution(),
        ]

    def cycle(self, steps: Sequence[Step]) -> Iterator[str]:
        """One line per event, with the relation that leads to the next."""
        events = [step.before for step in steps]
        if steps and steps[-1].after != steps[0].before:
            events.append(steps[-1].after)
        rows = [self.words(event) for event in events]
        width = max(map(len, rows), default=0)
        for row, step in zip(rows, [*steps, None][: len(rows)], strict=True):
            name = "" if step is None else f"  --{step.name}-->"
            yield f"    {row:{width if name else 0}}{name}"
        if steps and steps[-1].after == steps[0].before:
            yield f"    {rows[0]}"

    def execution(self) -> Iterator[str]:
        """All accesses and fences that are shown; of each read, the write that it sees."""
        rows = [(event, self.words(event)) for event in self.shown]
        width = max((len(row) for _, row in rows), default=0)
        for event, row in rows:
            source = self._source(event)
            yield f"    {row:{width}}  {source}".rstrip()
        for cell, writes in sorted(self.graph.co.items()):
            if len(writes) > 1 and writes[0] in self.shown:
                order = ", then ".join(self.at(write) for write in writes)
                yield f"    {self.place(cell)} is written by {order}"

    def _source(self, event: EventId) -> str:
        if event not in self.graph.rf:
            return ""
        (source,) = self.graph.sources(event)
        return "<- initial value" if source is None else f"<- {self.at(source)}"

    def steps(self, steps: Sequence[Step]) -> list[dict[str, Any]]:
        """A cycle for programs: each event, and the relation that leads to the next."""
        return [{**self.event(step.before), "relation": step.name} for step in steps] + [
            {**self.event(step.after), "relation": None} for step in steps[-1:]
        ]

    def event(self, event: EventId) -> dict[str, Any]:
        """An event for programs."""
        if is_initial(event):
            return {"thread": None, "file": None, "line": None, "access": self.words(event)}
        where = self.position(event)
        return {
            "thread": event[0],
            "file": where.file if where else None,
            "line": where.line if where else None,
            "access": self.access(event),
        }

    def words(self, event: EventId) -> str:
        """``P1:6  r1 = LOAD(x)  (R x=1)``."""
        if is_initial(event):
            return f"the initial value of {self.place(event[1])}"
        text = self.text(event)
        return f"{self.at(event)}  {text}{'  ' if text else ''}({self.access(event)})"

    def access(self, event: EventId) -> str:
        """``R.acq x=1``."""
        label = self.graph.labels[event]
        mode = "" if label.mode in (Mode.NA, Mode.RLX) else f".{label.mode.name.lower()}"
        is_access = label.kind in (Kind.READ, Kind.WRITE)
        place = f" {self.place_of(event)}={self.value(event)}" if is_access else ""
        return f"{label.kind.value}{mode}{place}"

    def place_of(self, event: EventId) -> str:
        """The name of what an event accesses."""
        return self.place(self.graph.labels[event].address)

    def position(self, event: EventId) -> Position | None:
        """Where an event is in the source, if that is known."""
        if event[0] not in self.instructions:
            return None
        index = self.instructions[event[0]][event[1]].position
        return None if index == NO_POSITION else self.program.positions[index]

    def number(self, event: EventId) -> int:
        """What an access reads or writes, as a number without a sign."""
        label = self.graph.labels[event]
        return label.value if label.kind is Kind.WRITE else self.graph.value(event)
